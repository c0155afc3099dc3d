"""The protocol's methods, except the products: each picks the vector or the matrix form."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from spbfs.engines.arrays.build import BuildOps
from spbfs.engines.arrays.packed import PackedOps
from spbfs.engines.arrays.structure import StructureOps
from spbfs.engines.arrays.vector_assign import VectorAssign
from spbfs.engines.protocol import MaskData
from spbfs.operators.definitions import TypedBinary, TypedIndexUnary, TypedMonoid, TypedUnary
from spbfs.operators.dtypes import DType
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.derived import known_transpose, remember_transpose
from spbfs.storage.packed import PackedMatrix, PackedTranspose

__all__ = ["ArrayEngine"]

Array = Any
Data = VectorData | MatrixData
D = TypeVar("D", VectorData, MatrixData)


class ArrayEngine(VectorAssign, PackedOps, StructureOps, BuildOps):
    """An engine over one array module (``xp``); subclasses add `mxv`, `mxm` and faster parts.

    See `spbfs.engines.protocol.Engine` for the meaning of every method.
    """

    name = "arrays"

    # -- construction ------------------------------------------------------------------------
    def build_vector(
        self, size: int, indices: Array, values: Array, dup: TypedBinary | None
    ) -> VectorData:
        return self.vector_from(size, indices, values, dup)

    def build_matrix(
        self,
        nrows: int,
        ncols: int,
        rows: Array,
        cols: Array,
        values: Array,
        dup: TypedBinary | None,
    ) -> MatrixData:
        return self.matrix_from(nrows, ncols, rows, cols, values, dup)

    # -- element-wise ------------------------------------------------------------------------
    def ewise_add(self, x: D, y: D, op: TypedBinary) -> D:
        if isinstance(x, VectorData):
            return self.vector_add(x, y, op)
        return self.packed_add(x, y, op) or self.matrix_add(x, y, op)

    def ewise_mult(self, x: D, y: D, op: TypedBinary) -> D:
        if isinstance(x, VectorData):
            return self.vector_mult(x, y, op)
        return self.packed_mult(x, y, op) or self.matrix_mult(x, y, op)

    def ewise_union(
        self, x: D, x_default: np.generic, y: D, y_default: np.generic, op: TypedBinary
    ) -> D:
        defaults = (x_default, y_default)
        if isinstance(x, VectorData):
            return self.vector_add(x, y, op, defaults)
        return self.matrix_add(x, y, op, defaults)

    def apply(self, x: D, op: TypedUnary) -> D:
        if isinstance(x, VectorData):
            return self.vector_apply(x, op)
        return self.matrix_apply(x, op)

    def apply_bind(
        self, x: D, op: TypedBinary, *, left: np.generic | None, right: np.generic | None
    ) -> D:
        if isinstance(x, VectorData):
            return self.vector_bind(x, op, left, right)
        return self.matrix_bind(x, op, left, right)

    def apply_index(self, x: D, op: TypedIndexUnary, thunk: np.generic) -> D:
        if isinstance(x, VectorData):
            return self.vector_index(x, op, thunk)
        return self.matrix_index(x, op, thunk)

    def select(self, x: D, op: TypedIndexUnary, thunk: np.generic) -> D:
        if isinstance(x, VectorData):
            return self.vector_select(x, op, thunk)
        return self.matrix_select(x, op, thunk)

    def cast(self, x: D, dtype: DType) -> D:
        if isinstance(x, PackedMatrix) and dtype.is_bool:
            return x
        values = self.values_as(x.values, dtype)
        if isinstance(x, VectorData):
            return self.like(x, values)
        return self.with_values(x, values)

    # -- reductions --------------------------------------------------------------------------
    def nvals(self, x: Data) -> int:
        return self.count(x) if isinstance(x, VectorData) else x.nvals

    def reduce(self, x: Data, monoid: TypedMonoid) -> np.generic | None:
        if isinstance(x, PackedMatrix):
            total = self.packed_reduce(x, monoid)
            if total is not None:
                return total
        return self.reduce_values(self.stored_values(x), monoid)

    def reduce_rowwise(self, A: MatrixData, monoid: TypedMonoid) -> VectorData:
        sums = None
        if isinstance(A, PackedMatrix):
            sums = self.packed_row_sums(A, monoid)
        elif isinstance(A, PackedTranspose):
            sums = self.packed_column_sums(A, monoid)
        return self.row_sums(A, monoid) if sums is None else sums

    # -- structure ---------------------------------------------------------------------------
    def transpose(self, A: MatrixData) -> MatrixData:
        if isinstance(A, PackedTranspose):
            return A.packed
        if isinstance(A, PackedMatrix):
            return known_transpose(A) or remember_transpose(A, PackedTranspose(A))
        return self.transposed(A)

    def kronecker(self, A: MatrixData, B: MatrixData, op: TypedBinary) -> MatrixData:
        return self.kronecker_product(A, B, op)

    def extract_vector(self, u: VectorData, indices: Array | None) -> VectorData:
        return self.vector_extract(u, indices)

    def extract_matrix(self, A: MatrixData, rows: Array | None, cols: Array | None) -> MatrixData:
        if isinstance(A, PackedMatrix) and rows is not None and cols is None:
            return PackedMatrix(A.ncols, A.bits[rows])
        return self.matrix_extract(A, rows, cols)

    def diag_matrix(self, u: VectorData, k: int) -> MatrixData:
        return self.matrix_of_diagonal(u, k)

    def diag_vector(self, A: MatrixData, k: int) -> VectorData:
        return self.diagonal_of_matrix(A, k)

    # -- output ------------------------------------------------------------------------------
    def assign_vector(
        self, w: VectorData, t: VectorData, indices: Array | None, accum: TypedBinary | None
    ) -> VectorData:
        return self.vector_assign(w, t, indices, accum)

    def assign_matrix(
        self,
        C: MatrixData,
        T: MatrixData,
        rows: Array | None,
        cols: Array | None,
        accum: TypedBinary | None,
    ) -> MatrixData:
        return self.matrix_assign(C, T, rows, cols, accum)

    def assign_scalar_vector(
        self,
        w: VectorData,
        value: np.generic,
        indices: Array | None,
        mask: MaskData | None,
        accum: TypedBinary | None,
        replace: bool,
    ) -> VectorData:
        return self.vector_assign_scalar(w, value, indices, mask, accum, replace)

    def assign_scalar_matrix(
        self,
        C: MatrixData,
        value: np.generic,
        rows: Array | None,
        cols: Array | None,
        mask: MaskData | None,
        accum: TypedBinary | None,
        replace: bool,
    ) -> MatrixData:
        packed = None
        if rows is None and cols is None:
            packed = self.packed_assign_scalar(C, value, mask, accum, replace)
        return packed or self.matrix_assign_scalar(C, value, rows, cols, mask, accum, replace)

    def write(
        self, C: D, T: D, mask: MaskData | None, accum: TypedBinary | None, replace: bool
    ) -> D:
        if isinstance(C, VectorData):
            return self.vector_write(C, T, mask, accum, replace)
        packed = self.packed_write(C, T, mask, accum, replace)
        return packed or self.matrix_write(C, T, mask, accum, replace)

    # -- memory ------------------------------------------------------------------------------
    def copy(self, x: D) -> D:
        def own(array: Array | None) -> Array | None:
            if array is None:
                return None
            return self.resized(array, array.shape[0]) if array.strides == (0,) else array.copy()

        if isinstance(x, VectorData):
            return VectorData(
                x.size, own(x.values), own(x.indices), own(x.present), counted=x.counted
            )
        if isinstance(x, PackedMatrix):
            return PackedMatrix(x.ncols, x.bits.copy())
        return MatrixData(x.nrows, x.ncols, own(x.indptr), own(x.indices), own(x.values))
