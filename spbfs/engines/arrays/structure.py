"""Operations that move entries: transpose, Kronecker product, extraction, diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.engines.arrays.layout import index_type, offsets, sorted_rows
from spbfs.engines.arrays.matrices import MatrixOps
from spbfs.engines.arrays.sets import is_sorted, locate
from spbfs.engines.cpu.transpose import transposed
from spbfs.operators.definitions import TypedBinary
from spbfs.storage.data import MatrixData, VectorData

__all__ = ["StructureOps"]

Array = Any


class StructureOps(MatrixOps):
    """Structure."""

    def transposed(self, A: MatrixData) -> MatrixData:
        """The transpose, kept with `A`; `A` itself where pattern and (iso) values are symmetric."""
        return transposed(A)

    # -- products of patterns ----------------------------------------------------------------
    def kronecker_product(self, A: MatrixData, B: MatrixData, op: TypedBinary) -> MatrixData:
        """Every pair of entries multiplied."""
        xp = self.xp
        nrows, ncols, nvals = A.nrows * B.nrows, A.ncols * B.ncols, A.nvals * B.nvals
        # Five int64 arrays over the entries of the result, two over its rows.
        self.require_bytes(
            40 * nvals + 16 * nrows, f"kronecker: {nrows} x {ncols} with {nvals} entries"
        )
        in_a, in_b = xp.diff(A.indptr).astype(np.int64), xp.diff(B.indptr).astype(np.int64)
        counts = (in_a[:, None] * in_b[None, :]).reshape(-1)
        indptr = offsets(xp, counts, ncols, nvals)
        rows = self.group_of(counts, nvals)
        nth = xp.arange(nvals, dtype=np.int64) - indptr[:-1].astype(np.int64)[rows]
        i, k = rows // max(B.nrows, 1), rows % max(B.nrows, 1)
        at_a = A.indptr[i] + nth // in_b[k]
        at_b = B.indptr[k] + nth % in_b[k]
        cols_a, cols_b = A.indices[at_a].astype(np.int64), B.indices[at_b].astype(np.int64)
        indices = (cols_a * B.ncols + cols_b).astype(index_type(ncols))
        if op.op.positional:
            place = {"firsti": i, "firstj": cols_a, "secondi": k, "secondj": cols_b}[op.op.name]
            values = self.values_as(place, op.out_type)
        else:
            values = self.binary_values(op, self.take(A.values, at_a), self.take(B.values, at_b))
        return MatrixData(nrows, ncols, indptr, indices, values)

    # -- extraction --------------------------------------------------------------------------
    def vector_extract(self, u: VectorData, indices: Array | None) -> VectorData:
        """``w[k] = u[indices[k]]``."""
        if indices is None:
            return self.like(u, u.values)
        size = int(indices.shape[0])
        if u.indices is not None:
            at, hit = locate(self.xp, u.indices, indices)
            found = self.xp.flatnonzero(hit)
            w = VectorData(size, self.take(u.values, at[found]), indices=found)
            return self.settle(w)
        values = self.take(u.values, indices)
        if u.present is None:
            return VectorData(size, values)
        return self.settle(VectorData(size, values, present=u.present[indices]), shrink=True)

    def matrix_extract(self, A: MatrixData, rows: Array | None, cols: Array | None) -> MatrixData:
        """``C[i, j] = A[rows[i], cols[j]]``."""
        if rows is not None:
            A = self._extract_rows(A, rows)
        if cols is not None:
            A = self._extract_columns(A, cols)
        return self.with_values(A, A.values)

    def _extract_rows(self, A: MatrixData, rows: Array) -> MatrixData:
        xp = self.xp
        counts = (A.indptr[rows + 1] - A.indptr[rows]).astype(np.int64)
        nvals = int(counts.sum())
        self.require_bytes(24 * nvals, f"extract: {rows.shape[0]} rows with {nvals} entries")
        indptr = offsets(xp, counts, A.ncols, nvals)
        # Entry e of a row lies as far from the row's start there as here.
        shift = A.indptr[rows].astype(np.int64) - indptr[:-1]
        at = xp.arange(nvals, dtype=np.int64) + shift[self.group_of(counts, nvals)]
        return MatrixData(
            int(rows.shape[0]), A.ncols, indptr, A.indices[at], self.take(A.values, at)
        )

    def _extract_columns(self, A: MatrixData, cols: Array) -> MatrixData:
        """Entry (i, j) goes to every k with ``cols[k] == j``."""
        xp = self.xp
        ncols = int(cols.shape[0])
        rising = is_sorted(xp, cols)
        order = xp.arange(ncols) if rising else xp.argsort(cols, kind="stable")
        first, times = self._occurrences(A, cols if rising else cols[order])
        if rising:
            out = self.keep_entries(A, times)
            indices = first[xp.flatnonzero(times)].astype(index_type(ncols))
            return MatrixData(A.nrows, ncols, out.indptr, indices, out.values)
        nvals = int(times.sum())
        self.require_bytes(64 * nvals, f"extract: {ncols} columns with {nvals} entries")
        source = self.group_of(times, nvals)
        nth = xp.arange(nvals, dtype=np.int64) - (xp.cumsum(times) - times)[source]
        counts = xp.bincount(self.rows_of(A)[source], minlength=A.nrows)
        indptr = offsets(xp, counts, ncols, nvals)
        indices, by_column = sorted_rows(xp, ncols, indptr, order[first[source] + nth])
        values = self.take(A.values, source[by_column])
        return MatrixData(A.nrows, ncols, indptr, indices, values)

    def _occurrences(self, A: MatrixData, chosen: Array) -> tuple[Array, Array]:
        """Where every entry's column begins in the sorted `chosen`, and how often it occurs.

        By a table over all columns, unless they are far more than the entries.
        """
        xp = self.xp
        if A.ncols <= 4 * (A.nvals + chosen.shape[0]) + 1024:
            counts = xp.bincount(chosen, minlength=A.ncols)
            starts = xp.cumsum(counts) - counts
            return starts[A.indices], counts[A.indices]
        first = xp.searchsorted(chosen, A.indices)
        return first, xp.searchsorted(chosen, A.indices, side="right") - first

    # -- diagonals ---------------------------------------------------------------------------
    def matrix_of_diagonal(self, u: VectorData, k: int) -> MatrixData:
        """The square matrix with `u` on its k-th diagonal."""
        n = u.size + abs(k)
        u = self.to_list(u)
        assert u.indices is not None
        rows = u.indices + max(-k, 0)
        counts = self.xp.zeros(n, np.int64)
        counts[rows] = 1
        indptr = offsets(self.xp, counts, n, u.indices.shape[0])
        indices = (u.indices + max(k, 0)).astype(index_type(n))
        return MatrixData(n, n, indptr, indices, u.values)

    def diagonal_of_matrix(self, A: MatrixData, k: int) -> VectorData:
        """The k-th diagonal."""
        size = max(0, min(A.nrows, A.ncols - k) if k >= 0 else min(A.nrows + k, A.ncols))
        rows, cols = self.places_of(A)
        at = self.xp.flatnonzero(cols - rows == k)
        w = VectorData(size, self.take(A.values, at), indices=(rows if k >= 0 else cols)[at])
        return self.settle(w)
