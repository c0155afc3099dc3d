"""NetworkX's functions, its own and through the spbfs backend, all that the backend has.

Run as ``python -m benchmarks networkx``.  Both sides are public calls that return the same result.
After every function both files are written; ``--resume`` with the JSON goes on where a run ended.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import time
from collections.abc import Callable, Iterator, ValuesView
from importlib import import_module
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

import networkx as nx
from networkx.utils.backends import _registered_algorithms

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import known_names, method_lines, write
from benchmarks.cpu.networkx_calls import CALLS
from benchmarks.cpu.networkx_graphs import SHAPES, Sample, made
from benchmarks.cpu.networkx_objects import Handed, remaking

METHOD = {
    "graphs": "; ".join(f"{name}: {what}" for name, what in SHAPES.items())
    + "; weights 1 to 255, and smaller ones where the table says why",
    "calls": (
        "the function with backend='spbfs' once, which converts the graph; then by turns "
        "NetworkX's own and ours on the kept conversion, medians of each, NetworkX's once where it "
        "takes more than ten seconds; a conversion that NetworkX's own call drops, which for "
        "negative_edge_cycle adds a node and takes it away, is put back; generators are listed, "
        "pairs of nodes are the ends of every hundredth edge; Python's garbage collector is off, "
        "as timeit has it, and a result is freed before the next call"
    ),
    "objects": (
        "how long it takes to make the dictionaries, lists, tuples, sets and graphs of the result, "
        "and the numbers in them, once more from arrays as the backend and NumPy make them in C, "
        "nodes by their numbers, paths one from another, and to hand them out one by one where "
        "NetworkX has a generator; from above, where a result is many small containers; empty "
        "where it has none"
    ),
}
#: Calls of so many seconds are made once.
ONCE = 10.0
#: What is asked for: so many times NetworkX's speed, where it takes so many seconds.
BAR, COUNTS_FROM = 20.0, 0.1


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    nx.config.warnings_to_ignore.add("cache")
    sb.set_threads(options.threads)
    scale = options.scale or 16
    report: dict[str, Any] = {
        "benchmark": "networkx",
        "date": time.strftime("%Y-%m-%d"),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "scipy", "networkx"]),
        "method": METHOD,
        "load": [os.getloadavg()[0]],
        "threads": options.threads,
        "scale": scale,
        "runs": json.loads(options.resume.read_text())["runs"] if options.resume else [],
    }
    done = {row["function"] for row in report["runs"]}
    names = known_names(options.functions or CALLS, CALLS)
    paths = write(report, options.output, "networkx", _markdown)
    order = list(CALLS)
    # One graph at a time is in memory.
    left = sorted((name for name in names if name not in done), key=_graph_of)
    for graph, functions in groupby(left, _graph_of):
        sample = made(graph[0], max(scale - graph[1], 4))
        for name in functions:
            row = _row(name, sample, options.repeats)
            report["runs"].append(row)
            report["runs"].sort(key=lambda row: order.index(row["function"]))
            report["load"][1:] = [os.getloadavg()[0]]
            paths = write(report, options.output, "networkx", _markdown)
            seconds = (row[key] for key in ("networkx", "first", "again", "objects"))
            print(f"{name:42}", *(_cell(x).rjust(10) for x in seconds), f"ms {_ratio(row):8.1f}")
    sb.set_threads(None)
    return paths


def _graph_of(name: str) -> tuple[str, int]:
    return CALLS[name].shape, CALLS[name].below


def _row(name: str, sample: Sample, repeats: int) -> dict[str, Any]:
    """Seconds of one function: NetworkX's, our first call, a later call, its objects made."""
    call, graph = CALLS[name], sample.graph
    function = _public(name)
    arguments = call.arguments(sample)
    graph.__networkx_cache__.clear()
    first, _ = _timed(function, graph, *arguments, **call.options, backend="spbfs")
    ways: dict[str, Callable[[], tuple[float, Any]]] = {
        "networkx": lambda: _timed(function, graph, *arguments, **call.options),
        "again": lambda: _timed(function, graph, *arguments, **call.options, backend="spbfs"),
    }
    took: dict[str, list[float]] = {key: [] for key in (*ways, "objects")}
    converted = dict(graph.__networkx_cache__)
    found: Any = None
    for _ in range(repeats):
        for key, way in ways.items():
            if not took[key] or took[key][0] < ONCE:
                graph.__networkx_cache__.update(converted)
                # What is freed first is there for all alike: who has fresh pages waits for them.
                found = None
                seconds, found = way()
                took[key].append(seconds)
        make, found = remaking(found, graph), None
        took["objects"].append(_timed(make)[0])
        del make
    return {
        "function": name,
        "graph": call.shape,
        "why": call.why,
        "nodes": len(graph),
        "edges": graph.number_of_edges(),
        "first": first,
        **{key: median(seconds) for key, seconds in took.items()},
    }


def _public(name: str) -> Any:
    """The function of a dispatch name, with what its module has put around it."""
    known = _registered_algorithms[name].orig_func
    return getattr(import_module(known.__module__), known.__name__)


def _timed(function: Any, *arguments: Any, **options: Any) -> tuple[float, Any]:
    """Seconds of a call, and its result, iterators listed."""
    gc.collect()
    # As timeit has it: the collector goes through the whole graph, whose turn it happens to be.
    gc.disable()
    try:
        started = time.perf_counter()
        found = function(*arguments, **options)
        if isinstance(found, Iterator | ValuesView):
            found = Handed(found)
        return time.perf_counter() - started, found
    finally:
        gc.enable()


def _ratio(row: dict[str, Any]) -> float:
    """NetworkX's time over ours, the making of objects not counted."""
    # To make them by themselves may take longer, and some is always left.
    return float(row["networkx"] / max(row["again"] - row["objects"], row["again"] / 100))


def _cell(seconds: float) -> str:
    """Milliseconds; nothing where there is next to nothing."""
    return f"{seconds * 1e3:.1f}" if seconds >= 5e-5 else f"{seconds * 1e3:.3f}"


def _markdown(report: dict[str, Any]) -> str:
    counted = [row for row in report["runs"] if row["networkx"] >= COUNTS_FROM]
    below = [f"`{row['function']}` {_ratio(row):.1f}" for row in counted if _ratio(row) < BAR]
    lines = [
        f"# NetworkX and its spbfs backend, {report['date']}",
        "",
        f"Machine: {report['machine']}.",
        "Versions: " + ", ".join(f"{k} {v}" for k, v in report["versions"].items()) + ".",
        f"Scale {report['scale']}; {report['threads']} threads. Load average before and after: "
        + ", ".join(f"{load:.1f}" for load in report["load"])
        + ".",
        *method_lines(report),
        "",
        f"Of {len(report['runs'])} functions NetworkX takes {COUNTS_FROM} s or more for "
        f"{len(counted)}; {len(counted) - len(below)} of these are {BAR:.0f} times as fast here or "
        "more, with the making of result objects not counted, the others "
        + (", ".join(below) or "are none")
        + ".",
        "",
        "Milliseconds; NetworkX's time over a later call's with everything counted, and with "
        "result objects not counted.",
        "",
        "| function | graph | edges | NetworkX | first call | later calls | of that objects "
        "| ratio | without |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in report["runs"]:
        theirs, again = row["networkx"], row["again"]
        graph = row["graph"] + (f", small: {row['why']}" if row["why"] else "")
        cells = [graph, f"{row['edges']:,}"]
        cells += [_cell(seconds) for seconds in (theirs, row["first"], again)]
        cells += ["" if row["objects"] < 1e-5 else _cell(min(again, row["objects"]))]
        cells += [f"{theirs / again:.1f}", f"{_ratio(row):.1f}"]
        lines.append(f"| `{row['function']}` | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])
