"""Vectors on a GPU written in place, in one pass each.

A vector that is written is a bitmap: setting elements of one is a single pass, while merging
sorted lists takes a dozen.  Counts stay on the GPU until somebody asks for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.engines.arrays.values.value_arrays import dtype_of, same_iso, values_as
from spbfs.engines.arrays.vectors import in_place as array_in_place
from spbfs.engines.arrays.vectors.forms import as_dense
from spbfs.engines.arrays.vectors.masks import Region
from spbfs.engines.cuda.lookahead import hooks as lookahead
from spbfs.engines.cuda.runtime import recording
from spbfs.engines.cuda.runtime.launch import pointer
from spbfs.engines.cuda.vectors.convert import convert_kernel
from spbfs.engines.cuda.vectors.data import CudaVector, as_word, blocks_of
from spbfs.storage.data import VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine


__all__ = ["SIDE", "fill", "writable", "write_dense"]

Array = Any


#: Elements that a thread of ``convert.cu`` handles.
SIDE = 4


def writable(
    engine: CudaEngine, w: VectorData, *, spelled: bool = True, added: int = -1
) -> VectorData:
    """A dense `w` to write into: what was known of its entries is forgotten, but for a bound of
    how many there are."""
    w = lookahead.release(w)
    recording.written(w.arrays)
    if isinstance(w, CudaVector):
        before = w.counted if w.counted >= 0 else w.at_most
        w.at_most = before + added if before >= 0 and added >= 0 else -1
        w.queue = w.totals = 0
        w.held = w.room = w.box = w.degrees = None
        w.edges = -1
    w.counted = -1
    return array_in_place.writable(engine, w, spelled=spelled)


def fill(engine: CudaEngine, w: VectorData, flags: Array, value: Array) -> VectorData:
    """One value set where flagged in a dense `w`, in place, in one pass."""
    value = values_as(engine, value, dtype_of(w))
    same = same_iso(engine, w.values, value)
    w = engine.writable(w, spelled=not same)
    arguments = (
        0 if same else pointer(w.values),
        pointer(w.present),
        as_word(engine.iso_value(value), w.values.dtype),
        pointer(flags),
        w.size,
    )
    convert_kernel("fill", w.values.dtype)(blocks_of(-(-w.size // SIDE)), arguments)
    return w


def write_dense(
    engine: CudaEngine, C: VectorData, T: VectorData, region: Region, replace: bool
) -> VectorData:
    """The elements of a dense vector replaced where the mask admits, in place, in one pass."""
    if replace or region.flags is None or (C.form == "full" and T.form != "full"):
        return array_in_place.write_dense(engine, C, T, region, replace)
    source = values_as(engine, T.values, dtype_of(C))
    C = engine.writable(as_dense(engine, C))
    _copy(C, source, T.present, region.flags, region.complement)
    return C


def _copy(
    C: VectorData,
    source: Array,
    present: Array | None,
    mask: Array,
    complement: bool,
) -> None:
    convert_kernel("copy_masked", C.values.dtype)(
        blocks_of(-(-C.size // SIDE)),
        (
            pointer(C.values),
            pointer(C.present),
            pointer(source),
            0 if is_iso(source) else 1,
            pointer(present),
            pointer(mask),
            int(complement),
            C.size,
        ),
    )
