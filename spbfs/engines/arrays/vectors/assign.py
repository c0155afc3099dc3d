"""Assignment to regions of vectors: of another vector, of one value under a mask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.patterns.ranges import among, as_slice, held, rising, shifted, spelled
from spbfs.engines.arrays.patterns.sets import in_order, is_sorted, member, true_at
from spbfs.engines.arrays.values.value_arrays import blank, dtype_of, take
from spbfs.engines.arrays.vectors.forms import as_dense, restrict
from spbfs.engines.arrays.vectors.in_place import put_range
from spbfs.engines.arrays.vectors.masks import Region, admits, region_flags, region_of
from spbfs.engines.arrays.vectors.output import added, detached, merge, set_list, typed
from spbfs.engines.protocol import Indices, MaskData
from spbfs.operators.definitions import TypedBinary
from spbfs.storage.data import VectorData

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = ["assign_scalar_vector", "assign_vector"]

Array = Any


def assign_vector(
    engine: ArrayEngine,
    w: VectorData,
    t: VectorData,
    indices: Indices,
    accum: TypedBinary | None,
) -> VectorData:
    """`w` with the region replaced by `t`, in place where it is dense."""
    if indices is None:
        if accum is not None:
            return engine.choose_form(added(engine, w, t, accum))
        return engine.choose_form(typed(engine, detached(t), w))
    if isinstance(indices, range) and accum is None and w.indices is None and t.form == "full":
        return engine.choose_form(put_range(engine, w, indices, t.values))
    t = _moved(engine, t, indices, w.size)
    if w.indices is None:
        if not len(indices):
            return w
        if accum is not None:
            return engine.choose_form(engine.accumulate(w, t, accum))
        if t.values.shape[0] < len(indices):
            w = engine.without(w, Region(spelled(engine, indices), None, False))
        return engine.choose_form(engine.put(w, t.indices, t.values))
    if accum is not None:
        return engine.choose_form(added(engine, w, t, accum))
    if isinstance(indices, range):
        inside = among(indices, w.indices)[1]
    else:
        inside = member(engine.xp, w.indices, in_order(engine.xp, indices))
    return engine.choose_form(merge(engine, restrict(engine, w, ~inside), t))


def _moved(engine: ArrayEngine, t: VectorData, indices: Array | range, size: int) -> VectorData:
    """`t` as a list with every index k replaced by ``indices[k]``."""
    t = engine.to_list(t)
    at = shifted(indices, t.indices)
    if is_sorted(engine.xp, at):
        return VectorData(size, t.values, indices=at)
    order = engine.xp.argsort(at)
    return VectorData(size, take(engine, t.values, order), indices=at[order])


def assign_scalar_vector(
    engine: ArrayEngine,
    w: VectorData,
    value: np.generic,
    indices: Indices,
    mask: MaskData | None,
    accum: TypedBinary | None,
    replace: bool,
) -> VectorData:
    """``w<mask, replace>(indices) accum= value``, in place where `w` is dense."""
    size, dtype = w.size, w.values.dtype
    if size == 0:
        return w
    if isinstance(indices, range):
        indices = rising(indices)
        if mask is None and accum is None:
            return engine.choose_form(_scalar_range(engine, w, value, indices))
    if mask is None:
        at = None if indices is None else in_order(engine.xp, spelled(engine, indices))
        target = region = Region(at, None, False)
    else:
        region = region_of(engine, mask)
        if mask.data is w and region.flags is not None:
            region.flags = region.flags.copy()
        target = _narrow(engine, region, indices)
    value_type = dtype if accum is None else np.asarray(value).dtype
    if target.indices is None and target.flags is None:
        every = VectorData(size, engine.constant(value, value_type, size))
        if accum is None:
            return every
        return engine.vector_add(w, every, accum, dtype=dtype_of(w))
    if target.indices is not None and not target.complement:
        at = target.indices
        t = VectorData(size, engine.constant(value, value_type, at.shape[0]), indices=at)
        out = set_list(engine, w, t, accum)
    else:
        out = _scalar_dense(engine, w, value, target, accum, value_type)
    if replace and mask is not None:
        out = _keep(engine, out, region)
    return engine.choose_form(out)


def _scalar_range(engine: ArrayEngine, w: VectorData, value: Any, chosen: range) -> VectorData:
    """``w(chosen) = value``: as a list where that has few elements, otherwise in place."""
    size, dtype, count = w.size, w.values.dtype, len(chosen)
    if w.indices is not None:
        if count < engine.vector_forms.bitmap_density * size:
            values = engine.constant(value, dtype, count)
            part = VectorData(size, values, indices=spelled(engine, chosen))
            return set_list(engine, w, part, None)
        engine.require_bytes(
            (1 + dtype.itemsize) * size, f"assigning a scalar to {count:,} of {size:,} elements"
        )
        if not w.indices.shape[0]:
            present = blank(engine, size)
            present[as_slice(chosen)] = True
            return VectorData(size, engine.constant(value, dtype, size), present=present)
    return put_range(engine, as_dense(engine, w), chosen, engine.constant(value, dtype, count))


def _narrow(engine: ArrayEngine, region: Region, indices: Indices) -> Region:
    """The region within `indices`, as indices or as flags, never a complement of indices."""
    if isinstance(indices, range):  # which rises
        if region.flags is not None:
            flags = region.flags[as_slice(indices)]
            at = true_at(~flags if region.complement else flags)
            return Region(shifted(indices, at), None, False)
        if not region.complement:
            assert region.indices is not None
            kept, _ = held(engine.xp, indices, region.indices)
            return Region(region.indices[kept], None, False)
        indices = spelled(engine, indices)
    if indices is not None:
        at = in_order(engine.xp, indices)
        return Region(at[admits(engine, region, at)], None, False)
    return region


def _scalar_dense(
    engine: ArrayEngine, w: VectorData, value: Any, target: Region, accum: Any, value_type: Any
) -> VectorData:
    flags = region_flags(engine, target, w.size)
    w = as_dense(engine, w)
    if accum is None:
        return engine.fill(w, flags, engine.constant(value, value_type, 1))
    at = engine.xp.flatnonzero(flags)
    t = VectorData(w.size, engine.constant(value, value_type, at.shape[0]), indices=at)
    return engine.accumulate(w, t, accum)


def _keep(engine: ArrayEngine, w: VectorData, region: Region) -> VectorData:
    if w.indices is not None:
        return restrict(engine, w, admits(engine, region, w.indices))
    return engine.remove(w, region_flags(engine, region, w.size))
