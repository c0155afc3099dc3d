"""Queues and kernels of the level-synchronous searches on a GPU: one method a launch.

`cuda.expansion` puts them in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import Kernel, pointer
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.planner import expansion
from spbfs.planner.expansion import Expansion, Frontier

__all__ = ["Frontiers", "specialisations"]

Array = Any

#: `struct Level`, `Control` and `Traversal` of ``expansion_state.cuh``.
LEVEL = np.dtype([(name, "u8") for name in ("vertices", "edges", "slots", "longest")])
CONTROL = np.dtype(
    [("level", LEVEL, 3), ("vertices", "u8"), ("edges", "u8"), ("depth", "i4"), ("barrier", "u4")]
)
_POINTERS = (
    "indptr indices sources visited levels parents vertices0 vertices1 edges0 edges1 "
    "origins0 origins1 prefix shift sums locations owners control"
).split()
_LONGS = "vertex_capacity edge_capacity small".split()
_INTS = "n source source_count depth max_depth culling width longest".split()
TRAVERSAL = np.dtype(
    [(name, "u8") for name in _POINTERS]
    + [(name, "i8") for name in _LONGS]
    + [(name, "i4") for name in _INTS],
    align=True,
)

#: Threads of a CTA, steps of a section of the merge path, CTAs a multiprocessor (`kCta`, `kTile`,
#: the launch bounds), and how many CTAs may wait for a place: what waits goes where a place is
#: free, but every CTA has to start anew.
CTA, TILE, RESIDENT, WAITING = 256, 2048, 5, 8

#: C++ names of the strategies: those that a CTA can do alone, and those of the merge path.
TILED = {
    "thread": "Groups<1>",
    **{f"warp:{width}": f"Groups<{width}>" for width in (2, 4, 8, 16, 32)},
    "cta": "Cta",
    "scan": "Scan",
    "twc": "Twc",
}
#: What a run of levels with few edges takes where no strategy is asked for that a CTA can do alone.
SUITED = "Suited"
#: Vertex queues and edge queues that an organisation keeps.
QUEUES = {
    "auto": (2, 0),
    "expand_contract": (2, 0),
    "contract_expand": (1, 2),
    "two_phase": (1, 1),
    "hybrid": (1, 2),
}
PATHS = {
    "merge_path:separate": "Located",
    "merge_path:balanced_gather": "Gathered",
    "merge_path:balanced_redistribute": "Redistributed",
}
#: Kernels of many levels, of one CTA a multiprocessor: every one more makes their barriers dearer.
COOPERATIVE = ("run_few", "run_small")
CULLING = {"none": 0, "warp": 1, "history": 2, "warp+history": 3, "atomic": 4}


def _module(*kernels: str, cooperative: bool = False) -> Specialisation:
    return Specialisation("expansion", kernels, cooperative=cooperative)


def kernel(name: str, *arguments: str) -> Specialisation:
    """One kernel alone: a search compiles only what it runs."""
    expression = f"{name}<{', '.join(arguments)}>" if arguments else name
    return _module(expression, cooperative=name in COOPERATIVE)


def specialisations() -> Iterator[Specialisation]:
    """Every kernel, in both widths of offsets."""
    yield _module("start")
    for offset in ("int", "long long"):
        plain = ("contract", "collect", "path_sums", "path_rows", "locate")
        names = [f"{name}<{offset}>" for name in plain]
        for strategy in (*TILED.values(), *PATHS.values()):
            kernels = ["expand", "expand_contract"]
            if strategy not in PATHS.values():
                kernels += ["contract_expand", "run_small", "run_few"]
            names += [f"{kernel}<{offset}, {strategy}>" for kernel in kernels]
        yield _module(*names, f"run_few<{offset}, {SUITED}>")


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
        #: Level, vertices, edges and kernel of every launch that expanded.
        self.steps: list[tuple[int, int, int, str]] = []

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

    # -- launches --------------------------------------------------------------------------------

    def _grid(self, work: int, per_multiprocessor: int = RESIDENT, unit: int = CTA) -> int:
        return max(1, min(-(-work // unit), self._sms * per_multiprocessor))

    def _launch(self, name: str, depth: int, grid: int, strategy: str = "") -> None:
        launch = self._kernels.get((name, strategy))
        if launch is None:
            arguments = () if name == "start" else filter(None, (self._offset, strategy))
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

    def start(self, source: int | Array, levels: Array, parents: Array | None, limit: int) -> int:
        """Clear the outputs and queue the sources as edges of level 0: how many there are."""
        argument, self.steps = self._argument, []
        self._stream = self._cp.cuda.get_current_stream().ptr
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
        self.steps.append((depth, frontier.vertices, frontier.edges, f"{name} {strategy}"))
        if strategy in TILED:
            self._argument["width"] = width = expansion.width(strategy, frontier)
            grid = self._grid(frontier.vertices * width, RESIDENT * WAITING)
            self._launch(name, depth, grid, TILED[strategy])
            return
        runs = self._grid(frontier.vertices)
        self._launch("path_sums", depth, runs)
        self._launch("path_rows", depth, runs)
        tiles = self._grid(frontier.vertices + frontier.edges, RESIDENT * WAITING, TILE)
        if strategy == "merge_path:separate":
            self._launch("locate", depth, tiles)
        self._launch(name, depth, tiles, PATHS[strategy])

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
        self.steps.append((depth, *passed, f"{name} {strategy}"))
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
        self.steps.append((depth, *passed, f"run_few {self.how.strategy}"))
        depth = int(control["depth"])
        return depth, self._frontier(depth, control)
