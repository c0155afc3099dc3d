"""Products of a matrix and a vector, and of two matrices, against SciPy and python-graphblas.

Run as ``python -m benchmarks products``.
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
from benchmarks.common.products import (
    CASES,
    GRAPHS,
    METHOD,
    Case,
    Operands,
    markdown,
    ours,
    statement,
)
from benchmarks.common.report import known_names, write
from benchmarks.cpu.graphs import GRAPHS as KNOWN
from benchmarks.cpu.graphs import load

CLOCKS = {
    "clock": (
        "sides with one thread by the processor time of that thread, which other programs on the "
        "machine disturb less, others by the wall; the sides take turns call by call; medians"
    ),
    "squares": (
        "A @ A in FP64, of the graph's first vertices, as many as give some millions of products "
        "of entries"
    ),
}
#: Products of entries that ``A @ A`` of the first vertices may take.
MOST_PRODUCTS = 20_000_000

Side = tuple[Callable[[], Any], int]


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    report: dict[str, Any] = {
        "benchmark": "products",
        "date": time.strftime("%Y-%m-%d"),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "scipy", "python-graphblas"]),
        "method": METHOD | CLOCKS,
        "graphs": [],
    }
    for name in known_names(options.graphs or GRAPHS, KNOWN):
        title, S = load(name, options.scale)
        row = {"title": title, "vertices": S.shape[0], "entries": int(S.nnz), "cases": []}
        report["graphs"].append(row)
        cases = [] if options.squares else CASES
        sides = {c.name: lambda c=c, S=S: _vector_sides(c, S, options.threads) for c in cases}
        sides["A @ A"] = lambda S=S: _matrix_sides(S, options.threads)
        for case, make in sides.items():
            milliseconds = _turns(make(), options.repeats)
            row["cases"].append({"name": case, "milliseconds": milliseconds})
            print(title, case, *(f"{k} {v:.2f}" for k, v in milliseconds.items() if v), flush=True)
    sb.set_threads(None)
    return write(report, options.output, "squares" if options.squares else "products", markdown)


def _vector_sides(case: Case, S: sp.csr_array, threads: list[int]) -> dict[str, Side | None]:
    given = Operands.of(case, S)
    sides: dict[str, Side | None] = _threaded("spbfs", ours(case, given, "cpu"), threads)
    scipy = (lambda: given.matrix @ given.vector, 1) if case.is_scipy else None
    return (
        sides
        | {"SciPy": scipy}
        | _theirs(
            lambda gb: statement(case, given, gb, gb.io.from_scipy_sparse(given.matrix)), threads
        )
    )


def _matrix_sides(S: sp.csr_array, threads: list[int]) -> dict[str, Side | None]:
    first = _first_vertices(S)
    A = sb.Matrix.from_scipy(first)
    sides: dict[str, Side | None] = _threaded(
        "spbfs", lambda: A.mxm(A, sb.semiring.plus_times).new(), threads
    )

    def theirs(gb: Any) -> Callable[[], Any]:
        G = gb.io.from_scipy_sparse(first)
        return lambda: G.mxm(G, gb.semiring.plus_times).new()

    return sides | {"SciPy": (lambda: first @ first, 1)} | _theirs(theirs, threads)


def _first_vertices(S: sp.csr_array) -> sp.csr_array:
    """The graph of as many of the first vertices as products allow, a power of two, in FP64."""
    n = S.shape[0]
    while True:
        part = sp.csr_array(S[:n, :n], dtype=np.float64)
        if int(part.sum(axis=0) @ np.diff(part.indptr)) <= MOST_PRODUCTS:
            return part
        n //= 2


def _threaded(name: str, call: Callable[[], Any], threads: list[int]) -> dict[str, Side | None]:
    """A side of ours for every number of threads."""

    def limited(count: int) -> Callable[[], Any]:
        def run() -> Any:
            sb.set_threads(count)
            return call()

        return run

    return {f"{name}, {count}": (limited(count), count) for count in threads}


def _theirs(make: Callable[[Any], Callable[[], Any]], threads: list[int]) -> dict[str, Side | None]:
    """Sides of python-graphblas, where it is installed."""
    try:
        import graphblas as gb
    except ImportError:
        return {}
    call = make(gb)

    def limited(count: int) -> Callable[[], Any]:
        def run() -> Any:
            gb.ss.config["nthreads"] = count
            return call()

        return run

    return {f"python-graphblas, {count}": (limited(count), count) for count in threads}


def _turns(sides: dict[str, Side | None], repeats: int) -> dict[str, float | None]:
    """Median milliseconds of every side, which take turns."""
    taken: dict[str, list[float]] = {name: [] for name, side in sides.items() if side}
    for turn in range(repeats + 1):
        for name in taken if turn % 2 else reversed(taken):
            call, threads = sides[name] or (None, 0)
            clock = time.thread_time if threads == 1 else time.perf_counter
            begun = clock()
            result = call() if call else None
            seconds = clock() - begun
            del result
            # The first turn makes what is kept with the operands.
            if turn:
                taken[name].append(seconds)
    return {name: 1e3 * float(np.median(taken[name])) if name in taken else None for name in sides}
