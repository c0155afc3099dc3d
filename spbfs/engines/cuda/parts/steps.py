"""A search over parts of the edges on the GPU, by ``kernels/cuda/bfs/bfs_parts.cu``.

The GPU holds the offsets of rows, of a vertex 4 bytes for its level, 8 for its key and 8 for two
lists, 8 more for outputs, and of the edges what `edges` says.  Once a level the host reads how many
vertices were found, which parts the next one needs and how many edges it has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np

from spbfs.base.gpu_memory import require_bytes
from spbfs.engines.bfs import Ints, SearchRequest
from spbfs.engines.cuda.parts.edges import BroughtParts, ResidentParts
from spbfs.engines.cuda.parts.kernels import launch
from spbfs.engines.part_searches import PartKeys

__all__ = ["CudaPartSteps"]

Array = Any
Parts = ResidentParts | BroughtParts


class CudaPartSteps:
    """The arrays of one search; see `PartSteps`.

    Parameters
    ----------
    n : int
    edges : callable
        Gives the parts of the in-edges, where a level is pulled, or of the out-edges.
    sources, owners : int64 arrays
        Distinct vertices, and the numbers of the trees that they are the roots of.
    keys : PartKeys
    """

    def __init__(
        self,
        n: int,
        edges: Callable[[bool], Parts],
        sources: Ints,
        owners: Ints,
        keys: PartKeys,
    ) -> None:
        require_bytes(28 * n, "A: a search of it over parts")
        self._n, self._edges, self._split, self._depth = n, edges, keys, 0
        self._levels = _all_ones(n, np.int32)
        self._keys = _all_ones(n, np.uint64)
        self._frontier, self._next = cp.empty(n, np.int32), cp.empty(n, np.int32)
        self._found = cp.zeros(1, np.uint64)
        self._size = count = sources.shape[0]
        at = cp.asarray(sources.astype(np.int32)), cp.asarray(owners.astype(np.int32))
        launch(
            "begin", False, count, *at, count, keys.shift, self._levels, self._keys, self._frontier
        )

    def frontier_parts(self) -> tuple[int, Ints]:
        """Out-edges of the frontier, and the parts of the out-edges that hold them."""
        out = self._edges(False)
        flags, edges = cp.zeros(len(out.table), np.uint8), cp.zeros(1, np.uint64)
        self._mark("mark_listed", out, self._frontier, self._size, flags, edges)
        return int(edges.get()[0]), np.flatnonzero(flags.get())

    def open_parts(self) -> Ints:
        """The parts of the in-edges that hold those of vertices not reached."""
        into = self._edges(True)
        flags = cp.zeros(len(into.table), np.uint8)
        self._mark("mark_open", into, self._levels, self._n, flags)
        return np.flatnonzero(flags.get())

    def _mark(self, name: str, parts: Parts, vertices: Array, count: int, *marks: Array) -> None:
        indptr, part_edges = parts.indptr, parts.table.part_edges
        wide = indptr.dtype == np.int64
        launch(name, wide, count, vertices, count, indptr, part_edges, *marks)

    def expand(self, parts: Ints, pull: bool) -> None:
        """Look at parts of the out-edges, or of the in-edges, one after the other."""
        edges = self._edges(pull)
        wide = edges.indptr.dtype == np.int64
        mask = self._split.mask - (1 << 64) if self._split.mask >> 63 else self._split.mask
        for part, indices in edges.each(parts):
            launch(
                "pull" if pull else "push",
                wide,
                part.count,
                edges.indptr,
                indices,
                part.offset,
                part.count,
                part.first_row,
                part.end_row,
                self._levels,
                self._keys,
                mask,
                self._depth,
                self._next,
                self._found,
            )

    def advance(self) -> int:
        """Make what was found the frontier; how many vertices it has."""
        self._frontier, self._next = self._next, self._frontier
        self._size = int(self._found.get()[0])
        self._found = cp.zeros(1, np.uint64)
        self._depth += 1
        return self._size

    def is_reached(self, vertex: int) -> bool:
        """Whether a vertex has a level."""
        return int(self._levels[vertex : vertex + 1].get()[0]) >= 0

    def outputs(self, request: SearchRequest) -> dict[str, Array | None]:
        """Levels, parents and owners, -1 where not reached, None where not asked for."""
        n, wanted = self._n, (request.parents is not None, request.several)
        parents, owners = (cp.empty(n, np.int32) if asked else None for asked in wanted)
        launch("outputs", False, n, self._keys, n, self._split.shift, parents, owners)
        return {
            "levels": self._levels if request.levels else None,
            "parents": parents,
            "owners": owners,
        }


def _all_ones(n: int, dtype: Any) -> Array:
    array = cp.empty(n, dtype)
    array.data.memset_async(0xFF, array.nbytes)
    return array
