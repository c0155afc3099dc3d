"""Hypersparse matrices and the compact ones that they stand for: how one is made of the other.

Labels are the numbers, in the whole matrix, of the rows or columns of a compact one.
"""

from __future__ import annotations

from typing import Any

from spbfs.engines.arrays.patterns.layout import index_type, offsets
from spbfs.engines.arrays.patterns.sets import is_first, locate, set_of
from spbfs.planner.forms import is_hypersparse
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module, bincount, entry_rows, rows_of, take
from spbfs.storage.hypersparse import HypersparseMatrix

__all__ = ["compacted", "from_sorted_entries", "relabelled", "settled", "within"]

Array = Any


def from_sorted_entries(
    nrows: int, ncols: int, rows: Array, cols: Array, values: Array
) -> HypersparseMatrix:
    """A hypersparse matrix from entries in row-major order, each position once."""
    xp, nvals = array_module(rows), rows.shape[0]
    first = xp.flatnonzero(is_first(xp, rows))
    row_labels, column_labels = rows[first], set_of(xp, cols)
    width = int(column_labels.shape[0])
    counts = xp.diff(xp.concatenate((first, xp.full(1, nvals, first.dtype))))
    compact = MatrixData(
        int(row_labels.shape[0]),
        width,
        offsets(xp, counts, width, nvals),
        xp.searchsorted(column_labels, cols).astype(index_type(width)),
        values,
    )
    return HypersparseMatrix(nrows, ncols, row_labels, column_labels, compact)


def compacted(M: MatrixData) -> HypersparseMatrix:
    """Any matrix with its rows and columns listed."""
    if isinstance(M, HypersparseMatrix):
        return M
    cols = M.indices.astype("int64", copy=False)
    return from_sorted_entries(M.nrows, M.ncols, entry_rows(M), cols, M.values)


def settled(M: MatrixData) -> MatrixData:
    """The matrix as the planner wants it kept."""
    if is_hypersparse(M.nrows, M.ncols, M.nvals):
        return compacted(M)
    if isinstance(M, HypersparseMatrix):
        return MatrixData(M.nrows, M.ncols, M.indptr, M.indices, M.values)
    return M


def relabelled(C: MatrixData, nrows: int, ncols: int, rows: Array, columns: Array) -> MatrixData:
    """The matrix of which `C` has the rows and columns that these labels name.

    `C` may have rows and columns without entries, or be hypersparse itself.
    """
    C = compacted(C)
    return settled(HypersparseMatrix(nrows, ncols, rows[C.rows], columns[C.columns], C.compact))


def within(M: MatrixData, rows: Array, columns: Array) -> MatrixData:
    """The entries of `M` in these rows and columns, which rise: a row and a column for each."""
    H = compacted(M)
    xp, compact = array_module(H.rows), H.compact
    row_at, row_hit = locate(xp, rows, H.rows)
    column_at, column_hit = locate(xp, columns, H.columns)
    i, j = rows_of(compact.indptr, compact.nvals), compact.indices
    at = xp.flatnonzero(row_hit[i] & column_hit[j])
    nrows, ncols = int(rows.shape[0]), int(columns.shape[0])
    counts = bincount(row_at[i[at]], nrows)
    return MatrixData(
        nrows,
        ncols,
        offsets(xp, counts, ncols, int(at.shape[0])),
        column_at[j[at]].astype(index_type(ncols)),
        take(compact.values, at),
    )
