"""`spbfs.csgraph` against ``scipy.sparse.csgraph``: the same SciPy matrices, conversion included.

Both are called by turns in one process; a time is the least of the repeats, and the ratio SciPy's
over ours.  Entries of symmetric graphs are stored both ways.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph as theirs

import spbfs as sb
from benchmarks.common.machine import describe_machine
from spbfs import csgraph as ours

#: Name -> how it is made; all of 10^5 entries and more.
GRAPHS: dict[str, Callable[[], Any]] = {
    "path, 10^5 entries": lambda: sb.generate.path(50_001).to_scipy(),
    "path, 10^6 entries": lambda: sb.generate.path(500_001).to_scipy(),
    "grid 160 x 160": lambda: sb.generate.grid2d(160).to_scipy(),
    "grid 500 x 500": lambda: sb.generate.grid2d(500).to_scipy(),
    "mesh, 2^16 vertices": lambda: sb.generate.delaunay(1 << 16).to_scipy(),
    "roads, 3 * 10^5 vertices": lambda: sb.generate.road(300_000).to_scipy(),
    "uniform, 10^5 entries": lambda: _uniform(20_000, 5),
    "uniform, 10^6 entries": lambda: _uniform(100_000, 10),
    "kronecker 12": lambda: sb.generate.kronecker(12, seed=1).to_scipy(),
    "kronecker 15": lambda: sb.generate.kronecker(15, seed=1).to_scipy(),
}
#: Short calls are repeated for so long, as somebody else may have the processor for a while.
LEAST_SECONDS = 0.7
#: Name -> the call of a module over a graph and a vertex.
CALLS: dict[str, Callable[[Any, Any, int], Any]] = {
    "breadth_first_order": lambda m, A, s: m.breadth_first_order(A, s),
    "breadth_first_order, undirected": lambda m, A, s: m.breadth_first_order(A, s, False),
    "breadth_first_tree": lambda m, A, s: m.breadth_first_tree(A, s),
    "connected_components": lambda m, A, s: m.connected_components(A),
    "connected_components, strong": lambda m, A, s: m.connected_components(A, connection="strong"),
    "dijkstra": lambda m, A, s: m.dijkstra(A, indices=s, return_predecessors=True),
    "dijkstra, undirected": lambda m, A, s: m.dijkstra(A, False, s),
    "dijkstra, 8 sources": lambda m, A, s: m.dijkstra(A, indices=_some(A, s)),
    "dijkstra, nearest of 8": lambda m, A, s: m.dijkstra(A, indices=_some(A, s), min_only=True),
    "dijkstra, limit": lambda m, A, s: m.dijkstra(A, indices=s, limit=3.0),
    "shortest_path, unweighted": lambda m, A, s: m.shortest_path(A, indices=s, unweighted=True),
    "shortest_path, unweighted, 8 sources": lambda m, A, s: m.shortest_path(
        A, indices=_some(A, s), unweighted=True
    ),
    "minimum_spanning_tree": lambda m, A, s: m.minimum_spanning_tree(A),
}


def _uniform(n: int, degree: int) -> Any:
    return sb.generate.uniform(n, degree, seed=1, directed=True).to_scipy()


def _some(A: Any, s: int) -> Any:
    return (s + np.arange(8) * (A.shape[0] // 8)) % A.shape[0]


def _weighted(A: Any) -> Any:
    """Lengths in [1, 9), the same both ways."""
    entries = A.tocoo()
    ends = np.sort([entries.row, entries.col], axis=0).astype(np.int64)
    drawn = np.random.default_rng(1).uniform(1, 9, 1 << 16)
    lengths = drawn[(ends[0] * 7919 + ends[1] * 104729) % drawn.size]
    return sp.coo_array((lengths, (entries.row, entries.col)), A.shape).tocsr()


def _seconds(
    call: Callable[[Any, Any, int], Any], A: Any, source: int, repeats: int
) -> tuple[float, float]:
    """SciPy's least time and ours."""
    least = {theirs: np.inf, ours: np.inf}
    until, left = time.perf_counter() + LEAST_SECONDS, repeats
    while left > 0 or time.perf_counter() < until:
        left -= 1
        for module in least:
            began = time.perf_counter()
            call(module, A, source)
            least[module] = min(least[module], time.perf_counter() - began)
    return least[theirs], least[ours]


def run(options: argparse.Namespace) -> list[Path]:
    """Measure all calls over all graphs; the files written."""
    rows = []
    for name in options.graphs or GRAPHS:
        A = _weighted(GRAPHS[name]())
        source = int(np.argmax(np.diff(A.indptr)))
        for what, call in CALLS.items():
            scipy, spbfs = _seconds(call, A, source, options.repeats)
            rows.append({"graph": name, "call": what, "scipy": scipy, "spbfs": spbfs})
            print(f"{name:24} {what:38} {scipy * 1e3:9.2f} {spbfs * 1e3:9.2f} {scipy / spbfs:6.2f}")
    return _written(options.output, rows)


def _written(folder: Path, rows: list[dict[str, Any]]) -> list[Path]:
    stem = folder / f"csgraph-{date.today()}"
    record = {"machine": describe_machine(), "rows": rows}
    lines = ["| graph | call | SciPy, ms | spbfs, ms | SciPy / spbfs |", "|---|---|--:|--:|--:|"]
    lines += [
        f"| {r['graph']} | {r['call']} | {r['scipy'] * 1e3:.2f} | {r['spbfs'] * 1e3:.2f} "
        f"| {r['scipy'] / r['spbfs']:.2f} |"
        for r in rows
    ]
    paths = [stem.with_suffix(".json"), stem.with_suffix(".md")]
    paths[0].parent.mkdir(parents=True, exist_ok=True)
    paths[0].write_text(json.dumps(record, indent=1, default=str) + "\n")
    paths[1].write_text((__doc__ or "") + f"\n{describe_machine()}\n\n" + "\n".join(lines) + "\n")
    return paths
