"""Matrices as sorted sets of keys ``row * ncols + column``: element-wise operations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.patterns.labels import from_sorted_entries, relabelled
from spbfs.engines.arrays.patterns.layout import index_type, offset_type, offsets
from spbfs.engines.arrays.patterns.sets import intersect, same, set_of, true_at, union_of, unite
from spbfs.engines.arrays.values.value_arrays import (
    binary_values,
    indexed_values,
    own_copy,
    take,
    unary_values,
    values_as,
)
from spbfs.engines.arrays.vectors.elements import uniform_value, united_values
from spbfs.operators.definitions import TypedBinary, TypedIndexUnary, TypedUnary
from spbfs.operators.dtypes import DType
from spbfs.planner.forms import is_hypersparse
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import bincount, entry_rows
from spbfs.storage.hypersparse import HypersparseMatrix

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = [
    "Grid",
    "cols_of",
    "copied",
    "empty_matrix",
    "from_keys",
    "keep_entries",
    "keys_of",
    "matrix_add",
    "matrix_apply",
    "matrix_bind",
    "matrix_index",
    "matrix_mult",
    "matrix_select",
    "places_of",
    "rows_of",
    "with_values",
]

Array = Any


@dataclass(slots=True)
class Grid:
    """How (row, column) pairs of one operation are numbered by int64 keys in row-major order.

    `rows` and `columns` are None, or, where ``nrows * ncols`` overflows, those that occur in the
    operation, sorted: a key then holds the ranks of row and column among them.
    """

    xp: Any
    nrows: int
    ncols: int
    rows: Array | None = None
    columns: Array | None = None

    @classmethod
    def of(cls, xp: Any, *matrices: MatrixData) -> Grid:
        """The grid of matrices of one shape."""
        A = matrices[0]
        if A.nrows * A.ncols < 2**63:
            return cls(xp, A.nrows, A.ncols)
        places = [(entry_rows(m), cols_of(m)) for m in matrices]
        return cls.over(
            xp, A.nrows, A.ncols, *(xp.concatenate(p) for p in zip(*places, strict=True))
        )

    @classmethod
    def over(cls, xp: Any, nrows: int, ncols: int, rows: Array, cols: Array) -> Grid:
        """The grid of a shape in which no other positions than these will be asked for."""
        if nrows * ncols < 2**63:
            return cls(xp, nrows, ncols)
        return cls(xp, nrows, ncols, set_of(xp, rows), set_of(xp, cols))

    @property
    def width(self) -> int:
        return self.ncols if self.columns is None else max(1, int(self.columns.shape[0]))

    def keys(self, rows: Array, cols: Array) -> Array:
        """The keys of positions; all rows and columns must be of the grid."""
        if self.columns is not None:
            rows = self.xp.searchsorted(self.rows, rows)
            cols = self.xp.searchsorted(self.columns, cols)
        keys = rows * np.int64(self.width)
        keys += cols
        return keys

    def split(self, keys: Array) -> tuple[Array, Array]:
        """(row, column) of every key."""
        rows = keys // self.width
        cols = keys - rows * self.width
        if self.rows is None or self.columns is None:
            return rows, cols
        return self.rows[rows], self.columns[cols]


def rows_of(engine: ArrayEngine, A: MatrixData) -> Array:
    """See `Engine.entry_rows`."""
    return entry_rows(A)


def cols_of(A: MatrixData) -> Array:
    """The column of every entry, int64."""
    return A.indices.astype(np.int64)


def places_of(engine: ArrayEngine, A: MatrixData) -> tuple[Array, Array]:
    """(row, column) of every entry, int64."""
    return engine.entry_rows(A), cols_of(A)


def keys_of(engine: ArrayEngine, grid: Grid, A: MatrixData) -> Array:
    """The sorted keys of all entries."""
    return grid.keys(*places_of(engine, A))


def from_keys(engine: ArrayEngine, grid: Grid, keys: Array, values: Array) -> MatrixData:
    """The matrix with entries at sorted keys."""
    rows, cols = grid.split(keys)
    if is_hypersparse(grid.nrows, grid.ncols, keys.shape[0]):
        return from_sorted_entries(grid.nrows, grid.ncols, rows, cols, values)
    counts = bincount(rows, grid.nrows)
    indptr = offsets(engine.xp, counts, grid.ncols, keys.shape[0])
    indices = cols.astype(index_type(grid.ncols))
    return MatrixData(grid.nrows, grid.ncols, indptr, indices, values)


def with_values(A: MatrixData, values: Array) -> MatrixData:
    """The pattern of `A`, whose arrays are shared, with other values."""
    if isinstance(A, HypersparseMatrix):
        compact = with_values(A.compact, values)
        return HypersparseMatrix(A.nrows, A.ncols, A.rows, A.columns, compact)
    return MatrixData(A.nrows, A.ncols, A.indptr, A.indices, values)


def keep_entries(engine: ArrayEngine, A: MatrixData, keep: Array) -> MatrixData:
    """The entries flagged in `keep`."""
    at = true_at(keep)
    if at.shape[0] == A.nvals:
        return with_values(A, A.values)
    if isinstance(A, HypersparseMatrix):
        rest = keep_entries(engine, A.compact, keep)
        return relabelled(rest, A.nrows, A.ncols, A.rows, A.columns)
    # The number of entries kept before each row begins is its new offset.
    kept = engine.xp.zeros(A.nvals + 1, A.indptr.dtype)
    keep.cumsum(out=kept[1:], dtype=kept.dtype)
    return MatrixData(A.nrows, A.ncols, kept[A.indptr], A.indices[at], take(engine, A.values, at))


# -- element-wise ----------------------------------------------------------------------------
def matrix_add(
    engine: ArrayEngine,
    x: MatrixData,
    y: MatrixData,
    op: TypedBinary,
    defaults: tuple[np.generic, np.generic] | None = None,
    dtype: DType | None = None,
) -> MatrixData:
    """The union; see `VectorOps.vector_add`."""
    dtype = dtype or op.out_type
    if defaults is None and _same_pattern(x, y):
        values = binary_values(engine, op, x.values, y.values, lambda: places_of(engine, x))
        return with_values(x, values_as(engine, values, dtype))
    grid = Grid.of(engine.xp, x, y)
    uniform = None if defaults is not None else uniform_value(engine, x.values, y.values, op, dtype)
    if uniform is not None:
        keys = union_of(engine.xp, keys_of(engine, grid, x), keys_of(engine, grid, y))
        return from_keys(engine, grid, keys, engine.resized(uniform, keys.shape[0]))
    u = unite(engine.xp, keys_of(engine, grid, x), keys_of(engine, grid, y))
    values = united_values(engine, u, x.values, y.values, op, defaults, grid.split, dtype)
    if u.a_at is None:
        return with_values(x, values)
    return from_keys(engine, grid, u.keys, values)


def matrix_mult(engine: ArrayEngine, x: MatrixData, y: MatrixData, op: TypedBinary) -> MatrixData:
    """The intersection."""
    if _same_pattern(x, y):
        values = binary_values(engine, op, x.values, y.values, lambda: places_of(engine, x))
        return with_values(x, values)
    grid = Grid.of(engine.xp, x, y)
    keys = keys_of(engine, grid, x)
    in_x, in_y = intersect(engine.xp, keys, keys_of(engine, grid, y))
    keys = take(engine, keys, in_x)
    values = binary_values(
        engine,
        op,
        take(engine, x.values, in_x),
        take(engine, y.values, in_y),
        lambda: grid.split(keys),
    )
    return with_values(x, values) if in_x is None else from_keys(engine, grid, keys, values)


def _same_pattern(x: MatrixData, y: MatrixData) -> bool:
    """Whether two matrices have entries in the same places, where arrays say so at once."""
    plain = type(x) is MatrixData and type(y) is MatrixData and x.nvals == y.nvals
    return plain and same(x.indptr, y.indptr) and same(x.indices, y.indices)


def matrix_apply(engine: ArrayEngine, A: MatrixData, op: TypedUnary) -> MatrixData:
    """`op` of every value."""
    return with_values(A, unary_values(engine, op, A.values, lambda: places_of(engine, A)))


def matrix_bind(
    engine: ArrayEngine, A: MatrixData, op: TypedBinary, left: Any, right: Any
) -> MatrixData:
    """`op` with a scalar on one side."""
    bound = engine.constant(right if left is None else left, op.in_type.np_type, A.nvals)
    pair = (A.values, bound) if left is None else (bound, A.values)
    return with_values(A, binary_values(engine, op, *pair, lambda: places_of(engine, A)))


def matrix_index(engine: ArrayEngine, A: MatrixData, op: TypedIndexUnary, thunk: Any) -> MatrixData:
    """`op` of value and position."""
    return with_values(A, _indexed_entries(engine, A, op, thunk))


def _indexed_entries(engine: ArrayEngine, A: MatrixData, op: TypedIndexUnary, thunk: Any) -> Array:
    return indexed_values(
        engine, op, A.values, lambda: engine.entry_rows(A), lambda: cols_of(A), thunk
    )


def matrix_select(
    engine: ArrayEngine, A: MatrixData, op: TypedIndexUnary, thunk: Any
) -> MatrixData:
    """The entries for which `op` is true."""
    keep = _indexed_entries(engine, A, op, thunk)
    return keep_entries(engine, A, keep.astype(np.bool_, copy=False))


def empty_matrix(engine: ArrayEngine, nrows: int, ncols: int, dtype: DType) -> MatrixData:
    """A matrix without entries."""
    xp = engine.xp
    values = engine.constant(0, dtype.np_type, 0)
    if is_hypersparse(nrows, ncols, 0):
        none = xp.empty(0, np.int64)
        return from_sorted_entries(nrows, ncols, none, none, values)
    indices = xp.empty(0, index_type(ncols))
    return MatrixData(nrows, ncols, xp.zeros(nrows + 1, offset_type(ncols, 0)), indices, values)


def copied(engine: ArrayEngine, A: MatrixData) -> MatrixData:
    """A deep copy."""
    if isinstance(A, HypersparseMatrix):
        lists, compact = (A.rows.copy(), A.columns.copy()), copied(engine, A.compact)
        return HypersparseMatrix(A.nrows, A.ncols, *lists, compact)
    values = own_copy(engine, A.values)
    return MatrixData(A.nrows, A.ncols, A.indptr.copy(), A.indices.copy(), values)
