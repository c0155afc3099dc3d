"""Vectors on a GPU written under masks: a frontier that is its own mask is visited by its queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.values.value_arrays import dtype_of, values_as
from spbfs.engines.arrays.vectors import assign as array_assign
from spbfs.engines.arrays.vectors import output as array_output
from spbfs.engines.arrays.vectors.forms import as_dense
from spbfs.engines.arrays.vectors.masks import mask_flags
from spbfs.engines.cuda.lookahead import hooks as lookahead
from spbfs.engines.cuda.runtime import recording
from spbfs.engines.cuda.runtime.launch import pointer
from spbfs.engines.cuda.vectors.convert import convert_kernel
from spbfs.engines.cuda.vectors.counts import about
from spbfs.engines.cuda.vectors.data import (
    CudaVector,
    as_word,
    blocks_of,
    queue_type,
    resident_blocks,
)
from spbfs.engines.cuda.writing.accumulate import accumulate_kernel
from spbfs.engines.cuda.writing.in_place import SIDE
from spbfs.engines.protocol import Indices, MaskData
from spbfs.operators.definitions import TypedBinary
from spbfs.storage.data import VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine


__all__ = ["assign_scalar_vector", "write_vector"]

Array = Any


def assign_scalar_vector(
    engine: CudaEngine,
    w: VectorData,
    value: np.generic,
    indices: Indices,
    mask: MaskData | None,
    accum: TypedBinary | None,
    replace: bool,
) -> VectorData:
    """``w<mask, replace>(indices) accum= value``; what a queue lists is all that is visited."""
    front: Any = None
    if mask is not None and indices is None and accum is None and not replace:
        front = mask.data if mask.structural and not mask.complement else None
    if front is w or not isinstance(front, CudaVector):
        return array_assign.assign_scalar_vector(engine, w, value, indices, mask, accum, replace)
    noted = lookahead.written(w, front, value)
    if noted is not None:
        return noted
    count = about(front)
    w = _own(engine, w, count)
    dtype = w.values.dtype
    bits = int(value if dtype.kind == "i" else as_word(value, dtype))
    recording.used(bits)
    to = w.values.data.ptr, pointer(w.present), bits
    if front.queue:
        _visit("fill_queue", dtype, front, count, to)
    else:
        convert_kernel("fill", dtype)(
            blocks_of(-(-w.size // SIDE)), (*to, pointer(front.present), w.size)
        )
    return w


def write_vector(
    engine: CudaEngine,
    C: VectorData,
    T: VectorData,
    mask: MaskData | None,
    accum: TypedBinary | None,
    replace: bool,
) -> VectorData:
    """``C<mask, replace> accum= T``; a frontier written under itself visits its queue only."""
    if accum is not None:
        made = None if replace else _accumulated(engine, C, T, mask, accum)
        return (
            array_output.write_vector(engine, C, T, mask, accum, replace) if made is None else made
        )
    itself = mask is not None and mask.structural and not mask.complement and mask.data is T
    if not itself or T is C or replace or not isinstance(T, CudaVector) or not C.size:
        return array_output.write_vector(engine, C, T, mask, accum, replace)
    front = T
    noted = lookahead.written(C, front, None)
    if noted is not None:
        return noted
    count = about(front)
    C = _own(engine, C, count)
    source = values_as(engine, T.values, dtype_of(C))
    to = C.values.data.ptr, pointer(C.present), pointer(source), 0 if is_iso(source) else 1
    if front.queue:
        _visit("copy_queue", C.values.dtype, front, count, to)
    else:
        convert_kernel("copy_masked", C.values.dtype)(
            blocks_of(-(-C.size // SIDE)),
            (*to, 0, pointer(front.present), 0, C.size),
        )
    return C


def _accumulated(
    engine: CudaEngine, C: VectorData, T: VectorData, mask: MaskData | None, accum: TypedBinary
) -> VectorData | None:
    """``C<mask> accum= T`` in place and in one pass, where `T` is dense; None elsewhere."""
    if T is C or T.indices is not None or not C.size:
        return None
    flags, complement = None, False
    if mask is not None:
        if mask.data.indices is not None:
            return None
        flags, complement = mask_flags(engine, mask)
    kernel = accumulate_kernel(accum, dtype_of(C), dtype_of(T))
    if kernel is None:
        return None
    C = _own(engine, C, about(T))
    kernel(
        min(blocks_of(C.size), 4 * resident_blocks()),
        (
            pointer(C.values),
            pointer(C.present),
            pointer(T.values),
            0 if is_iso(T.values) else 1,
            pointer(T.present),
            pointer(flags),
            int(complement),
            C.size,
        ),
    )
    return C


def _own(engine: CudaEngine, w: VectorData, added: int) -> VectorData:
    """A dense vector to write into, of which bounds are known."""
    w = as_dense(engine, w)
    if w.present is not None and not isinstance(w, CudaVector):
        w = CudaVector(w.size, w.values, present=w.present, counted=w.counted)
    return engine.writable(w, added=added)


def _visit(kernel: str, dtype: Any, front: CudaVector, count: int, to: tuple[Any, ...]) -> None:
    convert_kernel(kernel, dtype, queue_type(front))(
        min(blocks_of(count), resident_blocks()),
        (*to, front.queue, front.totals),
    )
