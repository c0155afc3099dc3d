"""METIS graphs: one line a vertex, its neighbours in it, ids from 1."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.io.files.sink import Sink, blocks, same_transposed, square, text_values
from spbfs.io.files.source import Source, Text
from spbfs.io.files.tokens import header_integers, shown
from spbfs.io.formats.entries import Entries, ReadOptions
from spbfs.storage.data import MatrixData

_cpu: Any = import_module("spbfs._cpu")

__all__ = ["read_metis", "write_metis"]

_REASONS = {
    "not integer": "{} is not a vertex; expected an integer",
    "negative": "{} is negative",
    "below base": "neighbour {} is below 1, where vertices start",
    "beyond limit": "neighbour {} is beyond the {n:,} vertices promised",
    "overflow": "{} does not fit a 64-bit integer",
    "too many rows": "{} follows the line of the last vertex; {n:,} vertices are promised",
    "number missing": "the line ends where a number is missing",
    "not integral": "{} is not a weight; METIS weights are integers",
}


def read_metis(source: Source, options: ReadOptions) -> Entries:
    """A ``.graph`` file with or without edge weights; vertex weights and sizes are passed over."""
    text = Text(source, cut="blank")
    while (line := text.next_line()) is not None and line.lstrip().startswith(b"%"):
        pass
    if line is None or not line.strip():
        raise source.error("holds no header 'VERTICES EDGES [FORMAT [NCON]]'", text.line or None)
    words = line.split()
    if not 2 <= len(words) <= 4:
        raise source.error(f"{shown(line)}; expected 'VERTICES EDGES [FORMAT [NCON]]'", text.line)
    numbers = header_integers(source, words, text.line, "header field")
    form = words[2].decode().zfill(3) if len(words) > 2 else "000"
    if len(form) != 3 or set(form) - {"0", "1"}:
        raise source.error(f"format {shown(words[2])} is not three digits of 0 and 1", text.line)
    has_size, has_weights, weighted = (digit == "1" for digit in form)
    constraints = numbers[3] if len(words) > 3 else 1
    if len(words) > 3 and not has_weights and constraints:
        raise source.error("vertex weights are counted, yet the format has none", text.line)
    if options.weights and not weighted:
        raise source.error("has no edge weights to read", text.line)
    leading = int(has_size) + (constraints if has_weights else 0)
    vertices, edges = numbers[:2]
    header = text.line
    rows, cols, values = _neighbours(text, vertices, leading, weighted)
    loops = int(np.count_nonzero(rows == cols))
    if reason := _wrong_edges(edges, len(rows), loops):
        raise source.error(reason, header)
    shape = (vertices, vertices)
    return Entries(rows, cols, values, shape=shape, base=1, symmetric=True)


def _neighbours(text: Text, vertices: int, leading: int, weighted: bool) -> tuple[Any, Any, Any]:
    """The entries, in order; what the file holds is what is allocated."""
    source = text.source
    ids = np.dtype(np.int32 if vertices < 2**31 else np.int64)
    state = np.array([0, 0, 0, -1], np.int64)
    parts: tuple[list[Any], list[Any], list[Any]] = ([], [], [])
    line = text.line
    held = 0
    for piece in text.pieces():
        capacity = len(piece) // 2 + 1
        rows, cols = np.empty(capacity, ids), np.empty(capacity, ids)
        values = np.empty(capacity, np.int64) if weighted else None
        status, count, lines, _, begin, end = _cpu.parse_adjacency(
            piece, vertices, leading, state, rows, cols, values
        )
        if status != "ok":
            reason = _REASONS[status].format(shown(piece[begin:end]), n=vertices)
            raise source.error(reason, line + lines)
        line += lines - 1
        for part, array in zip(parts, (rows, cols, values), strict=True):
            if array is not None:
                part.append(array[:count].copy())
                held += part[-1].nbytes
        require_bytes(held + held // 2, f"reading {source.name}")
    if state[0] != vertices:
        raise source.error(f"ends after {int(state[0]):,} of {vertices:,} vertices", line)
    none = np.empty(0, ids)
    joined = [np.concatenate(part) if part else none for part in parts]
    return joined[0], joined[1], joined[2].astype(np.int64, copy=False) if weighted else None


def _wrong_edges(edges: int, stored: int, loops: int) -> str | None:
    """What is wrong with the header's edge count, however the writer counted self-loops."""
    pairs, odd = divmod(stored - loops, 2)
    # A self-loop, listed once, is no edge for some writers and an edge for others; listed at both
    # of its ends it is an edge again.
    counts = {pairs, pairs + loops, pairs + loops // 2} if not odd else set()
    if edges in counts:
        return None
    means = " or ".join(f"{c:,}" for c in sorted(counts)) or "no undirected graph"
    return f"the header promises {edges:,} edges, and the {stored:,} neighbours make {means}"


def write_metis(sink: Sink, A: MatrixData) -> None:
    """A ``.graph`` file; for symmetric matrices without values or with integer ones."""
    square(sink, A)
    values = text_values(sink, A, None)
    if values is not None and values.dtype.kind == "f":
        raise DomainMismatch(f"A: METIS weights are integers, and A has {values.dtype.name} values")
    if values is not None and A.nvals and int(values.min()) < 0:
        raise InvalidValue(f"A: METIS weights are not negative, and A has {int(values.min())}")
    if not same_transposed(A)[0]:
        raise InvalidValue("A: METIS holds undirected graphs, and A is not symmetric")
    rows = np.repeat(np.arange(A.nrows), np.diff(A.indptr))
    edges = (A.nvals - int(np.count_nonzero(rows == A.indices))) // 2
    del rows
    sink.write(f"{A.nrows} {edges}{'' if values is None else ' 001'}\n".encode())
    done = 0
    for start, stop, first, indptr in blocks(A):
        # Rows without entries between two blocks are lines of their own.
        sink.write(b"\n" * max(0, first - done))
        closed = int(A.indptr[first + len(indptr) - 1]) == stop
        part = None
        if values is not None:
            part = np.ascontiguousarray(values[start:stop], dtype=np.int64)
        cols = np.ascontiguousarray(A.indices[start:stop], dtype=np.int64)
        sink.write(_cpu.format_adjacency(indptr, cols, part, closed))
        done = first + len(indptr) - 1 - (not closed)
        sink.advance(stop - start)
    sink.write(b"\n" * (A.nrows - done))
