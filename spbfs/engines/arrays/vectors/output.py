"""Where results of vectors end up: accumulation and masks, in place where that is cheap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.engines.arrays.patterns.sets import union_of, unite
from spbfs.engines.arrays.values.value_arrays import dtype_of, same_iso, values_as
from spbfs.engines.arrays.vectors.forms import like, restrict
from spbfs.engines.arrays.vectors.masks import Region, admits, region_flags, region_of
from spbfs.engines.protocol import MaskData
from spbfs.operators.definitions import TypedBinary
from spbfs.storage.data import VectorData

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = ["added", "detached", "merge", "set_list", "typed", "with_work", "write_vector"]

Array = Any


def merge(engine: ArrayEngine, a: VectorData, b: VectorData) -> VectorData:
    """The union of two lists, `b` where both have entries; of the type of `a`."""
    assert a.indices is not None and b.indices is not None
    bv = values_as(engine, b.values, dtype_of(a))
    if a.indices.shape[0] == 0:
        return VectorData(a.size, bv, indices=b.indices)
    if b.indices.shape[0] == 0:
        return a
    if same_iso(engine, a.values, bv):
        indices = union_of(engine.xp, a.indices, b.indices)
        return VectorData(a.size, engine.resized(bv, indices.shape[0]), indices=indices)
    u = unite(engine.xp, a.indices, b.indices)
    values = engine.xp.empty(u.keys.shape[0], bv.dtype)
    values[slice(None) if u.a_at is None else u.a_at] = a.values
    values[slice(None) if u.b_at is None else u.b_at] = bv
    return VectorData(a.size, values, indices=u.keys)


def write_vector(
    engine: ArrayEngine,
    C: VectorData,
    T: VectorData,
    mask: MaskData | None,
    accum: TypedBinary | None,
    replace: bool,
) -> VectorData:
    """``C<mask, replace> accum= T``; writes into `C` where it is dense and gives it back."""
    if C.size == 0:
        return C
    if T is C:
        # What is written is not changed, even where it is what is written to.
        C = detached(C)
    if mask is None:
        if accum is None:
            return engine.choose_form(typed(engine, T, C))
        if C.indices is None and (T.indices is not None or T.present is not None):
            return engine.choose_form(engine.accumulate(C, T, accum))
        return engine.choose_form(added(engine, C, T, accum))
    itself = mask.data is T and mask.structural and not mask.complement
    if itself and T.indices is not None and accum is None and not replace:
        return engine.choose_form(set_list(engine, C, T, None))  # all of it, and nothing else
    region = region_of(engine, mask)
    if mask.data is C and region.flags is not None:
        region.flags = region.flags.copy()
    if T.indices is None and accum is not None:
        # Only what is admitted takes part.
        T = VectorData(
            C.size, T.values, present=engine.present(T) & region_flags(engine, region, C.size)
        )
        if C.indices is None and not replace:
            return engine.choose_form(engine.accumulate(C, T, accum))
        T = engine.to_list(T)
    if T.indices is not None:
        return engine.choose_form(_write_list(engine, C, T, region, accum, replace))
    return engine.choose_form(engine.write_dense(C, T, region, replace))


def detached(u: VectorData) -> VectorData:
    """The same vector in a new object whose arrays may be written."""
    return like(u, u.values)


def typed(engine: ArrayEngine, z: VectorData, C: VectorData) -> VectorData:
    """`z` with values of the type of `C`."""
    values = values_as(engine, z.values, dtype_of(C))
    if values is z.values:
        return z
    return VectorData(z.size, values, z.indices, z.present, z.counted, z.work)


def set_list(
    engine: ArrayEngine, C: VectorData, T: VectorData, accum: TypedBinary | None
) -> VectorData:
    """The entries of a list set in `C`, or summed into it, in place where `C` is dense."""
    assert T.indices is not None
    if C.indices is None:
        return (
            engine.put(C, T.indices, T.values) if accum is None else engine.accumulate(C, T, accum)
        )
    if accum is not None:
        return added(engine, C, T, accum)
    return with_work(merge(engine, C, T), C, T)


def _write_list(
    engine: ArrayEngine,
    C: VectorData,
    T: VectorData,
    region: Region,
    accum: TypedBinary | None,
    replace: bool,
) -> VectorData:
    assert T.indices is not None
    if replace and accum is None:
        out = restrict(engine, T, admits(engine, region, T.indices))
        return typed(engine, out, C)
    if C.indices is None:
        T = restrict(engine, T, admits(engine, region, T.indices))
        keep = region_flags(engine, region, C.size) if replace else None
        if accum is not None:
            C = engine.accumulate(C, T, accum)
        else:
            C = engine.put(engine.without(C, region), T.indices, T.values)
        return C if keep is None else engine.remove(C, keep)
    Z = T if accum is None else engine.to_list(added(engine, C, T, accum))
    assert Z.indices is not None
    Z = typed(engine, restrict(engine, Z, admits(engine, region, Z.indices)), C)
    if replace:
        return Z
    rest = restrict(engine, C, ~admits(engine, region, C.indices))
    return with_work(merge(engine, rest, Z), C, T)


def added(engine: ArrayEngine, C: VectorData, T: VectorData, accum: TypedBinary) -> VectorData:
    """The union of `C` and `T`, of the type of `C`."""
    return with_work(engine.vector_add(C, T, accum, dtype=dtype_of(C)), C, T)


def with_work(out: VectorData, C: VectorData, T: VectorData) -> VectorData:
    """`out`, which came of updating `C` by `T`, with the work of that if all are lists."""
    if out.indices is None or C.indices is None or T.indices is None:
        return out
    work = C.work + C.indices.shape[0] + T.indices.shape[0]
    return VectorData(out.size, out.values, indices=out.indices, work=work)
