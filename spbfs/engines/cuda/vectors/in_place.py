"""Vectors on a GPU written in place, in one pass each.

A vector that is written is a bitmap: setting elements of one is a single pass, while merging
sorted lists takes a dozen.  Counts stay on the GPU until somebody asks for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays import in_place as array_in_place
from spbfs.engines.arrays.forms import as_dense
from spbfs.engines.arrays.values import dtype_of, same_iso, values_as
from spbfs.engines.arrays.vector_masks import Region
from spbfs.engines.cuda.runtime.launch import pointer
from spbfs.engines.cuda.vectors.convert import convert_kernel
from spbfs.engines.cuda.vectors.counts import forget
from spbfs.engines.cuda.vectors.data import as_word, blocks_of
from spbfs.storage.data import VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine


__all__ = ["SIDE", "fill", "is_all", "put", "remove", "without", "write_dense"]

Array = Any


#: Elements that a thread of ``convert.cu`` handles.
SIDE = 4


def is_all(engine: CudaEngine, values: Array, host: np.ndarray[Any, Any]) -> bool:
    """Whether all of `host` is the one value of an iso array, which one without elements does
    not have, whatever it was made of."""
    known = engine.known_value(values) if is_iso(values) and values.shape[0] else None
    return known is not None and bool((host == known).all())


def put(engine: CudaEngine, w: VectorData, indices: Array, values: Array) -> VectorData:
    forget(w, indices.shape[0])
    w.counted = -1
    return array_in_place.put(engine, w, indices, values)


def remove(engine: CudaEngine, w: VectorData, flags: Array) -> VectorData:
    forget(w, 0)
    return array_in_place.remove(engine, w, flags)


def without(engine: CudaEngine, C: VectorData, region: Region) -> VectorData:
    forget(C, 0)
    C.counted = -1
    return array_in_place.without(engine, C, region)


def fill(engine: CudaEngine, w: VectorData, flags: Array, value: Array) -> VectorData:
    """One value set where flagged in a dense `w`, in place, in one pass."""
    value = values_as(engine, value, dtype_of(w))
    target = None if same_iso(engine, w.values, value) else engine.writable(w).values
    forget(w)
    w.counted = -1
    arguments = (
        pointer(target),
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
    forget(C)
    C.counted = -1
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
