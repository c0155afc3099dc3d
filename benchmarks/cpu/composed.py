"""The search written as six lines of algebra, against the fused one and python-graphblas.

Run as ``python -m benchmarks composed``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import known_names, method_lines, write
from benchmarks.common.six_lines import levels, parents
from benchmarks.common.sources import SourcesWithAnEdge
from benchmarks.cpu.graphs import GRAPHS, load, pattern

Program = Callable[[int], Any]

METHOD = {
    "mean": "median over all searches",
    "clock": "one search with a source, its vectors made; conversion comes before",
    "first loop": (
        "the first on a fresh Matrix that nothing is known of, so that what later ones find there, "
        "such as the transpose, is made inside of the clock; median of five copies"
    ),
    "later loops": "and all fused searches follow others on the same Matrix",
    "order": "the programs take turns search by search",
}
#: Fresh copies of a Matrix that the first loop is measured on.
COPIES = 5


def _programs(S: sp.csr_array, threads: int) -> dict[str, Program]:
    A = pattern(S)
    plan = sb.BFSPlan(A)
    made: dict[str, Program] = {
        "fused levels": lambda s: plan.run(s, parents=False, threads=threads).levels,
        "composed levels": lambda s: levels(sb, A, s),
        "fused parents": lambda s: plan.run(s, levels=False, threads=threads).parents,
        "composed parents": lambda s: parents(sb, A, s),
    }
    sb.set_threads(threads)
    try:
        import graphblas as gb
    except ImportError:
        return made
    gb.ss.config["nthreads"] = threads
    G = gb.Matrix.from_csr(
        S.indptr.astype(np.uint64), S.indices.astype(np.uint64), True, ncols=S.shape[1]
    )
    made["graphblas levels"] = lambda s: levels(gb, G, s)
    made["graphblas parents"] = lambda s: parents(gb, G, s)
    return made


def _check(programs: dict[str, Program], source: int) -> None:
    """All programs reach the same vertices, at the same levels."""
    expected = np.asarray(programs["fused levels"](source).to_dense(-1))
    for name, program in programs.items():
        found = np.asarray(program(source).to_dense(-1))
        if not np.array_equal(found >= 0, expected >= 0):
            raise AssertionError(f"{name}: from {source} the wrong vertices are reached")
        if name.endswith("levels") and not np.array_equal(found, expected):
            raise AssertionError(f"{name}: levels from {source} are wrong")


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    report: dict[str, Any] = {
        "benchmark": "composed",
        "date": time.strftime("%Y-%m-%d"),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "python-graphblas"]),
        "method": METHOD,
        "sources": options.sources,
        "repeats": options.repeats,
        "runs": [],
    }
    for name in known_names(options.graphs or ["kron18", "kron20"], GRAPHS):
        title, S = load(name, options.scale)
        sources = SourcesWithAnEdge(S.indptr).draw(options.sources).tolist()
        for threads in options.threads:
            programs = _programs(S, threads)
            _check(programs, sources[0])
            seconds = _measure(programs, sources, options)
            for what, program in (("levels", levels), ("parents", parents)):
                seconds[f"first {what}"] = _first_loop(S, program, sources[0])
            report["runs"].append({"graph": title, "threads": threads, "seconds": seconds})
            for label, taken in seconds.items():
                print(f"{title}, {threads} threads  {label:18} {taken * 1e3:9.2f} ms", flush=True)
    sb.set_threads(None)
    return write(report, options.output, "composed", _markdown)


def _measure(
    programs: dict[str, Program], sources: list[int], options: argparse.Namespace
) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in programs}
    turns = list(programs)
    for _ in range(options.repeats):
        for source in sources:
            turns = turns[1:] + turns[:1]
            for name in turns:
                started = time.perf_counter()
                result = programs[name](source)
                times[name].append(time.perf_counter() - started)
                del result
    return {name: float(np.median(samples)) for name, samples in times.items()}


def _first_loop(S: sp.csr_array, program: Callable[..., Any], source: int) -> float:
    """Seconds of the first loop on a graph, median over fresh copies of it."""
    times = []
    for _ in range(COPIES):
        fresh = pattern(S)
        started = time.perf_counter()
        result = program(sb, fresh, source)
        times.append(time.perf_counter() - started)
        del result, fresh
    return float(np.median(times))


def _markdown(report: dict[str, Any]) -> str:
    lines = [
        f"# The composed search against the fused one, {report['date']}",
        "",
        f"Machine: {report['machine']}.",
        "Versions: " + ", ".join(f"{k} {v}" for k, v in report["versions"].items()) + ".",
        f"{report['sources']} sources a graph, {report['repeats']} searches from each.",
        *method_lines(report),
        "",
        "Milliseconds a search; in brackets how many times longer than the fused search.",
        "",
        "| graph | threads | result | fused | composed, first loop | composed, later loops "
        "| python-graphblas |",
        "|---|--:|---|--:|--:|--:|--:|",
    ]
    for run in report["runs"]:
        for what in ("levels", "parents"):
            fused = run["seconds"][f"fused {what}"]
            cells = [run["graph"], str(run["threads"]), what, f"{fused * 1e3:.2f}"]
            for way in ("first", "composed", "graphblas"):
                seconds = run["seconds"].get(f"{way} {what}")
                cells.append(
                    "" if seconds is None else f"{seconds * 1e3:.2f} ({seconds / fused:.2f})"
                )
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
