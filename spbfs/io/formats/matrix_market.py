"""Matrix Market: the exchange format of sparse matrices, ids from 1.

Files go through the parser of this package: it streams, holds no more than the file really has
whatever its header says, and names the line of an error.  SciPy's reader reads 2 where an array has
"2x", and beyond the text where it has a NUL.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.exceptions import DomainMismatch
from spbfs.io.files.sink import Sink, text_values, write_lines
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

__all__ = ["read_matrix_market", "write_matrix_market"]

_FIELDS = ("real", "double", "integer", "unsigned-integer", "complex", "pattern")
_SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")


def read_matrix_market(source: Source, options: ReadOptions) -> Entries:
    """A ``.mtx`` file; symmetric storage is expanded, duplicates add up."""
    text = Text(source)
    layout, field, symmetry = _banner(source, text)
    if field == "complex" and layout == "array":
        raise DomainMismatch(f"{source.name}: complex values have no dtype here")
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
        return _read_array(text, field, symmetry, nrows, ncols)
    return _read_coordinate(text, field, symmetry, nrows, ncols, sizes[2], options)


def _banner(source: Source, text: Text) -> tuple[str, str, str]:
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
    return layout, field, symmetry


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
        values = _of_field(source, values, field)
    return _whole(source, rows, cols, values, symmetry, (nrows, ncols))


def _read_array(text: Text, field: str, symmetry: str, nrows: int, ncols: int) -> Entries:
    """A dense matrix by columns, their lower parts where it is symmetric; zeros are no entries."""
    source = text.source
    skew = symmetry == "skew-symmetric"
    whole = symmetry == "general"
    places = nrows * ncols if whole else nrows * (nrows + (-1 if skew else 1)) // 2
    numbers = parse_lines(text, Grammar(WEIGHT, comments="%"), most=places).values
    values = _of_field(source, numbers, field)
    require_bytes(places * 32, f"reading {source.name}")
    if whole:
        cols, rows = np.divmod(np.arange(places), max(1, nrows))
    else:
        cols, rows = np.triu_indices(nrows, int(skew))
    stored = np.flatnonzero(values)
    return _whole(source, rows[stored], cols[stored], values[stored], symmetry, (nrows, ncols))


def _of_field(source: Source, values: Any, field: str) -> Any:
    """Values of the type that the first line names."""
    if field in ("integer", "unsigned-integer") and values.dtype != np.int64:
        raise source.error("the header promises integers, and some values are not", 1)
    return values.astype(np.float64, copy=False) if field in ("real", "double") else values


def _whole(
    source: Source, rows: Any, cols: Any, values: Any, symmetry: str, shape: tuple[int, int]
) -> Entries:
    """The entries of a file, and those that its symmetry says besides."""
    if symmetry != "general":
        other = rows != cols
        if symmetry == "skew-symmetric" and not bool(other.all()):
            at = int(rows[np.argmin(other)]) + 1
            raise source.error(f"skew-symmetric, yet it has the diagonal entry ({at}, {at})")
        if values is not None:
            mirrored = values[other]
            if symmetry == "skew-symmetric":
                least = np.iinfo(np.int64).min
                if values.dtype == np.int64 and bool((mirrored == least).any()):
                    raise source.error(
                        f"skew-symmetric, and {least} has no opposite of 64 bits; the field 'real'"
                        " has"
                    )
                mirrored = -mirrored
            values = np.concatenate((values, mirrored))
        rows, cols = (
            np.concatenate((rows, cols[other])),
            np.concatenate((cols, rows[other])),
        )
    return Entries(rows, cols, values, shape=shape, base=1, duplicates="sum")


def write_matrix_market(sink: Sink, A: MatrixData) -> None:
    """Coordinate, general; a Boolean matrix is a pattern."""
    values = text_values(sink, A, None)
    field = "pattern" if values is None else "real" if values.dtype.kind == "f" else "integer"
    sink.write(f"%%MatrixMarket matrix coordinate {field} general\n".encode())
    sink.write(f"{A.nrows} {A.ncols} {A.nvals}\n".encode())
    write_lines(sink, A, values, base=1)
