"""Which stream is which: what is kept for one is kept under a number that no other stream has."""

from __future__ import annotations

from threading import get_ident

__all__ = ["stream_key"]

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
