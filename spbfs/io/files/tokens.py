"""Lines of numbers to arrays: the native parser, run over the pieces of a file by a few threads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from typing import Any

import numpy as np

from spbfs.base.ahead import in_order
from spbfs.base.memory import require_bytes
from spbfs.base.threads import get_threads
from spbfs.io.files.source import Source, Text

_cpu: Any = import_module("spbfs._cpu")

__all__ = [
    "SKIP",
    "SOURCE",
    "TARGET",
    "WEIGHT",
    "Columns",
    "Grammar",
    "Piece",
    "cut",
    "gathered",
    "header_integers",
    "parse_lines",
    "parsed",
    "reason",
    "shown",
]

#: What a field of a line means.
SKIP, SOURCE, TARGET, WEIGHT = "\0", "\1", "\2", "\3"

#: Greatest id where a file does not say: one less than int64's, so that a count of ids fits too.
GREATEST = 2**63 - 2

#: One core parses a few hundred MB/s; more threads than this would only wait for the disk.
MOST_THREADS = 4


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a data line reads: one role a field, the delimiter ("" for blanks), what to pass over."""

    roles: str
    delimiter: str = ""
    keyword: str = ""
    comments: str = "#%"
    base: int = 0
    source_limit: int = GREATEST
    target_limit: int = GREATEST

    @property
    def weighted(self) -> bool:
        """Whether lines have weights."""
        return WEIGHT in self.roles


@dataclass(slots=True)
class Columns:
    """Entries as a file lists them, ids from 0; `values` is None, int64 or float64."""

    rows: Any
    cols: Any
    values: Any = None
    #: Lines of the file up to the end of the data.
    lines: int = 0


@dataclass(slots=True)
class Piece:
    """What became of one piece of text; `failure` says why its line `lines` was refused."""

    rows: Any
    cols: Any
    values: Any
    lines: int
    failure: str | None = None
    #: Bytes of text.
    size: int = 0


def shown(field: bytes) -> str:
    """A field of a file as an error message shows it: printable, and not long."""
    text = field.decode("utf-8", "backslashreplace")
    text = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
    return repr(text[:40] + "..." if len(text) > 40 else text).replace("\\\\", "\\")


#: What helps where a vertex has a name.
_OF_NAMES = (
    "; in lists of edges a header begins with #; names are read from .csv, .tsv and .parquet where "
    "all vertices have one, and by Matrix.from_pandas_edgelist(..., labels=True)"
)


def reason(status: str, field: bytes, grammar: Grammar) -> str:
    """Why a line is refused, in words."""
    what = shown(field) if field else "an empty field"
    width = len(grammar.roles)
    nrows, ncols = (x + 1 - grammar.base for x in (grammar.source_limit, grammar.target_limit))
    if grammar.source_limit == GREATEST:
        bound = f"{GREATEST}, the greatest possible"
    elif nrows == ncols:
        bound = f"the {nrows:,} vertices promised"
    else:
        bound = f"the {nrows:,} x {ncols:,} promised"
    names = _OF_NAMES if field[:1].isalpha() else ""
    behind = f"'{grammar.delimiter}' or the end of the line"
    hint = " with a decimal point" if re.fullmatch(rb"[+-]?\d*,\d+", field) else ""
    return {
        "not integer": f"{what} is not a vertex id; expected an integer{names}",
        "negative": f"vertex id {what} is negative",
        "below base": f"vertex id {what} is below {grammar.base}, where this file's ids start",
        "beyond limit": f"vertex id {what} is beyond {bound}",
        "overflow": f"{what} does not fit a 64-bit integer",
        "not a weight": f"{what} is not a weight; expected a number{hint}",
        "beyond real": f"{what} does not fit FP64, whose greatest number is 1.8e308",
        "too few fields": f"the line has too few fields; expected {width}",
        "too many fields": f"the line has more than {width} fields, from {what} on",
        "bad keyword": f"the line starts with {what}; expected '{grammar.keyword}'",
        "bad quote": f"{what} does not end where its quotes do; expected {behind} there",
        "bare return": f"{what} has a carriage return within; expected quotes around it",
        "long field": f"{what} is a field of more than 131,072 bytes, or its quotes are not closed",
        "no name": "a vertex without a name",
    }[status]


def _parse_piece(text: bytes, grammar: Grammar, wide: bool) -> Piece:
    capacity = text.count(b"\n")
    ids = np.int64 if wide else np.int32
    rows, cols = np.empty(capacity, ids), np.empty(capacity, ids)
    values = np.empty(capacity, np.int64) if grammar.weighted else None
    status, count, lines, real, begin, end = _cpu.parse_lines(
        text,
        grammar.roles,
        grammar.delimiter,
        grammar.keyword,
        grammar.comments,
        grammar.base,
        grammar.source_limit,
        grammar.target_limit,
        rows,
        cols,
        values,
    )
    if status == "wide":
        return _parse_piece(text, grammar, wide=True)
    failure = None if status == "ok" else reason(status, text[begin:end], grammar)
    if values is not None and real:
        values = values.view(np.float64)
    return Piece(*cut(count, rows, cols, values), lines, failure, len(text))


def cut(count: int, rows: Any, cols: Any, values: Any) -> tuple[Any, Any, Any]:
    """The first `count` elements of arrays that were made for more."""

    def kept(array: Any) -> Any:
        # Comments and blank lines took room that an array kept until the end should not hold.
        return array[:count].copy() if count < 0.9 * len(array) else array[:count]

    return kept(rows), kept(cols), None if values is None else kept(values)


def parse_lines(text: Text, grammar: Grammar, most: int | None = None) -> Columns:
    """The entries on the lines that are left of `text`.

    Parameters
    ----------
    text : Text
        A file behind its header.
    grammar : Grammar
        What its lines look like.
    most : int, optional
        Entries that the header promised; more of them is an error as soon as it is seen.

    Raises
    ------
    FormatError
        Naming the first line that does not fit the grammar.
    OutOfMemory
        When the entries do not fit in memory; nothing is kept.
    """
    return gathered(text, parsed(text, grammar), grammar.weighted, most)


def gathered(
    text: Text, pieces: Iterable[Piece], weighted: bool, most: int | None = None
) -> Columns:
    """The entries of pieces of what is left of `text`, as `parse_lines` has them."""
    source = text.source
    promised = f"the header promises {most or 0:,} entries, and the file holds {{}}"
    done: list[Piece] = []
    lines = text.line
    held = count = 0
    for piece in pieces:
        if piece.failure is not None:
            raise source.error(piece.failure, lines + piece.lines)
        lines += piece.lines
        done.append(piece)
        count += len(piece.rows)
        if most is not None and count > most:
            raise source.error(promised.format("more"), text.line)
        held += sum(a.nbytes for a in (piece.rows, piece.cols, piece.values) if a is not None)
        # What is held will be copied once more into the matrix, and half of it meanwhile joined.
        require_bytes(held + held // 2, f"reading {source.name}")
    if most is not None and count < most:
        raise source.error(promised.format(f"{count:,}"), text.line)
    rows = _joined(done, "rows", np.dtype(np.int32))
    cols = _joined(done, "cols", np.dtype(np.int32))
    values = _joined(done, "values", np.dtype(np.int64)) if weighted else None
    return Columns(rows, cols, values, lines)


def _joined(pieces: list[Piece], name: str, empty: np.dtype[Any]) -> Any:
    """One array of the pieces' arrays: int64 where any is, float64 where any is."""
    parts = [getattr(p, name) for p in pieces]
    if len(parts) == 1:
        return parts[0]
    for piece in pieces:
        # Each part is let go as soon as it is joined.
        setattr(piece, name, None)
    kinds = {p.dtype for p in parts} or {empty}
    if np.dtype(np.float64) in kinds:
        kind = np.dtype(np.float64)
    else:
        kind = max(kinds, key=lambda d: d.itemsize)
    joined = np.empty(sum(len(p) for p in parts), kind)
    at = 0
    parts.reverse()
    while parts:
        part = parts.pop()
        joined[at : at + len(part)] = part
        at += len(part)
    return joined


def parsed(text: Text, grammar: Grammar) -> Iterator[Piece]:
    """The pieces in order, several being parsed at a time while the next is read."""
    pieces = text.pieces()
    first = next(pieces, None)
    if first is None:
        return
    second = next(pieces, None)
    piece = _parse_piece(first, grammar, wide=False)
    yield piece
    if second is None:
        return
    wide = piece.rows.dtype == np.int64
    workers = min(MOST_THREADS, get_threads())
    with closing(
        in_order(lambda data: _parse_piece(data, grammar, wide), chain([second], pieces), workers)
    ) as parsed:
        for _, piece in parsed:
            yield piece


def header_integers(source: Source, fields: list[bytes], line: int, what: str) -> list[int]:
    """Header fields as integers of 0 to 2**63 - 2."""
    numbers = []
    for field in fields:
        if not (field.isdigit() and len(field) <= 20 and int(field) <= GREATEST):
            raise source.error(f"{what} {shown(field)} is not a count", line)
        numbers.append(int(field))
    return numbers
