"""Dense vectors of the CPU written in place, in one pass where NumPy takes several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.base.threads import get_threads
from spbfs.engines.arrays.values.value_arrays import dtype_of, same_iso, values_as
from spbfs.engines.arrays.vectors import in_place
from spbfs.engines.arrays.vectors.masks import Region
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["fill", "put", "write_dense"]

Array = Any


def fill(engine: CpuEngine, w: VectorData, flags: Array, value: Array) -> VectorData:
    """One value set where flagged in a dense `w`, in place, in one pass."""
    value = values_as(engine, value, dtype_of(w))
    if same_iso(engine, w.values, value):
        return in_place.fill(engine, w, flags, value)
    engine.writable(w)
    added = kernels.masked_copy(w.values, w.present, value[:1], None, flags, False, get_threads())
    if w.counted >= 0:
        w.counted += added
    return w


def put(engine: CpuEngine, w: VectorData, indices: Array, values: Array) -> VectorData:
    """Entries set in a dense `w`, in place, in one pass."""
    values = values_as(engine, values, dtype_of(w))
    if same_iso(engine, w.values, values):
        return in_place.put(engine, w, indices, values)
    w = engine.writable(w, added=indices.shape[0])
    source = values[:1] if is_iso(values) else values
    added = kernels.put(w.values, w.present, indices, source)
    if w.counted >= 0:
        w.counted += added
    return w


def write_dense(
    engine: CpuEngine, C: VectorData, T: VectorData, region: Region, replace: bool
) -> VectorData:
    """The elements of a bitmap replaced where the mask admits, in place, in one pass."""
    if replace or C.form == "full" or region.flags is None:
        return in_place.write_dense(engine, C, T, region, replace)
    source = values_as(engine, T.values, dtype_of(C))
    C = engine.writable(engine.to_bitmap(C))
    added = kernels.masked_copy(
        C.values, C.present, source, T.present, region.flags, region.complement, get_threads()
    )
    if C.counted >= 0:
        C.counted += added
    return C
