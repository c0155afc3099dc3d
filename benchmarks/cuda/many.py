"""Breadth-first search from many sources at once on one GPU, as a user calls it: `spbfs.bfs_many`.

Run as ``python -m benchmarks many --device cuda``.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import known_names, method_lines, write
from benchmarks.common.sources import SourcesWithAnEdge
from benchmarks.cuda.device import describe_device, device_line
from benchmarks.cuda.graphs import OTHERS, TABLE, Graph, measure_each, on_device

DEFAULT = ["kron21", "kron21-odd", "rmat21", "kron24"]
SOURCES = [64, 256, 1024, 4096]
#: Calls before those that are timed: kernels are compiled, layout and workspace made.
WARM_UP = 2
#: Searches of every line whose levels are compared with single ones.
CHECKED = 8

METHOD = {
    "edges": "directed: stored entries in the rows of what a source reaches, summed over sources",
    "mean": "milliseconds: median over calls; TEPS: harmonic mean over calls",
    "clock": (
        "events around one call of spbfs.bfs_many, its result made, and the host's clock around "
        "the same call up to the end of the last event; sources are on the GPU.  Layout and "
        "workspace, made once for a graph, come before.  Results are given up at once and their "
        "memory may serve the next call"
    ),
    "sources": "distinct, of all vertices that have an edge, other ones in every call",
    "group": (
        'auto is the default of spbfs.bfs_many, which decides which sources share a batch; "given" '
        "leaves them in the order drawn, by hub orders them whatever the graph, and both are "
        "measured where they fill more than one batch"
    ),
    "valid": f"levels of {CHECKED} sources of every line against single searches",
}


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    graphs = known_names(options.graphs or DEFAULT, TABLE | OTHERS)
    report: dict[str, Any] = {
        "benchmark": "many",
        **describe_device(),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "cupy-cuda13x"]),
        "method": METHOD,
        "repeats": options.repeats,
    }
    report["graphs"] = measure_each(graphs, lambda name, graph: _measure(name, graph, options))
    return write(report, options.output, "many-cuda", _markdown)


def _measure(name: str, graph: Graph, options: argparse.Namespace) -> dict[str, Any]:
    A = on_device(graph)
    sources = SourcesWithAnEdge(cp.asnumpy(graph[1]))
    measured: dict[str, Any] = {"name": name, "vertices": A.nrows, "entries": A.nvals, "rows": []}
    for count in options.sources or SOURCES:
        try:
            rows = [_calls(A, sources, count, "auto", options.repeats)]
            if rows[0]["batch"] < rows[0]["sources"]:
                rows += [_calls(A, sources, count, g, options.repeats) for g in ("given", "hub")]
        except sb.exceptions.OutOfMemory as error:
            print(f"{name}, {count} sources: left out, {error}", flush=True)
            continue
        for row in rows:
            measured["rows"].append(row)
            print(f"{name:10} {_line(row)}", flush=True)
        cp.get_default_memory_pool().free_all_blocks()
    return measured


def _calls(
    A: sb.Matrix, sources: SourcesWithAnEdge, count: int, group: str, repeats: int
) -> dict[str, Any]:
    """Calls that give levels, from so many sources each; the first ones are not timed."""
    found = None
    how: Any = (A.nrows, 0) if group == "hub" else group
    for _ in range(WARM_UP):
        drawn = sources.draw(count)
        del found  # its memory may be needed
        found = sb.bfs_many(A, cp.asarray(drawn), outputs="levels", group=how)
    _check(A, drawn, found.levels)
    del found
    device, host, edges, sharing = [], [], [], []
    for _ in range(repeats):
        drawn = cp.asarray(sources.draw(count))
        start, stop = cp.cuda.Event(), cp.cuda.Event()
        cp.cuda.Device().synchronize()
        began = time.perf_counter()
        start.record()
        found = sb.bfs_many(A, drawn, outputs="levels", group=how)
        stop.record()
        stop.synchronize()
        host.append(1e3 * (time.perf_counter() - began))
        device.append(cp.cuda.get_elapsed_time(start, stop))
        edges.append(found.edges)
        sharing.append(found.sharing)
        batch, depth = found.batch, found.depth
        del found
    return {
        "sources": int(drawn.shape[0]),
        "group": group,
        "batch": batch,
        "depth": depth,
        "sharing": float(np.median(sharing)),
        "milliseconds": float(np.median(device)),
        "best": min(device),
        "worst": max(device),
        "host_milliseconds": float(np.median(host)),
        "teps": float(1e3 / np.mean(np.array(device) / np.array(edges))),
    }


def _check(A: sb.Matrix, sources: Any, levels: Any) -> None:
    """The levels of some of the sources against one search each."""
    most = np.iinfo(levels.dtype).max
    for j in np.random.default_rng(len(sources)).integers(0, len(sources), CHECKED).tolist():
        alone = np.asarray(sb.bfs(A, int(sources[j])).levels.to("cpu").to_dense(-1))
        if not np.array_equal(cp.asnumpy(levels[j]), np.where(alone < 0, most, alone)):
            raise AssertionError(f"levels of source {int(sources[j])} differ from a single search")


def _line(row: dict[str, Any]) -> str:
    return (
        f"{row['sources']:5} sources, {row['group']:5}  {row['milliseconds']:9.3f} ms "
        f"({row['best']:.3f}-{row['worst']:.3f}; host {row['host_milliseconds']:.3f})  "
        f"{row['teps'] / 1e12:6.2f} TTEPS  batch {row['batch']}, sharing {row['sharing']:.1f}"
    )


def _markdown(report: dict[str, Any]) -> str:
    lines = [
        f"# Many searches at once on {report['device']}, {report['date']}",
        "",
        f"{device_line(report)}; host {report['machine']}.",
        f"{report['repeats']} calls a line.",
        *method_lines(report),
        "",
        "Milliseconds for all sources with their levels, and 10^12 traversed edges a second "
        "(TTEPS).  Sharing: how many searches a vertex of a joint frontier serves.",
        "",
        "| graph | entries | sources | group | batch | ms | best-worst | TTEPS | ms, host "
        "| sharing | depth |",
        "|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for g in report["graphs"]:
        lines += [
            f"| {g['name']} | {g['entries']} | {r['sources']} | {r['group']} | {r['batch']} "
            f"| {r['milliseconds']:.3f} | {r['best']:.3f}-{r['worst']:.3f} "
            f"| {r['teps'] / 1e12:.2f} | {r['host_milliseconds']:.3f} | {r['sharing']:.1f} "
            f"| {r['depth']} |"
            for r in g["rows"]
        ]
    return "\n".join(lines) + "\n"
