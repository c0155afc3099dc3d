"""Matrix Market: the exchange format of sparse matrices, ids from 1.

Coordinate files, which is what graphs come in, go through the parser of this package: it streams,
holds no more than the file really has whatever its header says, and names the line of an error.
Array files (dense) go to SciPy's reader once their header has been held against their length.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import scipy.io

from spbfs.base.memory import require_bytes
from spbfs.exceptions import DomainMismatch
from spbfs.io.entries import Entries, ReadOptions
from spbfs.io.sink import Sink, text_values, write_lines
from spbfs.io.source import Source, Text
from spbfs.io.tokens import (
    SKIP,
    SOURCE,
    TARGET,
    WEIGHT,
    Grammar,
    header_integers,
    parse_lines,
    shown,
)
from spbfs.storage.data import MatrixData

__all__ = ["read_matrix_market", "write_matrix_market"]

_FIELDS = ("real", "double", "integer", "unsigned-integer", "complex", "pattern")
_SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")


def read_matrix_market(source: Source, options: ReadOptions) -> Entries:
    """A ``.mtx`` file; symmetric storage is expanded, duplicates add up."""
    text = Text(source)
    layout, field, symmetry, banner = _banner(source, text)
    if field == "complex" and options.weights is not False:
        raise DomainMismatch(
            f"{source.name}: complex values have no dtype here; weights=False reads their pattern"
        )
    line = text.next_line()
    while line is not None and (not line.strip() or line.lstrip().startswith(b"%")):
        line = text.next_line()
    if line is None:
        raise source.error("ends before the line of sizes")
    sizes = header_integers(source, line.split(), text.line, "size")
    expected = 3 if layout == "coordinate" else 2
    if len(sizes) != expected:
        raise source.error(f"{len(sizes)} sizes; a {layout} file has {expected}", text.line)
    nrows, ncols = sizes[:2]
    if symmetry != "general" and nrows != ncols:
        raise source.error(f"{symmetry}, yet {nrows} x {ncols}: not square", text.line)
    if layout == "array":
        return _read_array(source, text, banner, symmetry, nrows, ncols)
    return _read_coordinate(text, field, symmetry, nrows, ncols, sizes[2], options)


def _banner(source: Source, text: Text) -> tuple[str, str, str, bytes]:
    """Layout, field and symmetry from the first line, checked one by one."""
    line = text.next_line() or b""
    words = line.decode("ascii", "replace").lower().split()
    if not words or words[0] != "%%matrixmarket":
        raise source.error(f"starts with {shown(line)}; expected '%%MatrixMarket'", 1)
    if len(words) != 5 or words[1] != "matrix":
        raise source.error(
            f"{shown(line)}; expected '%%MatrixMarket matrix LAYOUT FIELD SYMMETRY'", 1
        )
    for word, known in zip(words[2:], (("coordinate", "array"), _FIELDS, _SYMMETRIES), strict=True):
        if word not in known:
            raise source.error(f"{word!r} is none of {', '.join(known)}", 1)
    layout, field, symmetry = words[2:]
    if field == "pattern" and (layout == "array" or symmetry == "skew-symmetric"):
        raise source.error(f"a {layout} {symmetry} matrix cannot be a pattern", 1)
    if symmetry == "hermitian" and field != "complex":
        raise source.error(f"a hermitian matrix is complex, not {field}", 1)
    return layout, field, symmetry, line


def _read_coordinate(
    text: Text,
    field: str,
    symmetry: str,
    nrows: int,
    ncols: int,
    stored: int,
    options: ReadOptions,
) -> Entries:
    source = text.source
    width = {"pattern": 2, "complex": 4}.get(field, 3)
    pattern = field == "pattern" or options.weights is False
    if options.weights and pattern:
        raise source.error("a pattern: it has no weights to read", 1)
    roles = SOURCE + TARGET + (SKIP if pattern else WEIGHT) * (width - 2)
    grammar = Grammar(roles, comments="%", base=1, source_limit=nrows, target_limit=ncols)
    columns = parse_lines(text, grammar, most=stored)
    rows, cols, values = columns.rows, columns.cols, columns.values
    if values is not None:
        if field in ("integer", "unsigned-integer") and values.dtype != np.int64:
            raise source.error("the header promises integers, and some values are not")
        if field in ("real", "double"):
            values = values.astype(np.float64, copy=False)
    if symmetry != "general":
        other = rows != cols
        if symmetry == "skew-symmetric" and not bool(other.all()):
            at = int(rows[np.argmin(other)]) + 1
            raise source.error(f"skew-symmetric, yet it has the diagonal entry ({at}, {at})")
        if values is not None:
            mirrored = -values[other] if symmetry == "skew-symmetric" else values[other]
            values = np.concatenate((values, mirrored))
        rows, cols = (
            np.concatenate((rows, cols[other])),
            np.concatenate((cols, rows[other])),
        )
    return Entries(rows, cols, values, shape=(nrows, ncols), base=1, duplicates="sum")


def _read_array(
    source: Source, text: Text, banner: bytes, symmetry: str, nrows: int, ncols: int
) -> Entries:
    """A dense matrix; its zeros are not entries."""
    header = text.line
    body = b"".join(text.pieces())
    places = nrows * ncols
    if symmetry != "general":
        places = nrows * (nrows + (-1 if symmetry == "skew-symmetric" else 1)) // 2
    if places * 2 > len(body) + 1:
        raise source.error(f"{len(body):,} bytes cannot hold the {places:,} values promised")
    require_bytes(nrows * ncols * 32, f"reading {source.name}")
    if places == 0:
        # SciPy's reader divides by the number of rows, and the process ends.
        if body.strip():
            raise source.error("holds values where none are promised", header + 1)
        nothing = np.zeros(0, np.int64)
        none = np.zeros(0, np.int64 if b"integer" in banner.lower() else np.float64)
        return Entries(nothing, nothing, none, shape=(nrows, ncols), base=1, duplicates="sum")
    whole = b"\n".join((banner, b"%d %d" % (nrows, ncols), body))
    try:
        dense: Any = scipy.io.mmread(io.BytesIO(whole))
    except (ValueError, OverflowError, TypeError) as error:
        raise source.error(f"{error} (lines counted from {header - 1})") from None
    if dense.dtype.kind == "f" and bool(np.isnan(dense).any()):
        raise source.error("holds NaN")
    rows, cols = np.nonzero(dense)
    values = dense[rows, cols]
    if values.dtype.kind not in "iuf":
        values = None
    return Entries(rows, cols, values, shape=(nrows, ncols), base=1, duplicates="sum")


def write_matrix_market(sink: Sink, A: MatrixData) -> None:
    """Coordinate, general; a Boolean matrix is a pattern."""
    values = text_values(sink, A, None)
    field = "pattern" if values is None else "real" if values.dtype.kind == "f" else "integer"
    sink.write(f"%%MatrixMarket matrix coordinate {field} general\n".encode())
    sink.write(f"{A.nrows} {A.ncols} {A.nvals}\n".encode())
    write_lines(sink, A, values, base=1)
