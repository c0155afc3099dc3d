"""The search written as six lines of algebra on one GPU, beside the fused one.

Run as ``python -m benchmarks composed --device cuda``.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

import spbfs as sb
from benchmarks.bfs import known_names
from benchmarks.bfs_cuda import giant_sources, on_device
from benchmarks.composed import levels, parents
from benchmarks.cuda_clock import describe_device, wall_milliseconds
from benchmarks.cuda_graphs import TABLE
from benchmarks.machine import describe_machine, versions

GRAPHS = ["kron21", "kron24", "uniform21", "social", "grid3000", "road3000"]

METHOD = {
    "clock": (
        "the host's, from a source to complete results with nothing left to run on the GPU; the "
        "graph is resident, everything is compiled"
    ),
    "first": (
        "the first loop on a graph, which nothing is known of but that spbfs.bfs was called; the "
        "others follow loops that ran to the end"
    ),
    "valid": "all levels equal those of spbfs.bfs; parents reach the same vertices",
}


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    report: dict[str, Any] = {
        "benchmark": "composed",
        **describe_device(),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "cupy-cuda13x"]),
        "method": METHOD,
        "sources": options.sources,
        "repeats": options.repeats,
        "graphs": [],
    }
    small = sb.generate.path(50).to("cuda")
    for program in (levels, parents):
        program(sb, small, 0)  # compiles
    for name in known_names(options.graphs or GRAPHS, TABLE):
        try:
            A = on_device(TABLE[name].make())
        except FileNotFoundError as error:
            print(f"{name}: left out, {error}", flush=True)
            continue
        report["graphs"].append(_measure(name, A, options))
        print(_line(report["graphs"][-1]), flush=True)
        del A
        gc.collect()
        cp.get_default_memory_pool().free_all_blocks()
    options.output.mkdir(parents=True, exist_ok=True)
    stem = options.output / f"composed-cuda-{report['date']}"
    paths = [stem.with_suffix(".json"), stem.with_suffix(".md")]
    paths[0].write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    paths[1].write_text(_markdown(report), encoding="utf-8")
    return paths


def _measure(name: str, A: sb.Matrix, options: argparse.Namespace) -> dict[str, Any]:
    sources = giant_sources(A, options.sources)
    first = wall_milliseconds(lambda: levels(sb, A, sources[0]), 1)
    rows = []
    for s in sources:
        fused = sb.bfs(A, s)
        if not levels(sb, A, s).isequal(fused.levels.dup(int)):
            raise AssertionError(f"{name}: levels from {s} are wrong")
        if parents(sb, A, s).nvals != fused.reached:
            raise AssertionError(f"{name}: from {s} the wrong vertices are reached")
        depth = fused.depth + 1
        del fused
        rows.append(
            (
                depth,
                wall_milliseconds(lambda s=s: sb.bfs(A, s), options.repeats),
                wall_milliseconds(lambda s=s: levels(sb, A, s), options.repeats),
                wall_milliseconds(lambda s=s: parents(sb, A, s), options.repeats),
            )
        )
    depth, fused_ms, levels_ms, parents_ms = np.median(np.array(rows), axis=0).tolist()
    return {
        "name": name,
        "levels": int(depth),
        "fused_ms": fused_ms,
        "composed_levels_ms": levels_ms,
        "composed_parents_ms": parents_ms,
        "first_ms": first,
        "times_fused": levels_ms / fused_ms,
        "microseconds_a_level": levels_ms / depth * 1e3,
        "statements_microseconds": _breakdown(A, sources[0]),
    }


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
        f"levels {g['composed_levels_ms']:8.3f} ms ({g['times_fused']:.2f}x, "
        f"{g['microseconds_a_level']:.1f} us a level; first {g['first_ms']:.3f})  "
        f"parents {g['composed_parents_ms']:8.3f} ms\n    us: {parts}"
    )


def _markdown(report: dict[str, Any]) -> str:
    device = ", ".join(
        f"{key} {report[key]}"
        for key in ("driver_version", "clocks.max.sm", "cuda", "cupy")
        if key in report
    )
    lines = [
        f"# The composed search on {report['device']}, {report['date']}",
        "",
        f"{device}; host {report['machine']}.",
        f"{report['sources']} random sources of the giant component, {report['repeats']} searches "
        "from each; medians, milliseconds.",
        *(f"{key.capitalize()}: {text}." for key, text in report["method"].items()),
        "",
        "| graph | levels | spbfs.bfs | composed levels | times | us a level | first | "
        "composed parents |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    lines += [
        f"| {g['name']} | {g['levels']} | {g['fused_ms']:.3f} | {g['composed_levels_ms']:.3f} | "
        f"{g['times_fused']:.2f} | {g['microseconds_a_level']:.1f} | {g['first_ms']:.3f} | "
        f"{g['composed_parents_ms']:.3f} |"
        for g in report["graphs"]
    ]
    return "\n".join(lines) + "\n"
