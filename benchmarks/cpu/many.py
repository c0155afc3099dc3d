"""Many searches at once, as a user calls them, against one after the other.

Run as ``python -m benchmarks many``.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import known_names, method_lines, write
from benchmarks.common.sources import SourcesWithAnEdge
from benchmarks.cpu import many_techniques
from benchmarks.cpu.graphs import GRAPHS, load, pattern

METHOD = {
    "edges": "directed: stored entries in the rows of what a source reaches, summed over sources",
    "mean": "milliseconds: median over calls; TEPS: harmonic mean over calls",
    "clock": (
        "one call of spbfs.bfs_many with sources on the host until its outputs are there, the loop "
        "and the calls in turn.  The copy by degree, the transpose and workspace, made once for a "
        "graph, come before.  Results are given up at once and their memory may serve the next "
        "call, the loop's likewise"
    ),
    "loop": "spbfs.bfs from every one of the same sources, levels and parents",
    "sources": "distinct, of all vertices that have an edge, other ones in every turn",
    "group": 'the default of spbfs.bfs_many, "auto"',
}
DEFAULT = ["kron20", "uniform16", "smallworld", "grid2d", "road"]
#: Searches before those that are timed: whatever is made after some searches is there then.
WARM_UP = 1024


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    graphs = known_names(options.graphs or DEFAULT, GRAPHS)
    options.sources = options.sources or [64, 512]
    report: dict[str, Any] = {
        "benchmark": "many",
        "date": time.strftime("%Y-%m-%d"),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "scipy"]),
        "method": METHOD,
        "threads": options.threads,
        "repeats": options.repeats,
        "graphs": [_measure(name, options) for name in graphs],
    }
    return write(report, options.output, "many-cpu", _markdown)


def _measure(name: str, options: argparse.Namespace) -> dict[str, Any]:
    title, S = load(name, options.scale)
    A = pattern(S)
    measured: dict[str, Any] = {
        "name": name,
        "title": title,
        "vertices": S.shape[0],
        "entries": int(S.nnz),
        "runs": [],
        "techniques": [],
    }
    print(f"{title}: {S.shape[0]} vertices, {S.nnz} entries", flush=True)
    for count in options.sources:
        row = _against_loop(A, SourcesWithAnEdge(S.indptr), count, options)
        measured["runs"].append(row)
        print(
            f"  {row['sources']} sources: loop {row['loop_ms']:.1f} ms, levels "
            f"{row['levels_ms']:.1f}, sums {row['sums_ms']:.1f}, batch {row['batch']}",
            flush=True,
        )
    if options.techniques:
        measured["techniques"] = many_techniques.measure(A, S, options)
    return measured


def _against_loop(
    A: sb.Matrix, sources: SourcesWithAnEdge, count: int, options: argparse.Namespace
) -> dict[str, Any]:
    threads = options.threads
    searched = 0
    while searched < WARM_UP:
        drawn = sources.draw(count)
        warm = sb.bfs_many(A, drawn, outputs="levels", threads=threads)
        searched += len(drawn) if warm.batch > 1 else WARM_UP
        for source in drawn[:4].tolist():
            sb.bfs(A, source, threads=threads)
        del warm
    samples: dict[str, list[float]] = {"loop": [], "levels": [], "sums": []}
    edges = []
    for _ in range(options.repeats):
        drawn = sources.draw(count)
        began = time.perf_counter()
        for source in drawn.tolist():
            sb.bfs(A, source, threads=threads)
        samples["loop"].append(time.perf_counter() - began)
        for name, outputs in (("levels", "levels"), ("sums", "sum_levels")):
            began = time.perf_counter()
            found = sb.bfs_many(A, drawn, outputs=outputs, threads=threads)
            samples[name].append(time.perf_counter() - began)
            batch, depth, sharing = found.batch, found.depth, found.sharing
            total = found.edges
            del found
        edges.append(total)
    median = {name: float(np.median(times)) for name, times in samples.items()}
    rate = {name: 1 / np.mean(np.array(times) / edges) for name, times in samples.items()}
    return {
        "sources": len(drawn),
        "batch": batch,
        "depth": depth,
        "sharing": None if np.isnan(sharing) else round(sharing, 2),
        "edges": int(np.median(edges)),
        **{f"{name}_ms": round(1e3 * seconds, 3) for name, seconds in median.items()},
        "levels_gteps": round(rate["levels"] / 1e9, 3),
        "sums_gteps": round(rate["sums"] / 1e9, 3),
    }


def _markdown(report: dict[str, Any]) -> str:
    lines = [
        f"# Many searches at once, {report['date']}",
        "",
        f"Machine: {report['machine']}.  {report['threads']} threads.",
        "Versions: " + ", ".join(f"{k} {v}" for k, v in report["versions"].items()) + ".",
        f"{report['repeats']} calls a line.",
        *method_lines(report),
        "",
        "Milliseconds for all sources; in brackets how many times less than the loop.  Sharing: "
        "how many searches a vertex of a joint frontier serves.",
        "",
        "| graph | sources | loop | levels | GTEPS | sums | GTEPS | batch | sharing | depth |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for graph in report["graphs"]:
        for r in graph["runs"]:
            ratios = [r["loop_ms"] / r[f"{x}_ms"] for x in ("levels", "sums")]
            lines.append(
                f"| {graph['title']} | {r['sources']} | {r['loop_ms']:.0f} "
                f"| {r['levels_ms']:.1f} ({ratios[0]:.1f}) | {r['levels_gteps']:.2f} "
                f"| {r['sums_ms']:.1f} ({ratios[1]:.1f}) | {r['sums_gteps']:.2f} "
                f"| {r['batch']} | {r['sharing']} | {r['depth']} |"
            )
    lines += many_techniques.markdown(report["graphs"])
    return "\n".join(lines) + "\n"
