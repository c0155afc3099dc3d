"""Ranks that are processes, by MPI (mpi4py).

Only host memory is ever handed to MPI.  Nobody waits inside of MPI: requests are polled, so that a
rank which waits hears from one that has failed, and ranks that share a core let each other run.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple, NoReturn

import numpy as np

from spbfs.base.packages import package
from spbfs.distributed.exchange.host_memory import Meetings, opened_by_all
from spbfs.distributed.exchange.ranks import (
    FOLD,
    Bytes,
    Ints,
    Ranks,
    at_call,
    not_together,
)
from spbfs.exceptions import DomainMismatch, RankFailed

__all__ = ["FAILURE", "MpiRanks", "mpi", "ranks_of"]

#: The tags of messages that say why a rank has failed, that it waits at the end of the job, and
#: where it has waited for long.
FAILURE, ENDED, WAITS = 7, 8, 9
#: Seconds that a rank waits, at the end of the job or anywhere, before it tells the others.
_LONG = 2.0
#: Numbers to which the key of a call is added where messages bring them together: of more of them
#: that would be a copy, and those follow a comparison.
_FEW = 64
#: What a key has of how numbers are put together.
_HOWS = {"sum": 1, "min": 2, "max": 3}
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


class _Place(NamedTuple):
    """Where a rank waits: how many exchanges it has begun, and the last of them."""

    number: int
    key: int
    shown: str


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
        #: For what is summed: ranks that are in different calls would mix it up with exchanges.
        self.summing = comm.Dup()
        #: For the end of a job that fails, while ranks may wait for one another in any of these:
        #: what all ranks of a communicator call they must call in one order.
        self.failing = comm.Dup()
        self.rank, self.size, self.sent, self.graphs = comm.rank, comm.size, 0, 0
        #: What a rank that has failed has told this one.
        self.heard: str | None = None
        #: Exchanges that this rank has begun in messages, and those that ranks had that told of
        #: their end.
        self._messages = 0
        self._ended: dict[int, int] = {}
        #: Where others have waited for long; and since when, and at which exchange, this one waits,
        #: and whether it has told.
        self._others: dict[int, _Place] = {}
        #: How often this rank has told the others where it waits, and each of them this one.
        self._tells, self._heard_from = 0, [0] * self.size
        self._since, self._waits, self._told = 0.0, -1, False
        #: A few numbers cross by them: what ranks wrote to the memory that all see is in order
        #: then, which a message does not promise.
        self.meetings: Meetings | None = None
        self._reductions = {"sum": mpi().SUM, "min": mpi().MIN, "max": mpi().MAX}
        self.enter("")

    @property
    def on_host(self) -> Ranks:
        return self

    def enter(self, call: str, shown: str = "") -> None:
        self.call, self._shown = call, shown or call
        self._key = zlib.crc32(call.encode())
        # A rank for which the others always wait looks for messages nowhere else.
        self._take_places()
        #: How numbers are put together where this rank is, and how many; 0 where it is something
        #: else that is exchanged.
        self._folds = "", 0

    @property
    def _begun(self) -> int:
        """Exchanges that this rank has begun, also those of a kernel that meets by itself."""
        return self._messages + (0 if self.meetings is None else self.meetings.native.number)

    def begin(self, parts: Sequence[Bytes], heads: Sequence[int] | None = None) -> _Exchange:
        self.sent += sum(p.shape[0] for r, p in enumerate(parts) if r != self.rank)
        return _Exchange(self, parts, [0] * self.size if heads is None else heads)

    def swap(self, rows: Ints) -> Ints:
        # Beside the numbers, what they are for: who is in another call learns of it here.
        told = np.empty((rows.shape[0], rows.shape[1] + 1), np.int64)
        told[:, :-1], told[:, -1] = rows, self._key
        arrived = np.empty_like(told)
        self._messages += 1
        self._folds = "", 0
        self.wait(self.comm.Ialltoall(told, arrived))
        if arrived[:, -1].tolist().count(self._key) != self.size:
            self._part_ways()
        return arrived[:, :-1]

    def reduce(self, numbers: Ints, how: str) -> Ints:
        count, meetings = numbers.shape[0], self.meetings
        self._folds = how, count
        key = self._key + (4 * count + _HOWS[how] << 32)
        if meetings is not None and count <= meetings.most:
            told = meetings.tell(numbers, self.listen, key)
            if not meetings.native.alike():
                self._part_ways()
            return FOLD[how].reduce(told)
        self._messages += 1
        given = numbers
        if count <= _FEW:
            given = np.empty(count + 2, np.int64)
            given[:count], given[count], given[count + 1] = numbers, key, -key
        total = np.empty_like(given)
        self.wait(self.summing.Iallreduce(given, total, self._reductions[how]))
        if count > _FEW:
            return total
        expected = key * self.size if how == "sum" else key
        if total[count:].tolist() != [expected, -expected]:
            self._part_ways()
        return total[:count]

    def wait(self, request: Any) -> None:
        """Poll a request until it is done.

        Raises
        ------
        RankFailed
            When another rank says that it will not come, or what it has sent is of another call.
        """
        try:
            self._poll(request)
        except mpi().Exception as error:  # what came may be longer than what was expected
            self._part_ways(f"rank {self.rank}: {error}")

    def _poll(self, request: Any) -> None:
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
        """Raise `RankFailed` if a rank has told of its failure, or is at the end of the job, or in
        another call, while this one waits for it."""
        if self.control.iprobe(tag=FAILURE):
            self.heard = str(self.control.recv(tag=FAILURE))
            raise RankFailed(self.heard)
        while self.control.iprobe(tag=ENDED):
            rank, begun = self.control.recv(tag=ENDED)
            self._ended[rank] = begun
        for rank, begun in self._ended.items():
            if begun < self._begun:
                raise RankFailed(f"rank {rank} has ended, and others wait for it")
        self._compare_places()

    def _compare_places(self) -> None:
        """Tell where this rank is, once it has waited there for long, and compare with those who
        have, too."""
        self._take_places()
        number, now = self._begun, time.monotonic()
        if number != self._waits:
            self._waits, self._since, self._told = number, now, False
        if not self._told and now - self._since > _LONG:
            self._tell_place()
        for rank, there in self._others.items():
            if there.number == number and there.key != self._here.key:
                if not self._told:
                    self._tell_place()
                self.heard = not_together((self.rank, self._here.shown), (rank, there.shown))
                raise RankFailed(self.heard)

    def _take_places(self) -> None:
        """Receive what others have told of where they wait: none of it may pile up."""
        while self.control.iprobe(tag=WAITS):
            self._take_place(mpi().ANY_SOURCE)

    def _take_place(self, source: int) -> None:
        rank, told = self.control.recv(source=source, tag=WAITS)
        self._others[rank] = _Place(*told)
        self._heard_from[rank] += 1

    @property
    def _here(self) -> _Place:
        how, count = self._folds
        kind = f"the {how} of {count} numbers" if how else ""
        key = zlib.crc32(kind.encode(), self._key)
        return _Place(self._begun, key, at_call(kind, self._shown or "an exchange"))

    def _tell_place(self) -> None:
        self._take_places()
        self._told, self._tells = True, self._tells + 1
        self._send_all((self.rank, tuple(self._here)), WAITS)

    def _part_ways(self, otherwise: str = "") -> NoReturn:
        """Raise as one of ranks that have met from different calls, as soon as it is known which;
        where nobody says so, this."""
        self._tell_place()
        self._waits = self._begun
        deadline = time.monotonic() + _LONG
        while time.monotonic() < deadline:
            self.listen()
            time.sleep(_NAP)
        here = f"rank {self.rank} is at {self._here.shown}, another one is not"
        raise RankFailed(otherwise or f"ranks do not make the same calls: {here}")

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
        for rank, (has, tells) in enumerate(self.control.allgather((told, self._tells))):
            if rank == self.rank:
                continue
            if has and rank not in self._ended:
                self.control.recv(source=rank, tag=ENDED)
            while self._heard_from[rank] < tells:
                self._take_place(rank)
        self._ended, self._others = {}, {}
        self._tells, self._heard_from = 0, [0] * self.size

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
