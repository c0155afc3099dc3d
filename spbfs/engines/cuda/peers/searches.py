"""Searches of one matrix by several GPUs together, wherever the matrix lies."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.engines.bfs import SearchRequest
from spbfs.engines.cuda.bfs.state import SUMMARY, TRACE_ROWS, SearchSummary
from spbfs.engines.cuda.peers.group import Found, PeerGroup, synchronize
from spbfs.engines.cuda.peers.result import PeerSearchResult
from spbfs.planner.rates import fused_tuning
from spbfs.storage.data import MatrixData

__all__ = ["PeerSearches"]

Array = Any


class PeerSearches:
    """Searches on several GPUs, with the shares that the last of them used; refers to no matrix.

    Parameters
    ----------
    in_edges : callable
        A matrix with the pattern of the transpose, where the matrix lies; itself where symmetric.
    """

    concurrent = False

    def __init__(self, in_edges: Callable[[MatrixData], MatrixData]) -> None:
        self._in_edges = in_edges
        self._searching = threading.Lock()
        #: The one group, and what it is for.
        self._group: PeerGroup | None = None
        self._for: tuple[Any, ...] = ()

    @property
    def nbytes(self) -> int:
        """Bytes on all of the GPUs."""
        group = self._group
        return 0 if group is None else group.nbytes

    @typed_refusals
    def run(self, A: MatrixData, request: SearchRequest) -> PeerSearchResult:
        """Search `A`, the matrix that this was made for, from one source or, with levels alone,
        several."""
        with self._searching:
            group = self._acquainted(A, request)
            try:
                found, trace = self._search(group, request)
            except BaseException:
                self._group = None
                group.close()
                raise
        return PeerSearchResult(A, group, found, request, trace)

    def _acquainted(self, A: MatrixData, request: SearchRequest) -> PeerGroup:
        """The GPUs as the request wants them; those of another kind are let go."""
        wanted = request.devices, request.layout, request.direction == "push", fused_tuning()
        if self._group is None or self._for != wanted:
            layouts = None
            if self._group is not None:
                # Longer lists take no other layout.
                layouts = self._group.layouts if self._for[:2] == wanted[:2] else None
                self._group.close()
                self._group = None
            into = self._in_edges(A)
            cp.cuda.get_current_stream().synchronize()  # whatever made the arrays
            self._group = PeerGroup(A, into, request, layouts)
            self._for = wanted
        return self._group

    def _search(self, group: PeerGroup, request: SearchRequest) -> tuple[list[Found], Array | None]:
        """A search; one that is traced again with more room where it was too deep."""
        source = request.source
        if not isinstance(source, int) and source.shape[0] == 1:
            source = int(source[0])
        if not request.traced:
            return group.run(source, request, None), None
        depth, rows, found = TRACE_ROWS, 0, None
        while depth + 3 > rows:
            if found is not None:
                group.take_back(found)
            rows = depth + 3
            with cp.cuda.Device(group.gpus[0]):
                trace = cp.zeros((rows, 4), np.int64)
                cp.cuda.get_current_stream().synchronize()
                found = group.run(source, request, trace)
                synchronize(group.gpus)
                depth = SearchSummary.of(found[0].summary.seen(SUMMARY)[0], group.n).depth
        assert found is not None
        return found, trace
