"""The rows, or the columns, of a rank's part of a matrix: its own vertices, and those of others.

A rank numbers what it has 32 bits wide: its own vertices by their places, then, in the same order,
the vertices of others that an edge of its part has at this end.  For each of these its owner knows
who refers to it, and both know the list of what lies between them, so that subsets of it cross as
bits or positions.  Values are *brought* from owners to those who refer to them, or *returned*, by
each who has something for a vertex, to its owner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.distributed.partition import Partition
from spbfs.distributed.ranks import Bytes, Pending, Ranks, sums
from spbfs.distributed.wire import Subset, pack, unpack
from spbfs.engines.arrays.sets import set_of
from spbfs.exceptions import OutOfMemory
from spbfs.storage.entries import take

__all__ = ["Crossing", "Side", "make_side"]

Array = Any
Ints = npt.NDArray[np.int64]
#: Vertices and edges that a rank can number.
_MOST = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False, slots=True)
class Side:
    """What a rank refers to at one end of its edges.

    Parameters
    ----------
    ranks : Ranks
    first, own : int
        The place of this rank's first vertex, and how many it has.
    foreign : int64 array
        Places of the vertices of others, rising.
    bounds : int64 array
        Where in `foreign` those of each rank begin, and its length.
    lent : tuple of int32 arrays
        This rank's own vertices that each rank refers to, rising.
    between, pairs : int
        The length of all lists between ranks, 0 where nobody refers to others, and how many of
        them are not empty.
    """

    ranks: Ranks
    first: int
    own: int
    foreign: Ints
    bounds: Ints
    lent: tuple[npt.NDArray[np.int32], ...]
    between: int
    pairs: int

    @property
    def size(self) -> int:
        """How many rows, or columns, the part has."""
        return self.own + self.foreign.shape[0]

    @property
    def nbytes(self) -> int:
        """Bytes of the lists."""
        return self.foreign.nbytes + sum(vertices.nbytes for vertices in self.lent)

    def places(self, numbers: npt.NDArray[Any]) -> Ints:
        """The places of rows, or columns, by their numbers here."""
        places = numbers.astype(np.int64) + self.first
        others = np.flatnonzero(numbers >= self.own)
        places[others] = self.foreign[numbers[others] - self.own]
        return places

    def numbers(self, places: Ints) -> Ints:
        """Their numbers here by their places, all of which are referred to."""
        numbers = places - self.first
        others = np.flatnonzero((numbers < 0) | (numbers >= self.own))
        numbers[others] = self.own + np.searchsorted(self.foreign, places[others])
        return numbers

    def bring(self, vertices: Ints, values: Array | None) -> Crossing:
        """Have a subset of everybody's vertices, rising, and their values, come from the owners."""
        chosen = np.full(self.own, -1, np.int64)
        chosen[vertices] = np.arange(vertices.shape[0])
        subsets = []
        for listed in self.lent:
            at = chosen[listed]
            positions = np.flatnonzero(at >= 0)
            some = None if values is None else take(values, at[positions])
            subsets.append(Subset(positions, some))
        return self.lend(subsets, None if values is None else values.dtype)

    def lend(self, subsets: list[Subset], dtype: np.dtype[Any] | None) -> Crossing:
        """Send every rank a subset of its own choice among the vertices that it refers to."""
        lists = zip(self.lent, subsets, strict=True)
        parts = [pack(listed.shape[0], subset) for listed, subset in lists]
        return Crossing(self, self.ranks.begin(parts), dtype, True)

    def give(self, numbers: Ints, values: Array | None) -> Crossing:
        """Return some vertices of others, by rising numbers, and values to their owners."""
        cuts = np.searchsorted(numbers, self.bounds + self.own).tolist()
        parts = []
        for begin, end, base in zip(cuts, cuts[1:], self.bounds.tolist(), strict=False):
            some = None if values is None else _part(values, begin, end)
            parts.append((numbers[begin:end] - (self.own + base), some))
        lengths = np.diff(self.bounds).tolist()
        packed = [pack(length, Subset(*p)) for length, p in zip(lengths, parts, strict=True)]
        dtype = None if values is None else values.dtype
        return Crossing(self, self.ranks.begin(packed), dtype, False)


def _part(values: Array, begin: int, end: int) -> Array:
    return take(values, np.arange(begin, end)) if values.strides == (0,) else values[begin:end]


@dataclass(frozen=True, eq=False, slots=True)
class Crossing:
    """Subsets under way between owners and those who refer to their vertices."""

    side: Side
    pending: Pending
    dtype: np.dtype[Any] | None
    brought: bool

    def wait(self) -> list[Subset]:
        """What came from each rank: numbers on this side, those of this rank's own vertices where
        they were returned to it; and values."""
        side = self.side
        arrived = self.pending.wait()
        if not self.brought:
            return [
                _named(listed, unpack(listed.shape[0], message, self.dtype))
                for listed, message in zip(side.lent, arrived, strict=True)
            ]
        found = []
        for rank, message in enumerate(arrived):
            begin, end = int(side.bounds[rank]), int(side.bounds[rank + 1])
            subset = unpack(end - begin, message, self.dtype)
            found.append(Subset(subset.positions + (side.own + begin), subset.values))
        return found


def _named(listed: npt.NDArray[np.int32], subset: Subset) -> Subset:
    return Subset(listed[subset.positions].astype(np.int64), subset.values)


def make_side(ranks: Ranks, partition: Partition, places: Ints) -> Side:
    """The side of a part whose edges have these places at this end; collective.

    Raises
    ------
    OutOfMemory
        When a rank would have more than 2^31 - 1 vertices and vertices of others.
    """
    bounds = partition.bounds
    first, end = int(bounds[ranks.rank]), int(bounds[ranks.rank + 1])
    foreign = set_of(np, places[(places < first) | (places >= end)])
    cuts = np.searchsorted(foreign, bounds)
    wanted = _asked(ranks, partition, foreign, cuts)
    most = int(ranks.reduce(np.array([end - first + foreign.shape[0]]), "max")[0])
    if most > _MOST:
        raise OutOfMemory(f"comm: a rank would number {most:,} vertices, more than {_MOST:,}")
    between, pairs = sums(ranks, foreign.shape[0], int((np.diff(cuts) > 0).sum()))
    return Side(ranks, first, end - first, foreign, cuts, wanted, between, pairs)


def _asked(ranks: Ranks, partition: Partition, foreign: Ints, cuts: Ints) -> Any:
    """Which of this rank's vertices each rank refers to, who tells it."""
    starts = partition.bounds.tolist()
    parts: list[Bytes] = [
        (foreign[a:b] - start).view(np.uint8)
        for a, b, start in zip(cuts.tolist(), cuts[1:].tolist(), starts, strict=False)
    ]
    asked = [part.view(np.int64) for part in ranks.begin(parts).wait()]
    return tuple(vertices.astype(np.int32) for vertices in asked)
