"""Unions and intersections of matrices on the CPU: counted, then made, in one walk each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.threads import get_threads
from spbfs.engines.arrays import matrices
from spbfs.engines.arrays.matrices import with_values
from spbfs.engines.arrays.values import binary_values, values_as
from spbfs.engines.arrays.vectors import uniform_value
from spbfs.engines.cpu.csr import Csr, csr_of, values_between
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.programs import program_of
from spbfs.operators.definitions import TypedBinary
from spbfs.operators.dtypes import DType
from spbfs.storage.data import MatrixData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["known_result", "matrix_add", "matrix_mult"]

Array = Any


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
        return matrices.matrix_add(engine, x, y, op, defaults, dtype)
    out = dtype or op.out_type
    uniform = None if defaults is not None else uniform_value(engine, x.values, y.values, op, out)
    if uniform is None and _same(pair):
        return with_values(x, _evaluated(engine, op, program, x.values, y.values, out))
    indptr, indices = _room(x, y, pair, both=False)
    arrays: tuple[Array, ...] = (None, None, None, None, None, None)
    values = uniform
    if uniform is None:
        values = np.empty(indices.shape[0], out.np_type)
        both = [values_between(values_as(engine, m.values, op.in_type)) for m in (x, y)]
        alone = _alone(engine, x, y, op, program, defaults, out)
        arrays = (program, *both, *alone, values)
    kernels.unite(*pair[0], *pair[1], indptr, indices, *arrays, get_threads())
    if uniform is not None:
        values = engine.resized(uniform, indices.shape[0])
    return MatrixData(x.nrows, x.ncols, indptr, indices, values)


def _alone(
    engine: CpuEngine,
    x: MatrixData,
    y: MatrixData,
    op: TypedBinary,
    program: Any,
    defaults: tuple[np.generic, np.generic] | None,
    out: DType,
) -> list[Array]:
    """What the entries of either operand become where the other has none."""
    if defaults is None:
        return [values_between(values_as(engine, m.values, out)) for m in (x, y)]
    low, high = defaults
    of_y = engine.constant(low, op.in_type.np_type, y.nvals)
    of_x = engine.constant(high, op.in_type.np_type, x.nvals)
    return [
        _evaluated(engine, op, program, x.values, of_x, out),
        _evaluated(engine, op, program, of_y, y.values, out),
    ]


def matrix_mult(engine: CpuEngine, x: MatrixData, y: MatrixData, op: TypedBinary) -> MatrixData:
    """The intersection."""
    pair, program = csr_of(x, y), program_of(op)
    if pair is None or program is None:
        return matrices.matrix_mult(engine, x, y, op)
    if _same(pair):
        return with_values(x, _evaluated(engine, op, program, x.values, y.values, op.out_type))
    indptr, indices = _room(x, y, pair, both=True)
    arrays: tuple[Array, ...] = (None, None, None, None)
    values = known_result(engine, op, x.values, y.values, indices.shape[0])
    if values is None:
        values = np.empty(indices.shape[0], op.out_type.np_type)
        both = (values_between(values_as(engine, m.values, op.in_type)) for m in (x, y))
        arrays = (program, *both, values)
    kernels.intersection(*pair[0], *pair[1], indptr, indices, *arrays, get_threads())
    return MatrixData(x.nrows, x.ncols, indptr, indices, values)


def _same(pair: list[Csr]) -> bool:
    """Whether both have one pattern."""
    x, y = pair
    return bool(kernels.same_bytes(x[0], y[0]) and kernels.same_bytes(x[1], y[1]))


def _room(x: MatrixData, y: MatrixData, pair: list[Csr], both: bool) -> Csr:
    """The offsets of the rows of the result, and where its columns will be."""
    indptr = np.empty(x.nrows + 1, pair[0][0].dtype)
    entries = kernels.ewise_offsets(*pair[0], *pair[1], both, indptr, get_threads())
    return indptr, np.empty(entries, pair[0][1].dtype)


def known_result(engine: CpuEngine, op: TypedBinary, x: Array, y: Array, size: int) -> Array | None:
    """The values of `size` results, iso, where the operands say that they are all one."""
    name = op.op.name if op.op.function is None else ""
    needed = {"pair": (), "first": (x,), "any": (x,), "second": (y,)}.get(name, (x, y))
    if not all(is_iso(values) and values.shape[0] for values in needed):
        return None
    if not (x.shape[0] and y.shape[0]):
        return None
    return engine.resized(binary_values(engine, op, x[:1], y[:1]), size)


def _evaluated(
    engine: CpuEngine, op: TypedBinary, program: Any, x: Array, y: Array, out: DType
) -> Array:
    """Values two by two."""
    size = x.shape[0]
    known = known_result(engine, op, x, y, size)
    if known is not None:
        return values_as(engine, known, out)
    values = np.empty(size, out.np_type)
    both = (values_between(values_as(engine, v, op.in_type)) for v in (x, y))
    kernels.evaluate(program, *both, values, size, get_threads())
    return values
