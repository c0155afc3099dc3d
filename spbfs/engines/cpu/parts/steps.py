"""A search over parts of the edges on the CPU, by ``kernels/cpu/bfs/bfs_parts.cpp``.

Parts are views of the matrix's arrays, be these in memory or mapped from a file: one is looked at
at a time, in the order in which it lies there.  Beside them a search holds 8 bytes a vertex for
keys, three arrays of the index type, and a byte a part.  Columns in a file need not have been
checked: the kernel looks at each before it follows it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.bfs import Ints, SearchRequest
from spbfs.engines.cpu.native import kernels
from spbfs.engines.part_searches import PartKeys
from spbfs.exceptions import FormatError
from spbfs.storage.data import MatrixData
from spbfs.storage.on_disk import OnDiskMatrix
from spbfs.storage.partitions import EdgePartitions

__all__ = ["CpuPartSteps"]

Array = Any


class CpuPartSteps:
    """The arrays of one search; see `PartSteps`.

    Parameters
    ----------
    A : MatrixData
        The graph, in host memory.
    in_edges : callable
        Gives a matrix with the pattern of the transpose, when first a level is pulled.
    part_edges, threads : int
    sources, owners : int64 arrays
        Distinct vertices, and the numbers of the trees that they are the roots of.
    keys : PartKeys
    """

    def __init__(
        self,
        A: MatrixData,
        in_edges: Callable[[], MatrixData],
        part_edges: int,
        threads: int,
        sources: Ints,
        owners: Ints,
        keys: PartKeys,
    ) -> None:
        n, dtype = A.nrows, _columns(A).dtype
        require_bytes((8 + 3 * dtype.itemsize) * n, "A: a search of it over parts")
        self._out, self._in_edges, self._part_edges = A, in_edges, part_edges
        self._partitions: dict[bool, tuple[MatrixData, EdgePartitions]] = {}
        self._threads, self._split, self._depth = threads, keys, 0
        self._levels = np.full(n, -1, dtype)
        self._keys = np.full(n, (1 << 64) - 1, np.uint64)
        self._frontier, self._next = np.empty(n, dtype), np.empty(n, dtype)
        self._size, self._found = sources.shape[0], 0
        self._frontier[: self._size] = sources
        self._levels[sources] = 0
        self._keys[sources] = sources.astype(np.uint64) | (
            owners.astype(np.uint64) << np.uint64(keys.shift)
        )

    def _cut(self, pull: bool) -> tuple[MatrixData, EdgePartitions]:
        """The in-edges, where a level is pulled, or out-edges, and their parts."""
        if pull not in self._partitions:
            data = self._in_edges() if pull else self._out
            parts = EdgePartitions(data.indptr, _columns(data), self._part_edges)
            self._partitions[pull] = data, parts
        return self._partitions[pull]

    def frontier_parts(self) -> tuple[int, Ints]:
        """Out-edges of the frontier, and the parts of the out-edges that hold them."""
        out, parts = self._cut(False)
        flags = np.zeros(len(parts), np.uint8)
        listed = self._frontier[: self._size]
        edges = kernels.bfs_parts_mark_listed(listed, out.indptr, self._part_edges, flags)
        return edges, np.flatnonzero(flags)

    def open_parts(self) -> Ints:
        """The parts of the in-edges that hold those of vertices not reached."""
        into, parts = self._cut(True)
        flags = np.zeros(len(parts), np.uint8)
        kernels.bfs_parts_mark_open(self._levels, into.indptr, self._part_edges, flags)
        return np.flatnonzero(flags)

    def expand(self, parts: Ints, pull: bool) -> None:
        """Look at parts of the out-edges, or of the in-edges, one after the other."""
        data, cut = self._cut(pull)
        indptr = data.indptr
        for number in parts.tolist():
            part = cut[number]
            self._found = kernels.bfs_parts_expand(
                indptr,
                # A copy of those that lie at odd bytes of a file.
                np.require(part.indices, requirements="A"),
                part.offset,
                part.first_row,
                part.end_row,
                self._levels,
                self._keys,
                self._split.mask,
                self._depth,
                pull,
                self._frontier[: self._size],
                self._next,
                self._found,
                self._threads,
            )
            if self._found < 0:
                raise FormatError(
                    f"{getattr(data, 'name', 'A')}: the columns {part.offset:,} to "
                    f"{part.offset + part.count:,} are not all of the {data.nrows:,} vertices"
                )
        if isinstance(data, OnDiskMatrix):
            data.check_pages()

    def advance(self) -> int:
        """Make what was found the frontier; how many vertices it has."""
        self._frontier, self._next = self._next, self._frontier
        self._size, self._found = self._found, 0
        self._depth += 1
        return self._size

    def is_reached(self, vertex: int) -> bool:
        """Whether a vertex has a level."""
        return bool(self._levels[vertex] >= 0)

    def outputs(self, request: SearchRequest) -> dict[str, Array | None]:
        """Levels, parents and owners, -1 where not reached, None where not asked for."""
        parents = owners = None
        reached = self._levels >= 0
        if request.parents:
            parents = np.full_like(self._levels, -1)
            parents[reached] = self._keys[reached] & np.uint64((1 << self._split.shift) - 1)
        if request.several:
            owners = np.full_like(self._levels, -1)
            owners[reached] = self._keys[reached] >> np.uint64(self._split.shift)
        levels = self._levels if request.levels else None
        return {"levels": levels, "parents": parents, "owners": owners}


def _columns(data: MatrixData) -> Array:
    """Those of a matrix; of one on the disk they may be anything."""
    return data.unchecked_indices if isinstance(data, OnDiskMatrix) else data.indices
