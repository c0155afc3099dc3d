"""Queues and kernels of the level-synchronous searches on a GPU: one method a launch.

`cuda.expansion` puts them in order.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from spbfs.engines.cuda.expansion.kernels import (
    CONTROL,
    CTA,
    CULLING,
    LANES,
    LEVEL,
    PATHS,
    QUEUES,
    RESIDENT,
    SUITED,
    TILE,
    TILED,
    TRAVERSAL,
    WAITING,
    counted,
    kernel,
)
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import Kernel, pointer
from spbfs.planner import expansion
from spbfs.planner.expansion import Expansion, Frontier
from spbfs.planner.lanes import LaneUse

__all__ = ["Frontiers", "Step"]

Array = Any


class Step(NamedTuple):
    """A launch that expanded: one level, or a run of levels with few edges.

    Vertices and edges count duplicates.  `seconds` is the GPU's time since the step before, with
    the host's decisions, where steps were timed, else NaN; `lanes` is None where none were counted.
    """

    level: int
    vertices: int
    edges: int
    kernel: str
    lanes: LaneUse | None = None
    seconds: float = math.nan


class Frontiers:
    """The vertex and edge queues of one graph, and what is launched to turn one into the other.

    Queues are of as many kinds as the organisation keeps.  Edges of a level are those of the graph
    at most once duplicates are out; `again` sees to that where a queue overflowed.
    """

    def __init__(self, n: int, indptr: Array, indices: Array, how: Expansion) -> None:
        import cupy as cp

        self.n, self.how = n, how
        self._cp = cp
        self._offset = "long long" if indptr.dtype == np.int64 else "int"
        self._sms = limits().sms
        self._graph = indptr, indices
        self.edge_capacity = max(int(indices.shape[0]), n, 1)
        self._arrays = self._allocate()
        self._pinned = cp.cuda.alloc_pinned_memory(CONTROL.itemsize)
        self._read = np.frombuffer(self._pinned, dtype=CONTROL, count=1)[0]
        self._stream = 0
        self._kernels: dict[tuple[str, str], Kernel] = {}
        self._argument = self._fill()
        self._steps: list[Step] = []
        #: The beginning and the end of every step, where they are timed.
        self._events: list[Any] | None = None

    def _sizes(self) -> dict[str, tuple[int, Any]]:
        """Elements and dtypes of the queues and the workspace."""
        n, edges = max(self.n, 1), self.edge_capacity
        offset = self._graph[0].dtype
        strategy = self.how.strategy
        sizes: dict[str, tuple[int, Any]] = {"visited": (n // 32 + 1, np.uint32)}
        vertex_queues, edge_queues = QUEUES[self.how.organisation]
        for i in range(vertex_queues):
            sizes[f"vertices{i}"] = n, np.int32
        for i in range(edge_queues):
            sizes[f"edges{i}"] = sizes[f"origins{i}"] = edges, np.int32
        if strategy == "auto" or strategy.startswith("merge_path"):
            sizes["prefix"] = n + 1, offset
            sizes["shift"] = n, offset
            sizes["sums"] = self._sms * RESIDENT, np.int64
        if strategy == "merge_path:separate":
            sizes["locations"] = edges, offset
            sizes["owners"] = edges, np.int32
        if self.how.count_lanes:
            sizes["lanes"] = len(LANES.names or ()), np.uint64
        return sizes

    def _allocate(self) -> dict[str, Array]:
        from spbfs.base.gpu_memory import require_bytes

        sizes = self._sizes()
        needed = sum(count * np.dtype(dtype).itemsize for count, dtype in sizes.values())
        require_bytes(needed, "expansion: its queues")
        arrays = {name: self._cp.empty(count, dtype) for name, (count, dtype) in sizes.items()}
        arrays["control"] = self._cp.zeros(CONTROL.itemsize, dtype=np.uint8)
        return arrays

    def _fill(self) -> Any:
        argument = np.zeros((), dtype=TRAVERSAL)
        argument["indptr"], argument["indices"] = map(pointer, self._graph)
        for name, array in self._arrays.items():
            argument[name] = pointer(array)
        # Sources are edges that lead to themselves; the second vertex queue is free for them.
        for kind in ("edges0", "origins0"):
            if kind not in self._arrays:
                argument[kind] = argument["vertices1"]
        for kind in ("vertices", "edges", "origins"):
            if f"{kind}1" not in self._arrays:
                argument[f"{kind}1"] = argument[f"{kind}0"]
        argument["n"] = self.n
        argument["vertex_capacity"] = max(self.n, 1)
        argument["edge_capacity"] = self.edge_capacity
        argument["small"] = (
            expansion.FEW_EDGES if self.how.organisation == "auto" else expansion.SMALL_EDGES
        )
        argument["longest"] = expansion.FEW_LONGEST
        culling = self.how.culling
        argument["culling"] = CULLING["atomic" if culling == "auto" else culling]
        return argument

    @property
    def nbytes(self) -> int:
        """Bytes of queues and workspace; the graph and the outputs are the caller's."""
        return sum(int(array.nbytes) for array in self._arrays.values())

    # -- what was passed -------------------------------------------------------------------------

    def _passed(self, level: int, vertices: int, edges: int, kernel: str) -> None:
        """Note a step that has been launched."""
        lanes = self._take_lanes() if self.how.count_lanes else None
        self._steps.append(Step(level, vertices, edges, kernel, lanes))
        self._tick()

    def _tick(self) -> None:
        if self._events is not None:
            self._events.append(self._cp.cuda.Event())
            self._events[-1].record()

    def _take_lanes(self) -> LaneUse:
        """What was counted since the last call."""
        counts = self._arrays["lanes"]
        taken = LaneUse(*counts.get().tolist())
        counts.fill(0)
        return taken

    def steps(self) -> tuple[Step, ...]:
        """All since the start."""
        if not self._events:
            return tuple(self._steps)
        self._events[-1].synchronize()
        elapsed = self._cp.cuda.get_elapsed_time
        return tuple(
            step._replace(seconds=1e-3 * elapsed(began, ended))
            for step, (began, ended) in zip(self._steps, pairwise(self._events), strict=True)
        )

    # -- launches --------------------------------------------------------------------------------

    def _grid(self, work: int, per_multiprocessor: int = RESIDENT, unit: int = CTA) -> int:
        return max(1, min(-(-work // unit), self._sms * per_multiprocessor))

    def _tiles_in_flight(self, work: int) -> int:
        return max(1, min(-(-work // CTA), self.how.in_flight))

    def _launch(self, name: str, depth: int, grid: int, strategy: str = "") -> None:
        launch = self._kernels.get((name, strategy))
        if launch is None:
            walks = counted(strategy) if strategy and self.how.count_lanes else strategy
            arguments = () if name == "start" else filter(None, (self._offset, walks))
            wanted = kernel(name, *arguments)
            launch = Kernel(wanted, threads=CTA, block=self._argument)
            self._kernels[name, strategy] = launch
        self._argument["depth"] = depth
        launch(grid, stream=self._stream)

    def _counts(self) -> Any:
        """The control block, once all that was launched is done."""
        runtime, control = self._cp.cuda.runtime, self._arrays["control"]
        runtime.memcpyAsync(
            self._pinned.ptr, control.data.ptr, CONTROL.itemsize,
            runtime.memcpyDeviceToHost, self._stream,
        )  # fmt: skip
        runtime.streamSynchronize(self._stream)
        return self._read

    def start(
        self,
        source: int | Array,
        levels: Array,
        parents: Array | None,
        limit: int,
        timed: bool = False,
    ) -> int:
        """Clear the outputs and queue the sources as edges of level 0: how many there are."""
        argument, self._steps = self._argument, []
        self._stream = self._cp.cuda.get_current_stream().ptr
        self._events = [] if timed else None
        self._tick()
        if self.how.count_lanes:
            self._take_lanes()
        argument["levels"], argument["parents"] = pointer(levels), pointer(parents)
        if isinstance(source, int | np.integer):
            argument["source"], argument["sources"], argument["source_count"] = source, 0, 1
        else:
            argument["sources"], argument["source_count"] = pointer(source), source.shape[0]
        argument["depth"], argument["max_depth"] = 0, limit
        self._launch("start", 0, self._grid(self.n))
        return int(argument["source_count"])

    def contract(self, depth: int, edges: int) -> None:
        """Edge queue of `depth` to vertex queue of `depth`."""
        if self.how.in_flight:
            self._launch("contract_in_order", depth, self._tiles_in_flight(edges))
        else:
            self._launch("contract", depth, self._grid(edges))

    def frontier(self, depth: int) -> Frontier:
        """Counts of the vertex queue of `depth`, which is made again where it overflowed."""
        return self._frontier(depth, self._counts())

    def _frontier(self, depth: int, control: Any) -> Frontier:
        level = control["level"][depth % 3]
        if level["vertices"] > self.n or level["edges"] > self.edge_capacity:
            self.again(depth)
            level = self._counts()["level"][depth % 3]
        return Frontier(int(level["vertices"]), int(level["edges"]), int(level["longest"]))

    def again(self, depth: int) -> None:
        """The vertex queue of `depth` from the labels, each vertex once."""
        control = self._arrays["control"][: 3 * LEVEL.itemsize].view(np.uint64).reshape(3, -1)
        control[depth % 3] = 0
        control[(depth + 1) % 3] = 0
        self._launch("collect", depth, self._grid(self.n))

    def expand(self, name: str, depth: int, frontier: Frontier) -> None:
        """Vertex queue of `depth` to the edge queue ("expand") or vertex queue ("expand_contract")
        of the next, by the strategy asked for or by the one that suits."""
        strategy = self.how.strategy
        if strategy == "auto":
            strategy = expansion.strategy(frontier)
        if strategy in ("merge_path", "merge_path:hybrid"):
            strategy = "merge_path:" + expansion.coupling(frontier, self.how.expand_factor)
        if self.how.in_flight:
            grid = self._tiles_in_flight(frontier.vertices)
            self._launch("expand_in_order", depth, grid, TILED[strategy])
        elif strategy in TILED:
            self._argument["width"] = width = expansion.width(strategy, frontier)
            grid = self._grid(frontier.vertices * width, RESIDENT * WAITING)
            self._launch(name, depth, grid, TILED[strategy])
        else:
            runs = self._grid(frontier.vertices)
            self._launch("path_sums", depth, runs)
            self._launch("path_rows", depth, runs)
            tiles = self._grid(frontier.vertices + frontier.edges, RESIDENT * WAITING, TILE)
            if strategy == "merge_path:separate":
                self._launch("locate", depth, tiles)
            self._launch(name, depth, tiles, PATHS[strategy])
        self._passed(depth, frontier.vertices, frontier.edges, f"{name} {strategy}")

    def fused(self, depth: int, edges: int, small: bool) -> tuple[int, int, int | None]:
        """One level from edge queue to edge queue, or, with `small`, as many as have few edges.

        Returns
        -------
        depth, edges : int
            The level that comes next, and its edge queue's length.
        end : int or None
            The depth of the search, if that was the end of it.
        """
        strategy = self.how.strategy if self.how.strategy in TILED else "twc"
        name = "run_small" if small else "contract_expand"
        self._launch(name, depth, self._sms if small else self._grid(edges), TILED[strategy])
        control = self._counts()
        after = int(control["depth"]) if small else depth + 1
        last = int(control["level"][(after - 1) % 3]["vertices"])
        edges = int(control["level"][after % 3]["slots"])
        passed = (int(control["vertices"]), int(control["edges"])) if small else (last, edges)
        self._passed(depth, *passed, f"{name} {strategy}")
        if last == 0:
            return after, edges, after - 2
        return after, edges, after - 1 if edges == 0 else None

    def few(self, depth: int) -> tuple[int, Frontier]:
        """Levels from vertex queue to vertex queue while they have few edges: the one that comes
        next, and its counts."""
        strategy = TILED.get(self.how.strategy, SUITED)
        self._launch("run_few", depth, self._sms, strategy)
        control = self._counts()
        passed = int(control["vertices"]), int(control["edges"])
        self._passed(depth, *passed, f"run_few {self.how.strategy}")
        depth = int(control["depth"])
        return depth, self._frontier(depth, control)
