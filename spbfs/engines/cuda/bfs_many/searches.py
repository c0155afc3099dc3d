"""Batches of searches of a matrix on the GPU: who owns layouts and workspaces of `ManyBFS`."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import cupy as cp
import numpy as np

from spbfs.base.gpu_memory import free_bytes, refusal, require_bytes
from spbfs.engines.bfs import Direction
from spbfs.engines.bfs_many import Idle, Ints, ManyRequest
from spbfs.engines.cuda.bfs_many.fused import ManyBFS, ManySummary, empty_levels, modules_of
from spbfs.engines.cuda.graph.build import SORT_CHUNK
from spbfs.engines.cuda.graph.layout import Layout, build_layout
from spbfs.engines.cuda.graph.lines import lines_of
from spbfs.engines.cuda.graph.symmetric import is_symmetric
from spbfs.engines.cuda.runtime.modules import begin
from spbfs.engines.cuda.runtime.streams import stream_key
from spbfs.engines.cuda.searches.device import begin_layout
from spbfs.exceptions import IndexOutOfBound, InvalidValue
from spbfs.planner import many as planner_many
from spbfs.storage.arrays import memory_of
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import bincount
from spbfs.storage.packed import words_of

__all__ = ["CudaManySearches"]

Array = Any

#: Bits of a level at first, and where a search turns out deeper.
PLANES, MOST_PLANES = 8, 16
#: A layout of pinned entries, bytes a vertex on the GPU: labels, ranks, offsets, first neighbours.
PINNED_LAYOUT_BYTES = 24
#: The kernels count rows of a list in 28 bits, and may list every vertex.
MOST_VERTICES = (1 << 28) - 1


class CudaBatchResult:
    """What a batch left in its plan; see `BatchResult`."""

    def __init__(
        self,
        A: MatrixData,
        plan: ManyBFS,
        summary: ManySummary,
        searches: int,
        written: Array | None,
    ) -> None:
        self._A, self._plan, self._searches = A, plan, searches
        self._summary, self._written = summary, written
        self.depth, self.joint = summary.depth, summary.joint
        self._stream = stream_key(cp.cuda.get_current_stream().ptr)

    @property
    def edges(self) -> int:
        """Stored entries in the rows of what was reached, summed over searches."""
        return self._summary.edges

    def per_source(self) -> tuple[Ints, Ints, Ints]:
        found = self._summary
        return found.reached, found.sum_levels, found.eccentricity

    def level_sizes(self) -> Ints:
        sizes = np.zeros((self._searches, self.depth + 1), np.int64)
        for search, row in enumerate(self._levels()):
            # What was not reached is counted behind the last level.
            counts = bincount(cp.minimum(row, self.depth + 1, dtype=np.int32), self.depth + 2)
            sizes[search] = counts[:-1].get()
        return sizes

    def levels(self, out: Array, rows: Ints) -> None:
        if out is self._written:
            return
        if isinstance(out, cp.ndarray) and self._plan.fits(out):
            self._plan.levels(out, cp.asarray(rows))
            return
        levels = self._levels()
        made = levels.astype(out.dtype)
        made[levels == np.iinfo(levels.dtype).max] = np.iinfo(out.dtype).max
        if isinstance(out, cp.ndarray):
            out[cp.asarray(rows)] = made
        else:
            out[rows] = made.get()

    def _levels(self) -> Array:
        dtype = np.uint8 if self._plan.plane_count <= 8 else np.uint16
        out = empty_levels(self._searches, self._A.nrows, dtype)
        self._plan.levels(out)
        return out

    def add_counts(self, counts: Array | None, level_sums: Array | None) -> None:
        found = cp.zeros(self._A.nrows, np.int32)
        self._plan.add_counts(found, level_sums)
        if counts is not None:
            counts += found

    def level_bits(self, level: int) -> Array:
        bits = cp.ascontiguousarray(self._plan.level_set(level)[:, : words_of(self._searches)])
        stream = cp.cuda.get_current_stream()
        if stream_key(stream.ptr) != self._stream:
            # The plan is free for others once the work on the stream of the batch has ended.
            stream.synchronize()
        return bits


class CudaManySearches:
    """Batches of searches of one matrix by ``kernels/cuda/bfs_many/bfs_many.cu``.

    Parameters
    ----------
    A : MatrixData
        Square, on the GPU.
    engine : CudaEngine
        Makes the transpose where it is needed.
    """

    def __init__(self, A: MatrixData, engine: Any) -> None:
        self._n, self._engine = A.nrows, engine
        self._entries, self._pinned = A.nvals, memory_of(A.indices) == "pinned"
        self._layout: Layout | None = None
        self._building = threading.Lock()
        self._idle: Idle[ManyBFS] = Idle()

    @property
    def nbytes(self) -> int:
        return self._idle.nbytes + (0 if self._layout is None else self._layout.nbytes)

    def room(self, enough: int | None = None) -> int:
        idle = self._idle.nbytes
        return free_bytes(None if enough is None else enough - idle) + idle

    def needed(self, searches: int, request: ManyRequest) -> int:
        if request.begun is not None:
            return 0  # it has what it needs
        words = words_of(searches)
        made = self._idle.peek(lambda idle: idle.shape == (words, PLANES))
        if made is not None:
            return made.nbytes
        return self._n * (8 * words * (3 + PLANES) + 32) + self._layout_bytes()

    def begin(
        self, A: MatrixData, sources: Array, max_depth: int | None, direction: Direction
    ) -> ManyBFS | None:
        shape = words_of(len(sources)), PLANES
        plan = self._idle.take(lambda idle: idle.shape == shape)
        if plan is not None:
            plan.run(sources, max_depth=max_depth, direction=direction)
        return plan

    def give_up(self, begun: ManyBFS) -> None:
        with suppress(IndexOutOfBound):
            begun.summary()
        # As `batch` does: another stream may be the next to use the plan.
        cp.cuda.get_current_stream().synchronize()
        self._idle.give_back(begun)

    def batch_size(self, sources: int) -> int:
        return planner_many.cuda_lanes(sources)

    def expect(self, A: MatrixData, searches: int) -> None:
        wide = A.indptr.dtype == np.int64
        begin_layout(A, searched=not planner_many.shown_by_host(A.nvals))
        begin(*modules_of(wide, words_of(searches), pinned=self._pinned))

    def listed(
        self, A: MatrixData, sources: Ints, request: ManyRequest, most_edges: int, most_rows: int
    ) -> None:
        """There is no such way here."""

    @contextmanager
    def batch(
        self, A: MatrixData, sources: Ints, rows: Ints, request: ManyRequest
    ) -> Iterator[CudaBatchResult]:
        stream = cp.cuda.get_current_stream()
        try:
            plan, summary, written = self._search(A, sources, rows, request)
            if request.parents is not None:
                plan.parents(request.parents, cp.asarray(rows))
            yield CudaBatchResult(A, plan, summary, len(sources), written)
            # Another stream may be the next to use the plan.
            stream.synchronize()
            self._idle.give_back(plan)
        except cp.cuda.memory.OutOfMemoryError as error:
            raise refusal(self.needed(len(sources), request), "A: searches of it") from error

    def _search(
        self, A: MatrixData, sources: Ints, rows: Ints, request: ManyRequest
    ) -> tuple[ManyBFS, ManySummary, Array | None]:
        """With as many planes as the depth turns out to need; levels that were written already.

        Nothing is waited for before all of it is under way.
        """
        if A.nrows > MOST_VERTICES:
            raise InvalidValue(
                f"A: searches joined on CUDA count vertices in 28 bits: expected at most "
                f"{MOST_VERTICES:,} of them, got {A.nrows:,}; search it with batch=1"
            )
        begun, request.begun = request.begun, None
        for planes in (PLANES, MOST_PLANES):
            if begun is not None and begun.count == len(sources):
                plan, begun = begun, None
            else:
                if begun is not None:
                    self.give_up(begun)
                    begun = None
                plan = self._take(A, words_of(len(sources)), planes)
                plan.run(sources, max_depth=request.max_depth, direction=request.direction)
            early = request.early_levels
            if early is not None and plan.fits(early):
                in_order = np.array_equal(rows, np.arange(early.shape[0]))
                plan.levels(early, None if in_order else cp.asarray(rows))
            else:
                early = None
            summary = plan.summary()
            if not summary.truncated:
                return plan, summary, early
            del plan
        raise InvalidValue(
            f"A: searches joined on CUDA end at level {2**MOST_PLANES - 2}; search it with batch=1"
        )

    def _take(self, A: MatrixData, words: int, planes: int) -> ManyBFS:
        plan = self._idle.take(lambda idle: idle.shape == (words, planes))
        if plan is not None:
            return plan
        with self._building:
            if self._layout is None:
                self._layout = self._lay_out(A)
        return ManyBFS(self._layout, words=words, planes=planes)

    def _layout_bytes(self) -> int:
        if self._layout is not None:
            return 0
        if self._pinned:
            return PINNED_LAYOUT_BYTES * self._n
        return 8 * self._entries + 64 * self._n + 56 * min(self._entries, SORT_CHUNK)

    def _lay_out(self, A: MatrixData) -> Layout:
        require_bytes(self._layout_bytes(), "A: its layout for many searches")
        transpose = None
        if not is_symmetric(A):
            transposed = self._engine.transposed(A)
            transpose = transposed.indptr, transposed.indices
        lines = lines_of(A)
        layout = build_layout(
            *(A.nrows, A.indptr, A.indices, transpose),
            # Rows that have lines are about equally long, so that no order is better than theirs.
            hubs=A.nrows if lines is None else None,
            by_degree=lines is None,
            slab=False,
            lines=lambda: lines,
        )
        cp.cuda.get_current_stream().synchronize()
        return layout
