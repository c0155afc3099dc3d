"""What a call of a short search takes by the host's clock, and how much of it is the GPU's.

Run as ``python -m benchmarks calls --device cuda``.
"""

from __future__ import annotations

import argparse
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np
import scipy.sparse as sp

import spbfs as sb
from benchmarks.common.data import DATA
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import known_names, method_lines, write
from benchmarks.cuda.device import describe_device, device_line
from benchmarks.cuda.sources import giant_sources

METHOD = {
    "clock": "the host's, from the call of sb.bfs until the number of reached vertices is known, "
    "which is read at once; the GPU is idle before; medians",
    "GPU": "result.seconds, from a search's begin to its end by the GPU's own clock; medians",
    "sources": "of the largest component, in turn; each result is kept until the next is there",
    "turns": "calls of one matrix after it came to the GPU, the first of which makes what all "
    "share and is not in the table; behind calls of another matrix, and in processes in which "
    "nothing was called before",
}
#: Name -> the graph.
KRONECKER = {f"kron{scale}": scale for scale in (12, 16, 21)}
#: Side of the grid of which a search reaches six vertices.
SIDE = 1414
WARM, TURNS = 10, 6


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    files = {path.name.partition(".")[0]: path for path in sorted(DATA.glob("*.npz"))}
    known = [*KRONECKER, *files]
    report: dict[str, Any] = {
        "benchmark": "calls",
        **describe_device(),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "cupy-cuda13x"]),
        "method": METHOD,
        "repeats": options.repeats,
        "graphs": [],
    }
    for name in known_names(options.graphs or known, known):
        if name in KRONECKER:
            A = sb.generate.kronecker(KRONECKER[name], seed=1)
        else:
            loaded = sp.csr_array(sp.load_npz(files[name]))
            A = sb.Matrix.from_scipy(loaded)
        report["graphs"].append(_graph(name, A.to("cuda"), options))
    report["turns"] = _turns(options.repeats)
    return write(report, options.output, "calls-cuda", _markdown)


def _call(
    A: sb.Matrix, source: int, before: Any, max_depth: int | None = None
) -> tuple[float, float, Any]:
    """Seconds of a call and of the GPU, and the result; that of the call `before` is there."""
    cp.cuda.get_current_stream().synchronize()
    began = time.perf_counter()
    found = sb.bfs(A, source, max_depth=max_depth)
    assert found.reached > 0
    return time.perf_counter() - began, found.seconds, found


def _graph(name: str, A: sb.Matrix, options: argparse.Namespace) -> dict[str, Any]:
    sources = giant_sources(A, options.sources)
    calls, found = [], None
    for source in [*sources[:WARM], *options.repeats * sources]:
        *seconds, found = _call(A, source, found)
        calls.append(seconds)
    host, gpu = np.median(calls[-options.repeats * len(sources) :], axis=0)
    return {
        "name": name,
        "vertices": A.nrows,
        "entries": A.nvals,
        "seconds": float(host),
        "gpu_seconds": float(gpu),
    }


def _turns(repeats: int) -> list[list[dict[str, float]]]:
    """Calls of matrices that are new to the GPU, in turn: behind some of another matrix, and in
    processes of which each has no other."""
    grid = sb.generate.grid2d(SIDE, SIDE)
    other = grid.to("cuda")
    found: Any = None
    for _ in range(WARM):
        *_, found = _call(other, 0, found, max_depth=2)
    warm = [_row(grid, found) for _ in range(3 * repeats)]
    fresh = []
    for _ in range(repeats):
        with get_context("spawn").Pool(1) as pool:
            fresh.append(pool.apply(_row))
    return [
        [{"seconds": float(a), "gpu_seconds": float(b)} for a, b in np.median(rows, axis=0)]
        for rows in (warm, fresh)
    ]


def _row(grid: sb.Matrix | None = None, found: Any = None) -> list[tuple[float, float]]:
    """Seconds of calls of a matrix and of the GPU, from the second call on."""
    A = (sb.generate.grid2d(SIDE, SIDE) if grid is None else grid).to("cuda")
    row = []
    for _ in range(TURNS):
        *seconds, found = _call(A, 0, found, max_depth=2)
        row.append(seconds)
    assert found.reached == 6
    return row[1:]


def _markdown(report: dict[str, Any]) -> str:
    lines = [
        f"# Calls of short searches, {report['device']}, {report['date']}",
        "",
        f"{device_line(report)}; host {report['machine']}.",
        *method_lines(report),
        "",
        "| graph | vertices | entries | call, us | of it the GPU's |",
        "|---|--:|--:|--:|--:|",
    ]
    for g in report["graphs"]:
        times = f"{1e6 * g['seconds']:.1f} | {1e6 * g['gpu_seconds']:.1f}"
        lines.append(f"| {g['name']} | {g['vertices']:,} | {g['entries']:,} | {times} |")
    lines += [
        "",
        f"Six of {SIDE**2:,} vertices of a grid, `sb.bfs(A, 0, max_depth=2)`:",
        "",
        "| call of the matrix | us | of it the GPU's | of a process, us | of it the GPU's |",
        "|---|--:|--:|--:|--:|",
    ]
    for turn, rows in enumerate(zip(*report["turns"], strict=True), 2):
        times = [1e6 * row[clock] for row in rows for clock in ("seconds", "gpu_seconds")]
        lines.append(f"| {turn}. | " + " | ".join(f"{t:.1f}" for t in times) + " |")
    return "\n".join(lines) + "\n"
