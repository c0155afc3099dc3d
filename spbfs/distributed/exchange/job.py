"""One program on all ranks, that ends everywhere when it fails anywhere.

An uncaught error at one rank leaves the others waiting for it.  Here it tells them, rank 0 says
what was wrong, once, and all end.  A rank that is killed can tell nobody: then it is the launcher
that ends the others, as every MPI's does.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np

from spbfs.distributed.exchange.mpi import MpiRanks, mpi, ranks_of
from spbfs.exceptions import RankFailed, SpbfsError

__all__ = ["job"]

#: Seconds until a rank that has failed gives up waiting for rank 0 to end the job, and until rank 0
#: ends it without all of them: before, so that no other one says again what was wrong.
_PATIENCE, _AT_ZERO = 5.0, 4.0
#: Seconds between its looks.
_NAP = 0.01
#: Seconds that what was printed has to come through the launcher, which an abort may end first.
_ON_ITS_WAY = 0.2


@contextmanager
def job(comm: Any = None, report: Callable[[BaseException], str] | None = None) -> Iterator[Any]:
    """Run the block as a part of a job: an error in it at one rank ends all of them.

    Rank 0 prints one line to standard error, and every process ends with exit code 1, within
    seconds, whatever the others wait for.  Ranks leave the block together: one that is at its end
    while others wait for it to call what they have called is an error, too.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm, optional
        The ranks; by default all processes of the job.
    report : callable, optional
        Makes the line of an error; by default its kind and its message.

    Yields
    ------
    mpi4py.MPI.Comm
        The communicator.

    Raises
    ------
    PackageMissing
        When mpi4py, or an MPI for it, is not installed.

    Examples
    --------
    >>> import spbfs as sb
    >>> with sb.distributed.job() as comm:  # doctest: +SKIP
    ...     D = sb.distributed.read("kron.sg", comm)
    ...     print(sb.bfs(D, 0).depth)
    """
    ranks = ranks_of(comm)
    try:
        try:
            yield mpi().COMM_WORLD if comm is None else comm
        except SystemExit as stop:
            if stop.code in (None, 0):  # it is at its end, as others may be
                ranks.leave()
            raise
        ranks.leave()
    except SystemExit as stop:
        if stop.code not in (None, 0):
            _end(ranks, f"rank {ranks.rank}: ended with exit code {stop.code}")
        raise
    except BaseException as error:
        _end(ranks, _told(ranks, error, report or _line))


def _line(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _told(ranks: MpiRanks, error: BaseException, report: Callable[[BaseException], str]) -> str:
    """What an error at this rank, or one that it heard of, was."""
    if isinstance(error, RankFailed) and ranks.heard is not None:
        return ranks.heard
    try:
        reason = report(error)
    except BaseException:  # of the error's own class: the others wait to hear of it all the same
        reason = type(error).__name__
    # Those of one call at all ranks are the same at all of them.
    return reason if isinstance(error, SpbfsError) else f"rank {ranks.rank}: {reason}"


def _end(ranks: MpiRanks, reason: str) -> NoReturn:
    """Tell the others, say why at one rank, and end the job."""
    if ranks.heard is None:
        ranks.tell(reason)
    if ranks.rank == 0:
        _print(reason)
    # Whoever heard of it while it waited has left an exchange behind that will never end.
    waited = np.array([int(ranks.heard is not None)])
    anybody = np.empty_like(waited)
    ended = ranks.failing.Iallreduce(waited, anybody, mpi().MAX)
    deadline = time.monotonic() + (_PATIENCE if ranks.rank else _AT_ZERO)
    while not ended.Test() and time.monotonic() < deadline:
        time.sleep(_NAP)
    together = ended.Test()
    if together and not anybody[0]:
        raise SystemExit(1)
    if ranks.rank != 0 and together:
        time.sleep(_PATIENCE)  # until rank 0 ends all of them
    elif ranks.rank != 0:
        # Rank 0 is busy with something else, or waits for what is none of this package's.
        _print(reason)
    time.sleep(_ON_ITS_WAY)
    mpi().COMM_WORLD.Abort(1)
    raise SystemExit(1)


def _print(reason: str) -> None:
    # In one piece: launchers put what several ranks write between one another's.
    sys.stderr.write(f"spbfs: error: {' '.join(reason.split())}\n")
    sys.stderr.flush()
