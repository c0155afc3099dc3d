"""What a rank in host memory knows of its vertices in a search over ranks, and how its edges find
more: ``kernels/cpu/ranks/bfs_ranks.cpp``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.threads import resolve_threads
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import MatrixData

__all__ = ["RankVertices", "Room", "bytes_of", "positions"]

Array = Any
_NONE = np.empty(0, np.int32)


class Room:
    """Arrays that searches of one matrix have one after the other, by name: pages of fresh memory
    would take as long as the edges."""

    def __init__(self) -> None:
        self._arrays: dict[str, Array] = {}

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(int(array.nbytes) for array in self._arrays.values())

    def array(self, name: str, size: int, dtype: Any) -> Array:
        """An array of this size and type with anything in it."""
        array = self._arrays.get(name)
        if array is None or array.shape[0] != size or array.dtype != dtype:
            array = self._arrays[name] = np.empty(size, dtype)
        return array


def bytes_of(bits: int) -> int:
    """Bytes of so many bits."""
    return -(-bits // 8)


def positions(bits: Array, count: int) -> Array:
    """Which bits are set, rising, of a message in which `count` are."""
    found = np.empty(count, np.int32)
    kernels.ranks_positions(bits, found)
    return found


class RankVertices:
    """Levels of a rank's own vertices, who found them, and the frontier among them.

    Parameters
    ----------
    degrees : int64 array
        Out-edges of every one of them, wherever they lie.
    sources : int array
        Those on level 0.
    dtype : dtype
        Of levels: int32 or int64.
    threads : int or None
    room : Room
        For all but the levels.
    """

    def __init__(
        self, degrees: Array, sources: Array, dtype: Any, threads: int | None, room: Room
    ) -> None:
        self._degrees, self.threads = np.ascontiguousarray(degrees), resolve_threads(threads)
        self._room, own = room, degrees.shape[0]
        self.levels, self.finders = np.empty(own, dtype), room.array("finders", own, np.int32)
        kernels.ranks_begin(self.levels, self.finders, np.empty(0, np.uint8), self.threads)
        self.levels[sources] = 0
        #: The last level's vertices, in any order, and their out-edges.
        self.frontier = sources.astype(np.int32)
        self.edges = int(degrees[sources].sum())
        self._lists = [room.array(f"list {turn}", own, np.int32) for turn in range(2)]
        self._depth = self._count = self._found_edges = 0

    def unseen(self, name: str, size: int) -> Array:
        """Flags, none of them set, for vertices of others that were named."""
        seen = self._room.array(f"seen {name}", size, np.uint8)
        none = np.empty(0, self.levels.dtype), np.empty(0, np.int32)
        kernels.ranks_begin(*none, seen, self.threads)
        return seen

    def begin(self, depth: int) -> None:
        """From now on vertices are found for this level."""
        self._depth, self._count, self._found_edges = depth, 0, 0

    def end(self) -> None:
        """What was found is the frontier."""
        self.frontier, self.edges = self._next[: self._count], self._found_edges

    @property
    def _next(self) -> Array:
        return self._lists[self._depth & 1]

    # -- by this rank's edges --------------------------------------------------------------------
    def push(
        self, A: MatrixData, frontier: Array, finder: int, seen: Array, via: Array | None
    ) -> Array:
        """Follow the out-edges of vertices that may be others'; which of others' were found.

        `seen` says of others' vertices whether they were named, and is 2 of those that are found
        now; `via` is told by whom each was found.
        """
        return self._found(kernels.ranks_push, (A.indptr, A.indices, frontier), finder, seen, via)

    def pull(
        self,
        A: MatrixData,
        present: Array,
        hubs: Array,
        finder: int,
        seen: Array,
        via: Array | None,
    ) -> Array:
        """Look through the in-edges of who has no level for one whose bit is set; likewise.

        The one that `hubs` has of a row, where it has any, is looked at first.
        """
        by = A.indptr, A.indices, present, hubs
        return self._found(kernels.ranks_pull, by, finder, seen, via)

    def _found(
        self, kernel: Any, by: tuple[Array, ...], finder: int, seen: Array, via: Array | None
    ) -> Array:
        others = self._room.array("others", seen.shape[0] - self.levels.shape[0], np.int32)
        found, edges, named = kernel(
            *(*by, self.levels, self.finders, self._degrees),
            *(self._depth, finder, seen, _NONE if via is None else via),
            *(self._next, others, self.threads),
        )
        self._count, self._found_edges = found, edges
        return others[:named]

    # -- by others -------------------------------------------------------------------------------
    def take(self, lent: Array, message: Array, finder: int) -> None:
        """Own vertices that another rank has found, by bits over those that it refers to (uint8) or
        by positions among them (int32); those that have no level yet are on the next one."""
        bits = message.dtype == np.uint8
        kernel = kernels.ranks_take_bits if bits else kernels.ranks_take_positions
        found, edges = kernel(
            *(message, lent, self.levels, self.finders, self._degrees, self._depth, finder),
            *(self._next[self._count :], self.threads),
        )
        self._count, self._found_edges = self._count + found, self._found_edges + edges

    # -- what crosses ----------------------------------------------------------------------------
    def on_level(self, depth: int, bits: Array) -> None:
        """Bits of the own vertices that are on a level."""
        kernels.ranks_having(self.levels, depth, bits, self.threads)

    def lent(self, listed: Array, present: Array) -> tuple[Array, int]:
        """Bits of those that another rank refers to, out of all own ones; and how many are set."""
        bits = np.empty(bytes_of(listed.shape[0]), np.uint8)
        return bits, kernels.ranks_lent_bits(listed, present, bits, self.threads)

    def found_by(self, listed: Array, finder: int) -> tuple[Array, int]:
        """Bits of those, among the ones that another rank refers to, that have a finder."""
        bits = np.empty(bytes_of(listed.shape[0]), np.uint8)
        return bits, kernels.ranks_lent_having(listed, self.finders, finder, bits, self.threads)

    def fresh(self, seen: Array) -> tuple[Array, int]:
        """Bits of others' vertices, a part of `seen`, that were found now; they are named then."""
        bits = np.empty(bytes_of(seen.shape[0]), np.uint8)
        return bits, kernels.ranks_fresh_bits(seen, bits, self.threads)

    def place(self, message: Array, count: int, present: Array, begin: int) -> None:
        """Put a message over so many vertices, bits or positions, among the bits of all."""
        if message.dtype == np.uint8:
            kernels.ranks_place_bits(message, count, present, begin, self.threads)
        else:
            kernels.ranks_place_positions(message, present, begin)

    def name_parents(
        self, finder: int, via: Array, names: Array, parents: Array, first: bool
    ) -> None:
        """Write the parents of those that have a finder; with `first`, -1 for all others."""
        kernels.ranks_name_parents(self.finders, finder, via, names, parents, first, self.threads)
