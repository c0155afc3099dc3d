"""Few bytes of the GPU's on their way to the host, waited for at once or later."""

from __future__ import annotations

import threading
import weakref
from typing import Any

import numpy as np

__all__ = ["Asked", "Sending", "fetched"]

#: More bytes than these are copied as CuPy does it.
_MOST = 1 << 16
_TO_HOST = 2


class _Room(threading.local):
    """A thread's own, pinned, and of each device a stream that others do not wait on."""

    memory: Any = None

    def __init__(self) -> None:
        self.streams: dict[int, Any] = {}


_room = _Room()


def fetched(array: Any) -> np.ndarray[Any, Any]:
    """A copy in host memory, by way of memory that is pinned and kept: from the GPU into any other
    the driver copies twice.

    Parameters
    ----------
    array : cupy.ndarray
    """
    import cupy

    if not 0 < array.nbytes <= _MOST or not array.flags.c_contiguous:
        return np.asarray(array.get())
    return _copied(array, cupy.cuda.get_current_stream().ptr)


def _copied(array: Any, stream: int) -> np.ndarray[Any, Any]:
    """By a stream, waited for."""
    import cupy

    if _room.memory is None:
        _room.memory = cupy.cuda.alloc_pinned_memory(_MOST)
    memory = _room.memory
    cupy.cuda.runtime.memcpyAsync(memory.ptr, array.data.ptr, array.nbytes, _TO_HOST, stream)
    cupy.cuda.runtime.streamSynchronize(stream)
    return np.frombuffer(memory, array.dtype, array.size).reshape(array.shape).copy()


class Asked:
    """An array as the current stream leaves it here, read beside what the stream does next.

    Parameters
    ----------
    array : cupy.ndarray
        Of at most 64 KiB, C-contiguous; nobody writes to it before it is read.
    """

    def __init__(self, array: Any) -> None:
        import cupy

        self._array = array
        self._made = cupy.cuda.Event(disable_timing=True)
        self._made.record()

    def read(self) -> np.ndarray[Any, Any]:
        """A copy in host memory, waited for."""
        import cupy

        device = cupy.cuda.runtime.getDevice()
        stream = _room.streams.get(device)
        if stream is None:
            stream = _room.streams[device] = cupy.cuda.Stream(non_blocking=True)
        stream.wait_event(self._made)
        return _copied(self._array, stream.ptr)


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
