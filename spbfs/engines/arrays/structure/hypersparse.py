"""What walks offsets, for matrices too tall or too wide to have them: done on compact ones.

Operations on entries (element-wise, masks, assignment) ask only for the rows and columns of these,
so that they need nothing of this.  The functions here are what the engine's methods of the same
name begin with.  Where the planner says so they take the compact matrices that hypersparse ones
stand for, run the ordinary function, and label its result.  Labels rise, so nothing but an
operator that sees positions could tell the difference, and for those the values are replaced by
the true positions beforehand.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from spbfs.engines.arrays.matrices.elements import with_values
from spbfs.engines.arrays.matrices.packed import packed_product
from spbfs.engines.arrays.patterns.labels import compacted, from_sorted_entries, relabelled, within
from spbfs.engines.arrays.patterns.ranges import held
from spbfs.engines.arrays.patterns.sets import intersect, locate, set_of
from spbfs.engines.arrays.structure import moves
from spbfs.engines.arrays.values.value_arrays import take
from spbfs.engines.protocol import Hints, Indices, MaskData, Operation
from spbfs.operators.definitions import TypedBinary, TypedMonoid, TypedSemiring
from spbfs.operators.dtypes import DType
from spbfs.operators.tables.builtin import BINARY
from spbfs.planner.forms import is_hypersparse
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.derived import known_transpose, remember_transpose
from spbfs.storage.entries import entry_rows
from spbfs.storage.hypersparse import HypersparseMatrix

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = [
    "build_matrix",
    "diag_matrix",
    "extract_matrix",
    "kronecker",
    "mxm",
    "mxv",
    "reduce_rowwise",
    "transpose",
]

Array = Any

#: Which place of a matrix's entry a positional operator sees in a product with a vector, by whether
#: the vector comes first.  It is a row then, else a column: its other place is 0.
_SEEN = {
    False: {"firsti": "outer", "firstj": "inner", "secondi": "inner", "secondj": "zero"},
    True: {"firsti": "zero", "firstj": "inner", "secondi": "inner", "secondj": "outer"},
}


def _involved(*matrices: MatrixData) -> bool:
    """Whether an operation on these matrices is to be done on compact ones."""
    side = nvals = 0
    for M in matrices:
        side = max(side, M.nrows, M.ncols)
    for M in matrices:
        # Packed bits need not be counted where another has enough entries.
        if not is_hypersparse(side, side, nvals):
            return False
        nvals += M.nvals
    return is_hypersparse(side, side, nvals)


# -- construction ----------------------------------------------------------------------------
def build_matrix(
    engine: ArrayEngine,
    nrows: int,
    ncols: int,
    rows: Array,
    cols: Array,
    values: Array,
    dup: TypedBinary | None,
) -> MatrixData:
    """See `Engine.build_matrix`."""
    if not is_hypersparse(nrows, ncols, rows.shape[0]):
        return engine.ordinary_matrix(nrows, ncols, rows, cols, values, dup)
    xp = engine.xp
    row_labels, column_labels = set_of(xp, rows), set_of(xp, cols)
    sides = int(row_labels.shape[0]), int(column_labels.shape[0])
    i, j = xp.searchsorted(row_labels, rows), xp.searchsorted(column_labels, cols)
    compact = engine.ordinary_matrix(*sides, i, j, values, dup)
    return HypersparseMatrix(nrows, ncols, row_labels, column_labels, compact)


def diag_matrix(engine: ArrayEngine, u: VectorData, k: int) -> MatrixData:
    """See `Engine.diag_matrix`."""
    n = u.size + abs(k)
    if not is_hypersparse(n, n, engine.count(u)):
        return moves.diag_matrix(engine, u, k)
    u = engine.to_list(u)
    assert u.indices is not None
    return from_sorted_entries(n, n, u.indices + max(-k, 0), u.indices + max(k, 0), u.values)


# -- products --------------------------------------------------------------------------------
def _placed(H: HypersparseMatrix, by_row: bool, kind: DType) -> HypersparseMatrix:
    """The matrix with the true row or column of every entry for its value."""
    positions = entry_rows(H) if by_row else H.indices
    compact = with_values(H.compact, positions.astype(kind.np_type))
    return HypersparseMatrix(H.nrows, H.ncols, H.rows, H.columns, compact)


def _placed_pair(
    left: HypersparseMatrix, right: HypersparseMatrix, op: TypedBinary
) -> tuple[HypersparseMatrix, HypersparseMatrix, TypedBinary]:
    """Operands whose values are what `op` sees of their positions, and what picks those."""
    if not op.op.positional:
        return left, right, op
    side, by_row = op.op.name[:-1], op.op.name.endswith("i")
    if side == "first":
        left = _placed(left, by_row, op.out_type)
    else:
        right = _placed(right, by_row, op.out_type)
    return left, right, _picking(side, op)


def _picking(side: str, op: TypedBinary) -> TypedBinary:
    """``first`` or ``second``, for an operator whose result is one operand's position."""
    return TypedBinary(BINARY[side], op.out_type, op.out_type)


def mxm(
    engine: ArrayEngine,
    A: MatrixData,
    B: MatrixData,
    semiring: TypedSemiring,
    *,
    mask: MaskData | None,
    hints: Hints,
) -> MatrixData:
    """See `Engine.mxm`."""
    if not _involved(A, B, *(() if mask is None else (mask.data,))):
        return _ordinary_mxm(engine, A, B, semiring, mask, hints)
    left, right, multiply = _placed_pair(compacted(A), compacted(B), semiring.multiply)
    semiring = replace(semiring, multiply=multiply)
    rows, columns = left.rows, right.columns
    at, _ = intersect(engine.xp, left.columns, right.rows)
    inner = take(engine, left.columns, at)
    if mask is not None:
        assert isinstance(mask.data, MatrixData)
        mask = MaskData(within(mask.data, rows, columns), mask.structural, mask.complement)
    factors = within(left, rows, inner), within(right, inner, columns)
    C = _ordinary_mxm(engine, *factors, semiring, mask, hints)
    return relabelled(C, A.nrows, B.ncols, rows, columns)


def _ordinary_mxm(
    engine: ArrayEngine,
    A: MatrixData,
    B: MatrixData,
    semiring: TypedSemiring,
    mask: MaskData | None,
    hints: Hints,
) -> MatrixData:
    """By bits where B has few columns and nothing else, otherwise by the engine's kernels."""
    packed = packed_product(engine, A, B, semiring, mask, hints)
    return packed or engine.matrix_product((A, B, semiring), mask, hints)


def mxv(
    engine: ArrayEngine, operation: Operation, u: VectorData, mask: MaskData | None, hints: Hints
) -> VectorData:
    """See `Engine.mxv`."""
    A, semiring, transpose, vector_first = operation
    assert isinstance(A, HypersparseMatrix)
    size, outer, inner = A.nrows, A.rows, A.columns
    if transpose:
        size, outer, inner = A.ncols, A.columns, A.rows
    op, compact = semiring.multiply, A.compact
    if op.op.positional:
        place = _SEEN[vector_first][op.op.name]
        if place == "zero":
            nought = engine.constant(0, op.out_type.np_type, A.nvals)
            compact = with_values(compact, nought)
        else:
            compact = _placed(A, (place == "outer") != transpose, op.out_type).compact
        picking = _picking("second" if vector_first else "first", op)
        semiring = replace(semiring, multiply=picking)
    if mask is not None:
        assert isinstance(mask.data, VectorData)
        admitted = _at_labels(engine, mask.data, outer)
        mask = MaskData(admitted, mask.structural, mask.complement)
    v = _at_labels(engine, u, inner)
    w = engine.mxv((compact, semiring, transpose, vector_first), v, mask, hints)
    return _of_labels(engine, w, size, outer)


def _at_labels(engine: ArrayEngine, u: VectorData, labels: Array) -> VectorData:
    """The elements of a vector that have these labels, which rise."""
    if u.indices is None:
        return engine.extract_vector(u, labels)
    # By the entries, which may be far fewer than the labels.
    at, hit = locate(engine.xp, labels, u.indices)
    kept = engine.xp.flatnonzero(hit)
    values = take(engine, u.values, kept)
    return engine.choose_form(VectorData(int(labels.shape[0]), values, indices=at[kept]))


def _of_labels(engine: ArrayEngine, w: VectorData, size: int, labels: Array) -> VectorData:
    """The vector of which `w` has the elements that these labels name."""
    listed = engine.to_list(w)
    made = VectorData(size, listed.values, indices=labels[listed.indices])
    return engine.choose_form(made)


def kronecker(engine: ArrayEngine, A: MatrixData, B: MatrixData, op: TypedBinary) -> MatrixData:
    """See `Engine.kronecker`."""
    nrows, ncols = A.nrows * B.nrows, A.ncols * B.ncols
    if not (_involved(A, B) or is_hypersparse(nrows, ncols, A.nvals * B.nvals)):
        return engine.kronecker_product(A, B, op)
    left, right, op = _placed_pair(compacted(A), compacted(B), op)
    C = engine.kronecker_product(left.compact, right.compact, op)
    rows = left.rows[:, None] * B.nrows + right.rows[None, :]
    columns = left.columns[:, None] * B.ncols + right.columns[None, :]
    return relabelled(C, nrows, ncols, rows.reshape(-1), columns.reshape(-1))


# -- reductions ------------------------------------------------------------------------------
def reduce_rowwise(engine: ArrayEngine, A: HypersparseMatrix, monoid: TypedMonoid) -> VectorData:
    """See `Engine.reduce_rowwise`."""
    return _of_labels(engine, engine.row_sums(A.compact, monoid), A.nrows, A.rows)


# -- structure -------------------------------------------------------------------------------
def transpose(engine: ArrayEngine, A: MatrixData) -> MatrixData:
    """See `Engine.transpose`."""
    known = known_transpose(A)
    if known is not None:
        return known
    H = compacted(A)
    across = engine.transposed(H.compact)
    made = HypersparseMatrix(A.ncols, A.nrows, H.columns, H.rows, across)
    return remember_transpose(A, made)


def extract_matrix(engine: ArrayEngine, A: MatrixData, rows: Indices, cols: Indices) -> MatrixData:
    """See `Engine.extract_matrix`."""
    if not _involved(A):
        return engine.extract_submatrix(A, rows, cols)
    H = compacted(A)
    nrows, row_labels, rows = _chosen(engine, A.nrows, H.rows, rows)
    ncols, column_labels, cols = _chosen(engine, A.ncols, H.columns, cols)
    C = engine.extract_submatrix(H.compact, rows, cols)
    return relabelled(C, nrows, ncols, row_labels, column_labels)


def _chosen(
    engine: ArrayEngine, size: int, labels: Array, chosen: Indices
) -> tuple[int, Array, Array | None]:
    """Of one side: its length once extracted, the labels there, and what of the compact one it is.

    Indices that name nothing with an entry are left out; the others' places label what they name.
    """
    if chosen is None:
        return size, labels, None
    if isinstance(chosen, range):
        kept, at = held(engine.xp, chosen, labels)
        return len(chosen), at, kept
    at, hit = locate(engine.xp, labels, chosen)
    places = engine.xp.flatnonzero(hit)
    return int(chosen.shape[0]), places, at[places]
