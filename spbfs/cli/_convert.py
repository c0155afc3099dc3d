"""``spbfs convert``: read one format, write another."""

from __future__ import annotations

import argparse

from spbfs.cli import _text as text
from spbfs.cli._files import check_output, write_graph
from spbfs.cli._reading import read_graph

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> None:
    check_output(arguments.output, arguments.to, arguments.force)
    A = read_graph(arguments, square=False).matrix
    if write_graph(arguments.output, arguments.to, A):
        print(
            f"{arguments.output}: {text.count(A.nrows)} vertices, {text.count(A.nvals)} entries "
            f"from {arguments.graph}"
        )
