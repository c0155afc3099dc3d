"""Vectors and matrices from unordered entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.flags import any_true
from spbfs.engines.arrays.patterns.layout import offsets, pattern, row_major
from spbfs.engines.arrays.patterns.sets import is_sorted
from spbfs.engines.arrays.values.reductions import segment_lengths
from spbfs.engines.arrays.values.value_arrays import (
    binary_values,
    dtype_of,
    spelled_out,
    take,
    values_as,
)
from spbfs.operators.definitions import TypedBinary, TypedMonoid
from spbfs.operators.tables.builtin import MONOID
from spbfs.storage.data import MatrixData, VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = ["build_matrix", "build_vector", "rising_vector"]

Array = Any

#: Built-in operators whose fold over equal indices is the sum of the monoid of that name (those
#: of logic are not: over numbers they turn what they combine into 0 or 1, and leave the rest).
_ASSOCIATIVE = frozenset("plus times min max band bor bxor bxnor".split())


def build_vector(
    engine: ArrayEngine, size: int, indices: Array, values: Array, dup: TypedBinary | None
) -> VectorData:
    """See `Engine.build_vector`."""
    indices = indices.astype(np.int64, copy=False)
    if is_sorted(engine.xp, indices):
        return rising_vector(engine, size, indices, values)
    order = engine.xp.argsort(indices, kind="stable")
    indices = indices[order]
    first = _group_starts(engine, indices[1:] == indices[:-1], indices.shape[0])
    values = _folded(engine, values, order, first, dup)
    return engine.choose_form(VectorData(size, values, indices=take(engine, indices, first)))


def rising_vector(engine: ArrayEngine, size: int, indices: Array, values: Array) -> VectorData:
    """A vector of entries whose indices rise, which are copied."""
    values = values if is_iso(values) else values.copy()
    return engine.choose_form(VectorData(size, values, indices=indices.astype(np.int64)))


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
    xp, nvals = engine.xp, rows.shape[0]
    if is_iso(values) and _idempotent(dup, values.dtype):
        found = pattern(xp, nrows, ncols, rows, cols)
        if found is not None:
            indptr, indices = found
            values = engine.resized(values, indices.shape[0])
            return MatrixData(nrows, ncols, indptr, indices, values)
    indptr, indices, order = row_major(xp, nrows, ncols, rows, cols)
    equal = indices[1:] == indices[:-1]
    # Equal columns side by side are no repetition where a new row begins.
    inner = indptr[1:-1]
    equal[inner[(inner > 0) & (inner < nvals)] - 1] = False
    first = _group_starts(engine, equal, nvals)
    values = _folded(engine, values, order, first, dup)
    if first is not None:
        indices = indices[first]
        before = xp.zeros(nvals + 1, np.bool_)
        before[first + 1] = True
        counts = xp.diff(xp.cumsum(before)[indptr])
        indptr = offsets(xp, counts, ncols, indices.shape[0])
    return MatrixData(nrows, ncols, indptr, indices, values)


def _closed(dup: TypedBinary, dtype: np.dtype[Any]) -> bool:
    """Whether `dup` is a built-in operator from `dtype` to itself."""
    types = (dup.in_type.np_type, dup.out_type.np_type)
    return dup.op.function is None and types == (dtype, dtype)


def _idempotent(dup: TypedBinary | None, dtype: np.dtype[Any]) -> bool:
    """Whether `dup` of two equal values is sure to be that value."""
    return dup is None or (_closed(dup, dtype) and dup.idempotent)


def _group_starts(engine: ArrayEngine, equal: Array, size: int) -> Array | None:
    """Where each group of equal indices begins; None when there are no repetitions."""
    if not any_true(equal):
        return None
    first = engine.xp.ones(size, np.bool_)
    first[1:] = ~equal
    return engine.xp.flatnonzero(first)


def _folded(
    engine: ArrayEngine, values: Array, order: Array, first: Array | None, dup: TypedBinary | None
) -> Array:
    """Values in sorted order, one for each group: combined by `dup`, else the last."""
    sorted_values = take(engine, values, order)
    if first is None:
        return sorted_values
    lengths = segment_lengths(engine, first, order.shape[0])
    builtin = dup is not None and dup.op.function is None
    if dup is None or (builtin and dup.op.name == "second"):
        return take(engine, sorted_values, first + lengths - 1)
    if builtin and dup.op.name in ("first", "any"):
        return take(engine, sorted_values, first)
    if dup.op.name in _ASSOCIATIVE and _closed(dup, values.dtype):
        # Over BOOL, plus is "or".
        name = "lor" if dup.op.name == "plus" and dup.in_type.is_bool else dup.op.name
        # `in_type` itself: the monoid's own rule would count Booleans.
        monoid = TypedMonoid(MONOID[name], dup.in_type, None, None)
        return engine.segment_reduce(sorted_values, first, monoid)
    return _fold_in_turn(engine, spelled_out(engine, sorted_values), first, lengths, dup)


def _fold_in_turn(
    engine: ArrayEngine, values: Array, first: Array, lengths: Array, dup: TypedBinary
) -> Array:
    """((a op b) op c) ... for all groups at once: one pass for each further repetition."""
    dtype = dtype_of(VectorData(0, values))
    total = values[first]
    step = 1
    open_groups = engine.xp.flatnonzero(lengths > step)
    while open_groups.shape[0]:
        further = values[first[open_groups] + step]
        sums = binary_values(engine, dup, total[open_groups], further)
        total[open_groups] = values_as(engine, sums, dtype)
        step += 1
        open_groups = open_groups[lengths[open_groups] > step]
    return total
