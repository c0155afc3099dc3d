"""Few bytes of the GPU's on their way to the host, waited for at once or later."""

from __future__ import annotations

import threading
import weakref
from typing import Any

import numpy as np

__all__ = ["Sending", "fetched"]

#: More bytes than these are copied as CuPy does it.
_MOST = 1 << 16
_TO_HOST = 2


class _Room(threading.local):
    """A thread's own, pinned."""

    memory: Any = None


_room = _Room()


def fetched(array: Any) -> np.ndarray[Any, Any]:
    """A copy in host memory, by way of memory that is pinned and kept: from the GPU into any other
    the driver copies twice.

    Parameters
    ----------
    array : cupy.ndarray
    """
    import cupy

    nbytes = array.nbytes
    if not 0 < nbytes <= _MOST or not array.flags.c_contiguous:
        return np.asarray(array.get())
    if _room.memory is None:
        _room.memory = cupy.cuda.alloc_pinned_memory(_MOST)
    memory, stream = _room.memory, cupy.cuda.get_current_stream().ptr
    cupy.cuda.runtime.memcpyAsync(memory.ptr, array.data.ptr, nbytes, _TO_HOST, stream)
    cupy.cuda.runtime.streamSynchronize(stream)
    return np.frombuffer(memory, array.dtype, array.size).reshape(array.shape).copy()


class Sending:
    """An array that is copied to the host beside what its stream does next.

    Parameters
    ----------
    array : cupy.ndarray
        C-contiguous.
    """

    def __init__(self, array: Any) -> None:
        import cupy

        self._array = array
        self._memory = cupy.cuda.alloc_pinned_memory(array.nbytes)
        self._stream = cupy.cuda.Stream(non_blocking=True)
        self._made = cupy.cuda.Event(disable_timing=True)
        # Nobody else may have the memory before the last copy into it has ended.  When the process
        # ends nobody will, and one that was forked must not ask the GPU.
        weakref.finalize(self, self._stream.synchronize).atexit = False

    def begin(self) -> None:
        """Send what is there once the current stream has come this far."""
        from cupy.cuda import runtime

        array = self._array
        self._made.record()
        self._stream.wait_event(self._made)
        runtime.memcpyAsync(
            self._memory.ptr, array.data.ptr, array.nbytes, _TO_HOST, self._stream.ptr
        )

    def received(self) -> np.ndarray[Any, Any]:
        """What was sent last, a copy, waited for."""
        self._stream.synchronize()
        array = self._array
        return np.frombuffer(self._memory, array.dtype, array.size).reshape(array.shape).copy()
