"""``spbfs trace``: one line for every level of a search."""

from __future__ import annotations

import argparse
from typing import Any

from spbfs.cli import _text as text
from spbfs.cli._search import (
    energy_line,
    graph_on_device,
    search,
    search_energy,
    search_record,
)

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> None:
    graph, _ = graph_on_device(arguments)
    result = search(graph, arguments, direction=arguments.direction, trace=True)
    record = search_record(arguments, graph.matrix, result)
    levels: list[dict[str, Any]] = [
        {
            "level": level,
            "direction": step.direction,
            "strategy": step.strategy,
            "frontier": step.frontier,
            "edges": step.edges,
            "seconds": float(step.seconds),
        }
        for level, step in enumerate(result.trace)
    ]
    waiting = record["reached"] - sum(step["frontier"] for step in levels)
    if waiting:  # the search ended knowing that nothing lies behind its last level
        levels.append(
            {
                "level": len(levels),
                "direction": "none",
                "strategy": "none",
                "frontier": waiting,
                "edges": 0,
                "seconds": 0.0,
            }
        )
    used = None
    if arguments.energy:
        used = search_energy(graph, arguments, record, direction=arguments.direction)
    if arguments.json:
        text.print_json({**record, "levels": levels})
        return
    print(
        text.table(
            ["level", "direction", "strategy", "frontier", "edges", "time"],
            [
                [
                    text.count(step["level"]),
                    step["direction"],
                    step["strategy"],
                    text.count(step["frontier"]),
                    text.count(step["edges"]),
                    text.seconds(step["seconds"]) if step["seconds"] else "",
                ]
                for step in levels
            ],
        )
    )
    print(
        f"\n{text.count(record['reached'])} vertices in {text.seconds(record['seconds'])} "
        f"on {record['device']}, {text.rate(record['teps'])}"
    )
    if used is not None:
        print(f"energy {energy_line(used, record['edges'])}")
