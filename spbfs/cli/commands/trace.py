"""``spbfs trace``: one line for every level of a search."""

from __future__ import annotations

import argparse
from typing import Any

from spbfs.cli.shared import formatting as text
from spbfs.cli.shared.search import (
    all_levels,
    energy_line,
    graph_on_device,
    search,
    search_energy,
    search_record,
)

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> None:
    graph, _ = graph_on_device(arguments)
    chosen = {"direction": arguments.direction, "strategy": arguments.strategy}
    result = search(graph, arguments, trace=True, **chosen)
    sources = graph.vertices(arguments.source)
    record = search_record(arguments, graph.matrix, result, graph.called(sources))
    levels: list[dict[str, Any]] = [
        {
            "level": level,
            "direction": step.direction,
            "strategy": step.strategy,
            "frontier": step.frontier,
            "edges": step.edges,
            "seconds": float(step.seconds),
            "read": step.read,
        }
        for level, step in enumerate(all_levels(result))
    ]
    used = None
    if arguments.energy:
        used = search_energy(graph, arguments, record, **chosen)
    if arguments.json:
        text.print_json({**record, "levels": levels})
        return
    _print_levels(levels)
    print(
        f"\n{text.count(record['reached'])} vertices in {text.seconds(record['seconds'])} "
        f"on {record['device']}, {text.rate(record['teps'])}"
    )
    if used is not None:
        print(f"energy {energy_line(used, record['edges'])}")


def _print_levels(levels: list[dict[str, Any]]) -> None:
    """A line a level; also what is read of a graph that is not in the memory of who searches."""
    is_read = any(step["read"] for step in levels)
    rows = [
        [
            text.count(step["level"]),
            step["direction"],
            step["strategy"],
            text.count(step["frontier"]),
            text.count(step["edges"]),
            text.seconds(step["seconds"]) if step["seconds"] > 0 else "",
            *([text.count(step["read"])] if is_read else []),
        ]
        for step in levels
    ]
    names = ["level", "direction", "strategy", "frontier", "edges", "time"]
    print(text.table([*names, "bytes"] if is_read else names, rows))
