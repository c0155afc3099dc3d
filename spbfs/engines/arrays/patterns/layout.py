"""Entries into canonical CSR: sorting by row and column, counting rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.planner.forms import SORTED_ENTRIES
from spbfs.storage.entries import bincount

__all__ = [
    "fits_buckets",
    "index_type",
    "offset_type",
    "offsets",
    "pattern",
    "row_major",
    "sorted_rows",
    "worth_buckets",
]

Array = Any

_INT32_MAX = 2**31 - 1


def index_type(ncols: int) -> np.dtype[Any]:
    """The type of column indices of a matrix with `ncols` columns."""
    return np.dtype(np.int32 if ncols <= _INT32_MAX else np.int64)


def offset_type(ncols: int, nvals: int) -> np.dtype[Any]:
    """The type of row offsets; kernels want 64-bit offsets wherever indices are 64-bit."""
    small = nvals <= _INT32_MAX and ncols <= _INT32_MAX
    return np.dtype(np.int32 if small else np.int64)


def offsets(xp: Any, counts: Array, ncols: int, nvals: int) -> Array:
    """Row offsets from the number of entries in each row."""
    indptr = xp.zeros(counts.shape[0] + 1, offset_type(ncols, nvals))
    xp.cumsum(counts, out=indptr[1:], dtype=indptr.dtype)
    return indptr


def row_major(
    xp: Any, nrows: int, ncols: int, rows: Array, cols: Array
) -> tuple[Array, Array, Array]:
    """Entries sorted by row, then column, then the order given.

    Returns
    -------
    indptr, indices : arrays
        The sorted entries; equal pairs stay, side by side.
    order : array of int
        Where each sorted entry stood before.
    """
    nvals = rows.shape[0]
    if xp is np and worth_buckets(nrows, nvals):
        return _bucketed(nrows, ncols, rows, cols)
    if nrows * ncols < 2**63:
        # One sort of whole numbers, by their digits.
        order = xp.argsort(rows * np.int64(ncols) + cols, kind="stable")
    else:
        order = xp.lexsort(xp.stack((cols, rows)))
    counts = bincount(rows, nrows)
    indptr = offsets(xp, counts, ncols, nvals)
    return indptr, cols[order].astype(index_type(ncols), copy=False), order


def pattern(
    xp: Any, nrows: int, ncols: int, rows: Array, cols: Array
) -> tuple[Array, Array] | None:
    """``indptr, indices`` of entries that are all alike, repetitions dropped.

    Several times faster than `row_major`; None where there is no fast way.
    """
    nvals = rows.shape[0]
    if xp is not np or not worth_buckets(nrows, nvals):
        return None
    from scipy.sparse import coo_array

    itype = index_type(max(nrows, ncols))
    where = (rows.astype(itype, copy=False), cols.astype(itype, copy=False))
    # SciPy adds repetitions up; that the sums of one byte overflow does not matter.
    csr = coo_array((np.ones(nvals, np.int8), where), shape=(nrows, ncols)).tocsr()
    otype = offset_type(ncols, csr.nnz)
    return csr.indptr.astype(otype, copy=False), csr.indices.astype(index_type(ncols), copy=False)


def worth_buckets(nrows: int, nvals: int) -> bool:
    """Whether arrays over all rows are small beside those over the entries, and these not few."""
    return nvals > SORTED_ENTRIES and fits_buckets(nrows, nvals)


def fits_buckets(nrows: int, nvals: int) -> bool:
    """Whether arrays over all rows are small beside those over the entries."""
    return nvals <= _INT32_MAX and nrows <= min(4 * nvals + 1024, _INT32_MAX)


def _bucketed(nrows: int, ncols: int, rows: Array, cols: Array) -> tuple[Array, Array, Array]:
    """A counting sort by row (SciPy's CSR to CSC), then a short sort within every row.

    Three times faster than one sort of all pairs, since most rows fit in the cache.
    """
    from scipy.sparse import csr_array

    nvals = rows.shape[0]
    one_a_row = np.arange(nvals + 1, dtype=np.int32)
    cols = cols.astype(index_type(ncols), copy=False)
    # Seen as a matrix with one entry a row, whose column is the entry's row and whose value is
    # its column, the entries sort themselves when it is stored by columns.
    by_row = csr_array((cols, rows.astype(np.int32, copy=False), one_a_row), (nvals, nrows)).tocsc()
    indptr = by_row.indptr.astype(offset_type(ncols, nvals), copy=False)
    indices, order = _sorted_within(nrows, ncols, indptr, by_row.data, by_row.indices)
    return indptr, indices, _in_given_order(order, indices, indptr)


def sorted_rows(xp: Any, ncols: int, indptr: Array, cols: Array) -> tuple[Array, Array]:
    """Columns sorted within every row, and where each one stood; no two are equal."""
    nrows, nvals = indptr.shape[0] - 1, cols.shape[0]
    if xp is np:
        number = np.arange(nvals, dtype=offset_type(ncols, nvals))
        return _sorted_within(nrows, ncols, indptr, cols.astype(index_type(ncols)), number)
    rows = xp.searchsorted(indptr, xp.arange(nvals), side="right") - 1
    order = xp.lexsort(xp.stack((cols, rows)))
    return cols[order].astype(index_type(ncols)), order


def _sorted_within(
    nrows: int, ncols: int, indptr: Array, cols: Array, number: Array
) -> tuple[Array, Array]:
    """Columns of CSR sorted within every row, `number` along with them."""
    from scipy.sparse import csr_array

    # SciPy sorts values along with columns.
    rows = csr_array((number, cols, indptr), shape=(nrows, ncols))
    rows.sort_indices()
    return rows.indices.astype(cols.dtype, copy=False), rows.data


def _in_given_order(order: Array, cols: Array, indptr: Array) -> Array:
    """Equal pairs put back into the order given: the sort within rows is not stable."""
    equal = cols[1:] == cols[:-1]
    inner = indptr[1:-1]
    inner = inner[(inner > 0) & (inner < cols.shape[0])]
    equal[inner - 1] = False
    again = np.flatnonzero(equal)
    if again.shape[0] == 0:
        return order
    involved = np.zeros(cols.shape[0], np.bool_)
    involved[again] = True
    involved[again + 1] = True
    at = np.flatnonzero(involved)
    first = np.ones(at.shape[0], np.bool_)
    first[1:] = ~equal[at[1:] - 1]
    order[at] = order[at][np.lexsort((order[at], np.cumsum(first)))]
    return order
