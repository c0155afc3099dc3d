"""Memory that ranks see together where they are processes of one host, and meetings in it.

It has no name that could outlive them: rank 0 makes it, and the others open it through what the
system shows of that process.  Where it is not to be had, ranks send messages.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import secrets
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from spbfs.distributed.exchange.ranks import Bytes, Ints, Ranks, everyones

__all__ = ["PATIENCE", "Meetings", "arrays_of_all", "opened_by_all"]

Array = Any
#: Bytes of a line, which no two ranks write; arrays begin with one.
_LINE = 128
#: What the system calls the memory where it lists what a process has open.
_NAME = "spbfs"
#: Milliseconds for which a rank waits awake; then it asks whether another one has failed, and
#: sleeps for so many seconds between looks.
PATIENCE, _NAP = 20, 0.001


class Meetings:
    """Meetings of all ranks, at each of which everyone tells a few numbers.

    Parameters
    ----------
    ranks : Ranks
    memory : uint8 array
        Zeros that all ranks see, `room` or more.
    """

    def __init__(self, ranks: Ranks, memory: Bytes) -> None:
        from spbfs.engines.cpu.native import kernels  # compiled

        self._lines = memory[: self.room(ranks)].view(np.int64).reshape(ranks.size, -1)
        #: For kernels that meet by themselves.
        self.native = kernels.Meetings(self._lines, ranks.rank)
        #: The most numbers that a rank tells.
        self.most: int = kernels.Meetings.MOST
        #: How many things ranks have in common so far: all know each by the same number.
        self.rooms = 0

    @staticmethod
    def room(ranks: Ranks) -> int:
        """Bytes that they take."""
        return ranks.size * _LINE

    def tell(self, numbers: Ints, listen: Callable[[], None], key: int = 0) -> Ints:
        """What everyone has told, a row for each, once all have come.

        `listen` is called while this one waits; it raises where that is in vain.  A call has a
        `key`, and `native.alike` says whether everyone's was the same.
        """
        native = self.native
        native.tell(numbers, key)
        if not native.wait(PATIENCE):
            self.wait(listen)
        place = native.place
        return self._lines[:, place : place + numbers.shape[0]]

    def wait(self, listen: Callable[[], None]) -> None:
        """The same for others that have not come for long."""
        while not self.native.here():
            listen()
            time.sleep(_NAP)


def arrays_of_all(ranks: Ranks, *arrays: tuple[int, Any]) -> list[Array] | None:
    """Arrays of these sizes and types, zeros, that all ranks see; as `opened_by_all`."""
    sizes = [size * np.dtype(dtype).itemsize for size, dtype in arrays]
    begins = np.cumsum([0, *(-(-size // _LINE) * _LINE for size in sizes)]).tolist()
    memory = opened_by_all(ranks, begins[-1])
    if memory is None:
        return None
    return [
        memory[begin : begin + size].view(dtype)
        for begin, size, (_, dtype) in zip(begins, sizes, arrays, strict=False)
    ]


class _Told(NamedTuple):
    """Where rank 0 has the memory, and what it begins with."""

    path: str
    token: bytes


def opened_by_all(ranks: Ranks, nbytes: int) -> Bytes | None:
    """Zeros that all ranks see; None where one of them does not.  Collective."""
    with contextlib.ExitStack() as stack:
        made: tuple[_Told, int] | None = _make(nbytes, stack) if ranks.rank == 0 else None
        told = everyones(ranks, None if made is None else made[0])[0]
        memory = None
        if told is not None:
            number = made[1] if made is not None else _open(told, stack)
            memory = None if number is None else _mapped(number, nbytes)
        if not all(everyones(ranks, memory is not None)):
            return None
        assert told is not None and memory is not None
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
        number = os.memfd_create(_NAME)
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
        # On another host that number may be anything, which opening could disturb.
        if not os.readlink(told.path).startswith(f"/memfd:{_NAME}"):
            return None
        number = os.open(told.path, os.O_RDWR | os.O_CLOEXEC)
        stack.callback(os.close, number)
        same = os.pread(number, len(told.token), 0) == told.token
    except OSError:
        return None
    return number if same else None


def _mapped(number: int, nbytes: int) -> Bytes | None:
    """The memory of a number, which it outlives; None where this process has no place for it."""
    try:
        return np.frombuffer(mmap.mmap(number, nbytes), np.uint8)
    except OSError:
        return None
