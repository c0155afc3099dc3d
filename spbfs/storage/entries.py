"""Stored entries as plain arrays, and plain arrays as rows and columns of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.storage.data import MatrixData, VectorData, in_host_memory, is_iso, iso_array
from spbfs.storage.hypersparse import HypersparseMatrix

__all__ = [
    "array_module",
    "bincount",
    "column_at",
    "column_matrix",
    "each_repeated",
    "entry_at",
    "entry_rows",
    "matrix_entries",
    "no_offsets",
    "on_host",
    "row_at",
    "row_matrix",
    "rows_of",
    "take",
    "tiled",
    "vector_entries",
]


def array_module(array: Any) -> Any:
    """NumPy or CuPy, whichever made `array`."""
    if in_host_memory(array):
        return np
    import cupy

    return cupy


def on_host(array: Any) -> Any:
    """The array, copied from the GPU where it is there."""
    return array if in_host_memory(array) else array.get()


#: Zeros that empty matrices share, replaced by more of them when a matrix has more rows.
_zeros = np.zeros(0, np.int32)
#: Rows from which on memory that is zero comes from the system as fast.
_SHARED_ROWS = 1 << 20


def no_offsets(nrows: int) -> Any:
    """Offsets of rows without entries, not to be written, in host memory (int32)."""
    global _zeros
    zeros = _zeros
    if zeros.shape[0] <= nrows:
        zeros = np.zeros(2 * nrows + 1 if nrows < _SHARED_ROWS else nrows + 1, np.int32)
        zeros.flags.writeable = False
        if nrows < _SHARED_ROWS:
            _zeros = zeros
    return zeros[: nrows + 1]


def take(values: Any, indices: Any) -> Any:
    """``values[indices]``, iso kept."""
    if is_iso(values) and values.shape[0]:
        return iso_array(values[:1], indices.shape[0])
    return values[indices]


def each_repeated(values: Any, times: int) -> Any:
    """Every value so often, one after another, iso kept."""
    if is_iso(values) and values.shape[0]:
        return iso_array(values[:1], values.shape[0] * times)
    return values.repeat(times)


def tiled(values: Any, times: int) -> Any:
    """All values so often, iso kept."""
    if is_iso(values) and values.shape[0]:
        return iso_array(values[:1], values.shape[0] * times)
    return values.reshape(1, -1).repeat(times, 0).reshape(-1)


def bincount(numbers: Any, length: int, weights: Any = None) -> Any:
    """How often each of the numbers, from 0 to below `length`, is there, or what weights add up to.

    Not by CuPy's ``bincount``, which refuses to count nothing (cupy#8116) and asks by ``any`` for
    negative numbers, which is compiled when it is first used, for three seconds (`base.flags`).
    """
    xp = array_module(numbers)
    if xp is np and numbers.shape[0]:
        return np.bincount(numbers, weights, minlength=length)
    # CuPy adds atomically to unsigned numbers, not to signed ones of eight bytes: same sums.
    totals = xp.zeros(length, np.uint64 if weights is None else np.float64)
    xp.add.at(totals, numbers, 1 if weights is None else weights)
    return totals.view(np.int64) if weights is None else totals


def row_at(data: MatrixData, row: int) -> tuple[Any, Any]:
    """Columns and values of one row of a matrix in host memory, ordinary or hypersparse."""
    if isinstance(data, HypersparseMatrix):
        at = int(data.rows.searchsorted(row))
        if at == data.rows.shape[0] or data.rows[at] != row:
            return data.columns[:0], data.values[:0]
        columns, values = row_at(data.compact, at)
        return data.columns[columns], values
    first, last = data.indptr[row : row + 2].tolist()
    return data.indices[first:last], data.values[first:last]


def column_at(data: MatrixData, column: int) -> tuple[Any, Any]:
    """Rows and values of one column of such a matrix: looked for among all entries."""
    if isinstance(data, HypersparseMatrix):
        at = int(data.columns.searchsorted(column))
        if at == data.columns.shape[0] or data.columns[at] != column:
            return data.rows[:0], data.values[:0]
        rows, values = column_at(data.compact, at)
        return data.rows[rows], values
    found = (data.indices == column).nonzero()[0]  # a third of what flatnonzero takes
    return data.indptr.searchsorted(found, side="right") - 1, data.values[found]


def entry_at(data: MatrixData, row: int, column: int) -> Any:
    """The value at one place of such a matrix, None where nothing is stored."""
    if isinstance(data, HypersparseMatrix):
        columns, values = row_at(data, row)
        at, last = int(columns.searchsorted(column)), columns.shape[0]
    else:  # without slices of it: a loop over elements asks for each
        columns, values = data.indices, data.values
        first, last = int(data.indptr[row]), int(data.indptr[row + 1])
        at = first + int(columns[first:last].searchsorted(column))
    return values[at] if at < last and columns[at] == column else None


def vector_entries(data: VectorData) -> tuple[Any, Any]:
    """Indices (int64, rising) and values of the stored entries."""
    if data.indices is not None:
        return data.indices, data.values
    if data.present is not None:
        indices = data.present.nonzero()[0]
        return indices, take(data.values, indices)
    return array_module(data.values).arange(data.size), data.values


def matrix_entries(data: MatrixData) -> tuple[Any, Any, Any]:
    """Rows, columns (both int64, row by row) and values of the stored entries."""
    return entry_rows(data), data.indices.astype(np.int64), data.values


def entry_rows(data: MatrixData) -> Any:
    """The row of every entry of a matrix (int64)."""
    if isinstance(data, HypersparseMatrix):
        return data.rows[rows_of(data.compact.indptr, data.nvals)]
    return rows_of(data.indptr, data.nvals)


def rows_of(indptr: Any, nvals: int) -> Any:
    """The row of every entry (int64)."""
    xp = array_module(indptr)
    if xp is np:
        return np.repeat(np.arange(indptr.shape[0] - 1, dtype=np.int64), np.diff(indptr))
    # CuPy did not repeat by arrays until 14.1.
    return xp.searchsorted(indptr, xp.arange(nvals, dtype=np.int64), side="right") - 1


def _index_dtype(ncols: int) -> Any:
    return np.int32 if ncols <= np.iinfo(np.int32).max else np.int64


def row_matrix(data: VectorData) -> MatrixData:
    """The vector as a matrix of one row."""
    indices, values = vector_entries(data)
    xp = array_module(indices)
    indptr = xp.asarray(np.array([0, indices.shape[0]], np.int64))
    return MatrixData(1, data.size, indptr, indices.astype(_index_dtype(data.size)), values)


def column_matrix(data: VectorData, engine: Any) -> MatrixData:
    """The vector as a matrix of one column."""
    indices, values = vector_entries(data)
    zeros = array_module(indices).zeros(indices.shape[0], np.int64)
    return engine.build_matrix(data.size, 1, indices, zeros, values, None)
