"""Serialized graphs of the GAP benchmark suite: ``.sg`` without and ``.wsg`` with weights.

Little-endian: a directed flag (1 byte), entries (int64), vertices (int64), offsets (int64), and
neighbours (int32 ids, in ``.wsg`` each followed by an int32 weight); a directed graph has the
offsets and neighbours of its transpose after that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.io.files.sink import BLOCK, Sink, same_transposed, square, text_values
from spbfs.io.files.source import Source
from spbfs.io.formats.entries import Entries, ReadOptions
from spbfs.storage.data import MatrixData, is_iso

__all__ = [
    "HEADER",
    "gap_header",
    "gap_record",
    "read_gap",
    "read_weighted_gap",
    "write_gap",
    "write_weighted_gap",
]

HEADER = 17
_WEIGHTED = np.dtype([("id", "<i4"), ("weight", "<i4")])
_PLAIN = np.dtype("<i4")


def read_gap(source: Source, options: ReadOptions, weighted: bool = False) -> Entries:
    """A ``.sg`` file; the transpose that a directed one carries is passed over."""
    if options.weights and not weighted:
        raise source.error("a .sg graph has no weights to read; .wsg has")
    directed, count, vertices = gap_header(source, weighted)
    record = gap_record(weighted)
    body = _body(count, vertices, weighted)
    require_bytes(body + 8 * count, f"reading {source.name}")
    indptr = np.frombuffer(source.read_exactly(8 * (vertices + 1), "the offsets"), "<i8")
    if indptr[0] != 0 or indptr[-1] != count or bool((np.diff(indptr) < 0).any()):
        raise source.error(f"its offsets do not rise from 0 to {count:,}")
    listed: Any = np.frombuffer(
        source.read_exactly(record.itemsize * count, "the neighbours"), record
    )
    cols = listed["id"] if weighted else listed
    if count and not 0 <= int(cols.min()) <= int(cols.max()) < vertices:
        wrong = int(cols.min()) if int(cols.min()) < 0 else int(cols.max())
        raise source.error(f"neighbour {wrong} is not one of the {vertices:,} vertices")
    if directed:
        _pass_over(source, body)
    if source.read(1):
        raise source.error("goes on after the last neighbour")
    values = listed["weight"].astype(np.int64) if weighted else None
    cols = np.ascontiguousarray(cols, np.int32)
    return Entries(None, cols, values, indptr, shape=(vertices, vertices))


def gap_record(weighted: bool) -> np.dtype[Any]:
    """What stands for a neighbour: an id, or an id and a weight."""
    return _WEIGHTED if weighted else _PLAIN


def gap_header(source: Source, weighted: bool) -> tuple[int, int, int]:
    """Whether a graph is directed, its entries and its vertices, which the file is as long as."""
    header = bytes(source.read_exactly(HEADER, "the header"))
    directed = header[0]
    count, vertices = (int(x) for x in np.frombuffer(header, "<i8", 2, 1))
    if directed not in (0, 1):
        raise source.error(f"its first byte, the directed flag, is {directed}; expected 0 or 1")
    if not 0 <= vertices <= 2**31 - 1:
        raise source.error(f"{vertices} vertices; expected 0 to {2**31 - 1}")
    if not 0 <= count <= 2**48:
        raise source.error(f"{count} entries; expected 0 to {2**48}")
    whole = HEADER + _body(count, vertices, weighted) * (1 + directed)
    if not source.compressed and source.size != whole:
        raise source.error(
            f"{source.size:,} bytes, and {vertices:,} vertices with {count:,} entries take"
            f" {whole:,}"
        )
    return directed, count, vertices


def _body(count: int, vertices: int, weighted: bool) -> int:
    """Bytes of offsets and neighbours."""
    return 8 * (vertices + 1) + gap_record(weighted).itemsize * count


def read_weighted_gap(source: Source, options: ReadOptions) -> Entries:
    """A ``.wsg`` file."""
    return read_gap(source, options, weighted=True)


def _pass_over(source: Source, size: int) -> None:
    left = size
    while left:
        piece = source.read(min(left, 1 << 20))
        if not piece:
            raise source.error(
                f"truncated: the transpose takes {size:,} bytes, {left:,} are missing"
            )
        left -= len(piece)


def write_gap(sink: Sink, A: MatrixData) -> None:
    """A ``.sg`` file; directed unless the matrix is symmetric."""
    text_values(sink, A, False)
    _write(sink, A, None)


def write_weighted_gap(sink: Sink, A: MatrixData) -> None:
    """A ``.wsg`` file; weights are 32-bit integers."""
    values = text_values(sink, A, True)
    if values.dtype.kind == "f":
        raise DomainMismatch(f"A: .wsg weights are int32, and A has {values.dtype.name} values")
    if A.nvals and not -(2**31) <= int(values.min()) <= int(values.max()) < 2**31:
        raise InvalidValue(
            f"A: .wsg weights are int32, and A has {int(values.min())} to {int(values.max())}"
        )
    _write(sink, A, values)


def _write(sink: Sink, A: MatrixData, values: Any) -> None:
    square(sink, A)
    if A.nrows > 2**31 - 1:
        raise InvalidValue(f"A: {A.nrows} vertices; GAP's ids are 32 bits wide")
    symmetric, transposed = same_transposed(A)
    sink.write(bytes([not symmetric]))
    sink.write(np.array([A.nvals, A.nrows], "<i8").tobytes())
    _write_rows(sink, A.indptr, A.indices, values)
    if not symmetric:
        weights = transposed.data
        if values is not None and is_iso(values):
            weights = values
        _write_rows(
            sink, transposed.indptr, transposed.indices, None if values is None else weights
        )


def _write_rows(sink: Sink, indptr: Any, indices: Any, values: Any) -> None:
    for start in range(0, len(indptr), BLOCK):
        sink.write(indptr[start : start + BLOCK].astype("<i8").tobytes())
    for start in range(0, len(indices), BLOCK):
        ids = indices[start : start + BLOCK].astype("<i4")
        if values is not None:
            pairs = np.empty(len(ids), _WEIGHTED)
            pairs["id"], pairs["weight"] = ids, values[start : start + BLOCK]
            ids = pairs
        sink.write(ids.tobytes())
        sink.advance(len(ids))
