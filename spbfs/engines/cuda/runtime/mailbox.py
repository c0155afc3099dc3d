"""Counts that a kernel leaves on the GPU, on their way to the host without anybody waiting.

A copy into pinned memory is queued behind the kernel.  Whoever asks for the counts looks there
until they have come, which takes a fraction of what a synchronisation takes.
"""

from __future__ import annotations

from itertools import count
from typing import Any

import cupy
import numpy as np

from spbfs.engines.cuda.runtime.streams import stream_key, wait_for

__all__ = ["Mailbox"]

_SLOTS = 1024
#: Looks before the stream is waited for: what failed there is then raised.
_LOOKS = 20_000
_TO_HOST = 2


class Mailbox:
    """Pairs of counts from one stream.

    Parameters
    ----------
    stream : int
        The address of the stream.
    """

    def __init__(self, stream: int) -> None:
        self._stream, self._of = stream, (cupy.cuda.runtime.getDevice(), stream, stream_key(stream))
        self._memory = cupy.cuda.alloc_pinned_memory(16 * _SLOTS)
        #: Two numbers a slot, below zero until they have come.
        self._boxes: Any = memoryview(np.frombuffer(self._memory, np.int64, 2 * _SLOTS))
        self._tickets = count()
        self._newest = [-1] * _SLOTS

    def send(self, address: int) -> int:
        """Queue the copy of two counts; returns a ticket to ask for them by."""
        ticket = next(self._tickets)
        slot = ticket % _SLOTS
        if self._newest[slot] >= 0 and not self._has_come(slot):
            wait_for(*self._of)
        self._newest[slot] = ticket
        self._boxes[2 * slot] = self._boxes[2 * slot + 1] = -1
        cupy.cuda.runtime.memcpyAsync(
            self._memory.ptr + 16 * slot, address, 16, _TO_HOST, self._stream
        )
        return ticket

    def read(self, ticket: int) -> tuple[int, int] | None:
        """The counts, waited for; None where the slot has been used again since."""
        slot = ticket % _SLOTS
        for _ in range(_LOOKS):
            if self._has_come(slot):
                break
        else:
            wait_for(*self._of)
        found, edges = self._boxes[2 * slot], self._boxes[2 * slot + 1]
        return (found, edges) if self._newest[slot] == ticket else None

    def _has_come(self, slot: int) -> bool:
        return bool(self._boxes[2 * slot] >= 0 and self._boxes[2 * slot + 1] >= 0)
