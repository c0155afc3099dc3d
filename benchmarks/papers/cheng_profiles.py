"""Cheng et al., section 3: graphs, what a level offers to work on at once, and degrees."""

from __future__ import annotations

from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.papers.cheng_graphs import CLASSES, suite
from benchmarks.papers.figure import Found, Plot, Setting
from benchmarks.papers.graphs import as_matrix, giant_sources

__all__ = ["concurrency", "degrees", "graphs"]

#: The paper's three are a road network, a social network and a Kronecker graph.
SAMPLES = ("FLA-road", "LiveJournal", "kron2")
#: Points of a line at most.
POINTS = 240


def graphs(setting: Setting) -> Found:
    """Table 1: vertices, stored entries, their mean a vertex."""
    rows = [
        (name, CLASSES[name], n, int(indices.shape[0]), indices.shape[0] / n)
        for name, (n, _, indices) in suite(setting)
    ]
    return Found(
        ("graph", "of which class", "nodes", "edges", "mean degree"),
        rows,
        about="Edges are stored (directed) entries, as in the paper's table; all are symmetric.",
        gives=f"{len(rows)} graphs, mean degrees {min(r[4] for r in rows):.1f} to "
        f"{max(r[4] for r in rows):.1f}",
    )


def concurrency(setting: Setting) -> Found:
    """Fig. 2: vertices and edges of every level, and when in the search it is their turn."""
    rows: list[tuple[Any, ...]] = []
    plots = []
    for name, graph in suite(setting, SAMPLES):
        A = as_matrix(graph, setting)
        (source,) = giant_sources(A, 1)
        sb.bfs(A, source, direction="push")  # what is derived is made outside of the times
        steps = sb.bfs(A, source, direction="push", trace=True).trace or []
        vertices, edges, seconds = (
            np.array([getattr(step, what) for step in steps], float)
            for what in ("frontier", "edges", "seconds")
        )
        passed = 1e3 * np.cumsum(seconds)
        kept = slice(None, None, -(-len(steps) // POINTS))
        lines = {"vertices": vertices, "edges": edges}
        for x, axis in (("level", np.arange(len(steps))), ("ms since the begin", passed)):
            points = {
                what: [(float(a), float(b)) for a, b in zip(axis[kept], y[kept], strict=True)]
                for what, y in lines.items()
            }
            plots.append(
                Plot(f"{name}: frontiers by {x}", x, "in the frontier", points, log_y=True)
            )
        most = edges >= edges.max() / 10
        rows.append((name, len(steps), int(vertices.max()), int(edges.max()),
                     float(np.median(vertices)), float(np.median(edges)), int(most.sum()),
                     float(edges[most].sum() / edges.sum()),
                     float(seconds[most].sum() / seconds.sum()), float(passed[-1])))  # fmt: skip
    return Found(
        ("graph", "levels", "most vertices", "most edges", "median vertices", "median edges",
         "levels within a tenth of the largest", "their share of edges", "their share of time",
         "ms"),
        rows,
        tuple(plots),
        "One search of each, pushed at every level (`direction=\"push\"`), from a vertex of the "
        "giant component; the time of a level is that of the engine's own clock.",
        "; ".join(f"{r[0]} {r[1]} levels, {r[6]} of them with {100 * r[7]:.0f} % of the edges"
                  for r in rows),
    )  # fmt: skip


def degrees(setting: Setting) -> Found:
    """Fig. 3: out-degrees, the ends and quartiles of their boxes."""
    shares = (0, 25, 50, 75, 100)
    rows = []
    for name, (_, indptr, _) in suite(setting):
        degree = indptr[1:] - indptr[:-1]
        host = np.asarray(degree.get() if hasattr(degree, "get") else degree)
        rows.append((name, *(int(x) for x in np.percentile(host, shares, method="nearest"))))
    lines = {
        row[0]: [(float(x), float(y)) for x, y in zip(shares, row[1:], strict=True)] for row in rows
    }
    widest = max(rows, key=lambda row: int(row[5]) - int(row[1]))
    return Found(
        ("graph", "least", "first quartile", "median", "third quartile", "greatest"),
        rows,
        (Plot("Out-degrees", "% of the vertices", "degree at most", lines, log_y=True),),
        "Of all vertices, those without an edge included.",
        f"the widest span is that of {widest[0]}, {widest[1]} to {widest[5]}",
    )
