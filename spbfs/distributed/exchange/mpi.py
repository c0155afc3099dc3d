"""Ranks that are processes, by MPI (mpi4py).

Only host memory is ever handed to MPI.  Nobody waits inside of MPI: requests are polled, so that a
rank which waits hears from one that has failed, and ranks that share a core let each other run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from spbfs.base.packages import package
from spbfs.distributed.exchange.host_memory import Meetings, opened_by_all
from spbfs.distributed.exchange.ranks import FOLD, Bytes, Ints, Ranks
from spbfs.exceptions import DomainMismatch, RankFailed

__all__ = ["FAILURE", "MpiRanks", "mpi", "ranks_of"]

#: The tags of messages that say why a rank has failed, and that it waits at the end of the job.
FAILURE, ENDED = 7, 8
#: Seconds that a rank waits at the end of the job before it tells the others.
_LONG = 2.0
#: Seconds for which a rank looks at a request before it sleeps between looks, about a level of
#: another rank's, and for how long at most it sleeps then.
_EAGER = 0.003
_NAP = 0.001
#: Looks between those for a message of failure.
_LISTEN = 32


def mpi() -> Any:
    """The module of MPI, which begins when it is imported.

    Raises
    ------
    PackageMissing
        When mpi4py, or an MPI for it, is not installed.
    """
    return package("mpi4py.MPI", "spbfs.distributed (pip install 'spbfs[mpi]')")


class _Exchange:
    """An all-to-all of bytes under way."""

    def __init__(self, ranks: MpiRanks, parts: Sequence[Bytes], heads: Sequence[int]) -> None:
        self._ranks, size = ranks, ranks.size
        # What goes out must outlive the request.
        self._sent = np.concatenate(parts) if size > 1 else parts[0]
        counts = np.array([part.shape[0] for part in parts], np.int64)
        told = ranks.swap(np.stack((counts, np.array(heads, np.int64)), axis=1))
        lengths, self.heads = np.ascontiguousarray(told[:, 0]), told[:, 1].tolist()
        self._bounds = np.concatenate(([0], np.cumsum(lengths)))
        self._arrived = np.empty(int(self._bounds[-1]), np.uint8)
        self._request = ranks.comm.Ialltoallv(
            [self._sent, (counts, np.concatenate(([0], np.cumsum(counts)[:-1]))), mpi().BYTE],
            [self._arrived, (lengths, self._bounds[:-1]), mpi().BYTE],
        )

    def wait(self) -> list[Bytes]:
        self._ranks.wait(self._request)
        bounds = self._bounds.tolist()
        return [self._arrived[a:b] for a, b in pairwise(bounds)]


class MpiRanks:
    """The ranks of an MPI communicator; see `Ranks`.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        Duplicated: what is exchanged here meets no message of its owner's.
    """

    xp: Any = np
    apart = False
    on_gpus: Ranks | None = None

    def __init__(self, comm: Any) -> None:
        self.comm, self.control = comm.Dup(), comm.Dup()
        #: For the end of a job that fails, while ranks may wait for one another in both of these:
        #: what all ranks of a communicator call they must call in one order.
        self.failing = comm.Dup()
        self.rank, self.size, self.sent = comm.rank, comm.size, 0
        #: What a rank that has failed has told this one.
        self.heard: str | None = None
        #: Exchanges that this rank has begun, and those that ranks had that told of their end.
        self._begun = 0
        self._ended: dict[int, int] = {}
        #: A few numbers cross by them: what ranks wrote to the memory that all see is in order
        #: then, which a message does not promise.
        self.meetings: Meetings | None = None
        self._reductions = {"sum": mpi().SUM, "min": mpi().MIN, "max": mpi().MAX}

    @property
    def on_host(self) -> Ranks:
        return self

    def begin(self, parts: Sequence[Bytes], heads: Sequence[int] | None = None) -> _Exchange:
        self.sent += sum(p.shape[0] for r, p in enumerate(parts) if r != self.rank)
        return _Exchange(self, parts, [0] * self.size if heads is None else heads)

    def swap(self, rows: Ints) -> Ints:
        arrived = np.empty_like(rows)
        self._begun += 1
        self.wait(self.comm.Ialltoall(rows, arrived))
        return arrived

    def reduce(self, numbers: Ints, how: str) -> Ints:
        self._begun += 1
        if self.meetings is not None and numbers.shape[0] <= self.meetings.most:
            return FOLD[how].reduce(self.meetings.tell(numbers, self.listen))
        total = np.empty_like(numbers)
        self.wait(self.comm.Iallreduce(numbers, total, self._reductions[how]))
        return total

    def met(self, meetings: int) -> None:
        self._begun += meetings

    def wait(self, request: Any) -> None:
        """Poll a request until it is done.

        Raises
        ------
        RankFailed
            When another rank says that it will not come.
        """
        looks, began, nap = 0, 0.0, 0.0
        while not request.Test():
            looks += 1
            if nap:
                self.listen()
                time.sleep(nap)
                nap = min(_NAP, 2 * nap)
            elif looks % _LISTEN == 0:
                self.listen()
                now = time.monotonic()
                began = began or now
                nap = 0.0001 if now - began > _EAGER else 0.0
            elif looks > 1:
                os.sched_yield()

    def listen(self) -> None:
        """Raise `RankFailed` if a rank has told of its failure, or is at the end of the job while
        this one waits for it."""
        if self.control.iprobe(tag=FAILURE):
            self.heard = str(self.control.recv(tag=FAILURE))
            raise RankFailed(self.heard)
        if self.control.iprobe(tag=ENDED):
            rank, begun = self.control.recv(tag=ENDED)
            self._ended[rank] = begun
        for rank, begun in self._ended.items():
            if begun < self._begun:
                raise RankFailed(f"rank {rank} has ended, and others wait for it")

    def leave(self) -> None:
        """Wait until all ranks are at the end of the job; one that waits for this one hears of it.

        Raises
        ------
        RankFailed
            When another rank says that it will not come.
        """
        request, begun, told = self.control.Ibarrier(), time.monotonic(), False
        while not request.Test():
            if self.control.iprobe(tag=FAILURE):
                self.listen()
            if not told and time.monotonic() - begun > _LONG:
                self._send_all((self.rank, self._begun), ENDED)
                told = True
            time.sleep(_NAP)
        # Nothing of it is left for another job of these ranks.
        for rank, has in enumerate(self.control.allgather(told)):
            if has and rank != self.rank and rank not in self._ended:
                self.control.recv(source=rank, tag=ENDED)
        self._ended = {}

    def tell(self, reason: str) -> None:
        """Tell all others that this rank has failed, without waiting for any of them."""
        self._send_all(reason, FAILURE)

    def _send_all(self, message: Any, tag: int) -> None:
        for other in range(self.size):
            if other != self.rank:
                self.control.isend(message, other, tag)


_keyval: int | None = None


def ranks_of(comm: Any) -> MpiRanks:
    """The ranks of a communicator, the same for every call; collective where it is the first.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm or None
        None for all processes of the job.

    Raises
    ------
    DomainMismatch
        When it is no communicator.
    """
    global _keyval
    MPI = mpi()
    comm = MPI.COMM_WORLD if comm is None else comm
    if not isinstance(comm, MPI.Intracomm) or comm == MPI.COMM_NULL:
        raise DomainMismatch(f"comm: expected an mpi4py communicator, got {type(comm).__name__}")
    if _keyval is None:
        _keyval = MPI.Comm.Create_keyval()
    known = comm.Get_attr(_keyval)
    if known is None:
        known = MpiRanks(comm)
        memory = opened_by_all(known, Meetings.room(known))
        known.meetings = None if memory is None else Meetings(known, memory)
        comm.Set_attr(_keyval, known)
    return known
