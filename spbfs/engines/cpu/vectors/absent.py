"""Functions of the elements that bitmaps have, and of nothing that lies where one is absent.

Anything may lie there, often numbers with many zeros before them, of which a multiplication takes
a processor many times as long, and a function of NumPy's falls back to one element at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.values.value_arrays import binary_values, unary_values
from spbfs.engines.arrays.vectors import elements
from spbfs.engines.arrays.vectors.forms import positions_of
from spbfs.engines.cpu.native import kernels
from spbfs.operators.definitions import TypedBinary, TypedUnary
from spbfs.storage.data import VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["entries_of", "is_dear", "vector_apply", "vector_bind", "vector_meet"]

Array = Any

#: What takes no longer whatever the numbers are, and less than finding those that are there.
_CHEAP = frozenset(
    "identity ainv abs one lnot bnot signum isnan isinf isfinite ceil floor trunc "
    "plus minus rminus min max first second any pair eq ne lt le gt ge iseq isne islt isle isgt "
    "isge land lor lxor lxnor band bor bxor bxnor copysign".split()
)


def is_dear(op: TypedUnary | TypedBinary) -> bool:
    """Whether an operator is better not evaluated where nothing is stored."""
    if op.op.function is not None:
        return True
    return op.in_type.is_float and not op.op.positional and op.op.name not in _CHEAP


def vector_apply(engine: CpuEngine, x: VectorData, op: TypedUnary) -> VectorData:
    """`op` of every value."""
    if x.present is None or not (_is_skipped(engine, x) and is_dear(op)):
        return elements.vector_apply(engine, x, op)
    return _made(engine, x, lambda v: unary_values(engine, op, v, lambda: positions_of(engine, x)))


def vector_bind(
    engine: CpuEngine, x: VectorData, op: TypedBinary, left: Any, right: Any
) -> VectorData:
    """`op` with a scalar on one side."""
    if x.present is None or not (_is_skipped(engine, x) and is_dear(op)):
        return elements.vector_bind(engine, x, op, left, right)
    bound = right if left is None else left

    def values(v: Array) -> Array:
        same = engine.constant(bound, op.in_type.np_type, v.shape[0])
        return binary_values(engine, op, *((v, same) if left is None else (same, v)))

    return _made(engine, x, values)


def vector_meet(engine: CpuEngine, x: VectorData, y: VectorData, op: TypedBinary) -> VectorData:
    """The intersection of two dense vectors, one of them a bitmap at least."""
    present = engine.present(x) & engine.present(y)
    count = engine.count_true(present)
    if count == 0:
        return engine.empty_vector(x.size, op.out_type)
    pair = (entries_of(v.values, present, count) for v in (x, y))
    values = binary_values(engine, op, *pair)
    return VectorData(x.size, _spread(engine, values, present), present=present, counted=count)


def _is_skipped(engine: CpuEngine, x: VectorData) -> bool:
    """Whether there are elements to skip, and others."""
    return not is_iso(x.values) and 0 < engine.count(x) < x.size


def _made(engine: CpuEngine, x: VectorData, function: Callable[[Array], Array]) -> VectorData:
    """A function of the values of a bitmap's entries."""
    present = engine.present(x).copy()
    values = function(entries_of(x.values, present, x.counted))
    return VectorData(x.size, _spread(engine, values, present), present=present, counted=x.counted)


def entries_of(values: Array, present: Array, count: int) -> Array:
    """The values that are there, one after another."""
    if is_iso(values):
        return values[:count]
    entries = np.empty(count, values.dtype)
    kernels.compress(values, present, entries)
    return entries


def _spread(engine: CpuEngine, entries: Array, present: Array) -> Array:
    """Values back at their places."""
    size = present.shape[0]
    if is_iso(entries):
        return engine.resized(entries, size)
    values = np.empty(size, entries.dtype)
    kernels.expand(entries, present, values)
    return values
