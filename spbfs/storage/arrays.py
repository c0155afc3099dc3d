"""Arrays of an engine: whose memory they are in, and those that are one element seen many times."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from spbfs.exceptions import OutOfMemory

__all__ = ["Device", "Memory", "in_host_memory", "is_iso", "iso_array", "memory_of", "nbytes_of"]

Array = Any  # numpy.ndarray or cupy.ndarray

#: Where an array lies: in the host's memory, in a GPU's, or in the host's where a GPU reads it.
Memory = Literal["host", "device", "pinned"]
#: Where an object lives and is computed.
Device = Literal["cpu", "cuda", "reference"]


def in_host_memory(array: Array) -> bool:
    """Whether an engine's array is NumPy's rather than CuPy's."""
    kind = type(array)
    # Of the class: CuPy's arrays take a while to say where they are.
    return kind is np.ndarray or not hasattr(kind, "__cuda_array_interface__")


def memory_of(array: Array) -> Memory:
    """Where an engine's array lies."""
    if in_host_memory(array):
        return "host"
    # What `cuda.runtime.pinned` has allocated says so.
    memory: Memory = getattr(array.data.mem, "memory", "device")
    return memory


def is_iso(values: Array) -> bool:
    """Whether a values array is stored as one element seen through a stride of zero."""
    repeated: bool = values.strides == (0,)
    return repeated


def iso_array(one: Array, size: int) -> Array:
    """An iso array of `size` elements from an array of one element, which it keeps."""
    if type(one) is np.ndarray or in_host_memory(one):
        # What broadcast_to does, at a tenth of its cost: a search makes several a level.
        try:
            out: Array = np.ndarray((size,), one.dtype, one, 0, (0,))
        except ValueError:
            # It takes no memory, but NumPy gives no array more than 2**63 bytes.
            raise OutOfMemory(f"a vector of {size:,} elements is too long for an array") from None
        out.flags.writeable = False
        return out
    import cupy

    return cupy.ndarray((size,), one.dtype, one.data, (0,))


def nbytes_of(*arrays: Array | None) -> int:
    """Bytes of memory behind arrays, an iso array counted as its one element."""
    return sum((a.dtype.itemsize if is_iso(a) else a.nbytes) for a in arrays if a is not None)
