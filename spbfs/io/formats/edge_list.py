"""Edge lists: one ``source target [weight]`` a line, SNAP's way or as CSV with a header."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import InvalidValue
from spbfs.io.files.sink import Sink, square, text_values, write_lines
from spbfs.io.files.source import Source, Text
from spbfs.io.files.tokens import SKIP, SOURCE, TARGET, WEIGHT, Grammar, parse_lines, shown
from spbfs.io.formats.entries import Entries, ReadOptions, is_sparse
from spbfs.io.formats.named_edges import (
    delimiter_of,
    has_names,
    is_comment,
    may_be_edge,
    read_named,
    refuse_comment,
)
from spbfs.storage.data import MatrixData
from spbfs.storage.hypersparse import HypersparseMatrix

__all__ = [
    "csv_grammar",
    "edge_grammar",
    "listed_edges",
    "read_csv",
    "read_edges",
    "read_weighted_edges",
    "roles_of",
    "write_csv",
    "write_edges",
    "write_weighted_edges",
]

#: Fields of a line that can be told apart; a graph has no use for more.
MOST_FIELDS = 256

#: SNAP writes the number of vertices in a comment.  It is a lower bound here: ids may have gaps.
_NODES = re.compile(rb"[#%].*\bNodes:\s*(\d{1,19})\b")

_ROLES = (SOURCE, TARGET, WEIGHT)
_NO_ENDS = "does not name one 'source' and one 'target' column; columns= says which they are"
_NAMES = {
    SOURCE: {"source", "src", "from", "fromnodeid", "from_id", "source_id", "u", "row", "head"},
    TARGET: {"target", "dst", "to", "tonodeid", "to_id", "target_id", "dest", "v", "col", "tail"},
    WEIGHT: {"weight", "w", "wt", "value", "val", "distance", "length", "cost", "rating"},
}


def read_edges(source: Source, options: ReadOptions, weighted: bool | None = None) -> Entries:
    """A SNAP edge list; `#` and `%` start comments, blanks or commas part the fields."""
    text = Text(source)
    return listed_edges(text, *edge_grammar(text, options, weighted))


def listed_edges(text: Text, grammar: Grammar | None, at_least: int) -> Entries:
    """The entries on the lines that are left, by what `edge_grammar` says of all lines."""
    if grammar is None:
        none = np.empty(0, np.int32)
        return Entries(none, none, None, at_least=at_least)
    columns = parse_lines(text, grammar)
    rows, cols = columns.rows, columns.cols
    return Entries(rows, cols, columns.values, at_least=at_least, base=grammar.base)


def edge_grammar(
    text: Text, options: ReadOptions, weighted: bool | None = None
) -> tuple[Grammar | None, int]:
    """How the lines of a SNAP edge list read, None without any; and the vertices it promises."""
    source = text.source
    at_least: int | None = None
    while (line := text.next_filled()) is not None:
        first = line.strip()
        if first[:1] not in (b"#", b"%"):
            break
        _check_banner(source, first, text.line)
        if found := _NODES.match(first):
            at_least = int(found[1])
    else:
        if at_least is None:
            raise source.error("holds no edges, and no comment that says 'Nodes: N'")
        return None, at_least
    delimiter = "," if b"," in first else ""
    fields = first.split(b"," if delimiter else None)
    text.push_back()
    wanted = options.weights if options.weights is not None else weighted
    roles = _positional(source, fields, wanted, text.line + 1)
    grammar = Grammar(roles, delimiter, base=int(bool(options.one_based)))
    return grammar, at_least or 0


def _check_banner(source: Source, comment: bytes, line: int) -> None:
    """Refuse a Matrix Market file: its sizes would be an edge, and its vertices one too high."""
    if comment.lower().startswith(b"%%matrixmarket"):
        raise source.error(
            "starts as a Matrix Market file does; expected a list of edges (.mtx as its extension, "
            "or --format mtx of a command, reads it as what it is)",
            line,
        )


def read_weighted_edges(source: Source, options: ReadOptions) -> Entries:
    """GAP's ``.wel``: an edge list that must have weights."""
    return read_edges(source, options, weighted=True)


def read_csv(source: Source, options: ReadOptions) -> Entries:
    """CSV with a header that names the columns; without one they are source, target, weight."""
    text = Text(source)
    grammar, named, guessed = csv_grammar(text, options)
    if named:
        if options.one_based is not None:
            raise InvalidValue(f"one_based: {source.name!r} has names, not numbers; expected None")
        entries = read_named(text, grammar)
        _check_header(source, guessed, entries)
        return entries
    columns = parse_lines(text, grammar)
    return Entries(columns.rows, columns.cols, columns.values, base=grammar.base)


def _check_header(source: Source, guessed: tuple[str, ...], entries: Entries) -> None:
    """Refuse a first line that was taken as a header by its place and seems to be an edge."""
    assert entries.labels is not None
    if title := next((title for title in guessed if title in entries.labels), None):
        raise source.error(
            f"the first line was taken as the header, but its {shown(title.encode())} is a vertex "
            f"below; write a header above it, such as 'source,target', or say columns={guessed} "
            "if it is one"
        )


def csv_grammar(text: Text, options: ReadOptions) -> tuple[Grammar, bool, tuple[str, ...]]:
    """How the lines of a CSV read, whether their vertices are names, and titles taken by place.

    The last are those of source and target where the header has no title that we know.
    """
    source = text.source
    delimiter = delimiter_of(source.path)
    while (line := text.next_filled()) is not None:
        if not is_comment(line):
            break
        _check_banner(source, line.strip(), text.line)
    else:
        raise source.error("holds no header and no edges")
    if delimiter == "," and b"," not in line and b";" in line:
        # As spreadsheets write it where the comma is in the numbers.
        delimiter = ";"
    try:
        row = next(csv.reader([line.decode("utf-8", "replace")], delimiter=delimiter), [])
    except csv.Error as error:
        raise source.error(f"the header cannot be read ({brief(error)})", text.line) from None
    fields = [name.strip().encode() for name in row]
    if len(fields) > MOST_FIELDS:
        raise source.error(f"more than {MOST_FIELDS} columns", text.line)
    if options.columns is None and all(re.fullmatch(rb"[+-]?\d+", f) for f in fields[:2]):
        text.push_back()
        roles = _positional(source, fields, options.weights, text.line + 1)
        guessed: tuple[str, ...] = ()
    else:
        roles, guessed = _named(source, fields, options, text.line)
    first, doubtful = _first_line(text, roles, delimiter)
    named = first is not None and has_names(first, roles, delimiter)
    if doubtful is not None and (named or first is None):
        refuse_comment(source, *doubtful)
    return Grammar(roles, delimiter, base=int(bool(options.one_based))), named, guessed


def _first_line(
    text: Text, roles: str, delimiter: str
) -> tuple[bytes | None, tuple[bytes, int] | None]:
    """The first line of data, which stays to be read; and of comments one that may be an edge."""
    doubtful = None
    while (line := text.next_filled()) is not None:
        if not is_comment(line):
            text.push_back()
            return line, doubtful
        if doubtful is None and may_be_edge(line, roles, delimiter):
            doubtful = line, text.line
    return None, doubtful


def _positional(source: Source, fields: list[bytes], weights: bool | None, line: int) -> str:
    """Roles by place: source, target, and a weight if there is a third field."""
    width = len(fields)
    if width < 2 or width > MOST_FIELDS:
        raise source.error(
            f"{width} fields; expected 'source target' or 'source target weight'", line
        )
    if width > 3 and weights is None:
        raise source.error(
            f"{width} fields; expected 2 or 3 (weights=True takes the third as the weight and"
            " passes over the rest, weights=False takes none)",
            line,
        )
    if weights and width < 3:
        raise source.error("no weight; expected 'source target weight'", line)
    third = SKIP if weights is False else WEIGHT
    return SOURCE + TARGET + (third + SKIP * (width - 3) if width > 2 else "")


def _named(
    source: Source, fields: list[bytes], options: ReadOptions, line: int
) -> tuple[str, tuple[str, ...]]:
    """Roles by the titles in the header, and those titles of two ends that say nothing."""
    titles = [field.decode("utf-8", "replace") for field in fields]
    header = f"the header ({', '.join(shown(f) for f in fields[:8])})"
    try:
        roles, by_place = roles_of(titles, options)
    except ValueError as error:
        raise source.error(f"{header} {error}", line) from None
    if by_place and not all(re.match(r"[^\W\d]", title) for title in titles):
        raise source.error(f"{header} {_NO_ENDS}", line)
    if options.weights and WEIGHT not in roles:
        said = "names no 'weight' column; columns= says which it is"
        raise source.error(f"{header} {said}", line)
    return "".join(roles), tuple(titles[:2]) if by_place else ()


def roles_of(titles: list[str], options: ReadOptions) -> tuple[list[str], bool]:
    """What columns are by their titles or as they are told, and whether only their places say it.

    Raises
    ------
    ValueError
        Neither does; what is said of the titles.
    """
    if options.columns is not None:
        told = dict(zip(options.columns, _ROLES, strict=False))
        if sorted(filter(told.get, titles)) != sorted(options.columns):
            raise ValueError(f"has not {options.columns}, each once")
        return _weighed([told.get(title, SKIP) for title in titles], options), False
    known = [next((r for r in _ROLES if t.lower() in _NAMES[r]), SKIP) for t in titles]
    roles = _weighed(known, options)
    for role, what in zip(_ROLES, ("source", "target", "weight"), strict=True):
        if roles.count(role) > 1:
            same = [title for title, r in zip(titles, roles, strict=True) if r == role]
            raise ValueError(
                f"names {len(same)} columns that may be the {what}, {', '.join(map(repr, same))}; "
                "columns= says which it is"
            )
    if SOURCE in roles and TARGET in roles:
        return roles, False
    by_place = _ROLES[: len(titles)]
    if len(titles) not in (2, 3) or any(
        r not in (SKIP, p) for r, p in zip(known, by_place, strict=True)
    ):
        raise ValueError(_NO_ENDS)
    return _weighed(by_place, options), True


def _weighed(roles: Iterable[str], options: ReadOptions) -> list[str]:
    """Without weights where these are not wanted."""
    return [SKIP if role == WEIGHT and options.weights is False else role for role in roles]


def write_edges(sink: Sink, A: MatrixData, weighted: bool | None = None) -> None:
    """A SNAP edge list, tab-separated, ids from 0; its comment keeps the number of vertices."""
    square(sink, A)
    values = text_values(sink, A, weighted)
    sink.write(f"# Nodes: {A.nrows} Edges: {A.nvals}\n".encode())
    sink.write(b"# FromNodeId\tToNodeId" + (b"\tWeight\n" if values is not None else b"\n"))
    write_lines(sink, A, values, separator="\t")


def write_weighted_edges(sink: Sink, A: MatrixData) -> None:
    """GAP's ``.wel``, with the same comment."""
    write_edges(sink, A, weighted=True)


def write_csv(sink: Sink, A: MatrixData) -> None:
    """CSV with the header ``source,target[,weight]``; it cannot hold trailing isolated vertices."""
    square(sink, A)
    values = text_values(sink, A, None)
    top = 0
    if A.nvals:
        if isinstance(A, HypersparseMatrix):
            last_row = int(A.rows[-1])
        else:
            last_row = int(np.searchsorted(A.indptr, A.nvals)) - 1
        top = max(int(A.indices.max()), last_row) + 1
    if top != A.nrows:
        raise InvalidValue(
            f"path: {sink.name!r}: CSV cannot hold vertices after the last edge, and the matrix has"
            f" {A.nrows} vertices, the last with an edge being {top - 1}; .txt and .mtx can"
        )
    if is_sparse((top, top), A.nvals):
        raise InvalidValue(
            f"path: {sink.name!r}: a CSV of {A.nvals:,} edges and vertices to {top - 1:,} is not"
            " read, as nothing says that none of them is a slip; .txt, .mtx and .npz can hold it"
        )
    separator = delimiter_of(sink.path)
    names = ["source", "target"] + (["weight"] if values is not None else [])
    sink.write((separator.join(names) + "\n").encode())
    write_lines(sink, A, values, separator)
