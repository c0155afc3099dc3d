"""What Cheng et al. measure of a graph: the expansion by groups of every width, and what the lanes
of its warps do, counted in the kernels and computed from degrees."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.common.simd_efficiency import greatest, lane_use, rising
from benchmarks.papers.cheng_graphs import suite
from benchmarks.papers.figure import Setting
from benchmarks.papers.graphs import Graph, as_matrix, giant_sources
from spbfs.planner.expansion import Expansion
from spbfs.planner.lanes import LaneUse, total_use

__all__ = ["WIDTHS", "Surveyed", "expansion_of", "levels_of", "survey"]

WIDTHS = (1, 2, 4, 8, 16, 32)
#: Levels from which three sources do: a search is a thousand launches.
DEEP = 500


@dataclass(frozen=True, slots=True)
class Surveyed:
    """Of one graph; what a device cannot say is empty.

    Parameters
    ----------
    name : str
    edges : int
        Expanded by the search that is counted.
    computed, counted : dict
        By width: of the search from the first source.
    longest : dict
        By width: steps of the longest row, summed over levels.
    milliseconds : dict
        By width: of the expanding kernels, medians over the sources.
    expanded : float
        Edges, mean over the sources.
    """

    name: str
    edges: int
    computed: dict[int, LaneUse]
    counted: dict[int, LaneUse]
    longest: dict[int, int]
    milliseconds: dict[int, float]
    expanded: float


#: What has been surveyed in this process, and the graphs of which the time was over: several
#: figures are made of it.
_surveyed: dict[tuple[str, bool], tuple[tuple[Surveyed, ...], dict[str, list[str]]]] = {}


def survey(setting: Setting) -> tuple[Surveyed, ...]:
    """Every graph of the suite, once a process."""
    key = setting.device, setting.quick
    if key not in _surveyed:
        own, found = replace(setting, left_out={}), []
        for name, graph in suite(own):
            found.append(_one(own, name, graph))
            gc.collect()  # searches that are timed refer to themselves, and hold gigabytes
        _surveyed[key] = tuple(found), own.left_out
    every, left_out = _surveyed[key]
    for reason, names in left_out.items():
        for name in names:
            setting.leave_out(name, reason)
    return every


def expansion_of(width: int, count_lanes: bool = False) -> Expansion:
    """The paper's two phases, with groups of so many lanes."""
    strategy = "thread" if width == 1 else f"warp:{width}"
    return Expansion(strategy, "atomic", "two_phase", count_lanes=count_lanes)


def levels_of(setting: Setting, graph: Graph, count: int) -> tuple[list[int], Any]:
    """Vertices of the giant component, and the levels of a search from the first."""
    import spbfs as sb

    A = as_matrix(graph, setting)
    sources = giant_sources(A, count)
    return sources, sb.bfs(A, sources[0], parents=False).levels.to_dense(fill_value=-1)


def _one(setting: Setting, name: str, graph: Graph) -> Surveyed:
    on_gpu = setting.device == "cuda"
    xp: Any = np
    if on_gpu:
        import cupy

        xp = cupy
    sources, levels = levels_of(setting, graph, 10 if on_gpu and not setting.quick else 1)
    levels, (_, indptr, _) = xp.asarray(levels), graph
    computed = {width: lane_use(xp, indptr, levels, width) for width in WIDTHS}
    counted = {width: _counted(graph, sources[0], width) for width in WIDTHS} if on_gpu else {}
    times: dict[int, float] = {}
    expanded = float(computed[1].active)
    if on_gpu:
        deep = int(levels.max()) > DEEP
        timed = _Phases(graph)
        phases = [timed.measure(source) for source in sources[: 3 if deep else None]]
        times = {w: float(np.median([found[w] for _, found in phases])) for w in WIDTHS}
        expanded = float(np.mean([edges for edges, _ in phases]))
    setting.say(f"{name}: ME " + ", ".join(f"{w}: {computed[w].me:.2f}" for w in WIDTHS))
    rows = _longest(xp, indptr, levels)
    longest = {width: int((-(-rows // width)).sum()) for width in WIDTHS}
    return Surveyed(name, computed[1].active, computed, counted, longest, times, expanded)


def _longest(xp: Any, indptr: Any, levels: Any) -> Any:
    """The longest row of every level."""
    order = rising(xp, levels)
    degree = (indptr[1:] - indptr[:-1])[order].astype(xp.int64)
    return greatest(xp, degree, levels[order].astype(xp.int64))


def _counted(graph: Graph, source: int, width: int) -> LaneUse:
    import cupy as cp

    from spbfs.engines.cuda.expansion.fused import LevelSynchronousBFS

    search = LevelSynchronousBFS(*graph, expansion_of(width, count_lanes=True))
    passed = search.run(source, cp.empty(graph[0], dtype=cp.int32), None)
    return total_use(step.lanes for step in passed.steps)


class _Phases:
    """Searches of a graph by groups of every width, of which the expanding kernels are timed.

    They are made before anything is timed: what the host does between the two events counts.
    """

    def __init__(self, graph: Graph) -> None:
        import cupy as cp

        from spbfs.engines.cuda.expansion.fused import LevelSynchronousBFS

        self._levels, self._parents = (cp.empty(graph[0], dtype=cp.int32) for _ in range(2))
        self._events: list[tuple[Any, Any]] = []
        self._searches = {w: LevelSynchronousBFS(*graph, expansion_of(w)) for w in WIDTHS}
        for search in self._searches.values():
            frontiers = search.frontiers
            frontiers.expand = self._timed(frontiers.expand)  # type: ignore[method-assign]

    def _timed(self, expand: Callable[..., None]) -> Callable[..., None]:
        import cupy as cp

        def timed(*arguments: Any) -> None:
            pair = cp.cuda.Event(), cp.cuda.Event()
            pair[0].record()
            expand(*arguments)
            pair[1].record()
            self._events.append(pair)

        return timed

    def measure(self, source: int) -> tuple[int, dict[int, float]]:
        """Edges of one search, and milliseconds by width: medians of three, the widths in turns."""
        taken: dict[int, list[float]] = {width: [] for width in WIDTHS}
        edges = 0
        for turn in range(4):
            for width, search in self._searches.items():
                edges, milliseconds = self._once(search, source)
                if turn:  # the first may load a kernel
                    taken[width].append(milliseconds)
        return edges, {width: float(np.median(found)) for width, found in taken.items()}

    def _once(self, search: Any, source: int) -> tuple[int, float]:
        import cupy as cp

        self._events.clear()
        passed = search.run(source, self._levels, self._parents)
        cp.cuda.Device().synchronize()
        return passed.edges, sum(cp.cuda.get_elapsed_time(*pair) for pair in self._events)
