"""Arrays in page-locked memory of the host, which the GPU reads where they are, over the bus.

To CuPy they are arrays of the GPU: the driver gives such memory one address for both, so kernels
take their pointers as any others.  A read of the GPU's crosses the bus unless a cache has it; warps
that read whole lines of 128 bytes, one behind the other, get what the bus can carry (Min et al.:
EMOGI: Efficient memory-access for out-of-memory graph-traversal in GPUs, VLDB 2021).
"""

from __future__ import annotations

import ctypes
from typing import Any

import cupy as cp
import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.cuda.runtime.host_block import HostBlock
from spbfs.engines.cuda.runtime.launch import PADDING
from spbfs.exceptions import OutOfMemory
from spbfs.storage.arrays import Memory, memory_of

__all__ = [
    "empty_like",
    "empty_pinned",
    "host_view",
    "in_block",
    "is_pinned",
    "pinned_copy",
    "seen_from_here",
]

Array = Any

#: cudaHostAllocPortable and cudaHostAllocMapped: every GPU may read it.
_FLAGS = 1 | 2


class _PinnedMemory(cp.cuda.UnownedMemory):  # type: ignore[misc]  # CuPy is not typed
    """Memory as CuPy's arrays refer to it, that is the host's."""

    memory: Memory = "pinned"


def is_pinned(array: Array) -> bool:
    """Whether an array of the GPU's lies in memory of the host."""
    return memory_of(array) == "pinned"


def empty_pinned(size: int, dtype: np.dtype[Any]) -> Array:
    """An array with `PADDING` elements of all ones behind it.

    Raises
    ------
    OutOfMemory
        When the host has not so much, or the driver cannot lock it.
    """
    nbytes = (size + PADDING) * dtype.itemsize
    require_bytes(nbytes, "memory: entries in pinned memory")
    runtime = cp.cuda.runtime
    try:
        block = cp.cuda.PinnedMemory(nbytes, _FLAGS)
    except runtime.CUDARuntimeError as error:
        raise OutOfMemory(f"memory: {nbytes:,} bytes cannot be pinned: {error}") from error
    memory = _PinnedMemory(block.ptr, nbytes, block, runtime.getDevice())
    whole = cp.ndarray((size + PADDING,), dtype, cp.cuda.MemoryPointer(memory, 0))
    host_view(whole)[size:].view(np.uint8)[:] = 0xFF
    return whole[:size]


def empty_like(array: Array, size: int) -> Array:
    """An array of that type in the same memory as another one, with padding."""
    if is_pinned(array):
        return empty_pinned(size, array.dtype)
    made = cp.empty(size + PADDING, array.dtype)
    made[size:].view(np.uint8).fill(0xFF)
    return made[:size]


def in_block(block: HostBlock) -> Array:
    """A block as bytes of the current GPU's, which keep it."""
    nbytes, device = block.NBYTES, cp.cuda.runtime.getDevice()
    memory = _PinnedMemory(block.data.ptr, nbytes, block, device)
    return cp.ndarray((nbytes,), np.uint8, cp.cuda.MemoryPointer(memory, 0))


def host_view(array: Array) -> np.ndarray[Any, Any]:
    """A contiguous pinned array as the host sees it: the same memory, which it keeps."""
    if not array.size:
        return np.empty(0, array.dtype)
    memory: Any = (ctypes.c_byte * array.nbytes).from_address(array.data.ptr)
    memory.owner = array.data.mem
    return np.frombuffer(memory, array.dtype)


def seen_from_here(array: Array) -> Array:
    """A contiguous pinned array as one of the current GPU's: the same memory, which it keeps."""
    mem, device = array.data.mem, cp.cuda.runtime.getDevice()
    memory = _PinnedMemory(array.data.ptr, array.nbytes, mem, device)
    return cp.ndarray(array.shape, array.dtype, cp.cuda.MemoryPointer(memory, 0))


def pinned_copy(array: Array) -> Array:
    """A copy in pinned memory of an array of the host's or of the GPU's."""
    made = empty_pinned(array.shape[0], array.dtype)
    if memory_of(array) == "device":
        array.get(out=host_view(made))
    else:
        np.copyto(host_view(made), host_view(array) if is_pinned(array) else array)
    return made
