"""Few bytes of the GPU's on their way to the host: waited for at once, or later."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

__all__ = ["Sent", "fetched"]

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


class Sent:
    """An array on its way to the host, as it is when what was launched before has ended.

    What is launched afterwards goes on while the host looks at it.

    Parameters
    ----------
    array : cupy.ndarray
        C-contiguous.
    stream : cupy.cuda.Stream, optional
        Which fills it; CuPy's current one by default.
    """

    def __init__(self, array: Any, stream: Any = None) -> None:
        import cupy

        stream = stream or cupy.cuda.get_current_stream()
        self._array = array  # so that its memory is nobody else's before it is copied
        self._memory = cupy.cuda.alloc_pinned_memory(array.nbytes)
        self._copied = cupy.cuda.Event(disable_timing=True)
        cupy.cuda.runtime.memcpyAsync(
            self._memory.ptr, array.data.ptr, array.nbytes, _TO_HOST, stream.ptr
        )
        self._copied.record(stream)

    def read(self) -> np.ndarray[Any, Any]:
        """The elements, once they are there; they stay for as long as this object does."""
        self._copied.synchronize()
        return np.frombuffer(self._memory, self._array.dtype, self._array.size)
