"""Tables of vertices: whole as CSV, their first lines for people, or as JSON."""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from spbfs.cli.shared import formatting as text
from spbfs.cli.shared.files import STANDARD

__all__ = ["Columns", "tell", "write_table"]

#: Columns of equal length by name.
Columns = Mapping[str, Any]
#: Lines made at a time.
_BLOCK = 1 << 16


def write_table(output: str, columns: Columns) -> None:
    """A header and one line an element, to a file, whole or not at all, or to standard output.

    A file whose name says so is Parquet.
    """
    if output.endswith(".parquet"):
        from spbfs.io.formats.parquet import write_columns

        write_columns(Path(output), dict(columns))
        return
    if output == STANDARD:
        for block in _text(columns):
            sys.stdout.write(block)
        return
    from spbfs.io.files.sink import Sink

    with Sink(Path(output), len(next(iter(columns.values())))) as sink:
        for block in _text(columns):
            sink.write(block.encode())


def _text(columns: Columns) -> Iterator[str]:
    yield ",".join(columns) + "\n"
    for rows in _blocks(columns, len(next(iter(columns.values())))):
        lines = io.StringIO()
        csv.writer(lines, lineterminator="\n").writerows(rows)
        yield lines.getvalue()


def _blocks(columns: Columns, length: int) -> Iterator[list[tuple[Any, ...]]]:
    for first in range(0, length, _BLOCK):
        part = (values[first : first + _BLOCK].tolist() for values in columns.values())
        yield list(zip(*part, strict=True))


def _shown(value: Any) -> str:
    return f"{value:,.4g}" if isinstance(value, float) else str(value)


def tell(
    arguments: argparse.Namespace,
    record: dict[str, Any],
    facts: list[tuple[str, str]],
    columns: Columns,
    top: Any,
) -> None:
    """A table as the arguments ask for it: whole, or its `top` rows after what sums it up."""
    if arguments.output:
        write_table(arguments.output, columns)
        if arguments.output == STANDARD:
            return
        record["output"] = arguments.output
        facts = [*facts, ("output", arguments.output)]
    rows = [values[top].tolist() for values in columns.values()]
    lines = list(zip(*rows, strict=True))
    if arguments.json:
        text.print_json({**record, "top": [dict(zip(columns, row, strict=True)) for row in lines]})
        return
    head = f"{text.count(record['vertices'])} vertices, {text.count(record['entries'])} entries"
    print(text.facts([("graph", f"{record['graph']}: {head}"), *facts]))
    if lines:
        # What comes first names the vertex, which may be by a real number.
        cells = [[str(name), *map(_shown, found)] for name, *found in lines]
        print()
        print(text.table([name.replace("_", " ") for name in columns], cells))
