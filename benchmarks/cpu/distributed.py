"""Searches over simulated ranks: what they exchange, counted, beside what the model says.

Run as ``python -m benchmarks distributed --model``.  Ranks are threads of one process: bytes and
lists are counted, and nothing is timed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import method_lines, write
from benchmarks.cpu.rank_model import ASSUMED, Level, lists, search

METHOD = {
    "graph": "Graph500's Kronecker graph of edge factor 16, both directions of an edge stored",
    "ranks": (
        "threads of one process that exchange through its memory; bytes are those of all messages "
        "to other ranks, summed over ranks; what ranks reduce, a few numbers a level, is not in it"
    ),
    "search": (
        "one, from the first vertex with an edge; without parents, which would be asked for at the "
        "end"
    ),
    "model": "vertices of the lists between ranks from the degrees that the generator gives on "
    "average; bytes of a level from these, its vertices and its edges",
}
EDGE_FACTOR = 16
CUTS = ("rows", "grid")
#: Scale and ranks that are extrapolated to.
TARGETS = ((30, 16), (33, 128), (36, 1000), (36, 4000))


def _counted(scale: int, ranks: int, cut: str) -> dict[str, Any]:
    """One search at so many simulated ranks."""
    A = sb.generate.kronecker(scale, EDGE_FACTOR, seed=1)
    rows, columns, _ = A.to_coo()

    def program(here: Any) -> Any:
        mine = slice(here.rank, None, here.size)
        D = sb.distributed.from_edges(rows[mine], columns[mine], comm=here, n=A.nrows, cut=cut)
        found = sb.bfs(D, int(rows[0]), parents=False, trace=True)
        data = D._ready()
        return found, data.rows.between, data.columns.between, data.part.nvals

    results = sb.distributed.simulate(ranks, program)
    found, row_list, column_list, _ = results[0]
    parts = [entries for *_, entries in results]
    expected = lists(scale, EDGE_FACTOR, ranks, cut)
    return {
        "scale": scale,
        "ranks": ranks,
        "cut": cut,
        "vertices": A.nrows,
        "entries": A.nvals,
        "most_over_mean": max(parts) / (sum(parts) / len(parts)),
        "lists": row_list + column_list,
        "lists_expected": sum(side.length for side in expected),
        "levels": [
            {
                "direction": step.direction,
                "frontier": step.frontier,
                "edges": step.edges,
                "exchanged": step.exchanged,
                "predicted": step.predicted,
            }
            for step in found.trace
        ],
    }


def _profile(run: dict[str, Any]) -> list[Level]:
    """The levels of a search as shares."""
    return [
        Level(
            level["frontier"] / run["vertices"],
            level["edges"] / run["entries"],
            level["direction"] == "pull",
        )
        for level in run["levels"]
    ]


def _extrapolated(run: dict[str, Any]) -> list[dict[str, Any]]:
    levels = _profile(run)
    return [
        {"scale": scale, "ranks": ranks, "cut": cut}
        | search(levels, scale, EDGE_FACTOR, ranks, cut, ASSUMED)
        for scale, ranks in TARGETS
        for cut in CUTS
    ]


def _markdown(report: dict[str, Any]) -> str:
    lines = [f"# Searches over simulated ranks, {report['date']}", ""]
    lines += [f"Machine: {report['machine']}.", "", *method_lines(report)]
    lines += [
        "",
        "| scale | ranks | cut | most entries of a rank over the mean | on lists, counted "
        "| expected | level | direction | vertices | edges | bytes, counted | predicted |",
        "|--:|--:|---|--:|--:|--:|--:|---|--:|--:|--:|--:|",
    ]
    for counted in report["runs"]:
        lines += _rows(counted)
    if report["extrapolated"]:
        lines += ["", *_extrapolation(report)]
    return "\n".join(lines) + "\n"


def _rows(counted: dict[str, Any]) -> Iterator[str]:
    head = (
        f"| {counted['scale']} | {counted['ranks']} | {counted['cut']} "
        f"| {counted['most_over_mean']:.2f} | {counted['lists']:,} "
        f"| {counted['lists_expected']:,} "
    )
    for number, level in enumerate(counted["levels"]):
        yield (
            f"{head}| {number} | {level['direction']} | {level['frontier']:,} "
            f"| {level['edges']:,} | {level['exchanged']:,} | {level['predicted']:,} |"
        )
        head = "| | | | | | "


def _extrapolation(report: dict[str, Any]) -> Iterator[str]:
    assumed = report["assumed"]
    yield (
        "Extrapolated, nothing of it measured: the shares of levels are those of the last search "
        f"above, a rank looks at {assumed['entries'] / 1e9:.0f} G entries/s, sends "
        f"{assumed['bandwidth'] / 1e9:.0f} GB/s, a message takes "
        f"{assumed['latency'] * 1e6:.1f} us, and {assumed['overhead'] * 1e6:.1f} us of a rank."
    )
    yield ""
    yield (
        "| scale | ranks | cut | GB exchanged | ms | GTEPS, an edge once | vertices that a rank "
        "numbers | GB a rank |"
    )
    yield "|--:|--:|---|--:|--:|--:|--:|--:|"
    for row in report["extrapolated"]:
        yield (
            f"| {row['scale']} | {row['ranks']:,} | {row['cut']} | {row['bytes'] / 1e9:,.1f} "
            f"| {1e3 * row['seconds']:,.1f} | {row['gteps']:,.0f} | {row['numbered']:.3g} "
            f"| {row['gigabytes']:,.0f} |"
        )


def run(options: argparse.Namespace) -> list[Path]:
    """Count, and with ``--model`` extrapolate; returns the files written."""
    runs = [_counted(options.scale, ranks, cut) for ranks in options.ranks for cut in CUTS]
    report = {
        "date": time.strftime("%Y-%m-%d"),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy"]),
        "method": METHOD,
        "runs": runs,
        "assumed": vars(ASSUMED),
        "extrapolated": _extrapolated(runs[-1]) if options.model else [],
    }
    return write(report, options.output, "distributed", _markdown)
