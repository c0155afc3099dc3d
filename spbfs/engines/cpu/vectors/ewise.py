"""Unions and intersections of vectors on the CPU: lists as rows of matrices, all others densely."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.threads import get_threads
from spbfs.engines.arrays.values.value_arrays import dtype_of
from spbfs.engines.arrays.vectors import elements, in_place
from spbfs.engines.arrays.vectors.elements import uniform_value
from spbfs.engines.cpu.matrices.csr import Csr, values_between
from spbfs.engines.cpu.matrices.ewise import alone, evaluated, known_result, shared, united
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.operators.programs import program_of
from spbfs.engines.cpu.vectors.absent import is_dear, vector_meet
from spbfs.operators.definitions import TypedBinary
from spbfs.operators.dtypes import DType
from spbfs.storage.data import VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["accumulate", "vector_add", "vector_mult"]

Array = Any
#: Entries over elements of a bitmap from which on it is summed into another one by a union.
SUMMED_SHARE = 1 / 4


def vector_add(
    engine: CpuEngine,
    x: VectorData,
    y: VectorData,
    op: TypedBinary,
    defaults: tuple[np.generic, np.generic] | None = None,
    dtype: DType | None = None,
) -> VectorData:
    """The union; see `vector_add` of `arrays.vectors.elements`."""
    program, out = program_of(op, dtype), dtype or op.out_type
    if program is None:
        return elements.vector_add(engine, x, y, op, defaults, dtype)
    if x.indices is not None and y.indices is not None:
        values = (x.values, y.values)
        _, indices, made = united(engine, _rows(x, y), values, op, program, defaults, out)
        return engine.choose_form(VectorData(x.size, made, indices=indices))
    x = x if x.indices is None else engine.to_bitmap(x)
    y = y if y.indices is None else engine.to_bitmap(y)
    alike = defaults is None and is_iso(x.values) and is_iso(y.values)
    if alike and uniform_value(engine, x.values, y.values, op, out) is not None:
        return elements.vector_add(engine, x, y, op, defaults, dtype)
    both = [values_between(engine, v, op.in_type) for v in (x.values, y.values)]
    either = both
    if defaults is not None or op.in_type is not out:
        either = alone(engine, (x.values, y.values), op, program, defaults, out)
    made = _combined(engine, x, y, op, program, both, either, out)
    return VectorData(made.size, made.values) if made.counted == made.size else made


def accumulate(engine: CpuEngine, C: VectorData, T: VectorData, accum: TypedBinary) -> VectorData:
    """A vector summed into a dense one: in one pass over all elements where many take part."""
    if T.present is not None and engine.count(T) >= SUMMED_SHARE * T.size:
        return engine.vector_add(C, T, accum, dtype=dtype_of(C))
    T = engine.to_list(T)
    own, given = C.values.dtype, T.values
    program = program_of(accum) if accum.in_type is accum.out_type else None
    fits = own == given.dtype == accum.in_type.np_type
    if program is None or not fits or is_iso(C.values):
        return in_place.accumulate(engine, C, T, accum)
    C = engine.writable(C, added=given.shape[0])
    source = given[:1] if is_iso(given) else given
    added = kernels.accumulate(program, C.values, C.present, T.indices, source)
    if C.counted >= 0:
        C.counted += added
    return C


def vector_mult(engine: CpuEngine, x: VectorData, y: VectorData, op: TypedBinary) -> VectorData:
    """The intersection."""
    program = program_of(op)
    if program is not None and x.indices is not None and y.indices is not None:
        _, indices, values = shared(engine, _rows(x, y), (x.values, y.values), op, program)
        return engine.choose_form(VectorData(x.size, values, indices=indices))
    dense = x.indices is y.indices is None
    if program is not None and dense and x.present is y.present is None:
        return VectorData(x.size, evaluated(engine, op, program, x.values, y.values, op.out_type))
    known = program is None or known_result(engine, op, x.values, y.values, 1) is not None
    if known or not dense:
        if program is None and dense and is_dear(op) and not (x.present is y.present is None):
            return engine.choose_form(vector_meet(engine, x, y, op), shrink=True)
        return elements.vector_mult(engine, x, y, op)
    both = [values_between(engine, v, op.in_type) for v in (x.values, y.values)]
    made = _combined(engine, x, y, op, program, both, [None, None], op.out_type)
    return engine.choose_form(made, shrink=True)


def _rows(x: VectorData, y: VectorData) -> list[Csr]:
    """Lists as matrices of one row."""
    pair: list[Csr] = []
    for u in (x, y):
        assert u.indices is not None
        pair.append((np.array([0, u.indices.shape[0]]), u.indices))
    return pair


def _combined(
    engine: CpuEngine,
    x: VectorData,
    y: VectorData,
    op: TypedBinary,
    program: Any,
    both: list[Array],
    either: list[Any],
    out: DType,
) -> VectorData:
    """The union of dense vectors, or the intersection where there is no `either`."""
    size, full = x.size, x.present is None or y.present is None
    if x.present is None and y.present is None:
        return VectorData(size, evaluated(engine, op, program, x.values, y.values, out))
    values = np.empty(size, out.np_type)
    present = None if full and either[0] is not None else np.empty(size, np.bool_)
    counted = kernels.combine_dense(
        program, both[0], x.present, both[1], y.present, *either, values, present, get_threads()
    )
    return VectorData(size, values, None, present, counted)
