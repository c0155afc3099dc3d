"""``spbfs generate``: make a graph and write it."""

from __future__ import annotations

import argparse
import time

from spbfs.cli.parsing.generators import GENERATORS
from spbfs.cli.shared import formatting as text
from spbfs.cli.shared.files import check_output, write_graph

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> None:
    from spbfs import generate

    check_output(arguments.output, arguments.to, arguments.force)
    _, positional, options = GENERATORS[arguments.kind]
    names = [name.replace("-", "_") for name, *_ in (*positional, *options)]
    begin = time.perf_counter()
    A = getattr(generate, arguments.kind)(**{name: getattr(arguments, name) for name in names})
    made = time.perf_counter() - begin
    if write_graph(arguments.output, arguments.to, A):
        print(
            f"{arguments.output}: {text.count(A.nrows)} vertices, {text.count(A.nvals)} entries, "
            f"made in {text.seconds(made)}"
        )
