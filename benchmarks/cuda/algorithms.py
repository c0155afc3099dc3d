"""Algorithms by their public calls on one GPU.

Run as ``python -m benchmarks algorithms --device cuda``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import known_names, method_lines, write
from benchmarks.cuda.clock import call_milliseconds
from benchmarks.cuda.device import describe_device, device_line
from benchmarks.cuda.graphs import OTHERS, TABLE, Graph, measure_each, on_device
from benchmarks.cuda.sources import giant_sources

GRAPHS = ("kron21", "uniform21", "road3000")
METHOD = {
    "clock": (
        "the GPU's, between events around one public call, the host's gaps included; results stay "
        "on the GPU; medians"
    ),
    "first call": "by the host's clock: kernels compiled or loaded, and what is kept with a matrix",
    "weights": "integers 1 to 255 on the entries, the same both ways",
    "sources": "other ones every call, of the largest component",
}
#: A call that takes longer than this, in milliseconds, is made once.
PATIENCE = 5_000.0
#: PageRank's iterations, the sources of betweenness, and sources drawn.
ITERATIONS, SOURCES, DRAWN = 20, 4, 64


@dataclass(frozen=True)
class Case:
    """One graph on the GPU, without lengths of edges and with them, and where paths begin."""

    A: sb.Matrix
    weighted: sb.Matrix
    sources: list[int]

    def some(self, turn: int, count: int) -> list[int]:
        """Sources, other ones every turn."""
        return [self.sources[(turn * count + i) % len(self.sources)] for i in range(count)]


#: Name -> what it is, and the call of a turn.
ROWS: dict[str, tuple[str, Callable[[Case, int], Any]]] = {
    "components": ("connected components", lambda c, _: sb.components(c.A)),
    "sssp": (
        "distances from one source",
        lambda c, turn: sb.sssp(c.weighted, c.some(turn, 1)[0], parents=False),
    ),
    "sssp_tree": (
        "the same with a tree of shortest paths",
        lambda c, turn: sb.sssp(c.weighted, c.some(turn, 1)[0]),
    ),
    "triangles": ("triangles, a count a vertex", lambda c, _: sb.triangles(c.A)),
    "core_numbers": ("core numbers", lambda c, _: sb.core_numbers(c.A)),
    "minimum_spanning_forest": (
        "minimum spanning forest",
        lambda c, _: sb.minimum_spanning_forest(c.weighted),
    ),
    "colouring": ("colouring, largest first", lambda c, _: sb.colouring(c.A)),
    "maximal_independent_set": (
        "maximal independent set",
        lambda c, _: sb.maximal_independent_set(c.A),
    ),
    "pagerank": (
        f"PageRank, {ITERATIONS} iterations, FP32",
        lambda c, _: sb.pagerank(c.A, tolerance=None, iterations=ITERATIONS, dtype="FP32"),
    ),
    "pagerank_1e-6": (
        "PageRank until it changes by less than 1e-6, FP32",
        lambda c, _: sb.pagerank(c.A, tolerance=1e-6, dtype="FP32"),
    ),
    "betweenness": (
        f"betweenness, {SOURCES} sources",
        lambda c, turn: sb.betweenness(c.A, c.some(turn, SOURCES)),
    ),
}


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    rows = known_names(options.rows or ROWS, ROWS)
    report: dict[str, Any] = {
        "benchmark": "algorithms",
        **describe_device(),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "cupy-cuda13x"]),
        "method": METHOD,
        "repeats": options.repeats,
    }
    graphs = known_names(options.graphs or GRAPHS, TABLE | OTHERS)
    report["graphs"] = measure_each(
        graphs, lambda name, graph: _measured(name, graph, rows, options.repeats)
    )
    return write(report, options.output, "algorithms-cuda", _markdown)


def _measured(name: str, graph: Graph, rows: list[str], repeats: int) -> dict[str, Any]:
    A = on_device(graph)
    case = Case(A, _weighted(graph), giant_sources(A, DRAWN))
    found = {}
    for row in rows:
        _, call = ROWS[row]
        started = time.perf_counter()
        call(case, 0)
        cp.cuda.Device().synchronize()
        first = 1e3 * (time.perf_counter() - started)
        calls = 1 if first > PATIENCE else repeats
        times = [
            call_milliseconds(lambda t=t, call=call: call(case, t)) for t in range(1, calls + 1)
        ]
        found[row] = {"milliseconds": float(np.median(times)), "first": first}
        print(f"{name}, {row}: {found[row]['milliseconds']:.3f} ms, first {first:.0f}", flush=True)
    return {"title": name, "vertices": graph[0], "entries": int(graph[2].shape[0]), "rows": found}


def _weighted(graph: Graph) -> sb.Matrix:
    """Integers 1 to 255 on the entries, the same both ways."""
    n, indptr, indices = graph
    row = cp.searchsorted(indptr, cp.arange(indices.shape[0]), side="right") - 1
    u = cp.minimum(row, indices).astype(cp.uint64)
    v = cp.maximum(row, indices).astype(cp.uint64)
    mixed = (u * cp.uint64(0x9E3779B97F4A7C15) + v) * cp.uint64(0xC2B2AE3D27D4EB4F)
    values = ((mixed >> cp.uint64(40)) % cp.uint64(255) + cp.uint64(1)).astype(cp.int32)
    return sb.Matrix.from_csr(indptr, indices, values, nrows=n, ncols=n, device="cuda")


def _markdown(report: dict[str, Any]) -> str:
    lines = [
        f"# Algorithms on a GPU, {report['date']}",
        "",
        f"{report['device']}: {device_line(report)}. {report['machine']}.",
        *method_lines(report),
        f"Calls: {report['repeats']}.",
        "",
        "Milliseconds a call, and of the first one in brackets.",
        "",
        "| | " + " | ".join(g["title"] for g in report["graphs"]) + " |",
        "|---|" + "--:|" * len(report["graphs"]),
    ]
    for row in report["graphs"][0]["rows"] if report["graphs"] else ():
        times = (g["rows"][row] for g in report["graphs"])
        cells = (f"{t['milliseconds']:.3f} ({t['first']:.0f})" for t in times)
        lines.append(f"| {ROWS[row][0]} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
