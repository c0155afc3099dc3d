"""Dense vectors written in place: entries set, summed, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.engines.arrays.patterns.ranges import as_slice
from spbfs.engines.arrays.values.value_arrays import (
    binary_values,
    blank,
    dtype_of,
    same_iso,
    spelled_out,
    take,
    values_as,
)
from spbfs.engines.arrays.vectors.forms import as_dense, positions_of
from spbfs.engines.arrays.vectors.masks import Region, region_flags
from spbfs.operators.definitions import TypedBinary
from spbfs.storage.data import VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = [
    "accumulate",
    "fill",
    "put",
    "put_range",
    "remove",
    "without",
    "writable",
    "write_dense",
]

Array = Any


def writable(
    engine: ArrayEngine, w: VectorData, *, spelled: bool = True, added: int = -1
) -> VectorData:
    """A dense `w` to write into, which is given up for it: whoever writes into the arrays of a
    vector asks for them here.

    With `spelled` its values are spelled out, so that single elements may change.  `added` says how
    many entries it will have more, at most; -1 where nobody knows.
    """
    if spelled and is_iso(w.values):
        w.values = spelled_out(engine, w.values)
    return w


def put(engine: ArrayEngine, w: VectorData, indices: Array, values: Array) -> VectorData:
    """Entries set in a dense `w`, in place; `values` are of its type or iso."""
    values = values_as(engine, values, dtype_of(w))
    same = same_iso(engine, w.values, values)
    w = engine.writable(w, spelled=not same, added=indices.shape[0])
    counted = w.counted
    if w.present is not None and counted >= 0:
        counted += indices.shape[0] - engine.count_true(w.present[indices])
    # All that may fail for want of memory is done: from here on elements change.
    if not same:
        w.values[indices] = values[:1] if is_iso(values) else values
    if w.present is not None:
        w.present[indices] = True
    w.counted = counted
    return w


def put_range(engine: ArrayEngine, w: VectorData, chosen: range, values: Array) -> VectorData:
    """All elements of a range set in a dense `w`, in place; `values` are of its type or iso."""
    values = values_as(engine, values, dtype_of(w))
    same, part = same_iso(engine, w.values, values), as_slice(chosen)
    w = engine.writable(w, spelled=not same, added=len(chosen))
    counted = w.counted
    if w.present is not None and counted >= 0:
        counted += len(chosen) - engine.count_true(w.present[part])
    if not same and len(chosen):
        w.values[part] = values[:1] if is_iso(values) else values
    if w.present is not None:
        w.present[part] = True
    w.counted = counted
    return w


def fill(engine: ArrayEngine, w: VectorData, flags: Array, value: Array) -> VectorData:
    """One value (iso) set where flagged in a dense `w`, in place."""
    value = values_as(engine, value, dtype_of(w))
    same = same_iso(engine, w.values, value)
    w = engine.writable(w, spelled=not same)
    if not same:
        w.values[engine.xp.flatnonzero(flags)] = value
    if w.present is not None:
        w.present |= flags
        w.counted = -1
    return w


def remove(engine: ArrayEngine, w: VectorData, flags: Array) -> VectorData:
    """Entries not flagged deleted from a dense `w`, in place but for a full one."""
    w = engine.writable(w, spelled=False, added=0)
    if w.present is None:
        w.present = flags.copy()
    else:
        w.present &= flags
    w.counted = -1
    return w


def without(engine: ArrayEngine, C: VectorData, region: Region) -> VectorData:
    """A dense `C` with the region deleted, in place."""
    if region.indices is not None and not region.complement:
        C = engine.writable(C, spelled=False, added=0)
        if C.present is None:
            C.present, C.counted = ~blank(engine, C.size), C.size
        if C.counted >= 0:
            C.counted -= engine.count_true(C.present[region.indices])
        C.present[region.indices] = False
        return C
    return engine.remove(C, ~region_flags(engine, region, C.size))


def accumulate(engine: ArrayEngine, C: VectorData, T: VectorData, accum: TypedBinary) -> VectorData:
    """A vector summed into a dense one, entry by entry, in place."""
    T = engine.to_list(T)
    at = T.indices
    assert at is not None
    old = take(engine, C.values, at)
    both = binary_values(engine, accum, old, T.values, lambda: positions_of(engine, T))
    both = values_as(engine, both, dtype_of(C))
    if C.present is not None:
        new = values_as(engine, T.values, dtype_of(C))
        if not same_iso(engine, both, new):
            both = engine.xp.where(C.present[at], both, new)
    return engine.put(C, at, both)


def write_dense(
    engine: ArrayEngine, C: VectorData, T: VectorData, region: Region, replace: bool
) -> VectorData:
    """``C<region, replace> = T`` for a dense `T`, in place where entries of `C` stay."""
    admitted = region_flags(engine, region, C.size)
    zv = values_as(engine, T.values, dtype_of(C))
    if replace:
        present = admitted.copy() if T.present is None else T.present & admitted
        return VectorData(C.size, zv, present=present)
    C = as_dense(engine, C)
    stored = admitted if T.present is None else T.present & admitted
    if C.present is not None or T.present is not None:
        present = stored | (engine.present(C) & ~admitted)
    else:
        present = None
    if not same_iso(engine, zv, C.values):
        at = engine.xp.flatnonzero(stored)
        C = engine.writable(C)
        C.values[at] = take(engine, zv, at)
    return VectorData(C.size, C.values, present=present)
