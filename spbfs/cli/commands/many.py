"""``spbfs many``: searches from many sources at once."""

from __future__ import annotations

import argparse
from typing import Any

from spbfs.cli.shared import formatting as text
from spbfs.cli.shared.elsewhere import who_searches
from spbfs.cli.shared.files import STANDARD, check_place, check_table
from spbfs.cli.shared.search import device_name, graph_on_device, watched
from spbfs.cli.shared.tables import Columns, tell
from spbfs.cli.shared.vertices import chosen

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> None:
    import spbfs

    check_table(arguments)
    if arguments.levels:
        check_place(arguments.levels, True, "levels")
    outputs: Any = {"levels": arguments.levels} if arguments.levels else "reached"
    with who_searches(arguments) as elsewhere:
        graph, _ = graph_on_device(arguments)
        A = graph.matrix
        found = spbfs.bfs_many(
            A,
            chosen(arguments, graph, everything=True),
            outputs=outputs,
            max_depth=arguments.depth,
            threads=arguments.threads,
            progress=watched(),
            **elsewhere,
        )
    # Of a file of levels only the rest was searched now.
    edges, before = found.edges - found.edges_before, found.searches_before
    record = {
        "graph": arguments.graph,
        "vertices": int(A.nrows),
        "entries": int(A.nvals),
        "searches": int(found.sources.shape[0]),
        "depth": int(found.depth),
        "edges": int(found.edges),
        "searches_before": before,
        "seconds": float(found.seconds),
        "teps": float(edges / found.seconds) if found.seconds > 0 else 0.0,
        "device": str(arguments.scheduler or device_name(arguments, A)),
    }
    if arguments.levels:
        record["levels"] = arguments.levels
    columns: Columns = {
        "source": graph.names(found.sources),
        "reached": found.reached,
        "depth": found.eccentricity,
        "mean_distance": found.sum_levels / (found.reached - 1).clip(1),
    }
    searches = text.count(record["searches"])
    if before:
        searches += f", {text.count(before)} of them made before"
    facts = [
        ("searches", searches),
        ("deepest", f"{text.count(record['depth'])} levels"),
        ("time", f"{text.seconds(record['seconds'])} on {record['device']}"),
    ]
    if before < record["searches"]:
        facts.append(("speed", text.rate(record["teps"])))
    if arguments.levels and arguments.output != STANDARD:
        facts.append(("levels", arguments.levels))
    tell(arguments, record, facts, columns, slice(arguments.top))
