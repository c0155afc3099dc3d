"""Breadth-first searches of a matrix on the GPU: who owns layouts, workspaces and outputs.

A search is one launch of the fused kernel (`cuda.bfs`) on CuPy's current stream; the host does not
wait for it.  Whatever several searches share is therefore kept by stream: the stream's own order
keeps them apart.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import cupy as cp
import numpy as np

from spbfs.base.gpu_memory import refusal, require_bytes
from spbfs.base.memory import typed_refusals
from spbfs.engines.bfs import DIRECTIONS, Relabelling, SearchRequest, distinct
from spbfs.engines.cuda.bfs.fused import FusedBFS
from spbfs.engines.cuda.bfs.least_parents import Settler
from spbfs.engines.cuda.bfs.result import CudaFound
from spbfs.engines.cuda.bfs.state import SUMMARY, SearchSummary
from spbfs.engines.cuda.expansion.searches import Pushes
from spbfs.engines.cuda.graph.build import SORT_CHUNK
from spbfs.engines.cuda.graph.layout import Layout, lay_out
from spbfs.engines.cuda.graph.symmetric import is_symmetric
from spbfs.exceptions import DeviceMismatch, DimensionMismatch, DomainMismatch, InvalidValue
from spbfs.storage.data import MatrixData, in_host_memory

__all__ = ["CudaSearches", "device_sources"]

Array = Any

#: Vertices are numbered by 32 bits, and their number is rounded up to blocks of 128.
MOST_VERTICES = 2**31 - 128
#: Outputs and workspace of a search, bytes a vertex.
VERTEX_BYTES = 24
#: Streams whose workspaces are kept; one more waits for the device, and then takes theirs.
MOST_STREAMS = 4
#: Summaries allocated at a time.
SLOTS = 64
#: Rows of a trace at first; a deeper search is run again with more.
TRACE_ROWS = 1 << 12


@typed_refusals
def device_sources(source: Any, n: int) -> Array:
    """Sources in GPU memory as int32; whether they are in range only the search will see."""
    sources = cp.asarray(source)
    if sources.ndim > 1:
        raise DimensionMismatch(f"source: expected one dimension, got shape {sources.shape}")
    if sources.dtype.kind not in "iu":
        raise DomainMismatch(f"source: expected integer indices, got dtype {sources.dtype}")
    if sources.size == 0:
        raise InvalidValue("source: expected at least one vertex, got none")
    if sources.dtype != np.int32:
        # What 32 bits cannot hold must not wrap into the range; beyond 63 bits it is negative here.
        sources = sources.astype(np.int64)
        outside = (sources < 0) | (sources >= n)
        sources = cp.where(outside, -1, sources).astype(np.int32)
    return cp.ascontiguousarray(sources.reshape(-1))


class _Lane:
    """What the searches on one stream take turns with.

    Lists are popped and appended without a lock: both are atomic, and results come back from
    finalisers, which may run at any moment.
    """

    def __init__(self, n: int, stream: Any) -> None:
        self._n = n
        #: Kept, so that no other stream gets its address while work of it may be left.
        self._stream = stream
        self.idle: dict[Relabelling, list[FusedBFS]] = {}
        self.settlers: list[Settler] = []
        self._outputs: list[Array] = []
        self._slots: list[Array] = []

    @property
    def nbytes(self) -> int:
        held: list[Any] = [s for idle in list(self.idle.values()) for s in list(idle)]
        held += [*self.settlers, *self._outputs]
        return sum(int(x.nbytes) for x in held)

    def output(self) -> Array:
        """An int32 array of n, its contents arbitrary."""
        try:
            return self._outputs.pop()
        except IndexError:
            return cp.empty(self._n, np.int32)

    def slot(self) -> Array:
        """Where a search leaves its summary."""
        try:
            return self._slots.pop()
        except IndexError:
            block = cp.zeros((SLOTS, SUMMARY.itemsize), np.uint8)
            self._slots.extend(block)
            return self._slots.pop()

    def take_back(self, array: Array) -> None:
        if array.dtype == np.uint8:
            self._slots.append(array)
        # Two are what the next search needs; more would only be held.
        elif len(self._outputs) < 2:
            self._outputs.append(array)

    def clear(self) -> None:
        """Forget what no search uses now."""
        self.idle.clear()
        self.settlers.clear()
        self._outputs.clear()


class CudaSearches:
    """The searches of one matrix by ``kernels/cuda/bfs.cu``; refers to no matrix.

    Any number of threads and streams may search at once.

    Parameters
    ----------
    A : MatrixData
        Square, on the GPU.
    engine : CudaEngine
        Makes the transpose where it is needed.
    """

    abreast = False

    def __init__(self, A: MatrixData, engine: Any) -> None:
        if A.nrows > MOST_VERTICES:
            raise InvalidValue(
                f"A: a search on CUDA numbers vertices by 32 bits: expected at most "
                f"{MOST_VERTICES:,} of them, got {A.nrows:,}"
            )
        self._n, self._engine = A.nrows, engine
        self._device = A.indices.device.id
        self._building = threading.Lock()
        self._layouts: dict[Relabelling, Layout] = {}
        self._lanes: dict[int, _Lane] = {}
        self._pushes = Pushes()

    @property
    def nbytes(self) -> int:
        """Bytes of layouts and workspaces held, and of outputs that came back."""
        held: list[Any] = list(self._layouts.values())
        held += [*self._lanes.values(), self._pushes]
        return sum(int(x.nbytes) for x in held)

    def run(self, A: MatrixData, request: SearchRequest) -> CudaFound:
        """Launch a search of `A`, the matrix that this was made for, on the current stream."""
        if cp.cuda.runtime.getDevice() != self._device:
            raise DeviceMismatch(
                f"A: expected it on the current GPU, {cp.cuda.runtime.getDevice()}, "
                f"got one on {self._device}"
            )
        stream = cp.cuda.get_current_stream()
        lane = self._lanes.get(stream.ptr) or self._open_lane(stream)
        try:
            return self._search(A, request, stream, lane)
        except cp.cuda.memory.OutOfMemoryError as error:
            lane.clear()
            needed = VERTEX_BYTES * self._n
            if request.relabel not in self._layouts:
                needed += _layout_bytes(A)
            raise refusal(needed, "A: a search of it") from error

    def _search(self, A: MatrixData, request: SearchRequest, stream: Any, lane: _Lane) -> CudaFound:
        source, positions = request.source, None
        if isinstance(source, np.ndarray) and in_host_memory(source):
            source, positions = distinct(source)
            source = cp.asarray(source, np.int32) if source.shape[0] > 1 else int(source[0])
        several = not isinstance(source, int) and source.shape[0] > 1
        settling = several or request.parents == "min"
        # Owners, a trace and the number of edges come from the levels, the last also from parents.
        leveled = request.levels or settling or request.traced or not request.parents
        # What does not fit is known before anything is made.
        search = None if request.expansion else self._take(A, request.relabel, lane)
        arrays = {
            "levels": lane.output() if leveled or request.expansion else None,
            "parents": lane.output() if request.parents else None,
            "owners": lane.output() if several else None,
            "summary": lane.slot(),
        }
        found_first = None if several else arrays["parents"]
        if search is None:
            settle = partial(self._settle, A, source, positions, None, arrays, lane)
            counts = self._pushes.run(
                A, request, source, arrays["levels"], found_first, settle if settling else None
            )
            return CudaFound(A, arrays, request.levels, stream, lane, counts=counts)
        launch = partial(
            search.launch,
            stream.ptr,
            source,
            arrays["levels"],
            found_first,
            request.max_depth,
            request.target,
            DIRECTIONS.index(request.direction),
            summary=arrays["summary"],
        )
        trace = None
        if request.traced:
            trace = self._traced(launch, arrays["summary"], stream)
        else:
            launch(trace=None)
        if settling:
            self._settle(A, source, positions, search, arrays, lane)
        lane.idle.setdefault(request.relabel, []).append(search)
        return CudaFound(A, arrays, request.levels, stream, lane, trace=trace)

    @contextmanager
    def borrowed(self, A: MatrixData) -> Iterator[tuple[FusedBFS, Array]]:
        """A workspace of the current stream, and a place for the summary, for a search of `A` that
        whoever asks launches himself."""
        stream = cp.cuda.get_current_stream()
        lane = self._lanes.get(stream.ptr) or self._open_lane(stream)
        search = self._take(A, "auto", lane)
        summary = lane.slot()
        yield search, summary
        lane.take_back(summary)
        lane.idle.setdefault("auto", []).append(search)

    def least_parents(self, A: MatrixData, levels: Array, parents: Array, summary: Array) -> None:
        """The least parents of a search on the current stream, from its levels."""
        stream = cp.cuda.get_current_stream()
        lane = self._lanes.get(stream.ptr) or self._open_lane(stream)
        settler = lane.settlers.pop() if lane.settlers else Settler(A)
        settler.least(self._in_edges(A), levels, parents, summary)
        lane.settlers.append(settler)

    def _traced(self, launch: Callable[..., None], summary: Array, stream: Any) -> Array:
        """A search's record of its levels, with room for all of them."""
        depth, rows = TRACE_ROWS, 0
        while depth + 3 > rows:
            rows = depth + 3
            trace = cp.zeros((rows, 4), np.int64)
            launch(trace=trace)
            depth = SearchSummary.read(summary, self._n, stream).depth
        return trace

    def _settle(
        self,
        A: MatrixData,
        source: Any,
        positions: Any,
        search: FusedBFS | None,
        arrays: dict[str, Any],
        lane: _Lane,
    ) -> None:
        """Owners and least parents, from the levels."""
        nbytes = 8 * self._n
        settler = lane.settlers.pop() if lane.settlers else Settler(A)
        if arrays["owners"] is None:
            settler.least(self._in_edges(A), arrays["levels"], arrays["parents"], arrays["summary"])
        else:
            settler.owners(
                A,
                arrays["levels"],
                source,
                None if positions is None else cp.asarray(positions, np.int32),
                keys=(search.scratch(nbytes) if search else cp.empty(nbytes, np.uint8)).view("u8"),
                parents=arrays["parents"],
                owners=arrays["owners"],
                summary=arrays["summary"],
            )
        lane.settlers.append(settler)

    def _in_edges(self, A: MatrixData) -> MatrixData:
        """A matrix with the pattern of the transpose."""
        transpose: MatrixData = A if is_symmetric(A) else self._engine.transposed(A)
        return transpose

    def _open_lane(self, stream: Any) -> _Lane:
        if len(self._lanes) >= MOST_STREAMS:
            cp.cuda.Device().synchronize()
            self._lanes.clear()
        return self._lanes.setdefault(stream.ptr, _Lane(self._n, stream))

    def _take(self, A: MatrixData, relabel: Relabelling, lane: _Lane) -> FusedBFS:
        """An idle workspace, or a new one."""
        try:
            return lane.idle[relabel].pop()
        except (KeyError, IndexError):
            pass
        with self._building:
            if relabel not in self._layouts:
                self._layouts[relabel] = self._lay_out(A, relabel)
        layout = self._layouts[relabel]
        require_bytes(VERTEX_BYTES * self._n, "A: a search of it")
        return FusedBFS(layout)

    def _lay_out(self, A: MatrixData, relabel: Relabelling) -> Layout:
        symmetric = is_symmetric(A)
        require_bytes(_layout_bytes(A), "A: its layout for searches")
        transpose = None
        if not symmetric:
            turned = self._engine.transposed(A)
            # Kernels take offsets of one type.
            transpose = turned.indptr.astype(A.indptr.dtype, copy=False), turned.indices
        layout = lay_out(A.nrows, A.indptr, A.indices, transpose, relabel=relabel)
        # Whichever stream is the next to search: it must be there.
        cp.cuda.get_current_stream().synchronize()
        return layout


def _layout_bytes(A: MatrixData) -> int:
    """What building a layout takes: both directions, a vertex's share, keys being sorted."""
    directions = 1 if is_symmetric(A) else 2
    return 4 * A.nvals * directions + 96 * A.nrows + 24 * min(A.nvals, SORT_CHUNK)
