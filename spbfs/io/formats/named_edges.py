"""CSV whose vertices are names, by the csv module: read, numbered as they come, and written."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import InvalidValue
from spbfs.io.files.sink import Sink, text_values
from spbfs.io.files.source import Source, Text
from spbfs.io.files.tokens import SOURCE, TARGET, WEIGHT, shown
from spbfs.io.formats.entries import Entries
from spbfs.objects.constructors.factorized import factorized

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix

__all__ = [
    "delimiter_of",
    "has_names",
    "is_comment",
    "may_be_edge",
    "read_named",
    "refuse_comment",
    "write_named",
]

#: What a comment begins with; a name that does is between quotes.
_COMMENTS = ("#", "%")


def has_names(line: bytes, roles: str, delimiter: str) -> bool:
    """Whether the vertices of a line are not numbers."""
    ends = _ends(_fields(line, delimiter), roles)
    return len(ends) == 2 and not all(map(_is_id, ends))


def is_comment(line: bytes) -> bool:
    """Whether a line, where none goes on from the one before, is passed over."""
    return line.lstrip().startswith((b"#", b"%"))


def may_be_edge(line: bytes, roles: str, delimiter: str) -> bool:
    """Whether a line that begins as a comment does has all that an edge has, too."""
    row = _fields(line, delimiter)
    return len(row) == len(roles) and all(_ends(row, roles))


def refuse_comment(source: Source, line: bytes, number: int) -> None:
    """Refuse a line of which nobody but its author knows whether it is an edge."""
    raise source.error(
        f"{shown(line)} may be a comment or an edge; put a name that begins with # or % between"
        " quotes, or take the line out",
        number,
    )


def _fields(line: bytes, delimiter: str) -> list[str]:
    """The fields of a line alone, the last of which may go on between its quotes in the next."""
    try:
        return next(csv.reader([line.decode("utf-8", "replace")], delimiter=delimiter), [])
    except csv.Error:
        return []


def _ends(row: list[str], roles: str) -> list[str]:
    """Source and target, as far as they are there."""
    return [f.strip() for f, role in zip(row, roles, strict=False) if role in (SOURCE, TARGET)]


def _is_id(field: str) -> bool:
    """Whether it is for the parser of numbers, which says of a minus what is wrong with it."""
    return field.isascii() and field.lstrip("+-").isdigit()


def read_named(text: Text, roles: str, delimiter: str) -> Entries:
    """Entries and labels of the lines that are left."""
    source = text.source
    at, to = roles.index(SOURCE), roles.index(TARGET)
    third = roles.find(WEIGHT)
    ends: tuple[list[str], list[str]] = ([], [])
    weights: list[str] = []
    lines = array("q")  # of the weights
    for row in _rows(text, roles, delimiter):
        if not row:
            continue
        if len(row) != len(roles):
            raise source.error(f"{len(row)} fields; expected {len(roles)}", text.line)
        for names, place in zip(ends, (at, to), strict=True):
            name = row[place].strip()
            if not name:
                raise source.error("a vertex without a name", text.line)
            names.append(name)
        if third >= 0:
            weights.append(row[third])
            lines.append(text.line)
    labels, (rows, columns) = factorized({"source": ends[0], "target": ends[1]}, "met")
    shape = (len(labels), len(labels))
    values = _numbers(text, weights, lines) if third >= 0 else None
    return Entries(rows, columns, values, shape=shape, labels=labels)


def write_named(path: Path, A: Matrix, progress: bool | None) -> None:
    """The entries by the names of their vertices, as `read_named` reads them."""
    assert A.labels is not None
    with Sink(path, A.nvals, progress) as sink:
        names = _written(sink, A)
        rows, columns, _ = A.to_coo()
        fields = [[names[i] for i in ends.tolist()] for ends in (rows, columns)]
        header = ["source", "target"]
        values = text_values(sink, A._ready(), None)
        if values is not None:
            header.append("weight")
            fields.append(values.tolist())
        # A reader sees by the first whether vertices have names.
        ends = enumerate(zip(*fields[:2], strict=True))
        if at := next((i for i, edge in ends if not all(map(_is_id, edge))), 0):
            for field in fields:
                field.insert(0, field.pop(at))
        taken = any(name.startswith(_COMMENTS) or "\r" in name for name in names)
        lines = io.StringIO()
        writer = csv.writer(
            lines,
            delimiter=delimiter_of(path),
            lineterminator="\n",
            quoting=csv.QUOTE_ALL if taken else csv.QUOTE_MINIMAL,
        )
        writer.writerow(header)
        writer.writerows(zip(*fields, strict=True))
        sink.write(lines.getvalue().encode())


def _written(sink: Sink, A: Matrix) -> list[str]:
    """The names as text, where all of them can be read again."""
    rows, columns, _ = A.to_coo()
    alone = np.ones(A.nrows, bool)
    alone[rows] = alone[columns] = False
    names = [str(name) for name in A.labels or ()]
    if alone.any():
        raise InvalidValue(
            f"path: {sink.name!r}: CSV cannot hold vertices without edges, as "
            f"{names[int(alone.argmax())]!r:.80} is"
        )
    strange = [name for name in names if not name.strip() == name != "" or "\n" in name]
    if not strange and all(map(_is_id, names)):  # read as numbers, which are written in one way
        strange = [name for name in names if not re.fullmatch("0|[1-9][0-9]*", name)]
    if strange or len(set(names)) < len(names):
        which = f", as {strange[0]!r:.80} does" if strange else ""
        raise InvalidValue(
            f"path: {sink.name!r}: CSV cannot hold names that begin or end with spaces{which}, are "
            "empty, have lines, are equal as text, or are all numbers, one of them with a sign or a"
            " 0 before it; .parquet can"
        )
    return names


def delimiter_of(path: Path) -> str:
    """What parts the fields of a file of this name."""
    return "\t" if path.name.lower().removesuffix(".gz").endswith(".tsv") else ","


def _rows(text: Text, roles: str, delimiter: str) -> Iterator[list[str]]:
    inside = False

    def lines() -> Iterator[str]:
        nonlocal inside
        # Where a field between quotes goes on there is no comment, and a blank line is its own.
        while (line := text.next_line() if inside else text.next_filled()) is not None:
            if not inside and is_comment(line):
                if may_be_edge(line, roles, delimiter):
                    refuse_comment(text.source, line, text.line)
                continue
            inside = True
            try:
                yield line.decode() + "\n"
            except UnicodeDecodeError as error:
                raise text.source.error(
                    f"a name is not UTF-8 ({brief(error)})", text.line
                ) from None

    try:
        for row in csv.reader(lines(), delimiter=delimiter, strict=True):
            inside = False
            yield row
    except csv.Error as error:
        raise text.source.error(str(error), text.line) from None


def _numbers(
    text: Text, weights: list[str], lines: Sequence[int]
) -> np.ndarray[tuple[int], np.dtype[np.generic]]:
    """Weights as INT64 where all are whole, else as FP64."""
    for kind in (np.int64, np.float64):
        try:
            made = np.array(weights, dtype="U").astype(kind)
        except (ValueError, OverflowError):
            continue
        if kind is np.float64 and np.isnan(made).any():
            break
        return made
    line, wrong = next((i, w) for i, w in zip(lines, weights, strict=True) if not _is_number(w))
    hint = " with a decimal point" if _is_number(wrong.replace(",", ".")) else ""
    what = shown(wrong.encode()) if wrong else "an empty field"
    raise text.source.error(f"{what} is not a weight; expected a number{hint}", line)


def _is_number(text: str) -> bool:
    try:
        return float(text) == float(text)
    except ValueError:
        return False
