"""The rows, or the columns, of a rank's part of a matrix: its own vertices, and those of others.

A rank numbers what it has 32 bits wide: its own vertices by their places, then, in the same order,
the vertices of others that an edge of its part has at this end.  For each of these its owner knows
who refers to it, and both know the list of what lies between them, so that subsets of it cross as
bits or positions.  Values are *brought* from owners to those who refer to them, or *returned*, by
each who has something for a vertex, to its owner.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.distributed.exchange.ranks import Bytes, Pending, Ranks, sums
from spbfs.distributed.exchange.wire import Subset, pack, unpack
from spbfs.distributed.parts.partition import Partition
from spbfs.engines.arrays.patterns.sets import set_of, true_at
from spbfs.exceptions import OutOfMemory
from spbfs.storage.arrays import is_iso, iso_array, nbytes_of
from spbfs.storage.entries import on_host, take

__all__ = ["Crossing", "Side", "make_side", "values_between"]

Array = Any
Ints = npt.NDArray[np.int64]
#: Vertices and edges that a rank can number.
_MOST = np.iinfo(np.int32).max


@dataclass(eq=False, slots=True)
class Side:
    """What a rank refers to at one end of its edges.

    Parameters
    ----------
    ranks : Ranks
        By which subsets cross; arrays are of the module that they send.
    first, own : int
        The place of this rank's first vertex, and how many it has.
    foreign : int64 array
        Places of the vertices of others, rising.
    bounds : int64 array
        Where in `foreign` those of each rank begin, and its length; in host memory.
    lent : tuple of int32 arrays
        This rank's own vertices that each rank refers to, rising.
    between, pairs : int
        The length of all lists between ranks, 0 where nobody refers to others, and how many of
        them are not empty.
    """

    ranks: Ranks
    first: int
    own: int
    foreign: Array
    bounds: Ints
    lent: tuple[Array, ...]
    between: int
    pairs: int
    #: What a user calls each of its rows, or columns; made and kept by `DistributedEngine.names`.
    names: Array | None = None
    #: Its `FlagLists`, by which flags cross; made and kept by `DistributedEngine.flag_lists`.
    flag_lists: Any = None

    @property
    def size(self) -> int:
        """How many rows, or columns, the part has."""
        return self.own + self.foreign.shape[0]

    @property
    def nbytes(self) -> int:
        """Bytes of the lists."""
        lists = 0 if self.flag_lists is None else int(self.flag_lists.nbytes)
        return lists + nbytes_of(self.foreign, self.names, *self.lent)

    def on(self, ranks: Ranks) -> Side:
        """The same for arrays of the module that other exchanges send."""
        move = on_host if ranks.xp is np else ranks.xp.asarray
        foreign, *lent = map(move, (self.foreign, *self.lent))
        return replace(
            self, ranks=ranks, foreign=foreign, lent=tuple(lent), names=None, flag_lists=None
        )

    def places(self, numbers: Array) -> Array:
        """The places of rows, or columns, by their numbers here."""
        places = numbers.astype(np.int64) + self.first
        others = true_at(numbers >= self.own)
        places[others] = self.foreign[numbers[others] - self.own]
        return places

    def numbers(self, places: Array) -> Array:
        """Their numbers here by their places, all of which are referred to."""
        numbers = places - self.first
        others = true_at((numbers < 0) | (numbers >= self.own))
        found = self.ranks.xp.searchsorted(self.foreign, places[others])
        numbers[others] = self.own + found
        return numbers

    def bring(self, vertices: Array, values: Array | None) -> Crossing:
        """Have a subset of everybody's vertices, rising, and their values, come from the owners."""
        xp = self.ranks.xp
        chosen = xp.full(self.own, -1, np.int64)
        chosen[vertices] = xp.arange(vertices.shape[0])
        subsets = []
        for listed in self.lent:
            at = chosen[listed]
            positions = true_at(at >= 0) if listed.shape[0] else at
            some = None if values is None else take(values, at[positions])
            subsets.append(Subset(positions, some))
        return self.lend(subsets, None if values is None else values.dtype)

    def lend(self, subsets: list[Subset], dtype: np.dtype[Any] | None) -> Crossing:
        """Send every rank a subset of its own choice among the vertices that it refers to."""
        lengths = [listed.shape[0] for listed in self.lent]
        return self._send(lengths, subsets, dtype, brought=True)

    def give(self, numbers: Array, values: Array | None) -> Crossing:
        """Return some vertices of others, by rising numbers, and values to their owners.

        This rank's own, which are before these, stay; the crossing has how many they are.
        """
        ends = self.ranks.xp.asarray(self.bounds + self.own)
        cuts = self.ranks.xp.searchsorted(numbers, ends).tolist()
        subsets = []
        for begin, end, base in zip(cuts, cuts[1:], self.bounds.tolist(), strict=False):
            some = None if values is None else values_between(values, begin, end)
            subsets.append(Subset(numbers[begin:end] - (self.own + base), some))
        lengths = np.diff(self.bounds).tolist()
        dtype = None if values is None else values.dtype
        return self._send(lengths, subsets, dtype, brought=False, stay=cuts[0])

    def _send(
        self,
        lengths: list[int],
        subsets: list[Subset],
        dtype: np.dtype[Any] | None,
        *,
        brought: bool,
        stay: int = 0,
    ) -> Crossing:
        """Subsets of lists of these lengths, one to every rank."""
        ranks = self.ranks
        packed = [pack(ranks.xp, n, subset) for n, subset in zip(lengths, subsets, strict=True)]
        heads, parts = [head for head, _ in packed], [part for _, part in packed]
        return Crossing(self, ranks.begin(parts, heads), dtype, brought, stay)


def values_between(values: Array, begin: int, end: int) -> Array:
    """``values[begin:end]``, iso kept."""
    if is_iso(values) and values.shape[0]:
        return iso_array(values[:1], end - begin)
    return values[begin:end]


@dataclass(frozen=True, eq=False, slots=True)
class Crossing:
    """Subsets under way between owners and those who refer to their vertices."""

    side: Side
    pending: Pending
    dtype: np.dtype[Any] | None
    brought: bool
    #: How many of those that were given stay with this rank.
    stay: int

    def wait(self) -> list[Subset]:
        """What came from each rank: numbers on this side, those of this rank's own vertices where
        they were returned to it; and values."""
        side, xp = self.side, self.side.ranks.xp
        found = []
        for rank, message in enumerate(self.pending.wait()):
            head, listed = self.pending.heads[rank], side.lent[rank]
            begin, end = int(side.bounds[rank]), int(side.bounds[rank + 1])
            length = end - begin if self.brought else listed.shape[0]
            positions, values = unpack(xp, length, head, message, self.dtype)
            if self.brought:
                numbers = positions + (side.own + begin)
            else:
                numbers = listed[positions].astype(np.int64)
            found.append(Subset(numbers, values))
        return found


def make_side(ranks: Ranks, partition: Partition, places: Array) -> Side:
    """The side of a part whose edges have these places at this end; collective.

    Raises
    ------
    OutOfMemory
        When a rank would have more than 2^31 - 1 vertices and vertices of others.
    """
    bounds, xp = partition.bounds, ranks.xp
    first, end = int(bounds[ranks.rank]), int(bounds[ranks.rank + 1])
    foreign = set_of(xp, places[(places < first) | (places >= end)])
    cuts: Ints = on_host(xp.searchsorted(foreign, xp.asarray(bounds)))
    wanted = _asked(ranks, partition, foreign, cuts)
    most = int(ranks.reduce(np.array([end - first + foreign.shape[0]]), "max")[0])
    if most > _MOST:
        raise OutOfMemory(f"comm: a rank would number {most:,} vertices, more than {_MOST:,}")
    between, pairs = sums(ranks, foreign.shape[0], int((np.diff(cuts) > 0).sum()))
    return Side(ranks, first, end - first, foreign, cuts, wanted, between, pairs)


def _asked(ranks: Ranks, partition: Partition, foreign: Array, cuts: Ints) -> Any:
    """Which of this rank's vertices each rank refers to, who tells it."""
    starts = partition.bounds.tolist()
    parts: list[Bytes] = [
        (foreign[a:b] - start).view(np.uint8)
        for a, b, start in zip(cuts.tolist(), cuts[1:].tolist(), starts, strict=False)
    ]
    asked = [part.view(np.int64) for part in ranks.begin(parts).wait()]
    return tuple(vertices.astype(np.int32) for vertices in asked)
