"""Breadth-first search on one GPU through the public API: validated, timed, beside other packages.

Run as ``python -m benchmarks bfs --device cuda``.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import known_names, method_lines, write
from benchmarks.cuda.clock import device_milliseconds, microseconds_over_device
from benchmarks.cuda.device import describe_device, device_line
from benchmarks.cuda.graphs import OTHERS, TABLE, Graph, measure_each, on_device
from benchmarks.cuda.peers import PEERS, available
from benchmarks.cuda.sources import giant_sources
from benchmarks.cuda.sweep import sweep

METHOD = {
    "edges": "directed: stored entries in the rows of the reached vertices",
    "mean": "milliseconds: median over sources of the median over repeats; TEPS: harmonic mean",
    "clock": (
        "events around BFSPlan.run with the source on the device, queued behind a kernel that "
        "keeps the GPU busy: levels and parents written in the caller's labels; transpose, layout "
        "and workspace are made by a first search"
    ),
    "wall": (
        "host time of BFSPlan.run, and of spbfs.bfs, with an integer source, up to the end of the "
        "search; less the device time of the same source, in turns, median of 50 differences"
    ),
    "valid": "every tree checked by spbfs.verify.bfs_tree on the GPU",
}


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    graphs = known_names(options.graphs or TABLE, TABLE | OTHERS)
    peers = [] if options.peers is None else known_names(options.peers or PEERS, PEERS)
    peers = [p for p in peers if available(p)]
    report: dict[str, Any] = {
        "benchmark": "bfs",
        **describe_device(),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "cupy-cuda13x", "pylibcugraph-cu13"]),
        "method": METHOD,
        "sources": options.sources,
        "repeats": options.repeats,
    }

    def measured(name: str, graph: Graph) -> dict[str, Any]:
        row = _measure(name, graph, options, peers)
        print(_line(row), flush=True)
        return row

    report["graphs"] = measure_each(graphs, measured)
    return write(report, options.output, "bfs-cuda", _markdown)


def _measure(
    name: str, graph: Graph, options: argparse.Namespace, peers: list[str]
) -> dict[str, Any]:
    case = (TABLE | OTHERS)[name]
    A = on_device(graph)
    sources = giant_sources(A, options.sources)
    began = time.perf_counter()
    plan = sb.BFSPlan(A)
    first = plan.run(sources[0])
    edges, depth = first.edges, first.depth
    prepared = time.perf_counter() - began
    del first
    on_gpu = cp.asarray(sources, np.int32)
    times = []
    for k, source in enumerate(sources):
        result = plan.run(source)
        sb.verify.bfs_tree(A, source, result.parents, result.levels)
        del result
        times.append(device_milliseconds(lambda k=k: plan.run(on_gpu[k : k + 1]), options.repeats))
    calls = {"plan.run": lambda: plan.run(sources[0]), "spbfs.bfs": lambda: sb.bfs(A, sources[0])}
    over = {
        name: microseconds_over_device(call, lambda: plan.run(on_gpu[:1]), 50)
        for name, call in calls.items()
    }
    measured: dict[str, Any] = {
        "name": name,
        "vertices": A.nrows,
        "entries": A.nvals,
        "depth": depth,
        "component_entries": edges,
        "milliseconds": float(np.median(times)),
        "best": min(times),
        "worst": max(times),
        "teps": edges * len(times) / sum(times) * 1e3,
        "first_seconds": prepared,
        "over_device_microseconds": over,
        "matrix_bytes": A.nbytes - plan.nbytes,
        "plan_bytes": plan.nbytes,
        "bar": case.bar,
        "goal": case.goal,
        "peers": {},
    }
    want = plan.run(sources[0]).levels
    assert want is not None
    for peer in peers:
        search, levels = PEERS[peer][2](graph)
        found = levels(search(on_gpu[:1]))
        if not bool((found == cp.asarray(want._ready().values)).all()):
            raise AssertionError(f"{peer}: levels from {sources[0]} are wrong")
        theirs = [
            device_milliseconds(partial(search, on_gpu[k : k + 1]), 3) for k in range(len(sources))
        ]
        measured["peers"][peer] = float(np.median(theirs))
    if options.trace:
        _print_trace(plan, sources[0])
    if options.sweep:
        for line in sweep(graph, sources, options.repeats):
            print(f"    {line}", flush=True)
    return measured


def _print_trace(plan: sb.BFSPlan, source: int) -> None:
    steps = plan.run(source, trace=True).trace or []
    for level, step in enumerate(steps):
        print(
            f"    level {level:4d}: {step.frontier:9d} vertices, {step.edges:10d} edges, "
            f"{step.direction} by {step.strategy:7s} {1e6 * step.seconds:8.2f} us"
        )


def _line(g: dict[str, Any]) -> str:
    over = g["over_device_microseconds"]
    return (
        f"{g['name']:10s} {g['milliseconds']:8.4g} ms ({g['best']:.4g}-{g['worst']:.4g})  "
        f"{g['teps'] / 1e9:8.1f} GTEPS  run +{over['plan.run']:.0f} us  "
        f"bfs +{over['spbfs.bfs']:.0f} us"
    )


def _markdown(report: dict[str, Any]) -> str:
    peers = sorted({p for g in report["graphs"] for p in g["peers"]})
    lines = [
        f"# Breadth-first search on {report['device']}, {report['date']}",
        "",
        f"{device_line(report)}; host {report['machine']}.",
        f"{report['sources']} random sources of the giant component, {report['repeats']} searches "
        "from each.",
        *method_lines(report),
        *(f"- {p}: {PEERS[p][1]}" for p in peers),
        "",
        "| graph | vertices | entries | depth | ms | best-worst | GTEPS | run, us over | "
        "bfs, us over | bar | goal |" + "".join(f" {p} |" for p in peers),
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|" + "--:|" * len(peers),
    ]
    for g in report["graphs"]:
        over = g["over_device_microseconds"]
        cells = [
            g["name"],
            f"{g['vertices']}",
            f"{g['entries']}",
            f"{g['depth']}",
            f"{g['milliseconds']:.4g}",
            f"{g['best']:.4g}-{g['worst']:.4g}",
            f"{g['teps'] / 1e9:.1f}",
            f"{over['plan.run']:.0f}",
            f"{over['spbfs.bfs']:.0f}",
            f"{g['bar']:.3g}" if g["bar"] else "",
            f"{g['goal']:.3g}" if g["goal"] else "",
            *(f"{g['peers'][p]:.3g}" if p in g["peers"] else "" for p in peers),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
