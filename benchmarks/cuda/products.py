"""Products of a matrix and a vector on one GPU, against cuSPARSE through CuPy.

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

from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.products import CASES, METHOD, Operands, markdown, ours
from benchmarks.common.report import known_names, write
from benchmarks.cuda.clock import device_milliseconds
from benchmarks.cuda.device import describe_device
from benchmarks.cuda.graphs import OTHERS, TABLE, Graph, measure_each

GRAPHS = ("kron21", "uniform21", "road3000")


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    clock = {"clock": "the GPU's, between events around the call; medians"}
    report: dict[str, Any] = {
        "benchmark": "products",
        **describe_device(),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "cupy-cuda13x"]),
        "method": METHOD | clock,
    }
    graphs = known_names(options.graphs or GRAPHS, TABLE | OTHERS)
    report["graphs"] = measure_each(graphs, lambda name, graph: _cases(name, graph, options))
    return write(report, options.output, "products-cuda", markdown)


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


def _measured(sides: dict[str, Any], options: argparse.Namespace) -> dict[str, float | None]:
    for call in filter(None, sides.values()):
        call()  # compiles
    return {k: call and device_milliseconds(call, options.repeats) for k, call in sides.items()}
