"""Searches of one graph by several GPUs together, wherever its entries come from."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.engines.bfs import SearchRequest
from spbfs.engines.cuda.bfs.state import TRACE_ROWS
from spbfs.engines.cuda.peers.entries import EntrySource, StoredEntries
from spbfs.engines.cuda.peers.group import Found, PeerGroup, synchronize
from spbfs.engines.cuda.peers.result import PeerSearchResult
from spbfs.planner.rates import fused_tuning
from spbfs.storage.data import MatrixData

__all__ = ["GroupSearches", "PeerSearches"]

Array = Any


class GroupSearches:
    """Searches of one graph on several GPUs, with the shares that the last of them used."""

    def __init__(self) -> None:
        self._searching = threading.Lock()
        #: The one group, and what it is for.
        self._group: PeerGroup | None = None
        self._for: tuple[Any, ...] = ()

    @property
    def nbytes(self) -> int:
        """Bytes on all of the GPUs."""
        group = self._group
        return 0 if group is None else group.nbytes

    def search(
        self, source: Callable[[], EntrySource], request: SearchRequest
    ) -> tuple[PeerGroup, list[Found], Array | None]:
        """Search the graph, which `source` gives where shares have to be made; and the trace."""
        with self._searching:
            group = self._acquainted(source, request)
            try:
                return group, *self._search(group, request)
            except BaseException:
                self._group = None
                group.close()
                raise

    def _acquainted(self, source: Callable[[], EntrySource], request: SearchRequest) -> PeerGroup:
        """The GPUs as the request wants them; those of another kind are let go."""
        wanted = request.devices, request.layout, request.direction == "push", fused_tuning()
        if self._group is None or self._for != wanted:
            layouts = None
            if self._group is not None:
                # Longer lists take no other layout.
                layouts = self._group.layouts if self._for[:2] == wanted[:2] else None
                self._group.close()
                self._group = None
            self._group = PeerGroup(source(), request, layouts)
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
                depth = found[0].said(group.n).depth
        assert found is not None
        return found, trace


class PeerSearches:
    """Searches of a matrix by several GPUs; refers to no matrix.

    Parameters
    ----------
    in_edges : callable
        A matrix with the pattern of the transpose, where the matrix lies; itself where symmetric.
    """

    concurrent = False
    rehearsals = 0

    def __init__(self, in_edges: Callable[[MatrixData], MatrixData]) -> None:
        self._in_edges = in_edges
        self._by_group = GroupSearches()

    @property
    def nbytes(self) -> int:
        """Bytes on all of the GPUs."""
        return self._by_group.nbytes

    @typed_refusals
    def run(self, A: MatrixData, request: SearchRequest) -> PeerSearchResult:
        """Search `A`, the matrix that this was made for, from one source or, with levels alone,
        several."""

        def stored() -> StoredEntries:
            into = self._in_edges(A)
            cp.cuda.get_current_stream().synchronize()  # whatever made the arrays
            return StoredEntries(A, into)

        return PeerSearchResult(A, *self._by_group.search(stored, request), request)
