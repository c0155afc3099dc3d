"""Breadth-first search: every peer on the same graphs and sources, in turn, in one process."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import known_names, method_lines, write
from benchmarks.common.sources import SourcesWithAnEdge
from benchmarks.cpu.graphs import GRAPHS, load, pattern
from benchmarks.cpu.peers import PEERS, Search

METHOD = {
    "edges": "directed: stored entries in the rows of the reached vertices",
    "mean": "seconds: median over all searches; TEPS: harmonic mean over sources of medians",
    "clock": (
        "one call with a source, its outputs made and held as the package returns them; "
        "conversion, transpose, degrees, workspace and one search to warm up come before"
    ),
    "order": "the peers take turns search by search, starting with another one each time",
}


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    options.graphs = known_names(options.graphs or GRAPHS, GRAPHS)
    options.peers = known_names(options.peers or PEERS, PEERS)
    report: dict[str, Any] = {
        "benchmark": "bfs",
        "date": time.strftime("%Y-%m-%d"),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "scipy", "python-graphblas", "igraph", "networkx"]),
        "method": METHOD,
        "sources": options.sources,
        "repeats": options.repeats,
        "graphs": [],
    }
    for name in options.graphs:
        report["graphs"].append(_measure(name, options))
    return write(report, options.output, "bfs", _markdown)


def _measure(name: str, options: argparse.Namespace) -> dict[str, Any]:
    title, S = load(name, options.scale)
    sources = SourcesWithAnEdge(S.indptr).draw(options.sources).tolist()
    facts = _truth(S, sources)
    measured: dict[str, Any] = {
        "name": name,
        "title": title,
        "vertices": S.shape[0],
        "entries": int(S.nnz),
        "depth": int(np.median([f["depth"] for f in facts])),
        "runs": [],
        "left_out": {},
    }
    print(f"{title}: {S.shape[0]} vertices, {S.nnz} entries", flush=True)
    searches = _prepare(S, sources, facts, options, measured["left_out"])
    for threads in options.threads:
        times: dict[str, list[list[float]]] = {p: [[] for _ in sources] for p in searches}
        turns = list(searches)
        for _ in range(options.repeats):
            for k, source in enumerate(sources):
                turns = turns[1:] + turns[:1]
                for peer in turns:
                    started = time.perf_counter()
                    result = searches[peer](source, threads)
                    times[peer][k].append(time.perf_counter() - started)
                    del result
        for peer, samples in times.items():
            medians = np.array([np.median(s) for s in samples])
            edges = np.array([f["edges"] for f in facts])
            row = {
                "peer": peer,
                "threads": threads if PEERS[peer].threaded else 1,
                "asked_threads": threads,
                "seconds": float(np.median([t for s in samples for t in s])),
                "least_seconds": float(np.min([t for s in samples for t in s])),
                "teps": float(1 / np.mean(medians / edges)),
            }
            measured["runs"].append(row)
            print(f"  {threads} threads  {peer:18} {row['seconds'] * 1e3:10.2f} ms", flush=True)
    return measured


def _truth(S: sp.csr_array, sources: list[int]) -> list[dict[str, Any]]:
    """Levels that the verifier vouches for, and what is counted from them."""
    A = pattern(S)
    degrees = np.diff(S.indptr)
    facts = []
    for source in sources:
        result = sb.bfs(A, source)
        assert result.levels is not None
        if source == sources[0]:
            sb.verify.bfs_tree(A, source, result.parents, result.levels)
        levels = np.asarray(result.levels.to_dense(-1))
        facts.append(
            {
                "sum": int(levels[levels > 0].sum()),
                "reached": int(np.count_nonzero(levels >= 0)),
                "depth": int(levels.max()),
                "edges": int(degrees[levels >= 0].sum()),
            }
        )
    return facts


def _prepare(
    S: sp.csr_array,
    sources: list[int],
    facts: list[dict[str, Any]],
    options: argparse.Namespace,
    left_out: dict[str, str],
) -> dict[str, Search]:
    """The peers that take part, warmed up, their levels compared."""
    searches: dict[str, Search] = {}
    for name in options.peers:
        peer = PEERS[name]
        if not peer.available:
            left_out[name] = "not installed"
            continue
        if peer.most_entries < S.nnz:
            left_out[name] = f"more than {peer.most_entries} entries"
            continue
        search = peer.prepare(S)
        started = time.perf_counter()
        result = search(sources[0], options.threads[0])
        seconds = time.perf_counter() - started
        if peer.levels is not None:
            levels = peer.levels(result)
            found = int(levels[levels > 0].sum()), int(np.count_nonzero(levels >= 0))
            if found != (facts[0]["sum"], facts[0]["reached"]):
                raise AssertionError(f"{name}: levels from {sources[0]} are wrong")
        if seconds > options.limit:
            left_out[name] = f"{seconds:.1f} s a search"
            continue
        searches[name] = search
    return searches


def _markdown(report: dict[str, Any]) -> str:
    peers = [p for p in PEERS if any(r["peer"] == p for g in report["graphs"] for r in g["runs"])]
    others = [p for p in peers if p != "spbfs"]
    lines = [
        f"# Breadth-first search, {report['date']}",
        "",
        f"Machine: {report['machine']}.",
        "Versions: " + ", ".join(f"{k} {v}" for k, v in report["versions"].items()) + ".",
        f"{report['sources']} sources a graph, {report['repeats']} searches from each.",
        *method_lines(report),
        "",
        *(f"- {p}: {PEERS[p].what}" for p in peers),
        "",
        "Milliseconds a search; in brackets how many times longer than spbfs.  GTEPS are of spbfs.",
        "",
        "| graph | entries | depth | threads | spbfs | GTEPS | " + " | ".join(others) + " |",
        "|---|--:|--:|--:|--:|--:|" + "--:|" * len(others),
    ]
    for graph in report["graphs"]:
        for threads in sorted({r["asked_threads"] for r in graph["runs"]}):
            runs = {r["peer"]: r for r in graph["runs"] if r["asked_threads"] == threads}
            ours = runs.get("spbfs")
            cells = [graph["title"], str(graph["entries"]), str(graph["depth"]), str(threads)]
            cells.append(f"{ours['seconds'] * 1e3:.2f}" if ours else "")
            cells.append(f"{ours['teps'] / 1e9:.3f}" if ours else "")
            for peer in others:
                if peer not in runs:
                    cells.append(graph["left_out"].get(peer, ""))
                    continue
                seconds = runs[peer]["seconds"]
                ratio = f" ({seconds / ours['seconds']:.2f})" if ours else ""
                cells.append(f"{seconds * 1e3:.2f}{ratio}")
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
