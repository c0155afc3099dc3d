"""Operations that move entries: transpose, Kronecker product, extraction, diagonals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.matrices.elements import keep_entries, places_of, with_values
from spbfs.engines.arrays.patterns.layout import index_type, offset_type, offsets, sorted_rows
from spbfs.engines.arrays.patterns.ranges import as_slice, held, spelled
from spbfs.engines.arrays.patterns.sets import is_sorted, locate, same
from spbfs.engines.arrays.values.value_arrays import binary_values, group_of, take, values_as
from spbfs.engines.arrays.vectors.forms import like
from spbfs.engines.protocol import Indices
from spbfs.operators.definitions import TypedBinary
from spbfs.storage.data import MatrixData, VectorData, is_iso
from spbfs.storage.derived import known_transpose, remember_transpose
from spbfs.storage.entries import bincount

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = [
    "diag_matrix",
    "diag_vector",
    "extract_matrix",
    "extract_vector",
    "kronecker",
    "transposed",
]

Array = Any


def transposed(engine: ArrayEngine, A: MatrixData) -> MatrixData:
    """The transpose, kept with `A`; `A` itself where pattern and (iso) values are symmetric."""
    known, xp = known_transpose(A), engine.xp
    if known is not None:
        return known
    order = xp.argsort(A.indices, kind="stable")
    indptr = offsets(xp, bincount(A.indices, A.ncols), A.nrows, A.nvals)
    indices = engine.entry_rows(A)[order].astype(index_type(A.nrows))
    is_pattern = is_iso(A.values) and A.nrows == A.ncols
    if is_pattern and same(indptr, A.indptr) and same(indices, A.indices):
        return A
    values = take(engine, A.values, order)
    return remember_transpose(A, MatrixData(A.ncols, A.nrows, indptr, indices, values))


# -- products of patterns --------------------------------------------------------------------
def kronecker(engine: ArrayEngine, A: MatrixData, B: MatrixData, op: TypedBinary) -> MatrixData:
    """Every pair of entries multiplied."""
    xp = engine.xp
    nrows, ncols, nvals = A.nrows * B.nrows, A.ncols * B.ncols, A.nvals * B.nvals
    # Five int64 arrays over the entries of the result, two over its rows.
    engine.require_bytes(
        40 * nvals + 16 * nrows, f"kronecker: {nrows} x {ncols} with {nvals} entries"
    )
    in_a, in_b = xp.diff(A.indptr).astype(np.int64), xp.diff(B.indptr).astype(np.int64)
    counts = (in_a[:, None] * in_b[None, :]).reshape(-1)
    indptr = offsets(xp, counts, ncols, nvals)
    # An entry of A with a row of B that has any gives a run of entries: what is divided or looked
    # up once a run is not once an entry.
    filled = xp.flatnonzero(in_b)
    runs = in_a * filled.shape[0]
    row = group_of(engine, runs, A.nvals * filled.shape[0])
    nth = xp.arange(row.shape[0], dtype=np.int64) - (xp.cumsum(runs) - runs)[row]
    start_a = A.indptr[row] + nth % in_a[row]
    row_b = filled[nth // in_a[row]]
    length = in_b[row_b]
    run = group_of(engine, length, nvals)
    at_b = xp.arange(nvals, dtype=np.int64)
    at_b += (B.indptr[row_b] - (xp.cumsum(length) - length))[run]
    width = index_type(ncols)
    indices = (A.indices[start_a].astype(np.int64) * B.ncols).astype(width)[run]
    indices += B.indices[at_b].astype(width, copy=False)
    if op.op.positional:
        place = {
            "firsti": lambda: row[run],
            "firstj": lambda: A.indices[start_a][run].astype(np.int64),
            "secondi": lambda: row_b[run],
            "secondj": lambda: B.indices[at_b].astype(np.int64),
        }[op.op.name]()
        values = values_as(engine, place, op.out_type)
    else:
        left = take(engine, take(engine, A.values, start_a), run)
        values = binary_values(engine, op, left, take(engine, B.values, at_b))
    return MatrixData(nrows, ncols, indptr, indices, values)


# -- extraction ------------------------------------------------------------------------------
def extract_vector(engine: ArrayEngine, u: VectorData, indices: Indices) -> VectorData:
    """``w[k] = u[indices[k]]``."""
    if indices is None:
        return like(u, u.values)
    if isinstance(indices, range):
        return _vector_range(engine, u, indices)
    size = int(indices.shape[0])
    if u.indices is not None:
        at, hit = locate(engine.xp, u.indices, indices)
        found = engine.xp.flatnonzero(hit)
        w = VectorData(size, take(engine, u.values, at[found]), indices=found)
        return engine.choose_form(w)
    values = take(engine, u.values, indices)
    if u.present is None:
        return VectorData(size, values)
    return engine.choose_form(VectorData(size, values, present=u.present[indices]), shrink=True)


def _vector_range(engine: ArrayEngine, u: VectorData, chosen: range) -> VectorData:
    size = len(chosen)
    if u.indices is not None:
        kept, at = held(engine.xp, chosen, u.indices)
        return engine.choose_form(VectorData(size, take(engine, u.values, kept), indices=at))
    part = as_slice(chosen)
    iso = is_iso(u.values)
    values = engine.resized(u.values, size) if iso else u.values[part].copy()
    if u.present is None:
        return VectorData(size, values)
    w = VectorData(size, values, present=u.present[part].copy())
    return engine.choose_form(w, shrink=True)


def extract_matrix(engine: ArrayEngine, A: MatrixData, rows: Indices, cols: Indices) -> MatrixData:
    """``C[i, j] = A[rows[i], cols[j]]``."""
    if rows is not None:
        follow = _is_range(engine, rows)
        A = _row_range(A, rows) if follow else _extract_rows(engine, A, spelled(engine, rows))
    if cols is not None:
        if _is_range(engine, cols):
            A = _column_range(engine, A, cols)
        else:
            A = _extract_columns(engine, A, spelled(engine, cols))
    return with_values(A, A.values)


def _is_range(engine: ArrayEngine, chosen: Array | range) -> bool:
    """Whether indices follow one another; of an array on a GPU to ask would take a wait."""
    if isinstance(chosen, range):
        return chosen.step == 1 and len(chosen) > 0
    size = chosen.shape[0]
    if engine.xp is not np or size == 0 or int(chosen[-1]) - int(chosen[0]) != size - 1:
        return False
    return is_sorted(engine.xp, chosen)


def _row_range(A: MatrixData, rows: Array | range) -> MatrixData:
    """Rows that follow one another: their entries lie together."""
    begin, end = int(rows[0]), int(rows[-1]) + 1
    entries = slice(int(A.indptr[begin]), int(A.indptr[end]))
    indptr = A.indptr[begin : end + 1] - A.indptr[begin]
    values = A.values[entries] if is_iso(A.values) else A.values[entries].copy()
    return MatrixData(end - begin, A.ncols, indptr, A.indices[entries].copy(), values)


def _column_range(engine: ArrayEngine, A: MatrixData, cols: Array | range) -> MatrixData:
    """Columns that follow one another: two comparisons an entry."""
    begin, end = int(cols[0]), int(cols[-1]) + 1
    kept = keep_entries(engine, A, (A.indices >= begin) & (A.indices < end))
    indices = (kept.indices - begin).astype(index_type(end - begin))
    return MatrixData(A.nrows, end - begin, kept.indptr, indices, kept.values)


def _extract_rows(engine: ArrayEngine, A: MatrixData, rows: Array) -> MatrixData:
    xp = engine.xp
    counts = (A.indptr[rows + 1] - A.indptr[rows]).astype(np.int64)
    nvals = int(counts.sum())
    engine.require_bytes(24 * nvals, f"extract: {rows.shape[0]} rows with {nvals} entries")
    indptr = offsets(xp, counts, A.ncols, nvals)
    # Entry e of a row lies as far from the row's start there as here.
    shift = A.indptr[rows].astype(np.int64) - indptr[:-1]
    at = xp.arange(nvals, dtype=np.int64) + shift[group_of(engine, counts, nvals)]
    return MatrixData(
        int(rows.shape[0]), A.ncols, indptr, A.indices[at], take(engine, A.values, at)
    )


def _extract_columns(engine: ArrayEngine, A: MatrixData, cols: Array) -> MatrixData:
    """Entry (i, j) goes to every k with ``cols[k] == j``."""
    xp = engine.xp
    ncols = int(cols.shape[0])
    rising = is_sorted(xp, cols)
    order = xp.arange(ncols) if rising else xp.argsort(cols, kind="stable")
    first, times = _occurrences(engine, A, cols if rising else cols[order])
    if rising:
        out = keep_entries(engine, A, times)
        indices = first[xp.flatnonzero(times)].astype(index_type(ncols))
        return MatrixData(A.nrows, ncols, out.indptr, indices, out.values)
    nvals = int(times.sum())
    engine.require_bytes(64 * nvals, f"extract: {ncols} columns with {nvals} entries")
    source = group_of(engine, times, nvals)
    nth = xp.arange(nvals, dtype=np.int64) - (xp.cumsum(times) - times)[source]
    counts = bincount(engine.entry_rows(A)[source], A.nrows)
    indptr = offsets(xp, counts, ncols, nvals)
    indices, by_column = sorted_rows(xp, ncols, indptr, order[first[source] + nth])
    values = take(engine, A.values, source[by_column])
    return MatrixData(A.nrows, ncols, indptr, indices, values)


def _occurrences(engine: ArrayEngine, A: MatrixData, chosen: Array) -> tuple[Array, Array]:
    """Where every entry's column begins in the sorted `chosen`, and how often it occurs.

    By a table over all columns, unless they are far more than the entries.
    """
    xp = engine.xp
    if A.ncols <= 4 * (A.nvals + chosen.shape[0]) + 1024:
        counts = bincount(chosen, A.ncols)
        starts = xp.cumsum(counts) - counts
        return starts[A.indices], counts[A.indices]
    first = xp.searchsorted(chosen, A.indices)
    return first, xp.searchsorted(chosen, A.indices, side="right") - first


# -- diagonals -------------------------------------------------------------------------------
def diag_matrix(engine: ArrayEngine, u: VectorData, k: int) -> MatrixData:
    """The square matrix with `u` on its k-th diagonal."""
    n = u.size + abs(k)
    if u.form == "full":
        # A row has one entry but for the first or last |k|, so that offsets count, as columns do.
        indptr = engine.xp.arange(n + 1, dtype=offset_type(n, n))
        indices = indptr[max(k, 0) : n - max(-k, 0)].astype(index_type(n))
        if k > 0:
            indptr[u.size :] = u.size
        elif k < 0:
            indptr[-k:] = indptr[: n + 1 + k].copy()
            indptr[:-k] = 0
        values = u.values if is_iso(u.values) else u.values.copy()
        return MatrixData(n, n, indptr, indices, values)
    u = engine.to_list(u)
    assert u.indices is not None
    rows = u.indices + max(-k, 0)
    counts = engine.xp.zeros(n, np.int64)
    counts[rows] = 1
    indptr = offsets(engine.xp, counts, n, u.indices.shape[0])
    indices = (u.indices + max(k, 0)).astype(index_type(n))
    return MatrixData(n, n, indptr, indices, u.values)


def diag_vector(engine: ArrayEngine, A: MatrixData, k: int) -> VectorData:
    """The k-th diagonal."""
    size = max(0, min(A.nrows, A.ncols - k) if k >= 0 else min(A.nrows + k, A.ncols))
    rows, cols = places_of(engine, A)
    at = engine.xp.flatnonzero(cols - rows == k)
    w = VectorData(size, take(engine, A.values, at), indices=(rows if k >= 0 else cols)[at])
    return engine.choose_form(w)
