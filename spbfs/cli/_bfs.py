"""``spbfs bfs``: search, report, and on request check and save."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from spbfs.cli import _text as text
from spbfs.cli._files import check_folder, check_is_another
from spbfs.cli._search import graph_on_device, search, search_record

__all__ = ["run"]

#: Levels listed one by one before the rest is summed up.
LISTED = 12


def run(arguments: argparse.Namespace) -> None:
    import spbfs

    if arguments.output:
        check_folder(arguments.output)
        check_is_another(arguments.output, arguments.graph)
    A, read_seconds = graph_on_device(arguments)
    result = search(A, arguments)
    record = search_record(arguments, A, result)
    record["read_seconds"] = read_seconds
    if arguments.verify:
        spbfs.verify.bfs_tree(
            A, arguments.source, result.parents, result.levels, max_depth=arguments.depth
        )
        record["verified"] = True
    if arguments.output:
        _save(arguments.output, arguments.source, result)
        record["output"] = arguments.output
    if arguments.json:
        text.print_json(record)
    else:
        print(_report(record, result))


def _save(output: str, sources: list[int], result: Any) -> None:
    """Dense int arrays, -1 where the search did not come; the file appears whole or not at all."""
    import numpy as np

    from spbfs.io.archive import write_arrays

    write_arrays(
        Path(output),
        levels=result.levels.to_dense(-1, result.levels.dtype),
        parents=result.parents.to_dense(-1, result.parents.dtype),
        sources=np.asarray(sources, dtype=np.int64),
    )


def _report(record: dict[str, Any], result: Any) -> str:
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
    if record.get("verified"):
        lines.append(("verified", "levels and parents obey the rules of a breadth-first tree"))
    if "output" in record:
        lines.append(("output", f"{record['output']} (arrays levels, parents, sources)"))
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
