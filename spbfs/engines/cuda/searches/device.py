"""Breadth-first searches of a matrix on the GPU: who owns layouts, workspaces and outputs.

A search is one launch of the fused kernel (`cuda.bfs`) on CuPy's current stream; the host does not
wait for it.  Whatever several searches share is therefore kept by stream: the stream's own order
keeps them apart.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import cupy as cp
import numpy as np

from spbfs.base.gpu_memory import refusal, release, require_bytes
from spbfs.base.memory import typed_refusals
from spbfs.engines.bfs import (
    DIRECTIONS,
    Counts,
    Ints,
    SearchRequest,
    SearchResult,
    distinct,
)
from spbfs.engines.bfs_resumed import Ended
from spbfs.engines.cuda.bfs.fused import FusedBFS
from spbfs.engines.cuda.bfs.kernel import begin_search
from spbfs.engines.cuda.bfs.result import CudaSearchResult
from spbfs.engines.cuda.bfs.state import TRACE_ROWS, SearchSummary
from spbfs.engines.cuda.bfs.stream import LayoutName, StreamWorkspace, WorkspaceKind
from spbfs.engines.cuda.expansion.searches import ExpansionSearches
from spbfs.engines.cuda.graph.build import modules
from spbfs.engines.cuda.graph.layout import Layout, lay_out
from spbfs.engines.cuda.graph.lines import lines_of
from spbfs.engines.cuda.graph.symmetric import begin_symmetric, is_symmetric
from spbfs.engines.cuda.parts.searches import CudaPartSearches
from spbfs.engines.cuda.peers.searches import PeerSearches
from spbfs.engines.cuda.runtime.counting import count_reached
from spbfs.engines.cuda.runtime.modules import begin
from spbfs.engines.cuda.runtime.streams import stream_key
from spbfs.engines.cuda.searches.needed import layout_bytes, search_bytes
from spbfs.engines.cuda.searches.resumed import CudaResumable
from spbfs.exceptions import DeviceMismatch, IndexOutOfBound, InvalidValue
from spbfs.planner.rates import fused_tuning
from spbfs.planner.search_cuda import known_layout
from spbfs.storage.arrays import memory_of
from spbfs.storage.data import MatrixData, in_host_memory
from spbfs.storage.entries import on_host

__all__ = ["CudaSearches", "begin_layout", "check_vertices", "in_edges"]

Array = Any

#: Vertices are numbered by 32 bits, and their number is rounded up to blocks of 128.
MOST_VERTICES = 2**31 - 128
#: Streams whose workspaces are kept; one more waits for the device, and then takes theirs.
MOST_STREAMS = 4
#: How often the way of a search is gone before the first of a matrix; that takes ten times as long.
REHEARSALS = 4
#: The layout that the planner chooses.
CHOSEN: WorkspaceKind = ("auto", "auto"), False


def begin_layout(A: MatrixData, *, searched: bool = True) -> None:
    """Have the kernels compiled that build a layout of `A`, and before them the one that will
    search it by itself, if one will, and its sizes say which."""
    wide = A.indptr.dtype == np.int64
    choice = known_layout(A.nrows, A.nvals)
    if choice is not None and searched:
        pinned = memory_of(A.indices) == "pinned"
        begin_search(wide, choice, pinned=pinned)
    begin_symmetric(A)
    begin(*modules(wide)[:2])


def check_vertices(A: MatrixData) -> None:
    """Refuse a graph of more vertices than the kernels number."""
    if A.nrows > MOST_VERTICES:
        raise InvalidValue(
            f"A: a search on CUDA numbers vertices by 32 bits: expected at most "
            f"{MOST_VERTICES:,} of them, got {A.nrows:,}"
        )


class CudaSearches:
    """The searches of one matrix by ``kernels/cuda/bfs/bfs.cu``; refers to no matrix.

    Any number of threads and streams may search at once.

    Parameters
    ----------
    A : MatrixData
        Square, on the GPU.
    engine : CudaEngine
        Makes the transpose where it is needed.
    """

    concurrent = False

    def __init__(self, A: MatrixData, engine: Any) -> None:
        check_vertices(A)
        self._n, self._engine = A.nrows, engine
        self.rehearsals = REHEARSALS
        self._device = A.indices.device.id
        self._building = threading.Lock()
        self._layouts: dict[LayoutName, Layout] = {}
        self._workspaces: dict[int, StreamWorkspace] = {}
        self._expansions = ExpansionSearches()
        self._over_parts = CudaPartSearches(partial(in_edges, engine))
        self._by_peers = PeerSearches(partial(in_edges, engine))

    @property
    def nbytes(self) -> int:
        """Bytes of layouts and workspaces held, and of outputs that came back."""
        held: list[Any] = list(self._layouts.values())
        held += [*self._workspaces.values(), self._expansions, self._over_parts, self._by_peers]
        return sum(int(x.nbytes) for x in held)

    def run(self, A: MatrixData, request: SearchRequest) -> SearchResult:
        """Launch a search of `A`, the matrix that this was made for, on the current stream."""
        if cp.cuda.runtime.getDevice() != self._device:
            raise DeviceMismatch(
                f"A: expected it on the current GPU, {cp.cuda.runtime.getDevice()}, "
                f"got one on {self._device}"
            )
        if request.part_edges is not None:
            return self._over_parts.run(A, request)
        if request.devices:
            return self._together(A, request)
        stream = cp.cuda.get_current_stream()
        workspace = self._workspaces.get(stream_key(stream.ptr)) or self._workspace(stream)
        first = not self._layouts
        try:
            found = self._search(A, request, stream, workspace)
        except cp.cuda.memory.OutOfMemoryError as error:
            workspace.clear()
            needed = search_bytes(A)
            if request.layout not in self._layouts:
                needed += layout_bytes(A)
            raise refusal(needed, "A: a search of it") from error
        if first and self._layouts:
            workspace.expect_two()
        return found

    @typed_refusals
    def _together(self, A: MatrixData, request: SearchRequest) -> SearchResult:
        """A search by several GPUs; owners and least parents, which follow from levels, by this."""
        source, positions, several = request.source, None, request.several
        if not isinstance(source, int):
            source, positions = distinct(on_host(source).astype(np.int64))
            if source.min() < 0 or source.max() >= self._n:
                raise IndexOutOfBound(
                    f"source: expected 0 <= source < {self._n} of all on the device"
                )
            request = replace(request, source=source)
        if not several and request.parents != "min":
            return self._by_peers.run(A, request)
        # The least parent of one source is sought from the one found, as `LeastParents` says.
        first: Literal["any"] | None = "any" if request.parents and not several else None
        found = self._by_peers.run(A, replace(request, levels=True, parents=first))
        stream = cp.cuda.get_current_stream()
        workspace = self._workspaces.get(stream_key(stream.ptr)) or self._workspace(stream)
        arrays = {
            "levels": found.array("levels"),
            "parents": found.array("parents") if first else None,
            "owners": workspace.output() if several else None,
            "summary": workspace.slot(),
        }
        if several and request.parents:
            arrays["parents"] = workspace.output()
        counts = found.counts
        found.give_back()
        if several:
            source = cp.asarray(source, np.int32)
        self._parents_and_owners(A, source, positions, None, arrays, workspace)
        return CudaSearchResult(A, arrays, request.levels, stream, workspace, counts=counts)

    def _search(
        self, A: MatrixData, request: SearchRequest, stream: Any, workspace: StreamWorkspace
    ) -> CudaSearchResult:
        source, positions = request.source, None
        if isinstance(source, np.ndarray) and in_host_memory(source):
            source, positions = distinct(source)
            source = cp.asarray(source, np.int32) if request.several else int(source[0])
        several = request.several
        from_levels = several or request.parents == "min"
        # Owners, a trace and the number of edges come from the levels, the last also from parents.
        leveled = request.levels or from_levels or request.traced or not request.parents
        # Who is told to push lists whatever is found: what is not listed has to be pulled.
        told = bool(request.schedule) or request.direction == "push"
        kind = (request.relabel, request.neighbours), told
        # What does not fit is known before anything is made.
        search = None
        if not request.expansion:
            search = self._take(A, kind, workspace)
        arrays = {
            "levels": workspace.output() if leveled or request.expansion else None,
            "parents": workspace.output() if request.parents else None,
            "owners": workspace.output() if several else None,
            "summary": workspace.slot(),
        }
        found_first = None if several else arrays["parents"]
        if search is None:
            finish = partial(
                self._parents_and_owners, A, source, positions, None, arrays, workspace
            )
            counts = self._expansions.run(
                A, request, source, arrays["levels"], found_first, finish if from_levels else None
            )
            return CudaSearchResult(A, arrays, request.levels, stream, workspace, counts=counts)

        launch = partial(
            search.launch,
            stream.ptr,
            source,
            arrays["levels"],
            found_first,
            request.max_depth,
            request.target,
            DIRECTIONS.index(request.direction),
            arrays["summary"],
            request.schedule,
        )
        trace = None
        if request.traced:
            trace = self._traced(launch, arrays["summary"], stream)
        else:
            launch(None)
        if from_levels:
            self._parents_and_owners(A, source, positions, search, arrays, workspace)
        workspace.keep(kind, search)
        return CudaSearchResult(
            A,
            arrays,
            request.levels,
            stream,
            workspace,
            trace=trace,
            schedule=request.schedule,
        )

    @contextmanager
    def borrowed(
        self, A: MatrixData, kind: WorkspaceKind = CHOSEN
    ) -> Iterator[tuple[FusedBFS, Array]]:
        """A workspace of the current stream, and a place for the summary, for a search of `A` that
        whoever asks launches himself."""
        stream = cp.cuda.get_current_stream()
        workspace = self._workspaces.get(stream_key(stream.ptr)) or self._workspace(stream)
        search = self._take(A, kind, workspace)
        summary = workspace.slot()
        yield search, summary
        workspace.take_back(summary)
        workspace.keep(kind, search)

    def resumable(self, A: MatrixData, request: SearchRequest, sources: Ints) -> CudaResumable:
        """This engine's part in a search of `A` from distinct sources."""
        return CudaResumable(A, self, request, sources)

    def resumed_result(
        self,
        A: MatrixData,
        request: SearchRequest,
        sources: Array,
        positions: Ints | None,
        found: tuple[Array, Array | None],
        ended: Ended,
    ) -> CudaSearchResult:
        """What several runs have found, with owners and least parents, which follow from levels."""
        stream = cp.cuda.get_current_stream()
        workspace = self._workspaces.get(stream_key(stream.ptr)) or self._workspace(stream)
        several = request.several
        arrays = {
            "levels": found[0],
            "parents": found[1],
            "owners": workspace.output() if several else None,
            "summary": workspace.slot(),
        }
        if several or request.parents == "min":
            self._parents_and_owners(A, sources, positions, None, arrays, workspace)
        reached, _ = count_reached(found[0], A.indptr)
        seconds = time.perf_counter() - ended.started
        counts = Counts(ended.depth, reached, seconds, ended.trace)
        return CudaSearchResult(A, arrays, request.levels, stream, workspace, counts=counts)

    def least_parents(self, A: MatrixData, levels: Array, parents: Array, summary: Array) -> None:
        """The least parents of a search on the current stream, from its levels."""
        stream = cp.cuda.get_current_stream()
        workspace = self._workspaces.get(stream_key(stream.ptr)) or self._workspace(stream)
        finder = workspace.take_least_parents(A)
        finder.least(in_edges(self._engine, A), levels, parents, summary)
        workspace.least_parents.append(finder)

    def _traced(self, launch: Callable[[Array], None], summary: Array, stream: Any) -> Array:
        """A search's record of its levels, with room for all of them."""
        depth, rows = TRACE_ROWS, 0
        while depth + 3 > rows:
            rows = depth + 3
            trace = cp.zeros((rows, 4), np.int64)
            launch(trace)
            stream.synchronize()
            depth = SearchSummary.read(summary, self._n).depth
        return trace

    def _parents_and_owners(
        self,
        A: MatrixData,
        source: Any,
        positions: Any,
        search: FusedBFS | None,
        arrays: dict[str, Any],
        workspace: StreamWorkspace,
    ) -> None:
        """Owners and least parents, from the levels."""
        nbytes = 8 * self._n
        finder = workspace.take_least_parents(A)
        if arrays["owners"] is None:
            finder.least(
                in_edges(self._engine, A), arrays["levels"], arrays["parents"], arrays["summary"]
            )
        else:
            finder.owners(
                A,
                arrays["levels"],
                source,
                None if positions is None else cp.asarray(positions, np.int32),
                keys=(search.scratch(nbytes) if search else cp.empty(nbytes, np.uint8)).view("u8"),
                parents=arrays["parents"],
                owners=arrays["owners"],
                summary=arrays["summary"],
            )
        workspace.least_parents.append(finder)

    def _workspace(self, stream: Any) -> StreamWorkspace:
        if len(self._workspaces) >= MOST_STREAMS:
            cp.cuda.Device().synchronize()
            self._workspaces.clear()
        return self._workspaces.setdefault(stream_key(stream.ptr), StreamWorkspace(self._n, stream))

    def _take(self, A: MatrixData, kind: WorkspaceKind, workspace: StreamWorkspace) -> FusedBFS:
        """An idle workspace of the rates in use, or a new one."""
        name, long_lists = kind
        tuning = fused_tuning()
        try:
            while (idle := workspace.idle[kind].pop()).tuning is not tuning:
                pass
            return idle
        except (KeyError, IndexError):
            pass
        with self._building:
            if name not in self._layouts:
                self._layouts[name] = self._lay_out(A, name)
        layout = self._layouts[name]
        require_bytes(search_bytes(A, long_lists=long_lists), "A: a search of it")
        return FusedBFS(layout, tuning=tuning, long_lists=long_lists)

    def _lay_out(self, A: MatrixData, name: LayoutName) -> Layout:
        begin_layout(A)
        symmetric = is_symmetric(A)
        require_bytes(layout_bytes(A), "A: its layout for searches")
        transpose = None
        if not symmetric:
            transposed = self._engine.transposed(A)
            # Kernels take offsets of one type.
            transpose = transposed.indptr.astype(A.indptr.dtype, copy=False), transposed.indices
        pinned = memory_of(A.indices) == "pinned"
        layout = lay_out(
            *(A.nrows, A.indptr, A.indices, transpose),
            relabel=name[0],
            neighbours=name[1],
            begin=partial(begin_search, pinned=pinned),
            lines=partial(lines_of, A),
        )
        # Whichever stream is the next to search: it must be there.
        cp.cuda.get_current_stream().synchronize()
        if layout.pinned:
            release()  # what the build took, so that no small array has a part of it
        return layout


def in_edges(engine: Any, A: MatrixData) -> MatrixData:
    """A matrix with the pattern of the transpose."""
    transpose: MatrixData = A if is_symmetric(A) else engine.transposed(A)
    return transpose
