"""Ranks that are threads of one process and exchange through its memory: to count, not to time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from spbfs.distributed.ranks import Bytes, Ints, Ranks
from spbfs.exceptions import RankFailed

__all__ = ["ThreadRanks", "simulate"]

T = TypeVar("T")
_FOLD: dict[str, Any] = {"sum": np.add, "min": np.minimum, "max": np.maximum}


class _Table:
    """Where the threads leave what is for others."""

    def __init__(self, size: int) -> None:
        self.barrier = threading.Barrier(size)
        self.given: list[Any] = [None] * size

    def exchanged(self, rank: int, value: Any) -> list[Any]:
        """What every thread has left, once all have."""
        self.given[rank] = value
        self._meet()
        everything = list(self.given)
        self._meet()
        return everything

    def _meet(self) -> None:
        try:
            self.barrier.wait()
        except threading.BrokenBarrierError:
            raise RankFailed("another rank has failed") from None


class _Arrived:
    def __init__(self, parts: list[Bytes]) -> None:
        self._parts = parts

    def wait(self) -> list[Bytes]:
        return self._parts


class ThreadRanks:
    """One of the threads; see `Ranks`."""

    def __init__(self, table: _Table, rank: int, size: int) -> None:
        self._table, self.rank, self.size, self.sent = table, rank, size, 0

    def begin(self, parts: Sequence[Bytes]) -> _Arrived:
        self.sent += sum(p.shape[0] for r, p in enumerate(parts) if r != self.rank)
        everything = self._table.exchanged(self.rank, parts)
        return _Arrived([sent[self.rank].copy() for sent in everything])

    def reduce(self, numbers: Ints, how: str) -> Ints:
        given = self._table.exchanged(self.rank, numbers.copy())
        return _FOLD[how].reduce(given)


def simulate(size: int, program: Callable[[Ranks], T]) -> list[T]:
    """Run a program at so many simulated ranks; what it returns at each of them.

    Parameters
    ----------
    size : int
    program : callable
        Called with the `Ranks` of each thread.

    Raises
    ------
    Exception
        What the program raised first, once all threads have ended.

    Examples
    --------
    >>> from spbfs.distributed.ranks import sums
    >>> simulate(3, lambda ranks: sums(ranks, ranks.rank))
    [[3], [3], [3]]
    """
    table = _Table(size)
    results: list[Any] = [None] * size
    errors: list[BaseException] = []

    def run(rank: int) -> None:
        try:
            results[rank] = program(ThreadRanks(table, rank, size))
        except BaseException as error:  # raised again by the caller
            errors.append(error)
            table.barrier.abort()

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results
