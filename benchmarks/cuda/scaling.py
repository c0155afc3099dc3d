"""One search by several GPUs of a host against one GPU, as a user calls both: `spbfs.bfs`.

Run as ``python -m benchmarks scaling --device cuda``.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import known_names, method_lines, write
from benchmarks.cuda import graphs, large_graphs
from benchmarks.cuda.device import describe_device, device_line
from benchmarks.cuda.sources import giant_sources
from benchmarks.cuda.validate import check_tree
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import remember_symmetry

METHOD = {
    "edges": "directed: stored entries in the rows of the reached vertices",
    "mean": "milliseconds: median over sources of the least of the repeats; TEPS: harmonic mean",
    "clock": (
        "the host's, around one call of spbfs.bfs until its depth is known, with one GPU and with "
        "several in turns of all sources; a call of several leaves each vertex's level and parent "
        "on the GPU that owns it, in the caller's labels.  Gathered: the same, and both outputs "
        "brought to the first GPU, by calls of their own.  Layouts, shares and workspaces are made "
        "by a first search"
    ),
    "valid": "trees of all ways checked on the GPU by the rules of Graph500",
}
GRAPHS: dict[str, Callable[[], sb.Matrix]] = {
    "kron21": lambda: large_graphs.kronecker(21),
    "kron24": lambda: large_graphs.kronecker(24),
    "kron25": lambda: large_graphs.kronecker(25),
    "kron26": lambda: large_graphs.kronecker(26),
    "kron27": lambda: large_graphs.kronecker(27),
    "uniform24": lambda: large_graphs.uniform(24),
    "uniform26": lambda: large_graphs.uniform(26),
    "grid3000": lambda: graphs.on_device(graphs.lattice(3000)),
}
DEFAULT = ["kron25", "kron26", "uniform26", "grid3000", "kron27"]


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    names = known_names(options.graphs or DEFAULT, GRAPHS)
    gpus = cp.cuda.runtime.getDeviceCount()
    counts = options.gpus or list(range(2, gpus + 1))
    if not counts or max(counts) > gpus:
        raise SystemExit(f"scaling: {max(counts, default=2)} GPUs are wanted, and there are {gpus}")
    report: dict[str, Any] = {
        "benchmark": "scaling",
        **describe_device(),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "cupy-cuda13x"]),
        "method": METHOD,
        "sources": options.sources,
        "repeats": options.repeats,
        "graphs": [],
    }
    for name in names:
        began = time.perf_counter()
        A = GRAPHS[name]()
        cp.cuda.Device().synchronize()
        print(
            f"{name}: {A.nvals:,} entries, made in {time.perf_counter() - began:.1f} s", flush=True
        )
        report["graphs"].append(_measure(name, A, [1, *counts], options))
        del A
        for gpu in range(gpus):
            with cp.cuda.Device(gpu):
                gc.collect()
                cp.get_default_memory_pool().free_all_blocks()
        paths = write(report, options.output, "scaling-cuda", _markdown)
    return paths


def _measure(
    name: str, A: sb.Matrix, counts: list[int], options: argparse.Namespace
) -> dict[str, Any]:
    print(f"{name}: {A.nvals:,} entries", flush=True)
    sources = giant_sources(A, options.sources)
    measured: dict[str, Any] = {"name": name, "vertices": A.nrows, "entries": A.nvals, "rows": []}
    for count in counts:
        began = time.perf_counter()
        # What was kept for another number of GPUs goes.
        A = _anew(A)
        for gpu in range(cp.cuda.runtime.getDeviceCount()):
            with cp.cuda.Device(gpu):
                cp.get_default_memory_pool().free_all_blocks()
        row = _ways(A, sources, count, options)
        measured["rows"].append(row)
        alone = measured["rows"][0]
        row["speedup"] = alone["milliseconds"] / row["milliseconds"]
        print(f"  {name}, {_line(row)}, {time.perf_counter() - began:.1f} s in all", flush=True)
    return measured


def _anew(A: sb.Matrix) -> sb.Matrix:
    """The same matrix, of which nothing has been searched yet."""
    data = A._ready()
    made = MatrixData(data.nrows, data.ncols, data.indptr, data.indices, data.values)
    remember_symmetry(made)
    return sb.Matrix._from_data(made, "cuda")


def _ways(
    A: sb.Matrix, sources: list[int], count: int, options: argparse.Namespace
) -> dict[str, Any]:
    """All sources with so many GPUs."""
    how: dict[str, Any] = {} if count == 1 else {"devices": list(range(count))}
    began = time.perf_counter()
    sb.bfs(A, sources[0], **how).depth  # noqa: B018
    made = time.perf_counter() - began
    clock, device, gathered, teps = [], [], [], []
    checked = 0
    for source in sources:
        times, inner, brought = [], [], []
        # Outputs are asked for apart: to bring them takes the caches from what is searched next.
        for bringing in (False, True):
            for _ in range(options.repeats):
                began = time.perf_counter()
                found = sb.bfs(A, source, **how)
                found.depth  # noqa: B018
                if bringing:
                    levels, parents = found
                    cp.cuda.Device().synchronize()
                    brought.append(1e3 * (time.perf_counter() - began))
                else:
                    times.append(1e3 * (time.perf_counter() - began))
                    inner.append(1e3 * found.seconds)
        clock.append(min(times))
        device.append(min(inner))
        gathered.append(min(brought))
        teps.append(found.edges / min(times) * 1e3)
        if checked < options.checked:
            data = A._ready()
            arrays = (cp.asarray(x.to_dense(-1), np.int32) for x in (levels, parents))
            broken = check_tree(A.nrows, data.indptr, data.indices, source, *arrays)
            if broken:
                raise AssertionError(f"{count} GPUs, source {source}: {broken}")
            checked += 1
        del levels, parents, found
    traced = sb.bfs(A, sources[0], trace=True, **how).trace
    steps = [(s.direction, s.frontier, s.edges, round(1e6 * s.seconds, 1)) for s in traced[:16]]
    if len(traced) < 16:
        print("   ", steps, flush=True)
    return {
        "gpus": count,
        "milliseconds": float(np.median(clock)),
        "device_milliseconds": float(np.median(device)),
        "gathered_milliseconds": float(np.median(gathered)),
        "teps": float(len(teps) / np.sum(1 / np.array(teps))),
        "made_seconds": made,
        "checked": checked,
        "nbytes": A.nbytes,
        "levels": steps,
    }


def _line(row: dict[str, Any]) -> str:
    return (
        f"{row['gpus']} GPUs: {row['milliseconds']:.3f} ms ({row['device_milliseconds']:.3f} by "
        f"the GPU's clock, gathered {row['gathered_milliseconds']:.3f}), {row['speedup']:.2f} x, "
        f"{row['teps'] / 1e9:.0f} GTEPS, made in {row['made_seconds']:.1f} s"
    )


def _markdown(report: dict[str, Any]) -> str:
    lines = [
        f"# One search by several GPUs, {report['device']}, {report['date']}",
        "",
        f"{device_line(report)}; host {report['machine']}.",
        f"{report['sources']} sources of the largest component, {report['repeats']} repeats.",
        *method_lines(report),
        "",
        "| graph | entries | GPUs | ms | by the GPU's clock | gathered | over one | GTEPS |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for graph in report["graphs"]:
        lines += [
            f"| {graph['name']} | {graph['entries']:,} | {row['gpus']} | {row['milliseconds']:.3f} "
            f"| {row['device_milliseconds']:.3f} | {row['gathered_milliseconds']:.3f} "
            f"| {row['speedup']:.2f} | {row['teps'] / 1e9:,.0f} |"
            for row in graph["rows"]
        ]
    lines += ["", "Levels of one source: direction, vertices, their edges, microseconds.", ""]
    for graph in report["graphs"]:
        for row in graph["rows"]:
            if len(row["levels"]) < 16:
                steps = "; ".join(f"{d} {f:,} {e:,} {t}" for d, f, e, t in row["levels"])
                lines.append(f"- {graph['name']}, {row['gpus']}: {steps}")
    return "\n".join(lines) + "\n"
