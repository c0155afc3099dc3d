"""The fused breadth-first search on the GPU: a plan that owns layout and workspace, one launch a
search.

Nothing here computes: `cuda.layout` builds the arrays, ``kernels/cuda/bfs/bfs.cu`` searches.
"""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any, Literal

import numpy as np

from spbfs.base.flags import any_true
from spbfs.engines.cuda.bfs.checks import refuse_search
from spbfs.engines.cuda.bfs.kernel import (
    CLUSTER,
    CLUSTER_SHARED,
    STATIC_SHARED,
    has_clusters,
    pull_shared,
    specialisation,
    threads_of,
)
from spbfs.engines.cuda.bfs.state import CONTROL_BYTES, SEARCH, SearchSummary, forced
from spbfs.engines.cuda.graph.build import BLOCK
from spbfs.engines.cuda.graph.layout import Layout
from spbfs.engines.cuda.graph.lines import LINES_TOLD, told
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.driver import clusters_of, fields_of
from spbfs.engines.cuda.runtime.launch import Kernel, pointer
from spbfs.planner.peers import own_list_rows
from spbfs.planner.search_cuda import (
    NEVER_ORDERED,
    Tuning,
    blocks_per_task,
    cached_visited,
    listed_rows,
    near_arrays,
    ordered_rows,
    pinned_push_cost,
    pull_in_vain,
    push_cost,
    push_cost_over_bus,
    pushed_find,
)
from spbfs.planner.strategies import Strategy

__all__ = ["FusedBFS", "Tuning"]

Array = Any

#: Rows of a frontier's list: 28 bits count them (`kEdgeBits`), past the last one by what all warps
#: may have been about to list.
MOST_LISTED = (1 << 28) - (1 << 20)


def _align(n: int, unit: int) -> int:
    return -(-n // unit) * unit


class FusedBFS:
    """A breadth-first search plan over a layout; after construction a search allocates nothing.

    Parameters
    ----------
    layout : Layout
        The graph on the GPU.
    tuning : Tuning, optional
    long_lists : bool, optional
        Whether a frontier of all vertices can be listed, as a search needs that is told to push
        one.
    lean, over_bus : bool, optional
        Whether memory is short, and whether entries cross the bus when they are pushed and not when
        they are pulled; of several GPUs, at any of them, as all must decide the same.
    """

    def __init__(
        self,
        layout: Layout,
        *,
        tuning: Tuning | None = None,
        long_lists: bool = False,
        lean: bool = False,
        over_bus: bool = False,
    ) -> None:
        import cupy as cp

        self.layout = layout
        self.tuning, self._over_bus = tuning or Tuning(), over_bus
        self._limits = limits()
        self._shared = self._limits.shared_bytes - STATIC_SHARED
        n = layout.n
        words = -(-n // BLOCK) * 4
        identity = layout.label is None
        self._wide = layout.out_indptr.dtype == np.int64
        self._argument = np.zeros((), dtype=SEARCH)
        #: Status that a CTA of the cluster tier keeps in its shared memory, where there is room.
        self._words_per_cta = 0
        #: CTAs of a launch: of all clusters that the device holds at once, where it holds one.
        self._grid = 0
        if layout.records is not None and identity and has_clusters(self._limits):
            share, room = -(-words // CLUSTER), min(self._shared, self.tuning.cluster_shared)
            if CLUSTER_SHARED + 4 * share <= room:
                self._words_per_cta = share
            self._prepare(deep=True)
            self._grid = CLUSTER * clusters_of(
                self._launch.function, CLUSTER, self._threads, self._shared_bytes
            )
        deep = self._grid > 0
        if not deep:
            self._words_per_cta = 0
            self._prepare(deep=False)
            self._grid = self._limits.sms
        #: A level with a longer list is followed by a pull, which needs none.
        listed = n if long_lists else listed_rows(n, layout.pinned or lean)
        #: Rows of the longest frontier that is listed, and of the list of what is found here.
        self.listed = self._capacity = min(n, listed, MOST_LISTED)
        if layout.share.gpus > 1 and not long_lists:
            own, gpus = layout.share.of(n), layout.share.gpus
            self._capacity = own_list_rows(self.listed, own, gpus)
        self._schedule: Array | None = None
        #: Who expands in the cluster tier has come in a message.
        unfinished = CLUSTER**2 * self.tuning.cluster_leave if deep else 0
        self._seen = cp.zeros((2, max(4, words)), dtype=cp.uint32)
        self._queue = cp.empty((2, max(1, self._capacity), 4), dtype=cp.int32)
        self._unfinished = cp.empty((unfinished, 4), dtype=cp.int32)
        self._control = cp.zeros(CONTROL_BYTES, dtype=cp.uint8)
        #: Of this search and the next: one is cleared while the other is read.
        self._levels = None if identity else cp.zeros((2, _align(n + 8, 16)), dtype=cp.uint8)
        self._parents = layout.parents
        if self._parents is None and not identity:
            self._parents = cp.empty(n, dtype=cp.int32)
        self._fill(self._argument)
        self._fields = fields_of(self._argument)
        self._parent_pointer = pointer(self._parents)

    @property
    def nbytes(self) -> int:
        """Bytes of the workspace, the layout not counted."""
        arrays = (
            self._seen,
            self._queue,
            self._unfinished,
            self._control,
            self._levels,
            None if self.layout.parents is not None else self._parents,
        )
        return sum(int(a.nbytes) for a in arrays if a is not None)

    def _prepare(self, deep: bool) -> None:
        """The kernel with or without a cluster tier, and how many vertices' status a pull of it
        keeps in the shared memory that the device has."""
        variant = deep, self._wide, self.layout.label is not None, self._limits.capability
        peers = self.layout.share.gpus > 1
        self._threads = threads_of(*variant, peers=peers)
        cached = self.tuning.cached
        if cached is None:
            cached = cached_visited(self.layout.n, self.layout.label is not None)
        fixed = pull_shared(self._threads)
        room = (self._shared - fixed) * 8 // BLOCK * BLOCK
        self._cached = min(_align(min(self.layout.n, cached), BLOCK), room)
        self._shared_bytes = fixed + self._cached // 8
        if deep:
            least = CLUSTER_SHARED + 4 * self._words_per_cta
            self._shared_bytes = max(self._shared_bytes, least)
        self._launch = Kernel(
            specialisation(*variant, peers=peers, pinned=self.layout.pinned),
            threads=self._threads,
            shared_bytes=self._shared_bytes,
            block=self._argument,
        )

    def _fill(self, argument: Any) -> None:
        layout, tuning = self.layout, self.tuning
        assert SEARCH.names is not None
        for name in SEARCH.names[:11]:
            argument[name] = pointer(getattr(layout, name))
        argument["visited0"] = pointer(self._seen[0])
        argument["visited1"] = pointer(self._seen[1])
        if self._levels is not None:
            argument["levels"] = pointer(self._levels[0])
            argument["next_levels"] = pointer(self._levels[1])
        argument["parents"] = pointer(self._parents)
        argument["queue0"] = pointer(self._queue[0])
        argument["queue1"] = pointer(self._queue[1])
        argument["unfinished"] = pointer(self._unfinished)
        argument["control"] = pointer(self._control)
        for name in ("edges", "n", "rows", "caller_n"):
            argument[name] = getattr(layout, name)
        argument["cached"] = self._cached
        blocks = -(-layout.n // BLOCK)
        per_task, share = tuning.blocks_per_task, layout.share
        run = (1 << share.shift) // BLOCK
        if per_task is None:
            own, warps = -(-blocks // share.gpus), self._grid * self._threads // 32
            per_task = blocks_per_task(own, warps, run if share.gpus > 1 else None)
        argument[LINES_TOLD] = told(layout.lines)
        argument["shortest"] = 2 if layout.symmetric else 1
        argument["gpus"], argument["place"] = share.gpus, share.place
        argument["own"] = share.of(layout.n)
        argument["run_shift"] = share.shift
        argument["task_shift"] = (run // per_task).bit_length() - 1
        argument["reciprocal"] = -(-(1 << 32) // share.gpus) & 0xFFFFFFFF
        argument["blocks_per_task"] = per_task
        sizes = (layout.n * (4 if layout.label is None else 1), 4 * layout.n)
        argument["near"] = near_arrays(sizes, self._limits.l2_bytes)
        argument["queue_capacity"] = self._capacity
        ordered_from = ordered_rows(layout.n)
        if 2 * self._capacity < self._grid * self._threads // 32:
            ordered_from = NEVER_ORDERED  # warps count there what they list
        argument["ordered_from"] = ordered_from
        argument["unfinished_capacity"] = self._unfinished.shape[0]
        if layout.records is not None:
            argument["record_length"] = layout.records.shape[1] // 4
        argument["cluster_words"] = self._words_per_cta
        relabelled = layout.label is not None
        cost = tuning.push_cost
        if cost is None:
            cost_of = pinned_push_cost if layout.pinned else push_cost
            if self._over_bus:
                cost_of = push_cost_over_bus
            cost = cost_of(relabelled)
        argument["pull_weight"] = 1 / cost
        mean_degree = argument["mean_degree"] = layout.edges / max(1, layout.rows)
        even = layout.even and not layout.pinned
        by_sectors = layout.pinned and layout.ell_slab is None and not relabelled
        argument["pushed_find"] = pushed_find(layout.n, even, over_bus=by_sectors)
        argument["pull_in_vain"] = pull_in_vain(mean_degree, even, layout.pinned and relabelled)
        for name in "cta_enter cta_leave cluster_enter cluster_leave".split():
            argument[name] = getattr(tuning, name)

    def run(
        self,
        sources: int | Array,
        levels: Array | None,
        parents: Array | None,
        *,
        max_depth: int | None = None,
        target: int | None = None,
        direction: Literal["auto", "push", "pull"] = "auto",
        trace: Array | None = None,
        summary: Array | None = None,
    ) -> None:
        """Search on the current stream; results are complete when the stream is.

        Parameters
        ----------
        sources : int or cupy.ndarray
            A vertex, or int32 vertices on the device.
        levels, parents : cupy.ndarray or None
            int32 outputs in the caller's labels, one element a vertex; -1 where not reached.  A
            source is its own parent.
        max_depth : int, optional
            Last level to reach.
        target : int, optional
            Stop after the level in which this vertex is reached.
        direction : {"auto", "push", "pull"}
        trace : cupy.ndarray, optional
            int64 of shape ``(levels, 4)``, zeroed: direction, vertices, edges, nanoseconds.
        summary : cupy.ndarray, optional
            Where the summary goes, one of `summary_slots`; the plan's own by default.

        Raises
        ------
        IndexOutOfBound
            A vertex number given on the host is out of range.
        """
        refuse_search(self.layout.caller_n, sources, levels, parents, max_depth, target)
        import cupy as cp

        self.launch(
            cp.cuda.get_current_stream().ptr,
            int(sources) if isinstance(sources, np.integer) else sources,
            levels,
            parents,
            max_depth,
            target,
            ("auto", "push", "pull").index(direction),
            self._summary if summary is None else summary,
            (),
            trace,
        )

    def launch(
        self,
        stream: int,
        source: int | Array,
        levels: Array | None,
        parents: Array | None,
        max_depth: int | None,
        target: int | None,
        direction: int,
        summary: Array,
        schedule: tuple[Strategy, ...],
        trace: Array | None,
    ) -> None:
        """What `run` does once its arguments are checked; a schedule takes the place of the
        direction, see `SearchRequest`."""
        self.ask(source, levels, parents, max_depth, target, direction, summary, schedule, trace)
        self.go(stream)

    def go(self, stream: int) -> None:
        """Launch the search that was asked for."""
        self._launch(self._grid, stream=stream)

    def ask(
        self,
        source: int | Array,
        levels: Array | None,
        parents: Array | None,
        max_depth: int | None,
        target: int | None,
        direction: int,
        summary: Array,
        schedule: tuple[Strategy, ...],
        trace: Array | None,
    ) -> None:
        """Set the arguments of the next search."""
        block = self._fields
        if isinstance(source, int):
            block.source, block.sources, block.source_count = source, 0, 1
        else:
            block.sources, block.source_count = source.data.ptr, source.shape[0]
        block.target = -1 if target is None else self._internal(target)
        if target is not None and block.target < 0 and self._is_among(source, target):
            max_depth = 0  # the layout does without it, so that the search would not see it
        block.max_depth = 2**31 - 1 if max_depth is None else min(max_depth, 2**31 - 1)
        block.direction = direction
        self._schedule = import_module("cupy").asarray(forced(schedule)) if schedule else None
        block.schedule, block.scheduled = pointer(self._schedule), len(schedule)
        block.summary = summary.data.ptr
        block.trace, block.trace_capacity = (
            (0, 0) if trace is None else (trace.data.ptr, len(trace))
        )
        block.out_levels = level_pointer = 0 if levels is None else levels.data.ptr
        block.out_parents = parent_pointer = 0 if parents is None else parents.data.ptr
        if self.layout.label is None:
            block.levels, block.parents = level_pointer, parent_pointer
        else:
            block.parents = 0 if parents is None else self._parent_pointer
            block.levels, block.next_levels = block.next_levels, block.levels

    def shown(self) -> tuple[Array, Array]:
        """What other GPUs read of a search: both buffers of visited bits, both lists."""
        return self._seen, self._queue

    def meet(self, peers: Array) -> None:
        """Search together with other GPUs from now on, which the block `peers` tells of."""
        self._peers = peers
        self._fields.peers = pointer(peers)

    def start(self) -> tuple[int, int, int]:
        """What the next search begins with, all zero: status bits, levels by internal id in bytes
        (0: the caller's labels, no bytes), and the ranks that number it (0 likewise)."""
        fields = self._fields
        return (
            fields.visited0,
            (0 if self.layout.label is None else fields.next_levels),
            fields.rank,
        )

    def _internal(self, target: int) -> int:
        return target if self.layout.rank is None else int(self.layout.rank[target])

    @staticmethod
    def _is_among(source: int | Array, target: int) -> bool:
        return source == target if isinstance(source, int) else any_true(source == target)

    def scratch(self, nbytes: int) -> Array:
        """Bytes that nobody needs between searches: the frontier's lists, where they suffice."""
        import cupy as cp

        queue = self._queue.reshape(-1).view(np.uint8)
        return queue[:nbytes] if queue.nbytes >= nbytes else cp.empty(nbytes, np.uint8)

    @cached_property
    def _summary(self) -> Array:
        import cupy as cp

        from spbfs.engines.cuda.bfs.slots import summary_slots

        return summary_slots(cp.cuda.get_current_stream())[0]

    def summary(self) -> SearchSummary:
        """Depth and reached vertices of the last search; waits for it.

        Raises
        ------
        IndexOutOfBound
            A source given on the device was out of range.
        """
        import cupy as cp

        cp.cuda.get_current_stream().synchronize()
        return SearchSummary.read(self._summary, self.layout.caller_n)
