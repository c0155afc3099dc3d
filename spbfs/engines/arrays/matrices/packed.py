"""Boolean operations of packed matrices on their bits.

Every method returns None where bits cannot say what the result is: a value other than True, another
type, a shape too wide.  The caller then does what it does with any matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.flags import all_true
from spbfs.engines.arrays.matrices.masks import mask_pattern
from spbfs.engines.arrays.values.value_arrays import dtype_of
from spbfs.engines.protocol import Hints, MaskData
from spbfs.operators.definitions import TypedBinary, TypedMonoid, TypedSemiring
from spbfs.operators.dtypes import BOOL
from spbfs.planner import packed as planner_packed
from spbfs.storage.data import MatrixData, VectorData, is_iso
from spbfs.storage.derived import known_transpose
from spbfs.storage.packed import (
    MOST_COLUMNS,
    PackedMatrix,
    PackedTranspose,
    column_counts,
    csr_to_bits,
    popcounts,
    words_of,
)

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = [
    "PushedRows",
    "bits_of",
    "both_bits",
    "mask_bits",
    "packed_add",
    "packed_assign_scalar",
    "packed_column_sums",
    "packed_mult",
    "packed_product",
    "packed_reduce",
    "packed_row_sums",
    "packed_write",
    "rows_to_push",
]

Array = Any

#: Operators that make True of True and True, whatever they make of others.
_KEEPS_TRUE = frozenset(
    "lor land any pair first second max min times plus eq le ge iseq isle isge lxnor".split()
)
#: Monoids whose sum of nothing but True is True, and that a row may stop at.
_TRUE_MONOIDS = frozenset("any lor land max min times".split())
_PRODUCTS = frozenset("pair land first second any times min max lor".split())


def bits_of(M: Any) -> Array | None:
    """The bits of a BOOL matrix of few columns whose entries are all True; None of others."""
    if isinstance(M, PackedMatrix):
        return M.bits
    if not isinstance(M, MatrixData) or M.values.dtype != np.bool_ or M.ncols > MOST_COLUMNS:
        return None
    if M.nvals and not (bool(M.values[0]) if is_iso(M.values) else all_true(M.values)):
        return None
    return csr_to_bits(M)


def both_bits(x: Any, y: Any) -> tuple[Array, Array] | None:
    """The bits of two matrices, at least one of them packed."""
    if not isinstance(x, PackedMatrix) and not isinstance(y, PackedMatrix):
        return None
    p, q = bits_of(x), bits_of(y)
    return None if p is None or q is None else (p, q)


def mask_bits(engine: ArrayEngine, mask: MaskData) -> Array | None:
    """Bits of the positions that a mask lists, its complement not yet taken."""
    M = mask.data
    if not isinstance(M, MatrixData) or M.ncols > MOST_COLUMNS:
        return None
    return csr_to_bits(M if isinstance(M, PackedMatrix) else mask_pattern(engine, mask))


# -- element-wise ----------------------------------------------------------------------------
def packed_add(x: MatrixData, y: MatrixData, op: TypedBinary) -> MatrixData | None:
    """Union."""
    bits = both_bits(x, y) if _keeps_true(op) else None
    return None if bits is None else PackedMatrix(x.ncols, bits[0] | bits[1])


def packed_mult(x: MatrixData, y: MatrixData, op: TypedBinary) -> MatrixData | None:
    """Intersection."""
    bits = both_bits(x, y) if _keeps_true(op) else None
    return None if bits is None else PackedMatrix(x.ncols, bits[0] & bits[1])


# -- reductions ------------------------------------------------------------------------------
def packed_reduce(x: PackedMatrix, monoid: TypedMonoid) -> np.generic | None:
    """A count, or True."""
    if x.nvals == 0 or not _counts(monoid):
        return None
    if monoid.dtype.is_bool:
        return np.bool_(True)
    count: np.generic = np.array([x.nvals]).astype(monoid.dtype.np_type)[0]
    return count


def packed_row_sums(engine: ArrayEngine, x: PackedMatrix, monoid: TypedMonoid) -> VectorData | None:
    """Bits of every row counted; rows without any give none."""
    if not _counts(monoid):
        return None
    return _sums(engine, popcounts(x.bits).sum(axis=1, dtype=np.int64), monoid)


def packed_column_sums(
    engine: ArrayEngine, x: PackedTranspose, monoid: TypedMonoid
) -> VectorData | None:
    """Rows of a transpose: the bits of every column counted."""
    return _sums(engine, column_counts(x.packed), monoid) if _counts(monoid) else None


def _sums(engine: ArrayEngine, counts: Array, monoid: TypedMonoid) -> VectorData:
    values = counts.astype(monoid.dtype.np_type)
    return engine.choose_form(VectorData(counts.shape[0], values, present=counts > 0), shrink=True)


# -- output ----------------------------------------------------------------------------------
def packed_write(
    engine: ArrayEngine,
    C: MatrixData,
    T: MatrixData,
    mask: MaskData | None,
    accum: TypedBinary | None,
    replace: bool,
) -> MatrixData | None:
    """``C<mask, replace> accum= T``."""
    if accum is not None and not _keeps_true(accum):
        return None
    if C.nvals == 0 and isinstance(T, PackedMatrix) and dtype_of(C) is BOOL:
        C = PackedMatrix(C.ncols, engine.xp.zeros_like(T.bits), 0)
    bits = both_bits(C, T)
    if bits is None:
        return None
    before, made = bits
    if accum is not None:
        made = before | made
    if mask is None:
        return T if made is bits[1] and T is not C else PackedMatrix(C.ncols, made)
    marks = mask_bits(engine, mask)
    if marks is None:
        return None
    inside = made & ~marks if mask.complement else made & marks
    if replace:
        return PackedMatrix(C.ncols, inside)
    return PackedMatrix(C.ncols, inside | (before & marks if mask.complement else before & ~marks))


def packed_assign_scalar(
    C: MatrixData,
    value: np.generic,
    mask: MaskData | None,
    accum: TypedBinary | None,
    replace: bool,
) -> MatrixData | None:
    """True where a mask that is not a complement admits it, everywhere else what there was."""
    if mask is None or mask.complement or not isinstance(mask.data, PackedMatrix):
        return None
    if not value or dtype_of(C) is not BOOL or not (accum is None or _keeps_true(accum)):
        return None
    marks, before = mask.data.bits, bits_of(C)
    if before is None:
        return None
    return PackedMatrix(C.ncols, marks.copy() if replace else before | marks)


# -- product ---------------------------------------------------------------------------------
def packed_product(
    engine: ArrayEngine,
    A: MatrixData,
    B: MatrixData,
    semiring: TypedSemiring,
    mask: MaskData | None,
    hints: Hints,
) -> MatrixData | None:
    """``C<mask> = A B`` for a B of few columns: every row of A joins rows of bits of B."""
    if not _joins_bits(semiring) or not 1 < B.ncols <= MOST_COLUMNS:
        return None
    rows = A.nrows + B.nrows
    if not planner_packed.packs(rows, words_of(B.ncols), A.nvals + B.nvals):
        return None
    if semiring.multiply.op.name not in ("pair", "second") and not _all_true(A):
        return None
    bits = bits_of(B)
    marks = None if mask is None else mask_bits(engine, mask)
    if bits is None or (mask is not None and marks is None):
        return None
    keep = marks if mask is None or marks is None or not mask.complement else ~marks
    return PackedMatrix(B.ncols, engine.packed_rows(A, bits, keep, hints))


@dataclass(slots=True)
class PushedRows:
    """What a push with packed bits walks: rows of the transpose, and where their entries end."""

    across: MatrixData
    rows: Array
    ends: Array
    #: Entries of all these rows.
    edges: int


def rows_to_push(
    engine: ArrayEngine,
    A: MatrixData,
    bits: Array,
    direction: str,
    is_symmetric: Callable[[MatrixData], bool],
    push_cost: float,
) -> PushedRows | None:
    """What to push for ``A B``, the bits of `B` given; None where the rows of `A` are to pull.

    Parameters
    ----------
    direction : {"auto", "push", "pull"}
        What the caller asked for.
    is_symmetric : callable
        Whether the pattern of a matrix is its own transpose.
    push_cost : float
        Of an entry pushed, against one pulled.
    """
    xp, across = engine.xp, known_transpose(A)
    if direction == "push":
        across = engine.transposed(A)
    elif direction == "auto" and across is None and is_symmetric(A):
        across = A
    if direction == "pull" or across is None:
        return None
    rows = xp.flatnonzero(bits.max(axis=1))
    ends = xp.cumsum((across.indptr[rows + 1] - across.indptr[rows]).astype(np.int64))
    edges = int(ends[-1]) if rows.shape[0] else 0
    if direction == "auto" and planner_packed.packed_direction(edges, A.nvals, push_cost) == "pull":
        return None
    return PushedRows(across, rows, ends, edges)


def _all_true(A: MatrixData) -> bool:
    if A.nvals == 0:
        return True
    first = bool(A.values[0])
    return first if is_iso(A.values) else all_true(A.values != 0)


def _keeps_true(op: TypedBinary) -> bool:
    builtin = op.op.function is None and op.op.name in _KEEPS_TRUE
    return builtin and op.in_type.is_bool and op.out_type.is_bool


def _counts(monoid: TypedMonoid) -> bool:
    """Whether a sum of True is a count, or True."""
    if monoid.op.binaryop.function is not None:
        return False
    if monoid.dtype.is_bool:
        return monoid.op.name in _TRUE_MONOIDS
    return monoid.op.name == "plus"


def _joins_bits(semiring: TypedSemiring) -> bool:
    add, multiply = semiring.add, semiring.multiply
    if add.op.binaryop.function is not None or multiply.op.function is not None:
        return False
    known = add.op.name in _TRUE_MONOIDS and multiply.op.name in _PRODUCTS
    return (
        known
        and semiring.out_type.is_bool
        and (multiply.op.name == "pair" or multiply.in_type.is_bool)
    )
