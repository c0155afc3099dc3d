"""The reference engine: every operation as its definition reads, over a dictionary of entries.

Slow on purpose.  A vector or matrix becomes ``{(row, column): value}`` (a vector's column is 0),
an operation is a loop over dictionaries, and the result is packed again as a list vector or a
canonical CSR.  It shares no code with the other engines: it is what they are judged by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.bfs import SearchRequest
from spbfs.engines.fused import Fused
from spbfs.engines.protocol import Hints, Indices, MaskData, Operation
from spbfs.engines.reference.bfs import ReferenceSearches
from spbfs.engines.reference.bfs_many import ReferenceManySearches
from spbfs.engines.reference.entries import (
    D,
    Entries,
    dtype_of,
    entries_of,
    like,
    matrix_of,
    row_ends,
    vector_of,
)
from spbfs.engines.reference.operators import (
    apply_binary,
    apply_indexunary,
    apply_unary,
    cast,
    combine,
)
from spbfs.engines.reference.regions import (
    admitted_by,
    inside_of,
    marked_by,
    places_of,
    region_of,
)
from spbfs.operators.definitions import (
    TypedBinary,
    TypedIndexUnary,
    TypedMonoid,
    TypedSemiring,
    TypedUnary,
)
from spbfs.operators.dtypes import DType, lookup_dtype
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.derived import known_transpose, remember_transpose

__all__ = ["ReferenceEngine"]

Array = Any


def _union(x: Entries, y: Entries, op: TypedBinary) -> Entries:
    """Where both have an entry their combination, elsewhere the entry there is."""
    both = {k: apply_binary(op, x[k], y[k], k, k) for k in x if k in y}
    return {**x, **y, **both}


def _total(products: Entries, key: tuple[int, int], value: Any, monoid: TypedMonoid) -> None:
    value = cast(value, monoid.dtype)
    products[key] = combine(monoid, products[key], value) if key in products else value


class ReferenceEngine:
    """The oracle: see `spbfs.engines.protocol.Engine` for what each method promises."""

    name = "reference"
    spread = None
    fused = Fused()
    keeps_edits = False

    # -- arrays ------------------------------------------------------------------------------
    def asarray(self, array: Any, dtype: DType | None = None) -> Array:
        return np.asarray(array, dtype=None if dtype is None else dtype.np_type)

    def to_numpy(self, array: Array) -> np.ndarray[Any, Any]:
        return np.asarray(array)

    # -- construction ------------------------------------------------------------------------
    def _build(
        self, rows: Array, cols: Array, values: Array, dup: TypedBinary | None
    ) -> tuple[Entries, DType]:
        dtype = lookup_dtype(values.dtype)
        entries: Entries = {}
        for i, j, value in zip(rows, cols, values, strict=True):
            key = int(i), int(j)
            if dup is not None and key in entries:
                value = cast(apply_binary(dup, entries[key], value, key, key), dtype)
            entries[key] = value
        return entries, dtype

    def build_vector(
        self, size: int, indices: Array, values: Array, dup: TypedBinary | None
    ) -> VectorData:
        return vector_of(size, *self._build(indices, np.zeros_like(indices), values, dup))

    def build_matrix(
        self,
        nrows: int,
        ncols: int,
        rows: Array,
        cols: Array,
        values: Array,
        dup: TypedBinary | None,
    ) -> MatrixData:
        return matrix_of(nrows, ncols, *self._build(rows, cols, values, dup))

    # -- products ----------------------------------------------------------------------------
    def mxv(
        self, operation: Operation, u: VectorData, mask: MaskData | None, hints: Hints
    ) -> VectorData:
        A, semiring, transpose, vector_first = operation
        admits = admitted_by(mask)
        vector = entries_of(u)
        sums: Entries = {}
        for (row, col), a in entries_of(A).items():
            i, k = (col, row) if transpose else (row, col)
            if (k, 0) not in vector or not admits((i, 0)):
                continue
            x = vector[k, 0]
            if vector_first:
                product = apply_binary(semiring.multiply, x, a, (0, k), (k, i))
            else:
                product = apply_binary(semiring.multiply, a, x, (i, k), (k, 0))
            _total(sums, (i, 0), product, semiring.add)
        return vector_of(A.ncols if transpose else A.nrows, sums, semiring.out_type)

    def mxm(
        self,
        A: MatrixData,
        B: MatrixData,
        semiring: TypedSemiring,
        *,
        mask: MaskData | None,
        hints: Hints,
    ) -> MatrixData:
        admits = admitted_by(mask)
        rows_of_B: dict[int, list[tuple[int, Any]]] = {}
        for (k, j), b in entries_of(B).items():
            rows_of_B.setdefault(k, []).append((j, b))
        sums: Entries = {}
        for (i, k), a in entries_of(A).items():
            for j, b in rows_of_B.get(k, []):
                if admits((i, j)):
                    product = apply_binary(semiring.multiply, a, b, (i, k), (k, j))
                    _total(sums, (i, j), product, semiring.add)
        return matrix_of(A.nrows, B.ncols, sums, semiring.out_type)

    # -- element-wise ------------------------------------------------------------------------
    def ewise_add(self, x: D, y: D, op: TypedBinary) -> D:
        return like(x, _union(entries_of(x), entries_of(y), op), op.out_type)

    def ewise_mult(self, x: D, y: D, op: TypedBinary) -> D:
        left, right = entries_of(x), entries_of(y)
        both = {k: apply_binary(op, left[k], right[k], k, k) for k in left if k in right}
        return like(x, both, op.out_type)

    def ewise_union(
        self, x: D, x_default: np.generic, y: D, y_default: np.generic, op: TypedBinary
    ) -> D:
        left, right = entries_of(x), entries_of(y)
        union = {
            k: apply_binary(op, left.get(k, x_default), right.get(k, y_default), k, k)
            for k in {**left, **right}
        }
        return like(x, union, op.out_type)

    def apply(self, x: D, op: TypedUnary) -> D:
        return like(x, {k: apply_unary(op, v, k) for k, v in entries_of(x).items()}, op.out_type)

    def apply_bind(
        self, x: D, op: TypedBinary, *, left: np.generic | None, right: np.generic | None
    ) -> D:
        result = {
            k: apply_binary(op, v if left is None else left, v if right is None else right, k, k)
            for k, v in entries_of(x).items()
        }
        return like(x, result, op.out_type)

    def apply_index(self, x: D, op: TypedIndexUnary, thunk: np.generic) -> D:
        result = {k: apply_indexunary(op, v, k, thunk) for k, v in entries_of(x).items()}
        return like(x, result, op.out_type)

    def select(self, x: D, op: TypedIndexUnary, thunk: np.generic) -> D:
        chosen = {k: v for k, v in entries_of(x).items() if apply_indexunary(op, v, k, thunk) != 0}
        return like(x, chosen, dtype_of(x))

    def cast(self, x: D, dtype: DType) -> D:
        return like(x, entries_of(x), dtype)

    # -- reductions --------------------------------------------------------------------------
    def nvals(self, x: VectorData | MatrixData) -> int:
        return len(entries_of(x))

    def reduce(self, x: VectorData | MatrixData, monoid: TypedMonoid) -> np.generic | None:
        total: Entries = {}
        for value in entries_of(x).values():
            _total(total, (0, 0), value, monoid)
        return total.get((0, 0))

    def reduce_rowwise(self, A: MatrixData, monoid: TypedMonoid) -> VectorData:
        sums: Entries = {}
        for (i, _), value in entries_of(A).items():
            _total(sums, (i, 0), value, monoid)
        return vector_of(A.nrows, sums, monoid.dtype)

    row_ends = staticmethod(row_ends)

    # -- structure ---------------------------------------------------------------------------
    def entry_rows(self, A: MatrixData) -> Array:
        return np.array([i for i, _ in entries_of(A)], np.int64)

    def transpose(self, A: MatrixData) -> MatrixData:
        known = known_transpose(A)
        if known is None:
            transposed = {(j, i): value for (i, j), value in entries_of(A).items()}
            known = remember_transpose(A, matrix_of(A.ncols, A.nrows, transposed, dtype_of(A)))
        return known

    def kronecker(self, A: MatrixData, B: MatrixData, op: TypedBinary) -> MatrixData:
        blocks = {
            (i * B.nrows + p, j * B.ncols + q): apply_binary(op, a, b, (i, j), (p, q))
            for (i, j), a in entries_of(A).items()
            for (p, q), b in entries_of(B).items()
        }
        return matrix_of(A.nrows * B.nrows, A.ncols * B.ncols, blocks, op.out_type)

    def extract_vector(self, u: VectorData, indices: Indices) -> VectorData:
        places = places_of(indices)
        found = {(k, 0): value for (i, _), value in entries_of(u).items() for k in places(i)}
        return vector_of(u.size if indices is None else len(indices), found, dtype_of(u))

    def extract_matrix(self, A: MatrixData, rows: Indices, cols: Indices) -> MatrixData:
        row_places, col_places = places_of(rows), places_of(cols)
        found = {
            (p, q): value
            for (i, j), value in entries_of(A).items()
            for p in row_places(i)
            for q in col_places(j)
        }
        nrows = A.nrows if rows is None else len(rows)
        return matrix_of(nrows, A.ncols if cols is None else len(cols), found, dtype_of(A))

    def diag_matrix(self, u: VectorData, k: int) -> MatrixData:
        size = u.size + abs(k)
        down, right = max(0, -k), max(0, k)
        placed = {(i + down, i + right): value for (i, _), value in entries_of(u).items()}
        return matrix_of(size, size, placed, dtype_of(u))

    def diag_vector(self, A: MatrixData, k: int) -> VectorData:
        down, right = max(0, -k), max(0, k)
        size = max(0, min(A.nrows - down, A.ncols - right))
        found = {(i - down, 0): v for (i, j), v in entries_of(A).items() if j - i == k}
        return vector_of(size, found, dtype_of(A))

    # -- output ------------------------------------------------------------------------------
    def _assign(
        self,
        old: Entries,
        new: Entries,
        inside: Callable[[tuple[int, int]], bool],
        accum: TypedBinary | None,
    ) -> Entries:
        if accum is not None:
            return _union(old, new, accum)
        return {**{k: v for k, v in old.items() if not inside(k)}, **new}

    def assign_vector(
        self, w: VectorData, t: VectorData, indices: Indices, accum: TypedBinary | None
    ) -> VectorData:
        region = region_of(indices, w.size)
        new = {(region[k], 0): v for (k, _), v in entries_of(t).items()}
        result = self._assign(entries_of(w), new, inside_of(region, [0]), accum)
        return vector_of(w.size, result, dtype_of(w))

    def assign_matrix(
        self,
        C: MatrixData,
        T: MatrixData,
        rows: Indices,
        cols: Indices,
        accum: TypedBinary | None,
    ) -> MatrixData:
        at_row, at_col = region_of(rows, C.nrows), region_of(cols, C.ncols)
        new = {(at_row[p], at_col[q]): v for (p, q), v in entries_of(T).items()}
        inside = inside_of(at_row, at_col)
        return like(C, self._assign(entries_of(C), new, inside, accum), dtype_of(C))

    def edited(
        self, C: MatrixData, rows: Array, cols: Array, values: Array, gone: Array | None, sole: bool
    ) -> MatrixData:
        entries = entries_of(C)
        for k, (i, j) in enumerate(zip(rows.tolist(), cols.tolist(), strict=True)):
            if gone is not None and gone[k]:
                entries.pop((i, j), None)
            else:
                entries[i, j] = values[k]
        return like(C, entries, dtype_of(C))

    def _assign_scalar(
        self,
        C: D,
        value: np.generic,
        rows: Sequence[int],
        cols: Sequence[int],
        mask: MaskData | None,
        accum: TypedBinary | None,
        replace: bool,
    ) -> D:
        admits = admitted_by(mask)
        old = entries_of(C)
        result = {k: v for k, v in old.items() if admits(k) or not replace}
        positions: Iterable[tuple[int, int]]
        if mask is not None and not mask.complement:
            positions = filter(inside_of(rows, cols), marked_by(mask))
        else:
            # A key and a value of a dictionary.
            count = len(rows) * len(cols)
            require_bytes(200 * count, f"assigning a scalar to {count:,} elements")
            positions = filter(admits, product(rows, cols))
        for k in positions:
            if accum is not None and k in old:
                result[k] = apply_binary(accum, old[k], value, k, k)
            else:
                result[k] = value
        return like(C, result, dtype_of(C))

    def assign_scalar_vector(
        self,
        w: VectorData,
        value: np.generic,
        indices: Indices,
        mask: MaskData | None,
        accum: TypedBinary | None,
        replace: bool,
    ) -> VectorData:
        return self._assign_scalar(w, value, region_of(indices, w.size), [0], mask, accum, replace)

    def assign_scalar_matrix(
        self,
        C: MatrixData,
        value: np.generic,
        rows: Indices,
        cols: Indices,
        mask: MaskData | None,
        accum: TypedBinary | None,
        replace: bool,
    ) -> MatrixData:
        region = region_of(rows, C.nrows), region_of(cols, C.ncols)
        return self._assign_scalar(C, value, *region, mask, accum, replace)

    def write(
        self,
        C: D,
        T: D,
        mask: MaskData | None,
        accum: TypedBinary | None,
        replace: bool,
    ) -> D:
        admits = admitted_by(mask)
        old, new = entries_of(C), entries_of(T)
        if accum is not None:
            new = _union(old, new, accum)
        result = {k: v for k, v in new.items() if admits(k)}
        if not replace:
            result |= {k: v for k, v in old.items() if not admits(k)}
        return like(C, result, dtype_of(C))

    # -- traversal ---------------------------------------------------------------------------
    def in_edges(self, A: MatrixData) -> MatrixData:
        return self.transpose(A)

    def searches(self, A: MatrixData) -> ReferenceSearches:
        return ReferenceSearches()

    def searches_from_host(
        self, A: MatrixData, in_edges: Callable[[MatrixData], MatrixData]
    ) -> ReferenceSearches:
        return self.searches(A)

    def many_searches(self, A: MatrixData) -> ReferenceManySearches:
        return ReferenceManySearches()

    def search_as_given(
        self, indptr: Array, indices: Array, request: SearchRequest, started: float
    ) -> None:
        """Searches follow matrices."""

    # -- memory ------------------------------------------------------------------------------
    def copy(self, x: D) -> D:
        return like(x, entries_of(x), dtype_of(x))
