"""Matrices as sorted sets of keys ``row * ncols + column``: element-wise operations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.engines.arrays.layout import index_type, offsets
from spbfs.engines.arrays.reductions import ReduceOps
from spbfs.engines.arrays.sets import intersect, union_of, unite
from spbfs.operators.definitions import TypedBinary, TypedIndexUnary, TypedUnary
from spbfs.operators.dtypes import DType
from spbfs.storage.data import MatrixData

__all__ = ["Grid", "MatrixOps"]

Array = Any


@dataclass(slots=True)
class Grid:
    """How (row, column) pairs of one operation are numbered by int64 keys in row-major order.

    `columns` is None, or, where ``nrows * ncols`` overflows, the sorted columns that occur in the
    operation: a key then holds a column's rank among them.
    """

    xp: Any
    nrows: int
    ncols: int
    columns: Array | None

    @classmethod
    def of(cls, xp: Any, *matrices: MatrixData) -> Grid:
        """The grid of matrices of one shape."""
        A = matrices[0]
        columns = None
        if A.nrows * A.ncols >= 2**63:
            columns = xp.unique(xp.concatenate([m.indices for m in matrices])).astype(np.int64)
        return cls(xp, A.nrows, A.ncols, columns)

    @property
    def width(self) -> int:
        return self.ncols if self.columns is None else max(1, int(self.columns.shape[0]))

    def keys(self, rows: Array, cols: Array) -> Array:
        """The keys of positions; all columns must be of the grid."""
        if self.columns is not None:
            cols = self.xp.searchsorted(self.columns, cols)
        keys = rows * np.int64(self.width)
        keys += cols
        return keys

    def split(self, keys: Array) -> tuple[Array, Array]:
        """(row, column) of every key."""
        rows = keys // self.width
        cols = keys - rows * self.width
        return rows, cols if self.columns is None else self.columns[cols]


class MatrixOps(ReduceOps):
    """Everything that maps matrices to a matrix entry by entry."""

    def rows_of(self, A: MatrixData) -> Array:
        """The row of every entry, int64."""
        return self.group_of(self.xp.diff(A.indptr), A.nvals)

    def cols_of(self, A: MatrixData) -> Array:
        """The column of every entry, int64."""
        return A.indices.astype(np.int64)

    def places_of(self, A: MatrixData) -> tuple[Array, Array]:
        """(row, column) of every entry, int64."""
        return self.rows_of(A), self.cols_of(A)

    def keys_of(self, grid: Grid, A: MatrixData) -> Array:
        """The sorted keys of all entries."""
        return grid.keys(*self.places_of(A))

    def from_keys(self, grid: Grid, keys: Array, values: Array) -> MatrixData:
        """The matrix with entries at sorted keys."""
        rows, cols = grid.split(keys)
        counts = self.xp.bincount(rows, minlength=grid.nrows)
        indptr = offsets(self.xp, counts, grid.ncols, keys.shape[0])
        indices = cols.astype(index_type(grid.ncols))
        return MatrixData(grid.nrows, grid.ncols, indptr, indices, values)

    def with_values(self, A: MatrixData, values: Array) -> MatrixData:
        """The pattern of `A`, whose arrays are shared, with other values."""
        return MatrixData(A.nrows, A.ncols, A.indptr, A.indices, values)

    def keep_entries(self, A: MatrixData, keep: Array) -> MatrixData:
        """The entries flagged in `keep`."""
        at = self.xp.flatnonzero(keep)
        if at.shape[0] == A.nvals:
            return self.with_values(A, A.values)
        # The number of entries kept before each row begins is its new offset.
        kept = self.xp.zeros(A.nvals + 1, A.indptr.dtype)
        self.xp.cumsum(keep, out=kept[1:], dtype=kept.dtype)
        return MatrixData(A.nrows, A.ncols, kept[A.indptr], A.indices[at], self.take(A.values, at))

    # -- element-wise ------------------------------------------------------------------------
    def matrix_add(
        self,
        x: MatrixData,
        y: MatrixData,
        op: TypedBinary,
        defaults: tuple[np.generic, np.generic] | None = None,
        dtype: DType | None = None,
    ) -> MatrixData:
        """The union; see `VectorOps.vector_add`."""
        grid = Grid.of(self.xp, x, y)
        dtype = dtype or op.out_type
        uniform = None if defaults is not None else self.uniform(x.values, y.values, op, dtype)
        if uniform is not None:
            keys = union_of(self.xp, self.keys_of(grid, x), self.keys_of(grid, y))
            return self.from_keys(grid, keys, self.resized(uniform, keys.shape[0]))
        u = unite(self.xp, self.keys_of(grid, x), self.keys_of(grid, y))
        values = self.united_values(u, x.values, y.values, op, defaults, grid.split, dtype)
        if u.a_at is None:
            return self.with_values(x, values)
        return self.from_keys(grid, u.keys, values)

    def matrix_mult(self, x: MatrixData, y: MatrixData, op: TypedBinary) -> MatrixData:
        """The intersection."""
        grid = Grid.of(self.xp, x, y)
        keys = self.keys_of(grid, x)
        in_x, in_y = intersect(self.xp, keys, self.keys_of(grid, y))
        keys = self.take(keys, in_x)
        values = self.binary_values(
            op, self.take(x.values, in_x), self.take(y.values, in_y), lambda: grid.split(keys)
        )
        return self.with_values(x, values) if in_x is None else self.from_keys(grid, keys, values)

    def matrix_apply(self, A: MatrixData, op: TypedUnary) -> MatrixData:
        """`op` of every value."""
        return self.with_values(A, self.unary_values(op, A.values, lambda: self.places_of(A)))

    def matrix_bind(self, A: MatrixData, op: TypedBinary, left: Any, right: Any) -> MatrixData:
        """`op` with a scalar on one side."""
        bound = self.constant(right if left is None else left, op.in_type.np_type, A.nvals)
        pair = (A.values, bound) if left is None else (bound, A.values)
        return self.with_values(A, self.binary_values(op, *pair, lambda: self.places_of(A)))

    def matrix_index(self, A: MatrixData, op: TypedIndexUnary, thunk: Any) -> MatrixData:
        """`op` of value and position."""
        return self.with_values(A, self._indexed_entries(A, op, thunk))

    def _indexed_entries(self, A: MatrixData, op: TypedIndexUnary, thunk: Any) -> Array:
        return self.indexed_values(
            op, A.values, lambda: self.rows_of(A), lambda: self.cols_of(A), thunk
        )

    def matrix_select(self, A: MatrixData, op: TypedIndexUnary, thunk: Any) -> MatrixData:
        """The entries for which `op` is true."""
        keep = self._indexed_entries(A, op, thunk)
        return self.keep_entries(A, keep.astype(np.bool_, copy=False))
