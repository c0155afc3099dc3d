"""``spbfs bfs``: search, report, and on request check and save."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spbfs.cli import _text as text
from spbfs.cli._files import STANDARD, check_is_another, check_place
from spbfs.cli._reading import Graph
from spbfs.cli._search import (
    energy_line,
    graph_on_device,
    search,
    search_energy,
    search_record,
)
from spbfs.cli._tables import write_csv

if TYPE_CHECKING:
    from spbfs.base.energy import Energy

__all__ = ["run"]

#: Levels listed one by one before the rest is summed up.
LISTED = 12


def run(arguments: argparse.Namespace) -> None:
    import spbfs

    if arguments.output:
        check_is_another(arguments.output, arguments.graph)
        check_place(arguments.output, arguments.force)
    graph, read_seconds = graph_on_device(arguments)
    result = search(graph, arguments)
    record = search_record(arguments, graph.matrix, result)
    record["read_seconds"] = read_seconds
    if arguments.verify:
        sources = graph.vertices(arguments.source)
        spbfs.verify.bfs_tree(graph.matrix, sources, result, max_depth=arguments.depth)
        record["verified"] = True
    used = search_energy(graph, arguments, record) if arguments.energy else None
    if arguments.output:
        _save(arguments.output, arguments.source, graph, result)
        record["output"] = arguments.output
    if arguments.output == STANDARD:
        return
    if arguments.json:
        text.print_json(record)
    else:
        print(_report(record, result, used))


def _save(output: str, sources: list[int], graph: Graph, result: Any) -> None:
    """Dense int arrays, -1 where the search did not come; the file appears whole or not at all."""
    import numpy as np

    from spbfs.io.archive import write_arrays

    levels = result.levels.to_dense(-1, result.levels.dtype)
    parents = graph.names(result.parents.to_dense(-1, result.parents.dtype))
    if not output.endswith(".npz"):
        vertices = graph.names(np.arange(len(levels)))
        write_csv(output, {"vertex": vertices, "level": levels, "parent": parents})
        return
    arrays = {"levels": levels, "parents": parents, "sources": np.asarray(sources, np.int64)}
    if graph.ids is not None:
        arrays["vertices"] = graph.ids
    write_arrays(Path(output), **arrays)


def _report(record: dict[str, Any], result: Any, used: Energy | None) -> str:
    sources = record["source"]
    lines = [
        (
            "graph",
            f"{record['graph']}: {text.count(record['vertices'])} vertices, "
            f"{text.count(record['entries'])} entries",
        ),
        ("source", str(sources) if isinstance(sources, int) else ", ".join(map(str, sources))),
        (
            "reached",
            f"{text.count(record['reached'])} vertices, "
            f"{record['reached'] / record['vertices']:.1%} of all",
        ),
        ("depth", text.count(record["depth"])),
        ("edges", f"{text.count(record['edges'])} entries in the rows reached"),
        (
            "time",
            f"{text.seconds(record['seconds'])} on {record['device']} "
            f"(reading took {text.seconds(record['read_seconds'])})",
        ),
        ("speed", text.rate(record["teps"])),
    ]
    if used is not None:
        lines.append(("energy", energy_line(used, record["edges"])))
    if record.get("verified"):
        lines.append(("verified", "levels and parents obey the rules of a breadth-first tree"))
    if "output" in record:
        lines.append(("output", record["output"]))
    return text.facts(lines) + "\n\n" + _level_sizes(result)


def _level_sizes(result: Any) -> str:
    import numpy as np

    _, levels = result.levels.to_coo()
    counts = np.bincount(levels)
    rows = [[text.count(level), text.count(int(c))] for level, c in enumerate(counts[:LISTED])]
    rest = text.table(["level", "vertices"], rows)
    if counts.size > LISTED:
        rest += (
            f"\n... {text.count(counts.size - LISTED)} more levels, "
            f"{text.count(int(counts[LISTED:].sum()))} vertices"
        )
    return rest
