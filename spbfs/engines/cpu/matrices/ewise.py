"""Unions and intersections of matrices on the CPU: counted, then made, in one walk each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.threads import get_threads
from spbfs.engines.arrays.matrices import elements
from spbfs.engines.arrays.matrices.elements import with_values
from spbfs.engines.arrays.values.elementwise import eval_unary
from spbfs.engines.arrays.values.value_arrays import (
    binary_values,
    dtype_of,
    spelled_out,
    take,
    values_as,
)
from spbfs.engines.arrays.vectors.elements import uniform_value
from spbfs.engines.cpu.matrices.csr import Csr, csr_of, values_between
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.operators.programs import program_of, unary_program_of
from spbfs.operators.definitions import TypedBinary, TypedUnary
from spbfs.operators.dtypes import DType
from spbfs.operators.tables.builtin import BINARY
from spbfs.storage.data import MatrixData, iso_array

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = [
    "alone",
    "evaluated",
    "known_result",
    "matrix_add",
    "matrix_mult",
    "meeting",
    "shared",
    "unary_results",
    "united",
]

Array = Any
#: A union in which one operand has so many times the entries of the other copies runs of entries
#: instead of walking rows.
_FEW = 16
#: Whether the values of either operand are read, by operators that do not read both.
_BOTH = (True, True)
_NEEDED = {
    "pair": (False, False),
    "first": (True, False),
    "any": (True, False),
    "second": (False, True),
}


def matrix_add(
    engine: CpuEngine,
    x: MatrixData,
    y: MatrixData,
    op: TypedBinary,
    defaults: tuple[np.generic, np.generic] | None = None,
    dtype: DType | None = None,
) -> MatrixData:
    """The union; see `VectorOps.vector_add`."""
    pair, program = csr_of(x, y), program_of(op, dtype)
    if pair is None or program is None:
        return elements.matrix_add(engine, x, y, op, defaults, dtype)
    out = dtype or op.out_type
    if defaults is None and _same(pair):
        return with_values(x, evaluated(engine, op, program, x.values, y.values, out))
    if defaults is None and _FEW * min(x.nvals, y.nvals) < max(x.nvals, y.nvals):
        return _with_few(engine, x, y, op, program, out)
    return MatrixData(
        x.nrows, x.ncols, *united(engine, pair, (x.values, y.values), op, program, defaults, out)
    )


def _with_few(
    engine: CpuEngine, x: MatrixData, y: MatrixData, op: TypedBinary, program: Any, out: DType
) -> MatrixData:
    """The union where one has few entries: they are set among those of the other."""
    more, few = (x, y) if y.nvals <= x.nvals else (y, x)
    rows, columns = engine.entry_rows(few), few.indices.astype(np.int64)
    at = np.empty(few.nvals, np.int64)
    kernels.locate(more.indptr, more.indices, rows, columns, at, get_threads())
    values = spelled_out(engine, values_as(engine, few.values, out))
    both = np.flatnonzero(at >= 0)
    if both.shape[0]:
        pair = take(engine, more.values, at[both]), take(engine, few.values, both)
        made = evaluated(engine, op, program, *(pair if more is x else pair[::-1]), out)
        values[both] = made
    cast = with_values(more, values_as(engine, more.values, out))
    return engine.edited(cast, rows, columns, values, None, False)


def united(
    engine: CpuEngine,
    pair: list[Csr],
    values: tuple[Array, Array],
    op: TypedBinary,
    program: Any,
    defaults: tuple[np.generic, np.generic] | None,
    out: DType,
) -> tuple[Array, Array, Array]:
    """Offsets, columns and values of the union of two patterns."""
    uniform = None if defaults is not None else uniform_value(engine, *values, op, out)
    arrays: tuple[Array, ...] = (None, None, None, None, None)
    if uniform is None:
        both = [values_between(engine, v, op.in_type) for v in values]
        each = both
        if defaults is not None or op.in_type is not out:
            each = alone(engine, values, op, program, defaults, out)
        arrays = (program, *both, *each)
    (x_indptr, x_indices), y = pair
    indptr = np.empty(len(x_indptr), x_indptr.dtype)
    columns, made = kernels.unite(x_indptr, x_indices, *y, indptr, *arrays, get_threads())
    indices = columns.view(x_indices.dtype)
    if uniform is not None:
        return indptr, indices, engine.resized(uniform, indices.shape[0])
    return indptr, indices, made.view(out.np_type)


def alone(
    engine: CpuEngine,
    values: tuple[Array, Array],
    op: TypedBinary,
    program: Any,
    defaults: tuple[np.generic, np.generic] | None,
    out: DType,
) -> list[Array]:
    """What the values of either operand become where the other has none."""
    x, y = values
    if defaults is None:
        return [values_between(engine, v, out) for v in values]
    low, high = defaults
    of_y = engine.constant(low, op.in_type.np_type, y.shape[0])
    of_x = engine.constant(high, op.in_type.np_type, x.shape[0])
    return [
        evaluated(engine, op, program, x, of_x, out),
        evaluated(engine, op, program, of_y, y, out),
    ]


def matrix_mult(engine: CpuEngine, x: MatrixData, y: MatrixData, op: TypedBinary) -> MatrixData:
    """The intersection."""
    pair, program = csr_of(x, y), program_of(op)
    if pair is None or op.op.positional:
        return elements.matrix_mult(engine, x, y, op)
    if program is None:
        return _met(engine, x, y, pair, op)
    if _same(pair):
        return with_values(x, evaluated(engine, op, program, x.values, y.values, op.out_type))
    return MatrixData(x.nrows, x.ncols, *shared(engine, pair, (x.values, y.values), op, program))


def meeting(engine: CpuEngine, x: MatrixData, y: MatrixData) -> MatrixData:
    """The entries of a matrix, some at least, where another has any."""
    first = BINARY["first"].typed(dtype_of(x))
    pair = csr_of(x, y)
    if pair is None:
        return elements.matrix_mult(
            engine, x, with_values(y, iso_array(x.values[:1], y.nvals)), first
        )
    if _same(pair):
        return with_values(x, x.values)
    # Of the other, whose values are not read, one of the type that is wanted stands for all.
    values = (x.values, x.values[:1])
    return MatrixData(x.nrows, x.ncols, *shared(engine, pair, values, first, program_of(first)))


def _met(
    engine: CpuEngine, x: MatrixData, y: MatrixData, pair: list[Csr], op: TypedBinary
) -> MatrixData:
    """The intersection by an operator that kernels do not know: of the values that meet there."""
    if _same(pair):
        return with_values(x, binary_values(engine, op, x.values, y.values))
    (x_indptr, x_indices), other = pair
    indptr = np.empty(len(x_indptr), x_indptr.dtype)
    columns, made = kernels.intersection(
        x_indptr, x_indices, *other, indptr, None, None, None, True, get_threads()
    )
    at = made.view(np.int64)
    met = take(engine, x.values, at[::2]), take(engine, y.values, at[1::2])
    values = binary_values(engine, op, *met)
    return MatrixData(x.nrows, x.ncols, indptr, columns.view(x_indices.dtype), values)


def shared(
    engine: CpuEngine,
    pair: list[Csr],
    values: tuple[Array, Array],
    op: TypedBinary,
    program: Any,
) -> tuple[Array, Array, Array]:
    """Offsets, columns and values of the intersection of two patterns."""
    known = known_result(engine, op, *values, 1)
    arrays: tuple[Array, ...] = (None, None, None)
    if known is None:
        arrays = (program, *[values_between(engine, v, op.in_type) for v in values])
    (x_indptr, x_indices), y = pair
    indptr = np.empty(len(x_indptr), x_indptr.dtype)
    columns, made = kernels.intersection(
        x_indptr, x_indices, *y, indptr, *arrays, False, get_threads()
    )
    indices = columns.view(x_indices.dtype)
    if known is not None:
        return indptr, indices, engine.resized(known, indices.shape[0])
    return indptr, indices, made.view(op.out_type.np_type)


def _same(pair: list[Csr]) -> bool:
    """Whether both have one pattern."""
    x, y = pair
    if len(x[1]) != len(y[1]):
        return False
    return bool(kernels.same_bytes(x[0], y[0]) and kernels.same_bytes(x[1], y[1]))


def known_result(engine: CpuEngine, op: TypedBinary, x: Array, y: Array, size: int) -> Array | None:
    """The values of `size` results, iso, where the operands say that they are all one."""
    # Every statement asks: most have two operands that are spelled out.
    needs_x, needs_y = _NEEDED.get(op.op.name, _BOTH) if op.op.function is None else _BOTH
    if (needs_x and x.strides != (0,)) or (needs_y and y.strides != (0,)):
        return None
    if not (x.shape[0] and y.shape[0]):
        return None
    return engine.resized(binary_values(engine, op, x[:1], y[:1]), size)


def evaluated(
    engine: CpuEngine, op: TypedBinary, program: Any, x: Array, y: Array, out: DType
) -> Array:
    """Values two by two."""
    size = x.shape[0]
    known = known_result(engine, op, x, y, size)
    if known is not None:
        return values_as(engine, known, out)
    values = np.empty(size, out.np_type)
    x, y = values_between(engine, x, op.in_type), values_between(engine, y, op.in_type)
    kernels.evaluate(program, x, y, values, size, get_threads())
    return values


def unary_results(engine: CpuEngine, op: TypedUnary, x: Array) -> Array:
    """`op` of every value: a built-in function, or one that kernels do not know, by NumPy."""
    program = None if op.op.function is None else unary_program_of(op)
    if program is None:
        return eval_unary(np, op, x)
    results = np.empty(x.shape[0], op.out_type.np_type)
    given = values_between(engine, x)
    kernels.evaluate(program, given, given, results, x.shape[0], get_threads())
    return results
