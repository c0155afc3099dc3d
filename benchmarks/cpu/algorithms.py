"""Algorithms by their public calls against the GAP suite's programs and packages, in turns.

Run as ``python -m benchmarks algorithms --gap FOLDER``, where the folder has the compiled programs.
"""

from __future__ import annotations

import argparse
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import known_names, method_lines, write
from benchmarks.cpu.algorithm_rows import ROWS, Call, Case, Row
from benchmarks.cpu.gap import Gap
from benchmarks.cpu.graphs import GRAPHS, load, pattern

METHOD = {
    "mean": "median over all calls",
    "clock": (
        "one public call on a Matrix that exists, results made; the GAP programs time their trials "
        "themselves; reading, conversion and one call before, whose time stands in its own column"
    ),
    "order": "everybody takes turns, three trials a turn; sources are other ones every turn",
    "results": (
        "spbfs counts triangles a vertex and gives a tree of shortest paths; GAP counts all "
        "triangles together, and gives distances alone, as SciPy and NetworKit do"
    ),
    "delta": "GAP's sssp takes the best of six deltas, found on the first source",
}
TRIALS = 3
DELTAS = (1, 4, 16, 64, 256, 1024)
#: A peer that takes longer than this, in seconds, has one call.
PATIENCE = 10.0


def weighted(S: sp.csr_array) -> sp.csr_array:
    """Integers 1 to 255 on the entries, the same both ways."""
    C = S.tocoo()
    u = np.minimum(C.row, C.col).astype(np.uint64)
    v = np.maximum(C.row, C.col).astype(np.uint64)
    mixed = (u * np.uint64(0x9E3779B97F4A7C15) + v) * np.uint64(0xC2B2AE3D27D4EB4F)
    W = S.copy()
    W.data = ((mixed >> np.uint64(40)) % np.uint64(255) + np.uint64(1)).astype(np.int32)
    return W


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    rows = {name: ROWS[name] for name in known_names(options.rows or ROWS, ROWS)}
    report: dict[str, Any] = {
        "benchmark": "algorithms",
        "date": time.strftime("%Y-%m-%d"),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "scipy", "networkit", "igraph"]),
        "method": METHOD,
        "runs": [],
    }
    graphs = options.graphs or ["kron18", "kron20", "uniform16", "grid2d", "road"]
    for name in known_names(graphs, GRAPHS):
        title, S = load(name, options.scale)
        S.data = np.ones(S.nnz, np.int8)
        W = weighted(S)
        A, B = pattern(S), sb.Matrix.from_scipy(W)
        stem = name if options.scale is None else f"{name}-{options.scale}"
        gap = Gap(options.gap, stem, A, B) if options.gap else None
        for threads in options.threads:
            case = Case(S, W, A, B, threads)
            for row in rows:
                measured = _measure(rows[row], case, gap, options.repeats)
                report["runs"].append(
                    {"graph": title, "row": row, "threads": threads, "seconds": measured}
                )
                line = "  ".join(f"{who} {t * 1e3:.2f}" for who, t in measured.items())
                print(f"{title}, {threads} threads, {row}: {line} ms", flush=True)
    return write(report, options.output, "algorithms", _markdown)


def _measure(row: Row, case: Case, gap: Gap | None, repeats: int) -> dict[str, float]:
    calls: dict[str, Call] = {}
    ours = row.ours(case)
    first = _timed(ours, 0)
    calls["spbfs"] = ours
    for peer, prepare in row.peers.items():
        if find_spec(peer) is not None:
            calls[peer] = prepare(case)
    times: dict[str, list[float]] = {name: [] for name in calls}
    best = _best_delta(row, case, gap)
    slow = set()
    for turn in range(1, repeats + 1):
        for name, call in calls.items():
            for trial in range(1 if name in slow else TRIALS):
                if name in slow and turn > 1:
                    continue
                times[name].append(_timed(call, turn if row.reads_weights else turn + trial))
                if times[name][-1] > PATIENCE:
                    slow.add(name)
                    break
        if gap is not None and row.gap is not None and gap.has(row.program):
            options = [*row.gap(case, turn), *best]
            times.setdefault("gap", []).extend(_gap(gap, row, case, options))
    medians = {name: float(np.median(found)) for name, found in times.items() if found}
    return {**medians, "first call": first}


def _gap(gap: Gap, row: Row, case: Case, options: list[object]) -> list[float]:
    threads, weighted = case.threads, row.reads_weights
    return gap.seconds(row.program, *options, trials=TRIALS, threads=threads, weighted=weighted)


def _best_delta(row: Row, case: Case, gap: Gap | None) -> list[object]:
    """GAP's shortest paths want a width of buckets that suits the graph."""
    if gap is None or row.program != "sssp" or row.gap is None or not gap.has("sssp"):
        return []
    found = {d: min(_gap(gap, row, case, [*row.gap(case, 0), "-d", d])) for d in DELTAS}
    return ["-d", min(found, key=lambda d: found[d])]


def _timed(call: Call, turn: int) -> float:
    started = time.perf_counter()
    result = call(turn)
    seconds = time.perf_counter() - started
    del result
    return seconds


def _markdown(report: dict[str, Any]) -> str:
    peers = ["gap", "scipy", "networkit", "igraph"]
    lines = [
        f"# Algorithms, {report['date']}",
        "",
        f"Machine: {report['machine']}.",
        "Versions: " + ", ".join(f"{k} {v}" for k, v in report["versions"].items()) + ".",
        *method_lines(report),
        "",
        "Milliseconds a call; in brackets how many times longer than spbfs.",
        "",
        "| graph | algorithm | threads | spbfs | first call | " + " | ".join(peers) + " |",
        "|---|---|--:|--:|--:|" + "--:|" * len(peers),
    ]
    for run in report["runs"]:
        seconds, row = run["seconds"], ROWS[run["row"]]
        ours = seconds["spbfs"]
        cells = [run["graph"], row.what, str(run["threads"]), f"{ours * 1e3:.2f}"]
        cells.append(f"{seconds['first call'] * 1e3:.2f}")
        for peer in peers:
            t = seconds.get(peer)
            cells.append("" if t is None else f"{t * 1e3:.2f} ({t / ours:.2f})")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
