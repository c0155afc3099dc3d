"""Memory that ranks see together where they are processes of one host, and meetings in it.

It has no name that could outlive them: rank 0 makes it, and the others open it through what the
system shows of that process.  Where it is not to be had, ranks send messages.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import secrets
from typing import Any, NamedTuple

import numpy as np

from spbfs.distributed.ranks import Bytes, Ints, Ranks, everyones
from spbfs.engines.cpu.native import kernels

__all__ = ["HostMemory", "opened_by_all"]

Array = Any
#: Bytes of a line, which no two ranks write; arrays begin with one.
_LINE = 128
#: Numbers of a rank's own line, of which the first is that of its last meeting.  What it tells at
#: one stands behind these places in turns: who is late may still read what was told at the last.
_NUMBERS, _TOLD = _LINE // 8, (4, 10)
#: Milliseconds for which a rank waits before it asks whether another one has failed.
_PATIENCE = 20


class HostMemory:
    """Arrays that all ranks see; they make the same ones in the same order.

    Parameters
    ----------
    ranks : Ranks
    memory : uint8 array
        Zeros that all ranks see, `HostMemory.room` or more.
    """

    def __init__(self, ranks: Ranks, memory: Bytes) -> None:
        self._ranks, self._memory, self._used, self._met = ranks, memory, 0, 0
        self._lines: Ints = self.array(ranks.size * _NUMBERS, np.int64).reshape(-1, _NUMBERS)
        self.nbytes = memory.nbytes // ranks.size

    @staticmethod
    def room(ranks: Ranks, *nbytes: int) -> int:
        """Bytes of arrays that take so many each, and of what is beside them."""
        return _LINE * (ranks.size + sum(-(-each // _LINE) for each in nbytes))

    def array(self, size: int, dtype: Any) -> Array:
        """The next array: zeros, until a rank has written there."""
        begin, end = self._used, self._used + size * np.dtype(dtype).itemsize
        self._used = -(-end // _LINE) * _LINE
        return self._memory[begin:end].view(dtype)

    def meet(self) -> None:
        """Wait until all have come."""
        self.sum(np.empty(0, np.int64))

    def sum(self, numbers: Ints) -> Ints:
        """Every number, of which there are six at most, summed over all ranks once all have come.

        Raises
        ------
        RankFailed
            When another rank says that it will not come.
        """
        self._met += 1
        self._ranks.count_meeting()
        told, rank = _TOLD[self._met & 1], self._ranks.rank
        at = slice(told, told + numbers.shape[0])
        self._lines[rank, at] = numbers
        while not kernels.one_host_meet(self._lines, rank, self._met, _PATIENCE):
            self._ranks.listen()
        return self._lines[:, at].sum(axis=0)


class _Told(NamedTuple):
    """Where rank 0 has the memory, and what it begins with."""

    path: str
    token: bytes


def opened_by_all(ranks: Ranks, nbytes: int) -> Bytes | None:
    """Zeros that all ranks see; None where one of them does not.  Collective."""
    with contextlib.ExitStack() as stack:
        made: tuple[_Told, int] | None = _make(nbytes, stack) if ranks.rank == 0 else None
        told = everyones(ranks, None if made is None else made[0])[0]
        number = None
        if told is not None:
            number = made[1] if made is not None else _open(told, stack)
        if not all(everyones(ranks, number is not None)):
            return None
        assert told is not None and number is not None
        # The mapping outlives the file's number, and the array has the mapping.
        memory = np.frombuffer(mmap.mmap(number, nbytes), np.uint8)
    # Nobody writes before all have seen that it is the same.
    if ranks.rank == 0:
        memory[: len(told.token)] = 0
    everyones(ranks, None)
    return memory


def _make(nbytes: int, stack: contextlib.ExitStack) -> tuple[_Told, int] | None:
    """Memory of this process that others can open; its number here."""
    if not hasattr(os, "memfd_create"):
        return None
    token = secrets.token_bytes(16)
    try:
        number = os.memfd_create("spbfs")
        stack.callback(os.close, number)
        # Taken now: a page that cannot be had later would end the process.
        os.posix_fallocate(number, 0, nbytes)
        os.pwrite(number, token, 0)
    except OSError:
        return None
    return _Told(f"/proc/{os.getpid()}/fd/{number}", token), number


def _open(told: _Told, stack: contextlib.ExitStack) -> int | None:
    """The number here of another process's memory; None where it is not to be seen."""
    try:
        number = os.open(told.path, os.O_RDWR | os.O_CLOEXEC)
        stack.callback(os.close, number)
        same = os.pread(number, len(told.token), 0) == told.token
    except OSError:
        return None
    return number if same else None
