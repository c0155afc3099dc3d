"""CSV whose vertices are names: read, numbered as they come, and written."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.base.wording import brief
from spbfs.exceptions import InvalidValue
from spbfs.io.files.sink import Sink, text_values
from spbfs.io.files.source import Source, Text
from spbfs.io.files.tokens import (
    SOURCE,
    TARGET,
    Grammar,
    Piece,
    cut,
    gathered,
    reason,
    shown,
)
from spbfs.io.formats.entries import Entries
from spbfs.objects.constructors.factorized import factorized
from spbfs.objects.exports.tables import only_text

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix

_cpu: Any = import_module("spbfs._cpu")

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


def read_named(text: Text, grammar: Grammar) -> Entries:
    """Entries and labels of the lines that are left."""
    known = _cpu.Names()
    columns = gathered(text, _pieces(text, grammar, known), grammar.weighted)
    names = _names(text.source, known)
    # Numbers are given as by Matrix.from_pandas_edgelist: to all sources first.
    ends = np.concatenate((columns.rows, columns.cols))
    first = np.empty(len(names), np.int64)
    first[ends[::-1]] = np.arange(len(ends) - 1, -1, -1)
    order = np.argsort(first)
    labels, (numbers,) = factorized({"source": names[order]}, "met")
    rank = np.empty(len(names), np.int32 if len(names) < 2**31 else np.int64)
    rank[order] = numbers
    shape = (len(labels), len(labels))
    rows, cols = rank[columns.rows], rank[columns.cols]
    return Entries(rows, cols, columns.values, shape=shape, labels=labels)


def _pieces(text: Text, grammar: Grammar, known: Any) -> Iterator[Piece]:
    """What is left, by pieces of which each ends where a record does."""
    rest, line = b"", text.line + 1
    for data in text.pieces():
        data = rest + data
        piece = _parse_piece(text.source, data, line, grammar, known)
        yield piece
        line += piece.lines
        rest = data[piece.size :]
        require_bytes(known.nbytes, f"reading {text.source.name}")
    if rest:
        raise text.source.error("the quotes of a name or number that begins here are open", line)


def _parse_piece(source: Source, data: bytes, line: int, grammar: Grammar, known: Any) -> Piece:
    """The entries of whole records, the first of which begins in `line`."""
    capacity = data.count(b"\n")
    rows, cols = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
    values = np.empty(capacity, np.int64) if grammar.weighted else None
    # Bytes, lines and entries so far, and whether a weight was no integer.
    state = np.zeros(4, np.int64)
    status = "comment"
    while status == "comment":
        status, _, failed, _, begin, end = _cpu.parse_named(
            data, grammar.roles, grammar.delimiter, known, line, state, rows, cols, values
        )
        found = data[begin:end]
        if status == "comment" and may_be_edge(found, grammar.roles, grammar.delimiter):
            refuse_comment(source, found, line + int(state[1]) - 1)
    if status not in ("ok", "unfinished"):
        raise source.error(reason(status, found, grammar), failed)
    used, lines, count, real = state.tolist()
    if values is not None and real:
        values = values.view(np.float64)
    return Piece(*cut(count, rows, cols, values), lines, size=used)


def _names(source: Source, known: Any) -> Any:
    """The names as text, in the order of their numbers."""
    listed = known.listed()
    names = np.empty(len(listed), object)
    for number, name in enumerate(listed):
        try:
            names[number] = name.decode().strip()
        except UnicodeDecodeError as error:
            raise source.error(
                f"a name is not UTF-8 ({brief(error)})", known.line(number)
            ) from None
        if not names[number]:
            raise source.error("a vertex without a name", known.line(number))
    return names


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
        with only_text(f"path: {sink.name!r}: CSV"):
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
    sizes = [len(name.encode("utf-8", "surrogatepass")) for name in names]
    if max(sizes, default=0) > _cpu.LONGEST_FIELD:
        raise InvalidValue(
            f"path: {sink.name!r}: CSV cannot hold names of more than {_cpu.LONGEST_FIELD:,} bytes,"
            f" as {names[sizes.index(max(sizes))]!r:.80} is; .parquet can"
        )
    strange = [name for name in names if not name.strip() == name != "" or "\n" in name]
    if not strange and all(map(_is_id, names)):  # read as numbers, which are written in one way
        plain = re.compile("0|[1-9][0-9]*")
        strange = [
            name
            for name in names
            if not plain.fullmatch(name) or len(name) > 19 or int(name) >= 2**63
        ]
    if strange or len(set(names)) < len(names):
        which = f", as {strange[0]!r:.80} does" if strange else ""
        raise InvalidValue(
            f"path: {sink.name!r}: CSV cannot hold names that begin or end with spaces{which}, are "
            "empty, have lines, are equal as text, or are all numbers, one of them with a sign or a"
            " 0 before it, or beyond 64 signed bits; .parquet can"
        )
    return names


def delimiter_of(path: Path) -> str:
    """What parts the fields of a file of this name."""
    return "\t" if path.name.lower().removesuffix(".gz").endswith(".tsv") else ","
