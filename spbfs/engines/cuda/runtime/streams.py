"""Which stream is which, and what runs beside the current one."""

from __future__ import annotations

from threading import get_ident
from typing import Any

__all__ = ["Beside", "stream_key"]

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


class Beside:
    """A stream of one's own for what reads what the current stream has made, while that goes on.

    In its ``with`` block, which gives the address of the stream, launches wait for all that is in
    the current stream by then; `join` has the current stream wait for them.
    """

    def __init__(self) -> None:
        import cupy as cp

        self._stream = cp.cuda.Stream(non_blocking=True)
        self._begun, self._ended = (cp.cuda.Event(disable_timing=True) for _ in range(2))
        self._under_way = False

    def __enter__(self) -> int:
        import cupy as cp

        self._begun.record(cp.cuda.get_current_stream())
        self._stream.wait_event(self._begun)
        address: int = self._stream.ptr
        return address

    def __exit__(self, *raised: Any) -> None:
        self._ended.record(self._stream)
        self._under_way = True

    def join(self) -> None:
        """Have the current stream wait for what is under way, if anything is."""
        import cupy as cp

        if self._under_way:
            self._under_way = False
            cp.cuda.get_current_stream().wait_event(self._ended)

    def __del__(self) -> None:
        # The memory that is read and written there goes to others with its owner.
        if getattr(self, "_under_way", False):
            self._ended.synchronize()
