"""Storage as a dictionary of entries, and back: all that the reference engine knows of formats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np

from spbfs.engines.reference.operators import cast
from spbfs.operators.dtypes import INT64, DType, lookup_dtype
from spbfs.planner.forms import is_hypersparse
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.hypersparse import HypersparseMatrix

__all__ = ["D", "Entries", "dtype_of", "entries_of", "like", "matrix_of", "row_ends", "vector_of"]

Array = Any
D = TypeVar("D", VectorData, MatrixData)
Entries = dict[tuple[int, int], Any]


def _vector_entries(u: VectorData) -> Iterator[tuple[int, Any]]:
    if u.indices is not None:
        yield from zip(u.indices.tolist(), u.values, strict=True)
        return
    for i in range(u.size):
        if u.present is None or u.present[i]:
            yield i, u.values[i]


def entries_of(x: VectorData | MatrixData) -> Entries:
    """``{(row, column): value}``; a vector's column is 0."""
    if isinstance(x, VectorData):
        return {(i, 0): value for i, value in _vector_entries(x)}
    if isinstance(x, HypersparseMatrix):
        inner = entries_of(x.compact)
        return {(int(x.rows[i]), int(x.columns[j])): value for (i, j), value in inner.items()}
    ends, columns = x.indptr.tolist(), x.indices.tolist()
    return {
        (i, columns[k]): x.values[k] for i in range(x.nrows) for k in range(ends[i], ends[i + 1])
    }


def _array(values: list[Any], dtype: DType) -> Array:
    return np.array([cast(v, dtype) for v in values], dtype=dtype.np_type)


def vector_of(size: int, entries: Entries, dtype: DType) -> VectorData:
    """A list vector of the entries, cast to `dtype`."""
    keys = sorted(entries)
    indices = np.array([i for i, _ in keys], dtype=np.int64)
    return VectorData(size, _array([entries[k] for k in keys], dtype), indices)


def matrix_of(nrows: int, ncols: int, entries: Entries, dtype: DType) -> MatrixData:
    """A matrix of the entries, cast to `dtype`: canonical CSR, of all rows or of those listed."""
    if is_hypersparse(nrows, ncols, len(entries)):
        return _hypersparse(nrows, ncols, entries, dtype)
    return _csr(nrows, ncols, entries, dtype)


def _hypersparse(nrows: int, ncols: int, entries: Entries, dtype: DType) -> HypersparseMatrix:
    rows, columns = sorted({i for i, _ in entries}), sorted({j for _, j in entries})
    row_at, column_at = ({x: k for k, x in enumerate(labels)} for labels in (rows, columns))
    numbered = {(row_at[i], column_at[j]): value for (i, j), value in entries.items()}
    compact = _csr(len(rows), len(columns), numbered, dtype)
    labels = np.array(rows, np.int64), np.array(columns, np.int64)
    return HypersparseMatrix(nrows, ncols, *labels, compact)


def _csr(nrows: int, ncols: int, entries: Entries, dtype: DType) -> MatrixData:
    keys = sorted(entries)
    counts = [0] * (nrows + 1)
    for i, _ in keys:
        counts[i + 1] += 1
    index_type = np.int32 if ncols <= np.iinfo(np.int32).max else np.int64
    indices = np.array([j for _, j in keys], dtype=index_type)
    values = _array([entries[k] for k in keys], dtype)
    return MatrixData(nrows, ncols, np.cumsum(counts), indices, values)


def like(x: D, entries: Entries, dtype: DType) -> D:
    """Storage of the kind and shape of `x`."""
    if isinstance(x, VectorData):
        return vector_of(x.size, entries, dtype)
    return matrix_of(x.nrows, x.ncols, entries, dtype)


def dtype_of(x: VectorData | MatrixData) -> DType:
    """Of the values."""
    return lookup_dtype(x.values.dtype)


def row_ends(A: MatrixData, last: bool) -> VectorData:
    """The least or greatest column of every row that has entries."""
    columns: dict[int, list[int]] = {}
    for i, j in entries_of(A):
        columns.setdefault(i, []).append(j)
    choose = max if last else min
    return vector_of(A.nrows, {(i, 0): choose(at) for i, at in columns.items()}, INT64)
