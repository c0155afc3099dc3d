"""From the entries that a file lists to the canonical matrix that a user gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy.sparse

from spbfs.base.memory import available_bytes
from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.engines.cpu.graph.transpose import is_symmetric
from spbfs.exceptions import DomainMismatch, FormatError, InvalidValue, OutOfMemory
from spbfs.io.files.source import Source
from spbfs.objects.checks import MAX_SIZE
from spbfs.objects.labels import Labels
from spbfs.operators.dtypes import lookup_dtype
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import remember_symmetry
from spbfs.storage.hypersparse import HypersparseMatrix

__all__ = ["Entries", "ReadOptions", "assemble", "check_size", "is_sparse", "true_values"]

#: A matrix of more rows than this must have at least one entry for every `SPARSEST` rows, unless
#: its file says how many rows there are: one stray id would take gigabytes for a handful of
#: entries.  Those that the file promises are then listed, which takes memory for entries alone.
UNQUESTIONED_ROWS = 1 << 26
SPARSEST = 256


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the caller of `spbfs.read` asked for beyond the file's own word."""

    directed: bool = True
    one_based: bool | None = None
    weights: bool | None = None
    dtype: Any = None
    compact: bool = False
    #: Names of the columns with source, target and perhaps weight, where the caller says them.
    columns: tuple[str, ...] | None = None


@dataclass(slots=True)
class Entries:
    """What a file lists, in its order: ids from 0, duplicates and all."""

    #: None where `indptr` says it.
    rows: Any
    cols: Any
    #: None for a pattern.
    values: Any
    #: Offsets of the rows (int64), for formats that list entries row by row.
    indptr: Any = None
    #: The shape where the file states it; else the least square that holds the ids.
    shape: tuple[int, int] | None = None
    #: At least so many vertices where `shape` is None.
    at_least: int = 0
    #: The id that the file gives to vertex 0.
    base: int = 0
    #: Whether the format lists every edge at both of its ends: a file that does not is wrong.
    symmetric: bool = False
    #: What is kept of several entries in one place: the least (graphs) or their sum (matrices).
    duplicates: Literal["min", "sum"] = "min"
    #: What the file calls the vertices where that is no number.
    labels: Labels | None = None


def true_values(count: int) -> Any:
    """The values of a pattern: one True, seen `count` times."""
    return np.broadcast_to(np.array([True]), (count,))


def assemble(entries: Entries, options: ReadOptions, source: Source) -> tuple[MatrixData, Any]:
    """The canonical CSR of `entries`, hypersparse where the file promises far more rows than it
    has entries; and what it calls its vertices: ids if they were compacted, or labels.

    Raises
    ------
    FormatError
        When the vertices are so many and the entries so few that a stray id is the likely reason,
        or an edge lacks its other end.
    OutOfMemory
        When the matrix does not fit; said before it is built.
    """
    rows, cols, indptr = entries.rows, entries.cols, entries.indptr
    values = None if options.weights is False else entries.values
    labels: Any = None
    if indptr is not None and (
        options.compact
        or not options.directed
        or (entries.shape is not None and is_sparse(entries.shape, len(cols)))
        or not _rising(indptr, cols)
    ):
        kind = np.int32 if len(indptr) <= 2**31 else np.int64
        rows, indptr = np.repeat(np.arange(len(indptr) - 1, dtype=kind), np.diff(indptr)), None
    if entries.labels is not None:
        labels, shape = entries.labels, entries.shape
        assert shape is not None, "there is a vertex for every name"
    elif options.compact:
        labels = set_of(np, np.concatenate((rows, cols))).astype(np.int64)
        rows, cols = _places(labels, rows), _places(labels, cols)
        shape = (len(labels), len(labels))
        labels += entries.base
    elif entries.shape is not None:
        shape = entries.shape
    else:
        top = max(int(a.max()) + 1 if len(a) else 0 for a in (rows, cols))
        shape = (max(top, entries.at_least),) * 2
    if not (options.directed or entries.symmetric):
        if shape[0] != shape[1]:
            raise InvalidValue(
                f"directed: False needs a square matrix; {source.name!r} is {shape[0]} x {shape[1]}"
            )
        rows, cols, values = _both_ways(rows, cols, values)
    advice = "" if options.compact else "; read with compact=True to number the vertices that occur"
    stated = entries.shape is not None or shape[0] <= entries.at_least
    check_size(shape, len(cols), source.name, advice, stated=stated)
    # A format that lists edges at both ends has a line for every vertex.
    listed = indptr is None and not entries.symmetric and is_sparse(shape, len(cols))
    whole = shape
    if listed:
        in_rows, in_columns = (set_of(np, a).astype(np.int64) for a in (rows, cols))
        rows, cols = _places(in_rows, rows), _places(in_columns, cols)
        shape = len(in_rows), len(in_columns)
    _check_room(shape, len(cols), source.name, advice)
    if indptr is None:
        indptr, indices, values = _canonical(rows, cols, values, shape, entries.duplicates)
    else:
        indptr = indptr.astype(np.int32 if len(cols) < 2**31 else np.int64, copy=False)
        indices = cols.astype(np.int32 if shape[1] <= 2**31 - 1 else np.int64, copy=False)
        if indices.dtype == np.int64:
            indptr = indptr.astype(np.int64, copy=False)
    weights = values
    if options.dtype is not None:
        values = _cast(values, len(indices), options.dtype, source)
    elif values is None:
        values = true_values(len(indices))
    data = MatrixData(shape[0], shape[1], indptr, indices, values)
    if entries.symmetric:
        ids = labels if options.compact else range(entries.base, entries.base + shape[0])
        _check_symmetric(data, weights, ids, source)
    return HypersparseMatrix(*whole, in_rows, in_columns, data) if listed else data, labels


def _places(ids: Any, of: Any) -> Any:
    """Where numbers are in the list of all that occur."""
    return np.searchsorted(ids, of).astype(np.int32 if len(ids) < 2**31 else np.int64)


def _rising(indptr: Any, cols: Any) -> bool:
    """Whether the columns of every row strictly increase, so that nothing needs to be done."""
    rises = np.empty(len(cols), bool)
    rises[1:] = cols[1:] > cols[:-1]
    starts = indptr[:-1]
    rises[starts[starts < len(cols)]] = True
    return bool(rises.all())


def _both_ways(rows: Any, cols: Any, values: Any) -> tuple[Any, Any, Any]:
    """Every entry and its mirror image; a self-loop is its own."""
    other = rows != cols
    joined = np.concatenate((rows, cols[other])), np.concatenate((cols, rows[other]))
    return *joined, None if values is None else np.concatenate((values, values[other]))


def is_sparse(shape: tuple[int, int], count: int) -> bool:
    """Whether entries are so few that rows and columns which have some are listed."""
    return max(shape) > max(UNQUESTIONED_ROWS, SPARSEST * count)


def _check_symmetric(graph: MatrixData, weights: Any, ids: Any, source: Source) -> None:
    """Refuse a graph of which an edge is listed at one end alone, or with another weight; one that
    is not refused keeps that it is symmetric."""
    if weights is None and is_symmetric(graph):
        return
    n, indptr, indices = graph.nrows, graph.indptr, graph.indices
    data = np.ones(len(indices), np.int8) if weights is None else weights
    # Its arrays are the rows of the transpose, in order.
    other = scipy.sparse.csr_array((data, indices, indptr), shape=(n, n)).tocsc()
    paired = np.array_equal(indptr, other.indptr) and np.array_equal(indices, other.indices)
    if paired and np.array_equal(data, other.data):
        remember_symmetry(graph)
        return
    rows, mirrored = (np.repeat(np.arange(n), np.diff(starts)) for starts in (indptr, other.indptr))
    if paired:
        at = int((data != other.data).argmax())
        one, two = ids[rows[at]], ids[indices[at]]
        raise source.error(
            f"the edge of {one} and {two} has the weight {data[at]} in the line of {one}, and "
            f"{other.data[at]} in that of {two}"
        )
    at = int(((rows != mirrored) | (indices != other.indices)).argmax())
    # One of the two lists has the lesser place there, which the other lacks.
    listed, missing = (rows[at], indices[at]), (mirrored[at], other.indices[at])
    one, two = listed if listed < missing else missing[::-1]
    raise source.error(
        f"{ids[one]} lists {ids[two]} as its neighbour, and {ids[two]} does not list {ids[one]}"
    )


def check_size(
    shape: tuple[int, int], count: int, name: str, advice: str = "", *, stated: bool = False
) -> None:
    """Refuse the matrix of a file whose rows are so many, and entries so few, that one id is the
    likely reason; where the file has `stated` them only what no matrix can have."""
    nrows, ncols = shape
    if max(shape) > MAX_SIZE:
        raise FormatError(
            f"{name}: {nrows:,} x {ncols:,}; a matrix has at most 2**60 rows and columns{advice}"
        )
    if not stated and is_sparse(shape, count):
        raise FormatError(
            f"{name}: {nrows:,} rows for {count:,} entries; one id or a count in the header"
            f" is far off{advice}"
        )


def _check_room(shape: tuple[int, int], count: int, name: str, advice: str) -> None:
    nrows, ncols = shape
    wide = 8 if ncols > 2**31 - 1 else 4
    needed = (nrows + 1) * (8 if count > 2**31 - 1 else 4) + count * 2 * wide
    free = available_bytes()
    if needed > free:
        raise OutOfMemory(
            f"{name}: a matrix of {nrows:,} rows and {count:,} entries needs {needed:,}"
            f" bytes and {free:,} are free{advice}"
        )


def _canonical(
    rows: Any, cols: Any, values: Any, shape: tuple[int, int], duplicates: str
) -> tuple[Any, Any, Any]:
    """CSR arrays with rows in order, columns strictly increasing; values None for a pattern."""
    count = len(rows)
    # SciPy adds what it merges: harmless for the placeholder, and the rule for matrices.
    data = np.ones(count, np.int8) if values is None else values
    csr = scipy.sparse.coo_array((data, (rows, cols)), shape=shape).tocsr()
    csr.sum_duplicates()
    if values is not None and duplicates == "min" and csr.nnz < count:
        # SciPy's order of places is this one too, so only the values change.
        order = _bucket_order(cols, shape[1])
        order = order[_bucket_order(rows[order], shape[0])]
        r, c = rows[order], cols[order]
        first = np.ones(count, bool)
        first[1:] = (r[1:] != r[:-1]) | (c[1:] != c[:-1])
        csr.data = np.minimum.reduceat(values[order], np.flatnonzero(first))
    indices = csr.indices.astype(np.int32 if shape[1] <= 2**31 - 1 else np.int64, copy=False)
    indptr = csr.indptr
    if indptr.dtype != np.int64 and (indices.dtype == np.int64):
        indptr = indptr.astype(np.int64)
    return indptr, indices, None if values is None else csr.data


def _bucket_order(keys: Any, bound: int) -> Any:
    """The stable order of `keys`, which are below `bound`, in linear time.

    A matrix with one entry a row has, by columns, its row numbers in just that order.
    """
    count = len(keys)
    ones = np.ones(count, np.int8)
    one_a_row = (ones, keys, np.arange(count + 1))
    return scipy.sparse.csr_array(one_a_row, shape=(count, bound)).tocsc().indices


def _cast(values: Any, count: int, dtype: Any, source: Source) -> Any:
    """`values` as `dtype`, every one of them unchanged."""
    kind = lookup_dtype(dtype).np_type
    if values is None:
        return np.broadcast_to(np.ones(1, kind), (count,))
    with np.errstate(invalid="ignore", over="ignore"):
        cast = values.astype(kind)
        # Rounding to fewer digits is what a narrower real type is for; anything else is a loss.
        real = kind.kind == "f"
        same = np.isinf(cast) == np.isinf(values) if real else cast.astype(values.dtype) == values
    if kind.kind in "iu" and values.dtype.kind in "iu":
        same &= (cast < 0) == (values < 0)
    if kind.kind in "iu" and values.dtype.kind == "f":
        same &= np.isfinite(values) & (np.abs(values) < 2.0**63)
    if not bool(np.all(same)):
        worst = values[np.argmin(same)]
        raise DomainMismatch(f"dtype: {source.name} holds the weight {worst}, not a {dtype}")
    return cast
