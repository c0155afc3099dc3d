"""Vectors, element by element, in the form that costs least.

Lists go through the sets of `patterns.sets`; as soon as one operand is a bitmap or full, dense
operations over all positions take over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.patterns.sets import Union, intersect, true_at, union_of, unite
from spbfs.engines.arrays.values.value_arrays import (
    binary_values,
    indexed_values,
    same_iso,
    spelled_out,
    take,
    unary_values,
    values_as,
)
from spbfs.engines.arrays.vectors.forms import (
    as_dense,
    cols_at,
    everywhere,
    like,
    positions_of,
    restrict,
    rows_at,
)
from spbfs.operators.definitions import TypedBinary, TypedIndexUnary, TypedUnary
from spbfs.operators.dtypes import DType
from spbfs.storage.data import VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = [
    "uniform_value",
    "united_values",
    "vector_add",
    "vector_apply",
    "vector_bind",
    "vector_index",
    "vector_mult",
    "vector_select",
]

Array = Any


def vector_add(
    engine: ArrayEngine,
    x: VectorData,
    y: VectorData,
    op: TypedBinary,
    defaults: tuple[np.generic, np.generic] | None = None,
    dtype: DType | None = None,
) -> VectorData:
    """The union, `op` where both have entries; one-sided entries as they are or with defaults.

    The result is of `dtype`, by default that of `op`; one-sided entries are cast to it
    directly, as an accumulation needs it.
    """
    dtype = dtype or op.out_type
    if x.indices is None or y.indices is None:
        return _dense_add(engine, x, y, op, defaults, dtype)
    uniform = None if defaults is not None else uniform_value(engine, x.values, y.values, op, dtype)
    if uniform is not None:
        indices = union_of(engine.xp, x.indices, y.indices)
        values = engine.resized(uniform, indices.shape[0])
        return engine.choose_form(VectorData(x.size, values, indices=indices))
    u = unite(engine.xp, x.indices, y.indices)

    def split(keys: Array) -> tuple[Array, Array]:
        return keys, engine.xp.zeros_like(keys)

    values = united_values(engine, u, x.values, y.values, op, defaults, split, dtype)
    return engine.choose_form(VectorData(x.size, values, indices=u.keys))


def uniform_value(
    engine: ArrayEngine, x: Array, y: Array, op: TypedBinary, dtype: DType
) -> Array | None:
    """The value (iso) of all entries of a union, where it is sure that they are alike."""
    simple = op.op.function is None and not op.op.positional
    if not (simple and x.shape[0] and y.shape[0] and is_iso(x) and is_iso(y)):
        return None
    both = values_as(engine, binary_values(engine, op, x[:1], y[:1]), dtype)
    left, right = values_as(engine, x[:1], dtype), values_as(engine, y[:1], dtype)
    return left if same_iso(engine, left, right, both) else None


def united_values(
    engine: ArrayEngine,
    u: Union,
    x: Array,
    y: Array,
    op: TypedBinary,
    defaults: Any,
    split: Callable[[Array], tuple[Array, Array]],
    dtype: DType,
) -> Array:
    """The values of a union of sets; `split` turns keys into (rows, columns)."""
    size = u.keys.shape[0]
    if defaults is not None:
        x_all = _spread(engine, x, u.a_at, size, defaults[0], op.in_type)
        y_all = _spread(engine, y, u.b_at, size, defaults[1], op.in_type)
        values = binary_values(engine, op, x_all, y_all, lambda: split(u.keys))
        return values_as(engine, values, dtype)
    common = binary_values(
        engine,
        op,
        take(engine, x, u.a_common),
        take(engine, y, u.b_common),
        lambda: split(take(engine, take(engine, u.keys, u.a_at), u.a_common)),
    )
    common = values_as(engine, common, dtype)
    if u.a_at is None and u.b_at is None:
        return common
    x, y = values_as(engine, x, dtype), values_as(engine, y, dtype)
    if same_iso(engine, x, y, common):
        return engine.resized(x if x.shape[0] else y, size)
    out = engine.xp.empty(size, dtype.np_type)
    out[slice(None) if u.a_at is None else u.a_at] = x
    if u.b_at is None:
        out[:] = y
    else:
        out[u.b_at] = y
    if common.shape[0]:
        at = u.a_common if u.a_at is None else u.a_at[u.a_common]
        out[at] = common
    return out


def _spread(
    engine: ArrayEngine, values: Array, at: Array | None, size: int, default: Any, dtype: DType
) -> Array:
    """Values at their places in a union, the default everywhere else."""
    values = values_as(engine, values, dtype)
    if at is None:
        return values
    filled = engine.constant(default, dtype.np_type, size)
    if same_iso(engine, values, filled) or values.shape[0] == 0:
        return filled
    filled = spelled_out(engine, filled)
    filled[at] = values
    return filled


def _dense_add(
    engine: ArrayEngine, x: VectorData, y: VectorData, op: TypedBinary, defaults: Any, dtype: DType
) -> VectorData:
    x, y = as_dense(engine, x), as_dense(engine, y)
    present = None
    if x.present is not None and y.present is not None:
        present = x.present | y.present
    if defaults is not None or (x.present is None and y.present is None):
        low, high = (None, None) if defaults is None else defaults
        xv = _defaulted(engine, x, low, op.in_type)
        yv = _defaulted(engine, y, high, op.in_type)
        values = binary_values(engine, op, xv, yv, lambda: everywhere(engine, x.size))
        values = _fresh(values_as(engine, values, dtype), x, y)
    else:
        values = _joined(engine, x, y, op, dtype)
    return VectorData(x.size, values, present=present)


def _joined(
    engine: ArrayEngine, x: VectorData, y: VectorData, op: TypedBinary, dtype: DType
) -> Array:
    """The values of a union of dense vectors, one of them a bitmap.

    Gathered by index: choosing element by element costs a mispredicted branch each.
    """
    xs, ys = engine.present(x), engine.present(y)
    at = true_at(xs & ys)
    common = VectorData(x.size, take(engine, x.values, at), indices=at)
    both = binary_values(
        engine, op, common.values, take(engine, y.values, at), lambda: positions_of(engine, common)
    )
    both = values_as(engine, both, dtype)
    xv, yv = values_as(engine, x.values, dtype), values_as(engine, y.values, dtype)
    if same_iso(engine, xv, yv, both):
        return xv
    base, other, missing = (yv, xv, xs & ~ys) if y.present is None else (xv, yv, ys & ~xs)
    borrowed = base is x.values or base is y.values or is_iso(base)
    own = spelled_out(engine, base) if borrowed else base
    rest = true_at(missing)
    own[rest] = take(engine, other, rest)
    own[at] = both
    return own


def _defaulted(engine: ArrayEngine, u: VectorData, default: Any, dtype: DType) -> Array:
    values = values_as(engine, u.values, dtype)
    if u.present is None:
        return values
    filled = engine.constant(default, dtype.np_type, u.size)
    if same_iso(engine, values, filled):
        return filled
    filled, at = spelled_out(engine, filled), true_at(u.present)
    filled[at] = take(engine, values, at)
    return filled


def _fresh(values: Array, *owners: VectorData) -> Array:
    """Values that no owner holds: copied if they are one's very array."""
    shared = not is_iso(values) and any(values is o.values for o in owners)
    return values.copy() if shared else values


def vector_mult(engine: ArrayEngine, x: VectorData, y: VectorData, op: TypedBinary) -> VectorData:
    """The intersection."""
    xp = engine.xp
    if x.indices is not None and y.indices is not None:
        in_x, in_y = intersect(xp, x.indices, y.indices)
        indices = take(engine, x.indices, in_x)
        xv, yv = take(engine, x.values, in_x), take(engine, y.values, in_y)
    elif x.indices is None and y.indices is None:
        values = binary_values(engine, op, x.values, y.values, lambda: everywhere(engine, x.size))
        values = _fresh(values, x, y)
        if x.present is None and y.present is None:
            return VectorData(x.size, values)
        present = engine.present(x) & engine.present(y)
        return engine.choose_form(VectorData(x.size, values, present=present), shrink=True)
    else:
        indices, in_list = _probe(engine, x, y) if x.indices is not None else _probe(engine, y, x)
        sparse = x if x.indices is not None else y
        xv = take(engine, x.values, in_list if x is sparse else indices)
        yv = take(engine, y.values, in_list if y is sparse else indices)
    out = VectorData(x.size, xv, indices=indices)
    out.values = binary_values(engine, op, xv, yv, lambda: positions_of(engine, out))
    return engine.choose_form(out)


def _probe(
    engine: ArrayEngine, sparse: VectorData, dense: VectorData
) -> tuple[Array, Array | None]:
    """Indices of a list that a dense vector has too, and where in the list they are."""
    assert sparse.indices is not None
    if dense.present is None:
        return sparse.indices, None
    at = true_at(dense.present[sparse.indices])
    return sparse.indices[at], at


def vector_apply(engine: ArrayEngine, x: VectorData, op: TypedUnary) -> VectorData:
    """`op` of every value."""
    return like(x, unary_values(engine, op, x.values, lambda: positions_of(engine, x)))


def vector_bind(
    engine: ArrayEngine, x: VectorData, op: TypedBinary, left: Any, right: Any
) -> VectorData:
    """`op` with a scalar on one side."""
    n = x.values.shape[0]
    bound = engine.constant(right if left is None else left, op.in_type.np_type, n)
    pair = (x.values, bound) if left is None else (bound, x.values)
    return like(x, binary_values(engine, op, *pair, lambda: positions_of(engine, x)))


def vector_index(engine: ArrayEngine, x: VectorData, op: TypedIndexUnary, thunk: Any) -> VectorData:
    """`op` of value and position."""
    return like(x, _indexed(engine, x, op, thunk))


def vector_select(
    engine: ArrayEngine, x: VectorData, op: TypedIndexUnary, thunk: Any
) -> VectorData:
    """The entries for which `op` is true."""
    keep = _indexed(engine, x, op, thunk).astype(np.bool_, copy=False)
    return engine.choose_form(restrict(engine, x, keep), shrink=True)


def _indexed(engine: ArrayEngine, x: VectorData, op: TypedIndexUnary, thunk: Any) -> Array:
    return indexed_values(
        engine, op, x.values, lambda: rows_at(engine, x), lambda: cols_at(engine, x), thunk
    )
