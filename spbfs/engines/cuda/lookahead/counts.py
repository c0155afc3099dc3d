"""Level counts read back: how many vertices each level of a search has, once the host asks."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from spbfs.engines.cuda.lookahead.kernels import HEADER

__all__ = ["LevelCounts"]

Array = Any

_TO_HOST = 2


class LevelCounts:
    """Vertices of every level, on their way to the host.

    Parameters
    ----------
    words : cupy.ndarray
        ``struct Told`` and the counts of the levels from 0 on, uint32.
    stream : cupy.cuda.Stream
        On which they are counted.
    """

    def __init__(self, words: Array, stream: Any) -> None:
        self._words = words
        self._memory = cupy.cuda.alloc_pinned_memory(words.nbytes)
        self._copied = cupy.cuda.Event(disable_timing=True)
        cupy.cuda.runtime.memcpyAsync(
            self._memory.ptr, words.data.ptr, words.nbytes, _TO_HOST, stream.ptr
        )
        self._copied.record(stream)

    def read(self, frontier: int) -> list[int]:
        """The counts, once they are there, that of the frontier first; what lies behind the first
        empty level is left out.  None at all where the frontier is not among what is visited."""
        self._copied.synchronize()
        words = np.frombuffer(self._memory, np.uint32, self._words.shape[0])
        outside = int(words[0])
        if outside:
            return []
        counts = words[HEADER + 1 :].tolist()
        return [frontier, *(counts[: counts.index(0) + 1] if 0 in counts else counts)]
