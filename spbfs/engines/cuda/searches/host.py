"""Searches on GPUs of a matrix that stays in host memory: its edges are brought part by part, or
dealt out to several GPUs."""

from __future__ import annotations

from collections.abc import Callable

from spbfs.engines.bfs import SearchRequest, SearchResult
from spbfs.engines.cuda.parts.searches import CudaPartSearches
from spbfs.engines.cuda.peers.searches import PeerSearches
from spbfs.storage.data import MatrixData

__all__ = ["HostSearches"]


class HostSearches:
    """The searches of one matrix; refers to no matrix.

    Parameters
    ----------
    in_edges : callable
        A matrix with the pattern of the transpose, in host memory.
    """

    concurrent = False
    rehearsals = 0

    def __init__(self, in_edges: Callable[[MatrixData], MatrixData]) -> None:
        self._over_parts, self._by_peers = CudaPartSearches(in_edges), PeerSearches(in_edges)

    @property
    def nbytes(self) -> int:
        """Bytes of parts in host memory, and on GPUs."""
        return self._over_parts.nbytes + self._by_peers.nbytes

    def run(self, A: MatrixData, request: SearchRequest) -> SearchResult:
        """Search `A`, the matrix that this was made for."""
        searches = self._by_peers if request.devices else self._over_parts
        return searches.run(A, request)
