"""Products of a matrix and a vector, and of two matrices, on one GPU, against cuSPARSE by CuPy.

Run as ``python -m benchmarks products --device cuda``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np
import scipy.sparse as sp
from cupyx.scipy.sparse import csr_matrix

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.products import CASES, METHOD, Operands, markdown, ours
from benchmarks.common.report import known_names, write
from benchmarks.cuda.clock import call_milliseconds, device_milliseconds
from benchmarks.cuda.device import describe_device
from benchmarks.cuda.graphs import OTHERS, TABLE, Graph, measure_each

GRAPHS = ("kron21", "uniform21", "road3000")
#: Graphs that are multiplied by themselves.
SQUARES = (
    *("kron14", "kron16", "uniform18", "sparse21", "social", "web"),
    *("small-world", "mesh", "grid3000", "road3000"),
)
#: Semirings of squares, with the type of values.
SQUARED = (
    ("plus_times", "FP32"),
    ("plus_times", "FP64"),
    ("min_plus", "FP32"),
    ("any_pair", "BOOL"),
)
#: Products of entries that a square may take.
MOST_PRODUCTS = 1 << 30


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    clock = {
        "clock": "the GPU's, between events around the call; medians",
        "squares": (
            "A @ A into a new matrix, whose rows are in order; cuSPARSE's, as CuPy calls it, are "
            "in any. On an idle GPU, the sides in turns, what the host leaves idle included"
        ),
    }
    report: dict[str, Any] = {
        "benchmark": "products",
        **describe_device(),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "cupy-cuda13x"]),
        "method": METHOD | clock,
    }
    graphs = () if options.squares else known_names(options.graphs or GRAPHS, TABLE | OTHERS)
    report["graphs"] = measure_each(graphs, lambda name, graph: _cases(name, graph, options))
    squared = known_names(options.graphs or SQUARES, TABLE | OTHERS)
    squares = measure_each(squared, lambda name, graph: _squares(name, graph, options))
    report["graphs"] += [row for row in squares if row is not None]
    name = "squares-cuda" if options.squares else "products-cuda"
    return write(report, options.output, name, markdown)


def _cases(name: str, graph: Graph, options: argparse.Namespace) -> dict[str, Any]:
    n, indptr, indices = graph
    entries = int(indices.shape[0])
    S = sp.csr_array((np.ones(entries, np.int8), indices.get(), indptr.get()), (n, n))
    cases = []
    for case in CASES:
        given = Operands.of(case, S)
        sides = {"spbfs": ours(case, given, "cuda"), "cuSPARSE": None}
        if case.is_scipy and case.dtype.startswith("FP"):
            A, x = csr_matrix(given.matrix), cp.asarray(given.vector)
            sides["cuSPARSE"] = lambda A=A, x=x: A @ x
        cases.append({"name": case.name, "milliseconds": _measured(sides, options)})
    return {"title": name, "vertices": n, "entries": entries, "cases": cases}


def _squares(name: str, graph: Graph, options: argparse.Namespace) -> dict[str, Any] | None:
    """A graph times itself; None where that takes too many products."""
    n, indptr, indices = graph
    lengths = cp.diff(indptr).astype(cp.int64)
    products = int(lengths[indices].sum())
    if products > MOST_PRODUCTS:
        return None
    cases = []
    for semiring, dtype in SQUARED:
        kind = sb.dtypes.lookup_dtype(dtype).np_type
        values = np.random.default_rng(1).integers(1, 256, indices.shape[0]).astype(kind)
        A = sb.Matrix.from_csr(indptr, indices, cp.asarray(values), nrows=n, ncols=n, device="cuda")
        multiply = getattr(sb.semiring, semiring)
        sides = {"spbfs": lambda A=A, multiply=multiply: multiply(A @ A).new(), "cuSPARSE": None}
        if semiring == "plus_times":
            C = csr_matrix((cp.asarray(values), indices, indptr), (n, n))
            sides["cuSPARSE"] = lambda C=C: C @ C
        cases.append({"name": f"{semiring} {dtype}", "milliseconds": _in_turns(sides, options)})
    title = f"A @ A of {name}, {products:,} products"
    return {"title": title, "vertices": n, "entries": int(indices.shape[0]), "cases": cases}


def _in_turns(sides: dict[str, Any], options: argparse.Namespace) -> dict[str, float | None]:
    there = {name: call for name, call in sides.items() if call is not None}
    for call in there.values():
        call()  # compiles
    turns = [{k: call_milliseconds(v) for k, v in there.items()} for _ in range(options.repeats)]
    medians = {k: float(np.median([turn[k] for turn in turns])) for k in there}
    return {name: medians.get(name) for name in sides}


def _measured(sides: dict[str, Any], options: argparse.Namespace) -> dict[str, float | None]:
    for call in filter(None, sides.values()):
        call()  # compiles
    return {k: call and device_milliseconds(call, options.repeats) for k, call in sides.items()}
