"""Merrill, Garland, Grimshaw, Fig. 3: logical frontiers by level, and when their time passes; and
the rate of a level against the size of its frontier."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.papers.figure import Found, Plot, Setting
from benchmarks.papers.graphs import Graph, as_matrix, giant_sources, suite
from spbfs.planner.expansion import Expansion

__all__ = ["GRAPHS", "by_level", "rates"]

GRAPHS = (
    "grid5pt.5000",
    "grid7pt.300",
    "web",
    "kron_g500-logn20",
    "random.2Mv.128Me",
    "rmat.2Mv.128Me",
)
#: Points of a line at most; of so many levels every k-th is drawn.
POINTS = 240
#: Entries looked at at a time.
CHUNK = 1 << 24


def by_level(setting: Setting) -> Found:
    """Fig. 3: a search of each graph, its levels counted."""
    rows: list[tuple[Any, ...]] = []
    plots, times = [], {}
    for name, graph in suite(setting, GRAPHS):
        A = as_matrix(graph, setting)
        (source,) = giant_sources(A, 1)
        sb.bfs(A, source)  # what is derived from the graph is made outside of the times
        searches = [sb.bfs(A, source, trace=True) for _ in range(5)]
        levels = searches[0].levels.to_dense(fill_value=-1)
        taken = [[step.seconds for step in found.trace or []] for found in searches]
        edges, distinct, vertices = _frontiers(graph, levels, setting)
        seconds = np.cumsum(np.median(taken, axis=0))
        passed = seconds / seconds[-1]
        peak = int(edges.argmax())
        new = int(vertices[peak + 1]) if peak + 1 < len(vertices) else 0
        rows.append((name, graph[0], int(edges.sum()), len(edges), int(edges[peak]), peak,
                     int(distinct[peak]), new,
                     float(distinct.sum() / edges.sum()), _half(passed, 0.5), _half(passed, 0.9),
                     1e3 * float(seconds[-1])))  # fmt: skip
        plots.append(Plot(
            f"{name}: frontiers by level", "level", "in the frontier",
            {"edges": _thin(edges), "edges, each neighbour once": _thin(distinct),
             "vertices": _thin(vertices)}, log_y=True,
        ))  # fmt: skip
        share = np.arange(1, len(passed) + 1) / len(passed)
        times[name] = _thinned(list(zip(100 * share, 100 * passed, strict=True)))
    title = "When the time of a search passes"
    plots.append(Plot(title, "levels done, %", "time passed, %", times))
    shares = ", ".join(f"{row[0].split('.')[0]} {100 * row[8]:.0f}" for row in rows)
    return Found(
        ("graph", "vertices", "edges", "levels", "largest edge frontier", "at level",
         "its distinct neighbours", "new ones of these", "distinct share, all levels",
         "half of the time by level", "nine tenths by", "ms"),
        rows, tuple(plots),
        "One search of each from a vertex of its giant component, by `sb.bfs(A, s, trace=True)`; "
        "the edge frontier of a level is the stored (directed) entries of its vertices' rows, and "
        "distinct are the vertices that these lead to, each once in a level. Times are those of "
        "the fused search, whose larger levels may pull, by the engine's own clock of levels, "
        "medians of five.",
        f"distinct neighbours are this share of the edges, in %: {shares}",
    )  # fmt: skip


def rates(setting: Setting) -> Found:
    """How fast a level is expanded, by the size of its edge frontier."""
    ways: dict[str, dict[str, Any]] = {
        "push alone": {"direction": "push"},
        "push or pull, as chosen": {"direction": "auto"},
    }
    if setting.device == "cuda":
        for organisation in ("expand_contract", "two_phase"):
            how = Expansion("twc", "atomic", organisation)
            ways[f"level by level, {organisation}"] = {"expansion": how}
    sizes: dict[str, dict[int, list[float]]] = {way: defaultdict(list) for way in ways}
    for _, graph in suite(setting, GRAPHS):
        A = as_matrix(graph, setting)
        for source in giant_sources(A, 2 if setting.quick else 4):
            for way, options in ways.items():
                sb.bfs(A, source, **options)
                found = sb.bfs(A, source, trace=True, **options)
                for step in found.trace or []:
                    if step.edges and step.seconds > 0:
                        power = int(step.edges).bit_length() - 1
                        sizes[way][power].append(step.edges / step.seconds)
    powers = sorted(set().union(*sizes.values()))
    rows: list[tuple[Any, ...]] = []
    lines: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
    for p in powers:
        medians = [float(np.median(sizes[way][p])) if sizes[way][p] else None for way in ways]
        rows.append((f"2^{p}", len(sizes["push alone"][p]), *(m and m / 1e6 for m in medians)))
        for way, median in zip(ways, medians, strict=True):
            if median:
                lines[way].append((2.0**p, median))
    edges, best = max(lines["push alone"], key=lambda point: point[1])
    return Found(
        ("edges from", "levels pushed", *(f"{way}, M edges/s" for way in ways)),
        rows,
        (Plot("Rate of a level by its size", "edges of the frontier", "edges a second", lines,
              log_x=True, log_y=True),),
        "Levels of the searches of all graphs of Fig. 3 together, medians of those with as many "
        "stored entries in the frontier's rows, up to twice as many; times from the engine's own "
        "trace. An edge that a pull need not look at counts all the same. Level by level is scan + "
        "warp + CTA gathering launched by the host, its decisions in the time.",
        f"push alone at its best {best / 1e6:.3g} M edges/s, with {edges:.0f} edges or more in a "
        "level",
    )  # fmt: skip


def _frontiers(graph: Graph, levels: Any, setting: Setting) -> tuple[Any, Any, Any]:
    """By level: edges out of it, vertices they lead to, each once, and vertices.

    The graph is symmetric, so that a neighbour's level is the same, one less or one more: a flag
    for each of the three says from where a vertex is seen.
    """
    xp: Any = np
    if setting.device == "cuda":
        import cupy

        xp = cupy
    n, indptr, indices = graph
    levels = xp.asarray(levels).astype(xp.int32)
    degree = indptr[1:] - indptr[:-1]
    depth = int(levels.max()) + 1
    reached = levels >= 0
    vertices = xp.bincount(levels[reached], minlength=depth)
    edges = xp.bincount(levels[reached], weights=degree[reached], minlength=depth).astype(xp.int64)
    seen = xp.zeros((3, n), dtype=bool)
    begin = 0
    while begin < n:
        limit = xp.searchsorted(indptr, indptr[begin : begin + 1] + CHUNK, side="right")
        end = min(n, max(begin + 1, int(limit[0]) - 1))
        entries = xp.arange(int(indptr[begin]), int(indptr[end]))
        own = levels[xp.searchsorted(indptr, entries, side="right") - 1]
        other = indices[entries]
        told = own >= 0
        seen[(own - levels[other] + 1)[told], other[told]] = True
        begin = end
    distinct = xp.zeros(depth, dtype=xp.int64)
    for shift in (-1, 0, 1):
        at = levels[seen[shift + 1]] + shift
        distinct += xp.bincount(at, minlength=depth)[:depth]
    host = edges, distinct, vertices
    found = tuple(x.get() if xp is not np else x for x in host)
    return found[0], found[1], found[2]


def _half(passed: Any, share: float) -> int:
    """The first level by whose end so much of the time has passed."""
    return int(np.searchsorted(passed, share))


def _thinned(points: list[Any]) -> list[tuple[float, float]]:
    every = -(-len(points) // POINTS)
    return [(float(x), float(y)) for x, y in points[::every]]


def _thin(values: Iterable[float]) -> list[tuple[float, float]]:
    """What is drawn of numbers a level."""
    return _thinned(list(enumerate(values)))
