"""``spbfs bfs``: search, report, and on request check and save."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from spbfs.cli.shared import formatting as text
from spbfs.cli.shared.files import STANDARD, check_table
from spbfs.cli.shared.over_ranks import run_over_ranks
from spbfs.cli.shared.reading import Graph
from spbfs.cli.shared.search import (
    graph_on_device,
    search,
    search_energy,
    search_record,
    watched,
)
from spbfs.cli.shared.search_report import level_sizes, report
from spbfs.cli.shared.tables import write_table
from spbfs.exceptions import InvalidValue

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> None:
    import spbfs

    if arguments.distributed:
        run_over_ranks(arguments)
        return
    if arguments.output and arguments.output.endswith(".npy"):
        raise InvalidValue("output: expected .npz, .csv or .parquet without --distributed")
    check_table(arguments)
    graph, read_seconds = graph_on_device(arguments)
    result = search(graph, arguments)
    sources = graph.vertices(arguments.source)
    record = search_record(arguments, graph.matrix, result, graph.called(sources))
    record["read_seconds"] = read_seconds
    if arguments.verify:
        spbfs.verify.bfs_tree(
            graph.matrix, sources, result, max_depth=arguments.depth, progress=watched()
        )
        record["verified"] = True
    used = search_energy(graph, arguments, record) if arguments.energy else None
    if arguments.output:
        _save(arguments.output, sources, graph, result)
        record["output"] = arguments.output
    if arguments.output == STANDARD:
        return
    if arguments.json:
        text.print_json(record)
    else:
        print(report(record, used) + "\n\n" + level_sizes(_sizes(result)))


def _save(output: str, sources: list[int], graph: Graph, result: Any) -> None:
    """Dense int arrays, -1 where the search did not come; the file appears whole or not at all.

    What stands for vertices are their numbers, and what these are called is an array of its own;
    in a table vertices are called so, and nobody is the parent of what was not reached.
    """
    import numpy as np

    from spbfs.io.files.archive import write_arrays

    levels = result.levels.to_dense(-1, result.levels.dtype)
    parents = result.parents.to_dense(-1, result.parents.dtype)
    if not output.endswith(".npz"):
        vertices = graph.names(np.arange(len(levels)))
        columns = {"vertex": vertices, "level": levels, "parent": graph.names(parents)}
        write_table(output, columns)
        return
    arrays = {"levels": levels, "parents": parents, "sources": np.asarray(sources, np.int64)}
    if graph.labels is not None:
        arrays["vertices"] = np.array(list(graph.labels), np.str_)
    elif graph.ids is not None:
        arrays["vertices"] = graph.ids
    write_arrays(Path(output), **arrays)


def _sizes(result: Any) -> Any:
    """How many vertices every level has."""
    import numpy as np

    return np.bincount(result.levels.to_coo()[1])
