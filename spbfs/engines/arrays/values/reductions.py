"""Sums by a monoid: of everything, of segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.patterns.sets import true_at
from spbfs.engines.arrays.values.value_arrays import (
    binary_values,
    group_of,
    spelled_out,
    take,
    values_as,
)
from spbfs.operators.definitions import TypedBinary, TypedMonoid
from spbfs.storage.data import MatrixData, VectorData, is_iso
from spbfs.storage.hypersparse import HypersparseMatrix

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = [
    "reduce_all",
    "reduce_stored",
    "reduce_values",
    "row_ends",
    "row_sums",
    "segment_lengths",
    "segment_reduce",
    "stored_values",
]

Array = Any

_UFUNC = {
    "plus": "add",
    "times": "multiply",
    "min": "fmin",
    "max": "fmax",
    "lor": "logical_or",
    "land": "logical_and",
    "lxor": "logical_xor",
    "band": "bitwise_and",
    "bor": "bitwise_or",
    "bxor": "bitwise_xor",
}
_UFUNC_BOOL = {"times": "logical_and", "min": "logical_and", "max": "logical_or"}
#: The negation of another: an even number of operands flips the other's sum.
_NEGATED = {"lxnor": "lxor", "eq": "lxor", "bxnor": "bxor"}

#: Others are a user's, whatever their operator.
_BUILT_IN = frozenset((*_UFUNC, *_NEGATED, "any"))


def stored_values(engine: ArrayEngine, x: VectorData | MatrixData) -> Array:
    """The values of stored entries, in order."""
    if isinstance(x, VectorData) and x.present is not None:
        return engine.to_list(x).values
    return x.values


def reduce_stored(
    engine: ArrayEngine, x: VectorData | MatrixData, monoid: TypedMonoid
) -> np.generic | None:
    """All stored values summed; None when there are none."""
    return reduce_values(engine, engine.stored_values(x), monoid)


def reduce_values(engine: ArrayEngine, values: Array, monoid: TypedMonoid) -> np.generic | None:
    """All values summed; None when there are none."""
    if values.shape[0] == 0:
        return None
    values = values_as(engine, values, monoid.dtype)
    name, builtin = monoid.op.name, monoid.op.binaryop.function is None
    if builtin and (name == "any" or (monoid.idempotent and is_iso(values))):
        total = values[:1]
    elif builtin and name == "plus" and monoid.dtype.is_integer and is_iso(values):
        total = values[:1] * engine.xp.asarray(values.shape[0]).astype(values.dtype)
    else:
        total = engine.reduce_all(values, monoid)
    scalar: np.generic = engine.to_numpy(total)[0]
    return scalar


def reduce_all(engine: ArrayEngine, values: Array, monoid: TypedMonoid) -> Array:
    name = monoid.op.name
    if monoid.op.binaryop.function is None and name in _UFUNC:
        ufunc = _ufunc(engine, name, monoid)
        # NumPy begins with 0.0, and a sum of nothing but -0.0 is -0.0.
        begin = {"initial": -0.0} if name == "plus" and monoid.dtype.is_float else {}
        # It would widen small integers; a monoid sums in its own type.
        with np.errstate(all="ignore"):
            total = ufunc.reduce(values, dtype=values.dtype, **begin)
        return engine.xp.asarray(total).reshape(1)
    return engine.segment_reduce(values, engine.xp.zeros(1, np.int64), monoid)


def _ufunc(engine: ArrayEngine, name: str, monoid: TypedMonoid) -> Any:
    table = _UFUNC_BOOL if monoid.dtype.is_bool else {}
    return getattr(engine.xp, table.get(name) or _UFUNC[name])


def segment_reduce(engine: ArrayEngine, values: Array, starts: Array, monoid: TypedMonoid) -> Array:
    """Sums of consecutive segments, none of them empty.

    Parameters
    ----------
    values : array of ``monoid.dtype``
    starts : int64 array
        Where each segment begins; rises strictly from 0, the last one ends with `values`.

    Returns
    -------
    array of ``monoid.dtype``, as long as `starts`
    """
    if starts.shape[0] == 0:
        return engine.xp.empty(0, monoid.dtype.np_type)
    values = values_as(engine, values, monoid.dtype)
    name = monoid.op.name
    if monoid.op.binaryop.function is not None or name not in _BUILT_IN:
        return _tree(engine, values, starts, monoid)
    if name == "any" or (monoid.idempotent and is_iso(values)):
        return take(engine, values, starts)
    if name in _NEGATED:
        lengths = segment_lengths(engine, starts, values.shape[0])
        other = getattr(engine.xp, "logical_xor" if monoid.dtype.is_bool else "bitwise_xor")
        sums = other.reduceat(values, starts)
        return engine.xp.where(lengths % 2 == 0, engine.xp.invert(sums), sums)
    with np.errstate(all="ignore"):
        return _ufunc(engine, name, monoid).reduceat(values, starts, dtype=values.dtype)


def segment_lengths(engine: ArrayEngine, starts: Array, size: int) -> Array:
    ends = engine.xp.empty_like(starts)
    ends[:-1] = starts[1:]
    ends[-1:] = size
    return ends - starts


def _tree(engine: ArrayEngine, values: Array, starts: Array, monoid: TypedMonoid) -> Array:
    """Neighbours summed two by two, all segments at once, until one value a segment is left."""
    xp = engine.xp
    op = TypedBinary(monoid.op.binaryop, monoid.dtype, monoid.dtype)
    lengths = segment_lengths(engine, starts, values.shape[0])
    while values.shape[0] > starts.shape[0]:
        segment = group_of(engine, lengths, values.shape[0])
        position = xp.arange(values.shape[0]) - starts[segment]
        even = position % 2 == 0
        paired = even.copy()
        paired[:-1] &= ~even[1:]
        paired[-1:] = False
        left = xp.flatnonzero(paired)
        sums = binary_values(engine, op, take(engine, values, left), take(engine, values, left + 1))
        values = spelled_out(engine, values)
        values[left] = sums
        values = values[even]
        lengths = (lengths + 1) // 2
        starts = xp.cumsum(lengths) - lengths
    return values


def row_sums(engine: ArrayEngine, A: MatrixData, monoid: TypedMonoid) -> VectorData:
    """Every row summed; rows without entries give none."""
    lengths = A.indptr[1:] - A.indptr[:-1]
    rows = true_at(lengths)
    iso_sum = (
        monoid.op.name == "plus"
        and is_iso(A.values)
        and not monoid.dtype.is_float
        and monoid.op.binaryop.function is None
    )
    if iso_sum:
        one = values_as(engine, A.values, monoid.dtype)
        sums = lengths[rows].astype(monoid.dtype.np_type) * one[: rows.shape[0]]
    else:
        starts = A.indptr[rows].astype(np.int64, copy=False)
        sums = engine.segment_reduce(A.values, starts, monoid)
    if rows.shape[0] == A.nrows and not is_iso(sums):
        return VectorData(A.nrows, sums)
    return engine.choose_form(VectorData(A.nrows, sums, indices=rows))


def row_ends(engine: ArrayEngine, A: MatrixData, last: bool) -> VectorData:
    """The column of every row's first or last entry; rows without entries give none."""
    if isinstance(A, HypersparseMatrix):
        # Whatever row is listed has entries.
        H, rows = A.compact, A.rows
        ends = H.indptr[1:] - 1 if last else H.indptr[:-1]
        return VectorData(A.nrows, take(engine, A.columns, H.indices[ends]), indices=rows)
    rows = true_at(A.indptr[1:] - A.indptr[:-1])
    ends = A.indptr[1:][rows] - 1 if last else A.indptr[:-1][rows]
    columns = A.indices[ends].astype(np.int64, copy=False)
    return engine.choose_form(VectorData(A.nrows, columns, indices=rows))
