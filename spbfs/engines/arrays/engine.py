"""The engine over an array module: which function does what, and what an engine may do faster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from spbfs.engines.arrays.matrices import assign as matrix_assign
from spbfs.engines.arrays.matrices import edits, packed
from spbfs.engines.arrays.matrices import elements as matrix_elements
from spbfs.engines.arrays.matrices import masks as matrix_masks
from spbfs.engines.arrays.matrices import output as matrix_output
from spbfs.engines.arrays.patterns.ranges import spelled
from spbfs.engines.arrays.structure import build, hypersparse, moves
from spbfs.engines.arrays.values import reductions, value_arrays
from spbfs.engines.arrays.vectors import assign as vector_assign
from spbfs.engines.arrays.vectors import elements as vector_elements
from spbfs.engines.arrays.vectors import forms, in_place
from spbfs.engines.arrays.vectors import output as vector_output
from spbfs.engines.fused import Fused
from spbfs.engines.protocol import Hints, Indices, MaskData
from spbfs.operators.definitions import (
    TypedBinary,
    TypedIndexUnary,
    TypedMonoid,
    TypedUnary,
)
from spbfs.operators.dtypes import DType
from spbfs.planner.forms import CPU_FORMS, Forms, is_hypersparse
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.derived import known_transpose, remember_transpose
from spbfs.storage.hypersparse import HypersparseMatrix
from spbfs.storage.packed import PackedMatrix, PackedTranspose

__all__ = ["ArrayEngine"]

Array = Any
Data = VectorData | MatrixData
D = TypeVar("D", VectorData, MatrixData)


class ArrayEngine:
    """All of the protocol but products and traversal, over one array module.

    See `spbfs.engines.protocol.Engine` for what the protocol's methods promise, and the functions
    named below for what they and the others do: a function in a class is a method, whose engine is
    its first argument.
    """

    name = "arrays"
    spread = None
    #: The array module.
    xp: Any = np
    #: When a vector changes its form.
    vector_forms: Forms = CPU_FORMS
    #: Algorithms that it has a call of its own for.
    fused = Fused()
    keeps_edits = False

    # -- what an engine may do faster --------------------------------------------------------
    # Functions of the array modules call these as methods of the engine, all others by name.
    # Arrays and values:
    asarray = value_arrays.asarray
    to_numpy = value_arrays.to_numpy
    require_bytes = value_arrays.require_bytes
    constant = value_arrays.constant
    iso_value = value_arrays.iso_value
    known_value = value_arrays.iso_value
    resized = value_arrays.resized
    unary_results = value_arrays.unary_results
    # Vectors, their forms and flags:
    count = forms.count
    count_true = forms.count_true
    to_list = forms.to_list
    to_bitmap = forms.to_bitmap
    choose_form = forms.choose_form
    present = forms.present_flags
    empty_vector = forms.empty_vector
    # Dense vectors written in place:
    writable = in_place.writable
    put = in_place.put
    fill = in_place.fill
    remove = in_place.remove
    without = in_place.without
    write_dense = in_place.write_dense
    accumulate = in_place.accumulate
    write_vector = vector_output.write_vector
    # Sums:
    reduce_all = reductions.reduce_all
    reduce_stored = reductions.reduce_stored
    segment_reduce = reductions.segment_reduce
    row_sums = reductions.row_sums
    row_ends = reductions.row_ends
    stored_values = reductions.stored_values
    # Element by element:
    vector_add = vector_elements.vector_add
    vector_mult = vector_elements.vector_mult
    vector_apply = vector_elements.vector_apply
    vector_bind = vector_elements.vector_bind
    matrix_add = matrix_elements.matrix_add
    matrix_mult = matrix_elements.matrix_mult
    matrix_select = matrix_elements.matrix_select
    # Matrices:
    entry_rows = matrix_elements.rows_of
    kronecker_product = moves.kronecker
    extract_submatrix = moves.extract_matrix
    ordinary_matrix = build.build_matrix
    transposed = moves.transposed

    # -- what an engine must add -------------------------------------------------------------
    def packed_rows(self, A: MatrixData, bits: Array, keep: Array | None, hints: Hints) -> Array:
        """Row i: what the rows of `bits` at the entries of row i of A have, within ``keep[i]``."""
        raise NotImplementedError

    #: See `Engine.mxv`.
    mxv: Callable[..., VectorData]
    #: See `Engine.mxm`: where no side is too long for an array.
    matrix_product: Callable[..., MatrixData]

    # -- the protocol, where vectors or matrices only have it --------------------------------
    build_vector = build.build_vector
    build_matrix = hypersparse.build_matrix
    mxm = hypersparse.mxm
    kronecker = hypersparse.kronecker
    extract_vector = moves.extract_vector
    diag_matrix = hypersparse.diag_matrix
    diag_vector = moves.diag_vector
    assign_vector = vector_assign.assign_vector
    assign_matrix = matrix_assign.assign_matrix
    replaced = matrix_assign.replaced
    overlay = matrix_output.overlay
    written = matrix_output.written
    edited = edits.edited
    admitted = matrix_masks.admitted
    assign_scalar_vector = vector_assign.assign_scalar_vector

    # -- element-wise ------------------------------------------------------------------------
    def ewise_add(self, x: D, y: D, op: TypedBinary) -> D:
        if isinstance(x, VectorData):
            return self.vector_add(x, y, op)
        return packed.packed_add(x, y, op) or self.matrix_add(x, y, op)

    def ewise_mult(self, x: D, y: D, op: TypedBinary) -> D:
        if isinstance(x, VectorData):
            return self.vector_mult(x, y, op)
        return packed.packed_mult(x, y, op) or self.matrix_mult(x, y, op)

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
        return matrix_elements.matrix_apply(self, x, op)

    def apply_bind(
        self, x: D, op: TypedBinary, *, left: np.generic | None, right: np.generic | None
    ) -> D:
        if isinstance(x, VectorData):
            return self.vector_bind(x, op, left, right)
        return matrix_elements.matrix_bind(self, x, op, left, right)

    def apply_index(self, x: D, op: TypedIndexUnary, thunk: np.generic) -> D:
        if isinstance(x, VectorData):
            return vector_elements.vector_index(self, x, op, thunk)
        return matrix_elements.matrix_index(self, x, op, thunk)

    def select(self, x: D, op: TypedIndexUnary, thunk: np.generic) -> D:
        if isinstance(x, VectorData):
            return vector_elements.vector_select(self, x, op, thunk)
        return self.matrix_select(x, op, thunk)

    def cast(self, x: D, dtype: DType) -> D:
        if isinstance(x, PackedMatrix) and dtype.is_bool:
            return x
        made = value_arrays.values_as(self, x.values, dtype)
        if isinstance(x, VectorData):
            return forms.like(x, made)
        return matrix_elements.with_values(x, made)

    # -- reductions --------------------------------------------------------------------------
    def nvals(self, x: Data) -> int:
        return self.count(x) if isinstance(x, VectorData) else x.nvals

    def reduce(self, x: Data, monoid: TypedMonoid) -> np.generic | None:
        total = packed.packed_reduce(x, monoid) if isinstance(x, PackedMatrix) else None
        return self.reduce_stored(x, monoid) if total is None else total

    def reduce_rowwise(self, A: MatrixData, monoid: TypedMonoid) -> VectorData:
        sums = None
        if isinstance(A, HypersparseMatrix):
            return hypersparse.reduce_rowwise(self, A, monoid)
        if isinstance(A, PackedMatrix):
            sums = packed.packed_row_sums(self, A, monoid)
        elif isinstance(A, PackedTranspose):
            sums = packed.packed_column_sums(self, A, monoid)
        return self.row_sums(A, monoid) if sums is None else sums

    # -- structure ---------------------------------------------------------------------------
    def transpose(self, A: MatrixData) -> MatrixData:
        if isinstance(A, PackedTranspose):
            return A.packed
        if isinstance(A, PackedMatrix):
            return known_transpose(A) or remember_transpose(A, PackedTranspose(A))
        if is_hypersparse(A.nrows, A.ncols, A.nvals):
            return hypersparse.transpose(self, A)
        return self.transposed(A)

    def extract_matrix(self, A: MatrixData, rows: Indices, cols: Indices) -> MatrixData:
        if isinstance(A, PackedMatrix) and rows is not None and cols is None:
            return PackedMatrix(A.ncols, A.bits[spelled(self, rows)])
        return hypersparse.extract_matrix(self, A, rows, cols)

    # -- output ------------------------------------------------------------------------------
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
        if rows is None and cols is None:
            made = packed.packed_assign_scalar(C, value, mask, accum, replace)
            if made is not None:
                return made
        return matrix_assign.assign_scalar_matrix(self, C, value, rows, cols, mask, accum, replace)

    def write(
        self, C: D, T: D, mask: MaskData | None, accum: TypedBinary | None, replace: bool
    ) -> D:
        if isinstance(C, VectorData):
            return self.write_vector(C, T, mask, accum, replace)
        made = packed.packed_write(self, C, T, mask, accum, replace)
        return made or matrix_output.write_matrix(self, C, T, mask, accum, replace)

    # -- memory ------------------------------------------------------------------------------
    def copy(self, x: D) -> D:
        if isinstance(x, VectorData):
            return forms.copied(self, x)
        if isinstance(x, PackedMatrix):
            return PackedMatrix(x.ncols, x.bits.copy())
        return matrix_elements.copied(self, x)
