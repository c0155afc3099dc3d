"""Which stream is which: what is kept for one is kept under a number that no other stream has."""

from __future__ import annotations

from threading import get_ident
from typing import Any

import cupy

__all__ = ["is_over", "stream_key", "wait_for"]

#: `cudaStreamPerThread`: the same handle in every thread, a stream of its own in each.
_PER_THREAD = 2


def stream_key(pointer: int) -> int:
    """A number for the stream that a handle stands for in the calling thread.

    Parameters
    ----------
    pointer : int
        `cupy.cuda.Stream.ptr`.

    Returns
    -------
    int

    Examples
    --------
    >>> stream_key(0), stream_key(4096), stream_key(2) < 0
    (0, 4096, True)
    """
    return pointer if pointer != _PER_THREAD else -get_ident()


def wait_for(device: int, pointer: int, key: int) -> None:
    """Wait for the stream of a GPU whose handle had this key where it was used."""
    if cupy.cuda.runtime.getDevice() == device and stream_key(pointer) == key:
        cupy.cuda.runtime.streamSynchronize(pointer)
    else:
        # The handle is another stream's in this thread, or the default one of another GPU.
        cupy.cuda.Device(device).synchronize()


def is_over(device: int, stream: Any, key: int) -> bool:
    """Whether all has run that was launched on a stream of a GPU, which had this key there; False
    where it cannot be told from here."""
    here = cupy.cuda.runtime.getDevice() == device and stream_key(stream.ptr) == key
    return here and bool(stream.done)
