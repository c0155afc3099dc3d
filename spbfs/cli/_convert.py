"""``spbfs convert``: read one format, write another."""

from __future__ import annotations

import argparse

from spbfs.cli import _text as text
from spbfs.cli._files import check_output

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> None:
    import spbfs

    check_output(arguments.output)
    A = spbfs.read(arguments.input)
    spbfs.write(arguments.output, A)
    print(
        f"{arguments.output}: {text.count(A.nrows)} vertices, {text.count(A.nvals)} entries "
        f"from {arguments.input}"
    )
