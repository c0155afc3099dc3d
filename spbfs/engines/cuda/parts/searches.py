"""Searches of one matrix over parts of its edges, on the GPU wherever the matrix lies."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import cupy as cp

from spbfs.engines.bfs import SearchRequest
from spbfs.engines.cuda.bfs.result import CudaSearchResult
from spbfs.engines.cuda.parts.edges import parts_of
from spbfs.engines.cuda.parts.steps import CudaPartSteps, Parts
from spbfs.engines.part_searches import search_parts
from spbfs.storage.data import MatrixData

__all__ = ["CudaPartSearches"]


class CudaPartSearches:
    """Searches over parts, with those parts that the last of them used; refers to no matrix.

    Parameters
    ----------
    in_edges : callable
        A matrix with the pattern of the transpose, where the matrix lies.
    """

    concurrent = False
    rehearsals = 0

    def __init__(self, in_edges: Callable[[MatrixData], MatrixData]) -> None:
        self._in_edges = in_edges
        self._searching = threading.Lock()
        self._parts: dict[tuple[int, bool], Parts] = {}

    @property
    def nbytes(self) -> int:
        """Bytes of what was copied."""
        return sum(parts.nbytes for parts in list(self._parts.values()))

    def run(self, A: MatrixData, request: SearchRequest) -> CudaSearchResult:
        """Search `A`, the matrix that this was made for, on the current stream; one at a time."""
        assert request.part_edges is not None
        with self._searching:
            edges = partial(self._edges, A, request.part_edges)
            found = search_parts(A, request, partial(CudaPartSteps, A.nrows, edges))
        return CudaSearchResult(
            A,
            found.arrays,
            request.levels,
            cp.cuda.get_current_stream(),
            None,
            counts=found.counts,
            edges=found.edges,
        )

    def _edges(self, A: MatrixData, part_edges: int, pull: bool) -> Parts:
        """Parts of the in-edges or of the out-edges; those of another size are let go."""
        if any(size != part_edges for size, _ in self._parts):
            self._parts.clear()
        data = self._in_edges(A) if pull else A
        key = part_edges, data is not A
        if key not in self._parts:
            self._parts[key] = parts_of(data, part_edges)
        return self._parts[key]
