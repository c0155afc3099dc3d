"""Searches of one matrix by several GPUs together, wherever the matrix lies."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np

from spbfs.engines.bfs import SearchRequest
from spbfs.engines.cuda.bfs.state import TRACE_ROWS, SearchSummary
from spbfs.engines.cuda.peers.group import PeerGroup
from spbfs.engines.cuda.peers.result import PeerSearchResult
from spbfs.planner.rates import fused_tuning
from spbfs.storage.data import MatrixData

__all__ = ["PeerSearches"]

Array = Any


class PeerSearches:
    """Searches on several GPUs, with the parts that the last of them used; refers to no matrix.

    Parameters
    ----------
    in_edges : callable
        A matrix with the pattern of the transpose, where the matrix lies; itself where symmetric.
    """

    concurrent = False

    def __init__(self, in_edges: Callable[[MatrixData], MatrixData]) -> None:
        self._in_edges = in_edges
        self._searching = threading.Lock()
        self._groups: dict[tuple[Any, ...], PeerGroup] = {}

    @property
    def nbytes(self) -> int:
        """Bytes on all of the GPUs."""
        return sum(group.nbytes for group in list(self._groups.values()))

    def run(self, A: MatrixData, request: SearchRequest) -> PeerSearchResult:
        """Search `A`, the matrix that this was made for, from one source or, with levels alone,
        several."""
        with self._searching:
            group = self._group(A, request)
            try:
                found, trace = self._search(group, request)
            except BaseException:
                # Nobody knows what each of the others has done.
                self._groups.clear()
                raise
        return PeerSearchResult(A, group, found, request, trace)

    def _group(self, A: MatrixData, request: SearchRequest) -> PeerGroup:
        """The GPUs as the request wants them; those of another kind are let go."""
        pushes = request.direction == "push"
        key = request.devices, request.layout, pushes, fused_tuning()
        if key not in self._groups:
            self._groups.clear()
            # Whatever made the arrays is done.
            cp.cuda.get_current_stream().synchronize()
            self._groups[key] = PeerGroup(A, self._in_edges(A), request.devices, request)
        return self._groups[key]

    def _search(self, group: PeerGroup, request: SearchRequest) -> tuple[list[Any], Array | None]:
        """A search; one that is traced again with more room where it was too deep."""
        source = request.source
        if not isinstance(source, int) and source.shape[0] == 1:
            source = int(source[0])
        if not request.traced:
            return group.run(source, request, None), None
        depth, rows = TRACE_ROWS, 0
        while depth + 3 > rows:
            rows = depth + 3
            with cp.cuda.Device(group.gpus[0]):
                trace = cp.zeros((rows, 4), np.int64)
                cp.cuda.get_current_stream().synchronize()
                found = group.run(source, request, trace)
                group.synchronize()
                depth = SearchSummary.read(found[0].summary, group.n).depth
        return found, trace
