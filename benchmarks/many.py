"""Many searches at once against one after the other, and what each technique of iBFS gives."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.bfs import known_names
from benchmarks.graphs import GRAPHS, load, pick_sources
from benchmarks.machine import describe_machine, versions
from spbfs.engines.bfs_many import ManyRequest
from spbfs.engines.cpu.bfs_many import TECHNIQUES, CpuManySearches

METHOD = {
    "edges": "directed: stored entries in the rows of what a source reaches, summed over sources",
    "clock": (
        "one call with sources on the host until its outputs are there; medians of the repeats, "
        "loop and call in turn.  The copy by degree, the transpose and workspace, made once for a "
        "graph, come before.  Results are given up at once and their memory may serve the next "
        "call, the loop's likewise"
    ),
    "loop": "spbfs.bfs from every source, levels and parents",
}
DEFAULT = ["kron20", "uniform16", "smallworld", "grid2d", "road"]
#: (p, q) of iBFS: sources of degree less than p share a neighbour of degree more than q.
RULES = [(4, 128), (16, 128), (64, 128), (128, 128), (64, 1024)]


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    if options.device == "cuda":
        from benchmarks import cuda_many  # needs CuPy

        return cuda_many.run(options)
    graphs = known_names(options.graphs or DEFAULT, GRAPHS)
    options.sources = options.sources or [64, 512]
    report: dict[str, Any] = {
        "benchmark": "many",
        "date": time.strftime("%Y-%m-%d"),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "scipy", "cupy-cuda13x"]),
        "method": METHOD,
        "device": options.device,
        "threads": options.threads,
        "repeats": options.repeats,
        "graphs": [_measure(name, options) for name in graphs],
    }
    options.output.mkdir(parents=True, exist_ok=True)
    stem = options.output / f"many-{options.device}-{report['date']}"
    paths = [stem.with_suffix(".json"), stem.with_suffix(".md")]
    paths[0].write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    paths[1].write_text(_markdown(report), encoding="utf-8")
    return paths


def _measure(name: str, options: argparse.Namespace) -> dict[str, Any]:
    title, S = load(name, options.scale)
    A = sb.Matrix.from_csr(S.indptr, S.indices, True, nrows=S.shape[0], ncols=S.shape[1])
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
        row = _against_loop(A, pick_sources(S, count), options)
        measured["runs"].append(row)
        print(
            f"  {count} sources: loop {row['loop_ms']:.1f} ms, levels {row['levels_ms']:.1f}, "
            f"sums {row['sums_ms']:.1f}, batch {row['batch']}",
            flush=True,
        )
    if options.techniques:
        measured["techniques"] = _techniques(A, S, options)
    return measured


def _against_loop(A: Any, sources: list[int], options: argparse.Namespace) -> dict[str, Any]:
    def loop() -> None:
        for source in sources:
            sb.bfs(A, source, threads=options.threads)

    def call(outputs: str) -> Any:
        return sb.bfs_many(A, sources, outputs=outputs, threads=options.threads)

    for source in sources[:4]:
        sb.bfs(A, source, threads=options.threads)
    searched, longest = 0, 1024
    while searched < longest:  # whatever is made after some searches is there now
        found = call("levels")
        found.levels = None
        searched += len(sources) if found.batch > 1 else longest
    samples: dict[str, list[float]] = {"loop": [], "levels": [], "sums": []}
    steps: list[tuple[str, Callable[[], Any]]] = [
        ("loop", loop),
        ("levels", lambda: call("levels")),
        ("sums", lambda: call("sum_levels")),
    ]
    for _ in range(options.repeats):
        for name, step in steps:
            started = time.perf_counter()
            step()
            samples[name].append(time.perf_counter() - started)
    median = {name: float(np.median(times)) for name, times in samples.items()}
    return {
        "sources": len(sources),
        "batch": found.batch,
        "depth": found.depth,
        "sharing": None if np.isnan(found.sharing) else round(found.sharing, 2),
        "edges": found.edges,
        **{f"{name}_ms": round(1e3 * seconds, 3) for name, seconds in median.items()},
        "levels_gteps": round(found.edges / median["levels"] / 1e9, 3),
        "sums_gteps": round(found.edges / median["sums"] / 1e9, 3),
    }


def _techniques(A: Any, S: Any, options: argparse.Namespace) -> list[dict[str, Any]]:
    """What the CPU engine takes with a technique left out, and what grouping gives."""
    rows = []
    data = A._ready()
    sources = np.array(pick_sources(S, 512))
    variants: list[tuple[str, dict[str, Any], Any]] = [
        ("all", {"relabel": True}, "auto"),
        *((f"no {name}", {"relabel": True, "without": [name]}, "auto") for name in TECHNIQUES),
        ("vertices as labelled", {"relabel": False}, "auto"),
        ("push alone", {"relabel": True}, "push"),
        ("pull alone", {"relabel": True}, "pull"),
    ]
    for name, switches, direction in variants:
        many = CpuManySearches(data, **switches)
        request = ManyRequest(direction=direction, threads=options.threads)
        times = []
        for _ in range(options.repeats + 1):
            started = time.perf_counter()
            with many.batch(data, sources, np.arange(sources.shape[0]), request) as found:
                sharing = float(found.level_sizes().sum() / found.joint)
            times.append(time.perf_counter() - started)
        rows.append({"name": name, "sources": 512, "ms": 1e3 * min(times), "sharing": sharing})
    choice = pick_sources(S, options.grouped)
    for rule in ("given", "auto", *RULES):
        name = f"group: {rule}" if isinstance(rule, str) else f"group: p {rule[0]}, q {rule[1]}"
        started = time.perf_counter()
        grouped: Any = rule
        call = sb.bfs_many(A, choice, outputs="reached", group=grouped, batch=256)
        ms, sharing = 1e3 * (time.perf_counter() - started), call.sharing
        rows.append({"name": name, "sources": len(choice), "ms": ms, "sharing": sharing})
    for row in rows:
        print(f"    {row['name']:22} {row['ms']:9.1f} ms  sharing {row['sharing']:.1f}", flush=True)
    return rows


def _markdown(report: dict[str, Any]) -> str:
    lines = [
        f"# Many searches at once, {report['date']}",
        "",
        f"Machine: {report['machine']}.  Device: {report['device']}, {report['threads']} threads.",
        "Versions: " + ", ".join(f"{k} {v}" for k, v in report["versions"].items()) + ".",
        *(f"{key.capitalize()}: {text}." for key, text in report["method"].items()),
        "",
        "Milliseconds for all sources; in brackets how many times less than the loop.",
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
    if any(graph["techniques"] for graph in report["graphs"]):
        lines += [
            "",
            "With a technique left out (512 sources, traversal alone), and sources grouped into "
            "batches of 256.",
            "",
            "| graph | | sources | ms | sharing |",
            "|---|---|--:|--:|--:|",
        ]
        for graph in report["graphs"]:
            for t in graph["techniques"]:
                lines.append(
                    f"| {graph['title']} | {t['name']} | {t['sources']} | {t['ms']:.0f} "
                    f"| {t['sharing']:.1f} |"
                )
    return "\n".join(lines) + "\n"
