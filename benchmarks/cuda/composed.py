"""The search written as six lines of algebra on one GPU, beside the fused one.

Run as ``python -m benchmarks composed --device cuda``.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import known_names, method_lines, write
from benchmarks.common.six_lines import levels, parents
from benchmarks.cuda.clock import wall_milliseconds
from benchmarks.cuda.device import describe_device, device_line
from benchmarks.cuda.graphs import OTHERS, TABLE, Graph, measure_each, on_device
from benchmarks.cuda.sources import giant_sources

GRAPHS = ["kron21", "kron24", "uniform21", "social", "web", "grid3000", "road3000"]
#: Fresh copies of a Matrix that the first loop is measured on; one more comes before, for kernels
#: that are loaded when they are first needed.
COPIES = 5

METHOD = {
    "clock": (
        "the host's, from a source to complete results with nothing left to run on the GPU; the "
        "graph is resident, everything is compiled"
    ),
    "first loop": (
        "the first on a fresh Matrix of the graph that nothing is known of, neither searches nor a "
        "transpose, so that what is made once for a graph is inside of the clock; median of "
        f"{COPIES} copies"
    ),
    "later loops": (
        "follow others of the same program on the same Matrix that ran to the end: their levels "
        "are computed ahead of the statements"
    ),
    "valid": "all levels equal those of spbfs.bfs; parents reach the same vertices",
}


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    graphs = known_names(options.graphs or GRAPHS, TABLE | OTHERS)
    report: dict[str, Any] = {
        "benchmark": "composed",
        **describe_device(),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "cupy-cuda13x"]),
        "method": METHOD,
        "sources": options.sources,
        "repeats": options.repeats,
    }
    small = sb.generate.path(50).to("cuda")
    for program in (levels, parents):
        program(sb, small, 0)  # compiles

    def measured(name: str, graph: Graph) -> dict[str, Any]:
        row = _measure(name, graph, options)
        print(_line(row), flush=True)
        return row

    report["graphs"] = measure_each(graphs, measured)
    return write(report, options.output, "composed-cuda", _markdown)


def _measure(name: str, graph: Graph, options: argparse.Namespace) -> dict[str, Any]:
    searched = on_device(graph)
    sources = giant_sources(searched, options.sources)
    first = _first_loop(graph, sources[0])
    looped = on_device(graph)  # what the fused search makes of a Matrix is not the loops' here
    rows = []
    for s in sources:
        fused = sb.bfs(searched, s)
        if not levels(sb, looped, s).isequal(fused.levels.dup(int)):
            raise AssertionError(f"{name}: levels from {s} are wrong")
        if parents(sb, looped, s).nvals != fused.reached:
            raise AssertionError(f"{name}: from {s} the wrong vertices are reached")
        depth = fused.depth + 1
        del fused
        rows.append(
            (
                depth,
                wall_milliseconds(lambda s=s: sb.bfs(searched, s), options.repeats),
                _later_loops(levels, looped, s, options.repeats),
                _later_loops(parents, looped, s, options.repeats),
            )
        )
    depth, fused_ms, levels_ms, parents_ms = np.median(np.array(rows), axis=0).tolist()
    return {
        "name": name,
        "levels": int(depth),
        "fused_ms": fused_ms,
        "first_loop_ms": first,
        "later_loops_ms": levels_ms,
        "later_loops_parents_ms": parents_ms,
        "times_fused": levels_ms / fused_ms,
        "microseconds_a_level": levels_ms / depth * 1e3,
        "statements_microseconds": _breakdown(looped, sources[0]),
    }


def _first_loop(graph: Graph, source: int) -> float:
    """Milliseconds of the first loop on a graph, median over fresh copies of it."""
    times = []
    for _ in range(1 + COPIES):
        fresh = on_device(graph)
        times.append(wall_milliseconds(lambda A=fresh: levels(sb, A, source), 1))
    return float(np.median(times[1:]))


def _later_loops(program: Any, A: sb.Matrix, source: int, repeats: int) -> float:
    """Milliseconds of loops that follow one of the same program."""
    program(sb, A, source)
    return wall_milliseconds(lambda: program(sb, A, source), repeats)


def _breakdown(A: sb.Matrix, source: int) -> dict[str, float]:
    """Host microseconds a level of the three statements, the first and the last product apart."""
    q, found = sb.Vector(bool, A.nrows), sb.Vector(int, A.nrows)
    q[source] = True
    spent: list[tuple[float, ...]] = []
    depth = 0
    while True:
        marks = [time.perf_counter()]
        more = q.nvals
        marks.append(time.perf_counter())
        if not more:
            break
        found(q.S) << depth
        marks.append(time.perf_counter())
        q(~found.S, sb.replace) << sb.semiring.any_pair(q @ A)
        marks.append(time.perf_counter())
        spent.append(tuple(1e6 * (b - a) for a, b in pairwise(marks)))
        depth += 1
    products = [row[2] for row in spent]
    middle = spent[1:-1] or spent
    return {
        "nvals": float(np.median([row[0] for row in middle])),
        "levels": float(np.median([row[1] for row in middle])),
        "product": float(np.median([row[2] for row in middle])),
        "first product": products[0],
        "last product": products[-1],
    }


def _line(g: dict[str, Any]) -> str:
    parts = ", ".join(f"{name} {t:.1f}" for name, t in g["statements_microseconds"].items())
    return (
        f"{g['name']:10} {g['levels']:5} levels  fused {g['fused_ms']:8.3f} ms  "
        f"first loop {g['first_loop_ms']:8.3f} ms  later loops {g['later_loops_ms']:8.3f} ms "
        f"({g['times_fused']:.2f}x, {g['microseconds_a_level']:.1f} us a level), "
        f"with parents {g['later_loops_parents_ms']:8.3f} ms\n    us: {parts}"
    )


def _markdown(report: dict[str, Any]) -> str:
    lines = [
        f"# The composed search on {report['device']}, {report['date']}",
        "",
        f"{device_line(report)}; host {report['machine']}.",
        f"{report['sources']} random sources of the giant component, {report['repeats']} searches "
        "from each; medians, milliseconds.  Times: later loops over spbfs.bfs.",
        *method_lines(report),
        "",
        "| graph | levels | spbfs.bfs | first loop | later loops | times | us a level "
        "| later loops, parents |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    lines += [
        f"| {g['name']} | {g['levels']} | {g['fused_ms']:.3f} | {g['first_loop_ms']:.3f} | "
        f"{g['later_loops_ms']:.3f} | {g['times_fused']:.2f} | {g['microseconds_a_level']:.1f} | "
        f"{g['later_loops_parents_ms']:.3f} |"
        for g in report["graphs"]
    ]
    return "\n".join(lines) + "\n"
