"""The search written as six lines of algebra, against the fused one and python-graphblas."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import scipy.sparse as sp

import spbfs as sb
from benchmarks.bfs import known_names
from benchmarks.graphs import GRAPHS, load, pick_sources
from benchmarks.machine import describe_machine, versions

Program = Callable[[int], Any]

METHOD = {
    "mean": "median over all searches",
    "clock": "one search with a source, its vectors made; conversion and one warm-up come before",
    "order": "the programs take turns search by search",
}


def levels(gb: ModuleType, A: Any, source: int) -> Any:
    """Levels, in the dialect that spbfs and python-graphblas share."""
    q = gb.Vector(bool, A.nrows)
    q[source] = True
    visited = gb.Vector(int, A.nrows)
    depth = 0
    while q.nvals:
        visited(q.S) << depth
        q(~visited.S, gb.replace) << gb.semiring.any_pair(q @ A)
        depth += 1
    return visited


def parents(gb: ModuleType, A: Any, source: int) -> Any:
    """Parents: the frontier carries, for every vertex, who found it."""
    any_secondi = gb.semiring.ss.any_secondi
    q = gb.Vector(int, A.nrows)
    q[source] = source
    found = gb.Vector(int, A.nrows)
    while q.nvals:
        found(q.S) << q
        q(~found.S, gb.replace) << any_secondi(q @ A)
    return found


def _programs(S: sp.csr_array, threads: int) -> dict[str, Program]:
    A = sb.Matrix.from_csr(S.indptr, S.indices, True, nrows=S.shape[0], ncols=S.shape[1])
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
    if options.device == "cuda":
        from benchmarks import cuda_composed  # needs CuPy

        return cuda_composed.run(options)
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
        sources = pick_sources(S, options.sources)
        for threads in options.threads:
            programs = _programs(S, threads)
            _check(programs, sources[0])
            row = {
                "graph": title,
                "threads": threads,
                "seconds": _measure(programs, sources, options),
            }
            report["runs"].append(row)
            for program, seconds in row["seconds"].items():
                print(
                    f"{title}, {threads} threads  {program:18} {seconds * 1e3:9.2f} ms", flush=True
                )
    sb.set_threads(None)
    options.output.mkdir(parents=True, exist_ok=True)
    stem = options.output / f"composed-{report['date']}"
    paths = [stem.with_suffix(".json"), stem.with_suffix(".md")]
    paths[0].write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    paths[1].write_text(_markdown(report), encoding="utf-8")
    return paths


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


def _markdown(report: dict[str, Any]) -> str:
    lines = [
        f"# The composed search against the fused one, {report['date']}",
        "",
        f"Machine: {report['machine']}.",
        "Versions: " + ", ".join(f"{k} {v}" for k, v in report["versions"].items()) + ".",
        f"{report['sources']} sources a graph, {report['repeats']} searches from each.",
        *(f"{key.capitalize()}: {text}." for key, text in report["method"].items()),
        "",
        "Milliseconds a search; in brackets how many times longer than the fused search.",
        "",
        "| graph | threads | result | fused | composed | python-graphblas |",
        "|---|--:|---|--:|--:|--:|",
    ]
    for run in report["runs"]:
        for what in ("levels", "parents"):
            fused = run["seconds"][f"fused {what}"]
            cells = [run["graph"], str(run["threads"]), what, f"{fused * 1e3:.2f}"]
            for way in ("composed", "graphblas"):
                seconds = run["seconds"].get(f"{way} {what}")
                cells.append(
                    "" if seconds is None else f"{seconds * 1e3:.2f} ({seconds / fused:.2f})"
                )
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
