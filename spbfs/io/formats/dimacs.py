"""DIMACS shortest-path graphs (9th challenge): ``p sp n m``, then ``a u v weight``."""

from __future__ import annotations

from spbfs.io.files.sink import Sink, square, text_values, write_lines
from spbfs.io.files.source import Source, Text
from spbfs.io.files.tokens import (
    SKIP,
    SOURCE,
    TARGET,
    WEIGHT,
    Grammar,
    header_integers,
    parse_lines,
    shown,
)
from spbfs.io.formats.entries import Entries, ReadOptions
from spbfs.storage.data import MatrixData

__all__ = ["read_dimacs", "write_dimacs"]


def read_dimacs(source: Source, options: ReadOptions) -> Entries:
    """A ``.gr`` file; arcs are directed, ids count from 1."""
    text = Text(source)
    while (line := text.next_line()) is not None:
        words = line.split()
        if words and words[0] != b"c":
            break
    else:
        raise source.error("holds no problem line 'p sp VERTICES ARCS'")
    if len(words) != 4 or words[:2] != [b"p", b"sp"]:
        raise source.error(f"{shown(line)}; expected 'p sp VERTICES ARCS'", text.line)
    vertices, arcs = header_integers(source, words[2:], text.line, "size")
    weight = SKIP if options.weights is False else WEIGHT
    grammar = Grammar(
        SOURCE + TARGET + weight,
        keyword="a",
        comments="c",
        base=1,
        source_limit=vertices,
        target_limit=vertices,
    )
    columns = parse_lines(text, grammar, most=arcs)
    shape = (vertices, vertices)
    return Entries(columns.rows, columns.cols, columns.values, shape=shape, base=1)


def write_dimacs(sink: Sink, A: MatrixData) -> None:
    """A ``.gr`` file; the format has a weight on every arc, so the matrix needs them too."""
    square(sink, A)
    values = text_values(sink, A, True)
    sink.write(f"p sp {A.nrows} {A.nvals}\n".encode())
    write_lines(sink, A, values, keyword="a", base=1)
