"""``spbfs convert``: read one format, write another; a list of edges to a folder as it is read."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING

from spbfs.cli.shared import formatting as text
from spbfs.cli.shared.files import STANDARD, check_output, suffix, write_graph
from spbfs.cli.shared.reading import read_graph
from spbfs.exceptions import InvalidValue, SpbfsError

if TYPE_CHECKING:
    from spbfs import Matrix

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> None:
    check_output(arguments.output, arguments.to, arguments.force)
    if _streams(arguments):
        _stream(arguments)
        return
    given = [name for name in ("memory", "transpose") if getattr(arguments, name) is not None]
    if given:
        raise InvalidValue(
            f"{given[0]}: expected only where a list of edges becomes a folder, .csr, without"
            " --compact and --columns: all else is done in memory"
        )
    graph = read_graph(arguments, square=False)
    A = graph.matrix
    # Ids are names, too, where the other format can hold names.
    A.labels = graph.ids if graph.labels is None else graph.labels
    if write_graph(arguments.output, arguments.to, A):
        _report(arguments, A)
    _tell_of_names(arguments, A)


def _streams(arguments: argparse.Namespace) -> bool:
    """Whether the graph need not fit into memory on the way."""
    from spbfs.io.formats.registry import is_csr_folder, is_edge_list

    plain = arguments.format is None and arguments.columns is None and not arguments.compact
    listed = plain and is_edge_list(arguments.graph)
    return listed and arguments.output != STANDARD and is_csr_folder(arguments.output)


def _stream(arguments: argparse.Namespace) -> None:
    import spbfs

    try:
        spbfs.convert(
            arguments.graph,
            arguments.output,
            memory=arguments.memory,
            directed=not arguments.undirected,
            one_based=True if arguments.one_based else None,
            weights=arguments.weights,
            transpose=arguments.transpose is not False,
        )
    except SpbfsError as error:
        # A source is a vertex here, and there is an option for the other way.
        told = re.sub("^source:", "graph:", str(error))
        told = told.replace("read it into memory, and write that", "compact=True reads all of it")
        raise type(error)(told) from None
    _report(arguments, spbfs.open_csr(arguments.output))


def _tell_of_names(arguments: argparse.Namespace, A: Matrix) -> None:
    """That names are lost, where they are."""
    from spbfs.io.formats.registry import is_csr_folder, is_csv, is_parquet

    path = f"graph{suffix(arguments.to)}" if arguments.output == STANDARD else arguments.output
    where = "standard output" if arguments.output == STANDARD else arguments.output
    if A.labels is None or is_parquet(path):
        return
    if is_csr_folder(path) or not is_csv(path):
        print(
            f"spbfs: note: {where} has numbers for vertices, not their names; .csv, "
            ".tsv and .parquet have both",
            file=sys.stderr,
        )


def _report(arguments: argparse.Namespace, A: Matrix) -> None:
    print(
        f"{arguments.output}: {text.count(A.nrows)} vertices, {text.count(A.nvals)} entries "
        f"from {arguments.graph}"
    )
