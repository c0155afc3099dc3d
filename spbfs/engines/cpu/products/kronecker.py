"""Products on the CPU in which no two products of entries meet: nothing is summed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base import tracing
from spbfs.base.threads import get_threads
from spbfs.engines.arrays.patterns.layout import index_type, offset_type
from spbfs.engines.arrays.structure import moves
from spbfs.engines.arrays.values.value_arrays import values_as
from spbfs.engines.cpu.matrices.csr import Csr, csr_of, values_between
from spbfs.engines.cpu.matrices.ewise import known_result
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.operators.programs import program_of
from spbfs.operators.definitions import TypedBinary, TypedSemiring
from spbfs.operators.dtypes import DType
from spbfs.storage.data import MatrixData

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["kronecker", "scaled"]

Array = Any
#: What kernels say of a matrix that may have one entry a row at most: from `_RISING` on its columns
#: rise as well.
_NOTHING, _RISING, _IDENTITY = 0, 2, 3


def kronecker(engine: CpuEngine, A: MatrixData, B: MatrixData, op: TypedBinary) -> MatrixData:
    """Every pair of entries multiplied."""
    pair, program = csr_of(A, B), program_of(op)
    if pair is None or program is None:
        return moves.kronecker(engine, A, B, op)
    nrows, ncols, nvals = A.nrows * B.nrows, A.ncols * B.ncols, A.nvals * B.nvals
    itype, otype, values_type = index_type(ncols), offset_type(ncols, nvals), op.out_type.np_type
    engine.require_bytes(
        (itype.itemsize + values_type.itemsize) * nvals + otype.itemsize * nrows,
        f"kronecker: {nrows} x {ncols} with {nvals} entries",
    )
    threads = get_threads()
    indptr, indices = np.empty(nrows + 1, otype), np.empty(nvals, itype)
    kernels.kronecker_offsets(pair[0][0], pair[1][0], indptr, threads)
    values, arrays = _prepared(engine, op, program, A.values, B.values, nvals, op.out_type)
    kernels.kronecker(*pair[0], *pair[1], B.ncols, indices, *arrays, threads)
    return MatrixData(nrows, ncols, indptr, indices, values)


def _prepared(
    engine: CpuEngine, op: TypedBinary, program: Any, x: Array, y: Array, size: int, out: DType
) -> tuple[Array, tuple[Array, ...]]:
    """The results' values, and what a kernel needs to make them: nothing where they are known."""
    known = known_result(engine, op, x, y, size)
    if known is not None:
        return values_as(engine, known, out), (None, None, None, None)
    values = np.empty(size, out.np_type)
    both = (values_between(engine, v, op.in_type) for v in (x, y))
    return values, (program, *both, values)


def scaled(
    engine: CpuEngine, A: MatrixData, B: MatrixData, semiring: TypedSemiring
) -> MatrixData | None:
    """``A B`` where one of them has at most one entry a row, as a diagonal matrix does.

    None where neither has, or where the kernels do not know the multiplication.
    """
    few_of_a, few_of_b = A.nvals <= A.nrows, B.nvals <= B.nrows
    pair = csr_of(A, B) if few_of_a or few_of_b else None
    if pair is None:
        return None
    (a, b) = pair
    shape_of_a, shape_of_b = _NOTHING, _NOTHING
    if few_of_a:
        shape_of_a = kernels.row_shape(*a, A.ncols)
    if shape_of_a == _NOTHING and few_of_b:
        shape_of_b = kernels.row_shape(*b, B.ncols)
    by_rows = shape_of_a > _NOTHING
    if not by_rows and shape_of_b < _RISING:
        return None
    program = program_of(semiring.multiply, semiring.out_type)
    if program is None:
        return None
    identity = _IDENTITY in (shape_of_a, shape_of_b)
    if by_rows and not identity and _entries_of_rows(b[0], a[1]) > np.iinfo(b[0].dtype).max:
        return None
    tracing.record(kernel="mxm scaled", edges=B.nvals if by_rows else A.nvals)
    made = _rows if by_rows else _columns
    return made(engine, A, B, pair, semiring, program, identity)


def _entries_of_rows(indptr: Array, rows: Array) -> int:
    """How many entries rows have, those named twice counted twice."""
    return int(np.diff(indptr)[rows].sum())


def _rows(
    engine: CpuEngine,
    D: MatrixData,
    B: MatrixData,
    pair: list[Csr],
    semiring: TypedSemiring,
    program: Any,
    identity: bool,
) -> MatrixData:
    """Rows of B, each with an entry of D."""
    d, b = pair
    if identity:
        # The arrays of a pattern are never written, so they may be another matrix's, too.
        indptr, indices, made, nvals = b[0], B.indices, None, B.nvals
    else:
        indptr = np.empty(D.nrows + 1, b[0].dtype)
        nvals = kernels.scaled_rows_offsets(*d, b[0], indptr)
        indices = made = np.empty(nvals, b[1].dtype)
    values, arrays = _prepared(
        engine, semiring.multiply, program, D.values, B.values, nvals, semiring.out_type
    )
    kernels.scaled_rows(*d, *b, indptr, made, *arrays, get_threads())
    return MatrixData(D.nrows, B.ncols, indptr, indices, values)


def _columns(
    engine: CpuEngine,
    A: MatrixData,
    D: MatrixData,
    pair: list[Csr],
    semiring: TypedSemiring,
    program: Any,
    identity: bool,
) -> MatrixData:
    """Columns of A, each with an entry of D."""
    a, d = pair
    threads = get_threads()
    if identity:
        indptr, indices, made, nvals = a[0], A.indices, None, A.nvals
    else:
        indptr = np.empty(A.nrows + 1, a[0].dtype)
        nvals = kernels.scaled_columns_offsets(*a, d[0], indptr, threads)
        indices = made = np.empty(nvals, a[1].dtype)
    values, arrays = _prepared(
        engine, semiring.multiply, program, A.values, D.values, nvals, semiring.out_type
    )
    kernels.scaled_columns(*a, *d, indptr, made, *arrays, threads)
    return MatrixData(A.nrows, D.ncols, indptr, indices, values)
