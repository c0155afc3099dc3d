"""What several GPUs have found together: each has the results of its own vertices until somebody
asks for all of them in one place."""

from __future__ import annotations

import weakref
from typing import Any

import cupy as cp
import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.engines.bfs import Counts, SearchRequest, SearchResult
from spbfs.engines.cuda.bfs.result import level_traces
from spbfs.engines.cuda.peers.gather import gathered, shown
from spbfs.engines.cuda.peers.group import Found, PeerGroup, synchronize
from spbfs.engines.cuda.runtime.counting import count_reached
from spbfs.storage.data import MatrixData, VectorData, in_host_memory
from spbfs.storage.entries import on_host

__all__ = ["PeerSearchResult"]

Array = Any


class PeerSearchResult(SearchResult):
    """Outputs of a search by several GPUs that may still be running; reading a number waits for it.

    Outputs are brought to where the matrix is, or to the first of the GPUs, when they are first
    asked for.
    """

    def __init__(
        self,
        A: MatrixData,
        group: PeerGroup,
        found: list[Found],
        trace: Array | None,
        request: SearchRequest,
    ) -> None:
        super().__init__(A.nrows, {})
        self._indptr, self._nvals = A.indptr, A.nvals
        # A result that is kept need not keep the graph's shares.
        self._group, self._gpus = weakref.ref(group), group.gpus
        self._rank, self._share = group.layouts[0].rank, group.layouts[0].share
        self._found, self._rows = found, trace
        self._levels, self._parents = request.levels, request.parents
        self._traced, self._source = request.traced, request.source
        host = in_host_memory(A.indices)
        #: The GPU to which outputs are brought.
        self._home = self._gpus[0] if host else int(A.indices.device.id)

    @property
    @typed_refusals
    def counts(self) -> Counts:
        """The numbers; waits for the search.

        Raises
        ------
        IndexOutOfBound
            A source on the device was out of range.
        """
        if self._counts is None:
            synchronize(self._gpus[:1])
            summary = self._found[0].said(self.n)
            trace = self._trace(summary.depth) if self._traced else None
            self._counts = Counts(summary.depth, summary.reached, summary.seconds, trace)
        return self._counts

    @property
    @typed_refusals
    def edges(self) -> int:
        """Stored entries in the rows of the reached vertices."""
        if self._edges is None:
            if self.counts.reached == self.n:
                self._edges = self._nvals
            else:
                with cp.cuda.Device(self._home):
                    indptr = cp.asarray(self._indptr)
                    self._edges = count_reached(self._gathered("levels"), indptr)[1]
        return self._edges

    def array(self, name: str) -> Array | None:
        wanted = {"levels": self._levels, "parents": self._parents}.get(name)
        return self._gathered(name) if wanted else None

    @typed_refusals
    def vector(self, name: str) -> VectorData | None:
        array = self.array(name)
        return None if array is None else self.storage(array)

    def storage(self, array: Array) -> VectorData:
        reached = self.counts.reached
        if reached == self.n:
            return VectorData(self.n, array)
        with cp.cuda.Device(self._home):
            return VectorData(self.n, array, present=array >= 0, counted=reached)

    def give_back(self) -> None:
        self._arrays.clear()
        found, self._found = self._found, []
        group = self._group()
        if found and group is not None:
            group.take_back(found)

    def _gathered(self, name: str) -> Array:
        """An output as one array where it is wanted."""
        if name not in self._arrays:
            synchronize(self._gpus)
            shares = [getattr(found, name) for found in self._found]
            with cp.cuda.Device(self._gpus[0]):
                out = gathered(shown(shares), self._rank, self._share, self.n)
                # One without entries is nobody's.
                sources = cp.asarray(np.atleast_1d(on_host(self._source)))
                out[sources] = 0 if name == "levels" else sources
                cp.cuda.get_current_stream().synchronize()
            if self._home != self._gpus[0]:
                with cp.cuda.Device(self._home):
                    brought = out.copy()
                    # Until then nobody else may have the memory of `out`.
                    cp.cuda.get_current_stream().synchronize()
                    out = brought
            self._arrays[name] = out
        array: Array = self._arrays[name]
        return array

    def _trace(self, depth: int) -> Any:
        assert self._rows is not None
        with cp.cuda.Device(self._home):
            indptr = cp.asarray(self._indptr)
            levels = self._gathered("levels")
            return level_traces(self._rows[: depth + 2].get(), levels, indptr, depth)
