"""The forms of a vector on a GPU: bitmap, list, bits, queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cupy
import numpy as np

from spbfs.base.gpu_memory import has_room
from spbfs.engines.arrays.vectors import forms as array_forms
from spbfs.engines.cuda.runtime.counting import TOTALS
from spbfs.engines.cuda.runtime.launch import THREADS, pointer
from spbfs.engines.cuda.vectors.convert import convert_kernel
from spbfs.engines.cuda.vectors.counts import about
from spbfs.engines.cuda.vectors.data import CudaVector, blocks_of, queue_type, resident_blocks
from spbfs.operators.dtypes import DType
from spbfs.storage.data import VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine

__all__ = ["choose_form", "empty_vector", "enqueue", "list_in_order", "presence_bits", "to_bitmap"]

Array = Any
#: Bytes that a CTA of ``list_parts`` looks at together, how often it does so at least, and the most
#: CTAs, of which each adds up what those before it have.
_TOGETHER = 4 * THREADS
_LEAST_TURNS, _MOST_PARTS = 4, 4096
_INDEX = np.dtype(np.int64)


def choose_form(engine: CudaEngine, u: VectorData, shrink: bool = False) -> VectorData:
    """The vector in the form that the planner wants for it; no bitmap is counted for that."""
    if u.present is not None:
        return VectorData(u.size, u.values) if u.counted == u.size else u
    return array_forms.choose_form(engine, u, shrink) if _fits_dense(u) else u


def _fits_dense(u: VectorData) -> bool:
    return has_room(u.size * (1 + u.values.dtype.itemsize))


def to_bitmap(engine: CudaEngine, u: VectorData) -> VectorData:
    """The same vector as a bitmap; `u` itself if it is one, else arrays of its own."""
    if u.indices is None or is_iso(u.values):
        return array_forms.to_bitmap(engine, u)
    # Values of absent elements mean nothing, so they need not be zeroed.
    engine.require_bytes(u.size * u.values.itemsize, f"a dense vector of {u.size} elements")
    values = cupy.empty(u.size, u.values.dtype)
    values[u.indices] = u.values
    return VectorData(u.size, values, present=engine.present(u), counted=u.indices.shape[0])


def presence_bits(engine: CudaEngine, u: VectorData) -> Array | None:
    """A bit an element, whether it is stored; None where all are."""
    if u.form == "full":
        return None
    words = cupy.empty((u.size + 31) // 32, np.uint32)
    present = engine.present(u)
    convert_kernel("pack")(blocks_of(u.size), (pointer(present), u.size, pointer(words)))
    return words


def empty_vector(engine: CudaEngine, size: int, dtype: DType) -> VectorData:
    """A vector without entries."""
    values, indices = (engine.constants.nothing(t) for t in (dtype.np_type, _INDEX))
    return VectorData(size, values, indices)


def enqueue(u: VectorData) -> None:
    """List the entries of a bitmap whose counts are on the GPU."""
    assert isinstance(u, CudaVector)
    dtype = queue_type(u)
    room = cupy.empty(max(1, about(u)), dtype)
    convert_kernel("enqueue", dtype)(
        min(blocks_of(u.size), resident_blocks()),
        (pointer(u.present), u.size, room.data.ptr, u.totals),
    )
    u.queue = room.data.ptr
    u.room = room


def list_in_order(u: VectorData, dtype: np.dtype[Any]) -> tuple[Array, Array]:
    """The entries of a bitmap in order, with room for as many as there may be, and a ``Totals``
    that says how many there are; nothing is waited for."""
    turns = max(_LEAST_TURNS, -(-u.size // (_MOST_PARTS * _TOGETHER)))
    part = turns * _TOGETHER
    parts = max(1, -(-u.size // part))
    counts, totals = cupy.empty(parts, np.uint32), cupy.empty(TOTALS, np.uint8)
    found = cupy.empty(max(1, about(u)), dtype)
    flags = (pointer(u.present), u.size, part, counts.data.ptr)
    convert_kernel("count_parts")(parts, flags)
    convert_kernel("list_parts", dtype)(parts, (*flags, found.data.ptr, totals.data.ptr))
    return found, totals
