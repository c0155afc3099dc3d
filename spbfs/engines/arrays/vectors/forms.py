"""The three forms of a vector, and which one it should have.

Arrays of a list are never written once it exists, so lists may share them; those of a bitmap or
full vector belong to it alone and may be written in place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.patterns.sets import true_at
from spbfs.engines.arrays.values.value_arrays import blank, counting, own_copy, take
from spbfs.operators.dtypes import DType
from spbfs.planner import forms as planner
from spbfs.storage.data import Form, VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = [
    "as_dense",
    "choose_form",
    "cols_at",
    "copied",
    "count",
    "count_true",
    "empty_vector",
    "everywhere",
    "like",
    "positions_of",
    "present_flags",
    "restrict",
    "rows_at",
    "to_bitmap",
    "to_list",
]

Array = Any


def count(engine: ArrayEngine, u: VectorData) -> int:
    """Number of stored entries; a bitmap is counted once."""
    if u.indices is not None:
        return int(u.indices.shape[0])
    if u.present is None:
        return u.size
    if u.counted < 0:
        u.counted = engine.count_true(u.present)
    return u.counted


def count_true(engine: ArrayEngine, flags: Array) -> int:
    """How many flags are set."""
    return int(engine.xp.count_nonzero(flags))


def to_list(engine: ArrayEngine, u: VectorData) -> VectorData:
    """The same vector as a list; `u` itself if it is one."""
    if u.indices is not None:
        return u
    if u.present is None:
        indices = counting(engine, u.size)
        values = u.values if is_iso(u.values) else u.values.copy()
        return VectorData(u.size, values, indices=indices)
    indices = true_at(u.present)
    return VectorData(u.size, take(engine, u.values, indices), indices=indices)


def to_bitmap(engine: ArrayEngine, u: VectorData) -> VectorData:
    """The same vector as a bitmap; `u` itself if it is one, else arrays of its own."""
    if u.present is not None:
        return u
    if u.indices is None:
        values = u.values if is_iso(u.values) else u.values.copy()
        return VectorData(u.size, values, present=engine.present(u), counted=u.size)
    nvals = u.indices.shape[0]
    present = blank(engine, u.size)
    present[u.indices] = True
    if u.values.strides == (0,):
        values = engine.resized(u.values, u.size)
    else:
        values = blank(engine, u.size, u.values.dtype)
        values[u.indices] = u.values
    return VectorData(u.size, values, present=present, counted=nvals)


def present_flags(engine: ArrayEngine, u: VectorData) -> Array:
    """One flag per position; a bitmap's own array, not to be written."""
    if u.present is not None:
        return u.present
    if u.indices is None:
        return ~blank(engine, u.size)
    flags = blank(engine, u.size)
    flags[u.indices] = True
    return flags


def choose_form(engine: ArrayEngine, u: VectorData, shrink: bool = False) -> VectorData:
    """The vector in the form that the planner wants for it.

    A bitmap becomes a list only with `shrink`, for results that are new: one that is updated
    in place stays what it is, lest it go back and forth.
    """
    before: Form
    if u.indices is not None:
        before, nvals = "list", u.indices.shape[0]
    else:
        before = "full" if u.present is None else "bitmap"
        nvals = engine.count(u) if shrink and u.counted < 0 else u.counted
    form = planner.vector_form(u.size, nvals, before, u.work, engine.vector_forms)
    if form == before or (form == "list" and not shrink):
        return u
    if form == "list":
        return engine.to_list(u)
    u = engine.to_bitmap(u)
    return u if form == "bitmap" else VectorData(u.size, u.values)


def positions_of(engine: ArrayEngine, u: VectorData) -> tuple[Array, Array]:
    """(row, column) of every element of ``u.values``."""
    rows = rows_at(engine, u)
    return rows, cols_at(engine, u)


def everywhere(engine: ArrayEngine, size: int) -> tuple[Array, Array]:
    """(row, column) of all elements of a vector."""
    return counting(engine, size), engine.constant(0, np.dtype(np.int64), size)


def rows_at(engine: ArrayEngine, u: VectorData) -> Array:
    """The row of every element of ``u.values``."""
    return counting(engine, u.size) if u.indices is None else u.indices


def cols_at(engine: ArrayEngine, u: VectorData) -> Array:
    """The column, always 0, of every element of ``u.values``."""
    return engine.constant(0, np.dtype(np.int64), u.values.shape[0])


def like(u: VectorData, values: Array) -> VectorData:
    """`values` at the entries of `u`, with dense arrays of their own."""
    if u.indices is not None:
        return VectorData(u.size, values, indices=u.indices)
    if values is u.values and not is_iso(values):
        values = values.copy()
    present = None if u.present is None else u.present.copy()
    return VectorData(u.size, values, present=present, counted=u.counted)


def restrict(engine: ArrayEngine, u: VectorData, keep: Array) -> VectorData:
    """The entries of `u` flagged in `keep`, which is as long as ``u.values``."""
    if u.indices is not None:
        at = true_at(keep)
        return VectorData(u.size, take(engine, u.values, at), indices=u.indices[at])
    # `keep` may be iso or another object's own: a bitmap's flags are dense and its alone.
    present = keep.copy() if u.present is None else keep & u.present
    values = u.values if is_iso(u.values) else u.values.copy()
    return VectorData(u.size, values, present=present)


def as_dense(engine: ArrayEngine, u: VectorData) -> VectorData:
    return u if u.indices is None else engine.to_bitmap(u)


def empty_vector(engine: ArrayEngine, size: int, dtype: DType) -> VectorData:
    """A vector without entries."""
    values = engine.constant(0, dtype.np_type, 0)
    return VectorData(size, values, indices=engine.xp.empty(0, np.int64))


def copied(engine: ArrayEngine, u: VectorData) -> VectorData:
    """A deep copy."""
    indices = None if u.indices is None else u.indices.copy()
    present = None if u.present is None else u.present.copy()
    return VectorData(u.size, own_copy(engine, u.values), indices, present, counted=u.counted)
