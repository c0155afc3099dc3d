"""Ranks that are threads of one process and exchange through its memory: to count, not to time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from spbfs.distributed.exchange.ranks import FOLD, Bytes, Ints, Ranks, at_call, not_together
from spbfs.exceptions import OutOfRange, RankFailed
from spbfs.objects.checks import as_size

__all__ = ["ThreadRanks", "simulate"]

T = TypeVar("T")


class _Place(NamedTuple):
    """Where a thread is, to be compared and to be shown."""

    key: tuple[str, str]
    shown: str


class _Table:
    """Where the threads leave what is for others."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._changed = threading.Condition()
        self._given: dict[int, tuple[_Place, Any]] = {}
        #: What all have left when they last met, and how often they have.
        self._everything: list[tuple[_Place, Any]] = []
        self._met = 0
        #: Why nobody will meet all others again, once a thread has ended, and whether one failed.
        self._over, self._failed = "", False

    def exchanged(self, rank: int, place: _Place, value: Any) -> list[Any]:
        """What every thread has left, once all have; all of them are at the same place."""
        with self._changed:
            meeting = self._met
            self._given[rank] = place, value
            if len(self._given) == self._size:
                self._everything = [self._given[r] for r in range(self._size)]
                self._given, self._met = {}, meeting + 1
                self._changed.notify_all()
            self._changed.wait_for(lambda: self._met > meeting or self._over)
            if self._met == meeting:
                raise RankFailed(self._over)
            # The next meeting waits for this thread, so that nobody has replaced it yet.
            places, values = zip(*self._everything, strict=True)
        for other, theirs in enumerate(places):
            if theirs.key != places[0].key:
                raise RankFailed(not_together((0, places[0].shown), (other, theirs.shown)))
        return list(values)

    def listen(self) -> None:
        """Raise `RankFailed` once a thread has failed."""
        with self._changed:
            if self._failed:
                raise RankFailed(self._over)

    def end(self, reason: str, failed: bool) -> None:
        """Let nobody wait any longer for a thread that has ended."""
        with self._changed:
            self._over, self._failed = self._over or reason, self._failed or failed
            self._changed.notify_all()


class _Arrived:
    def __init__(self, parts: list[Bytes], heads: list[int]) -> None:
        self._parts, self.heads = parts, heads

    def wait(self) -> list[Bytes]:
        return self._parts


class ThreadRanks:
    """One of the threads; see `Ranks`."""

    xp: Any = np
    #: What would be sent between hosts is what is counted.
    apart = True
    meetings: Any = None
    on_gpus: Ranks | None = None

    def __init__(self, table: _Table, rank: int, size: int) -> None:
        self._table, self.rank, self.size, self.sent = table, rank, size, 0
        self.graphs, self.call, self._shown = 0, "", ""

    @property
    def on_host(self) -> Ranks:
        return self

    def enter(self, call: str, shown: str = "") -> None:
        self.call, self._shown = call, shown or call

    def _exchanged(self, kind: str, value: Any) -> list[Any]:
        place = _Place((kind, self.call), at_call(kind, self._shown))
        return self._table.exchanged(self.rank, place, value)

    def begin(self, parts: Sequence[Bytes], heads: Sequence[int] | None = None) -> _Arrived:
        self.sent += sum(p.shape[0] for r, p in enumerate(parts) if r != self.rank)
        told = [0] * self.size if heads is None else heads
        everything = self._exchanged("an exchange", (parts, told))
        here = self.rank
        return _Arrived(
            [sent[here].copy() for sent, _ in everything], [said[here] for _, said in everything]
        )

    def swap(self, rows: Ints) -> Ints:
        everything = self._exchanged("an exchange of numbers", rows.copy())
        return np.stack([sent[self.rank] for sent in everything])

    def reduce(self, numbers: Ints, how: str) -> Ints:
        given = self._exchanged(f"the {how} of {numbers.shape[0]} numbers", numbers.copy())
        return FOLD[how].reduce(given)

    def listen(self) -> None:
        self._table.listen()


def simulate(size: int, program: Callable[[Ranks], T]) -> list[T]:
    """Run a program at so many simulated ranks; what it returns at each of them.

    Parameters
    ----------
    size : int
        1 or more.
    program : callable
        Called with the `Ranks` of each thread.

    Raises
    ------
    DomainMismatch, OutOfRange
        When `size` is no such number.
    Exception
        What the program raised first, once all threads have ended.
    RankFailed
        When ranks do not make the same calls, or one has ended while others wait for it.

    Examples
    --------
    >>> from spbfs.distributed.exchange.ranks import sums
    >>> simulate(3, lambda ranks: sums(ranks, ranks.rank))
    [[3], [3], [3]]
    """
    size = as_size(size, "size")
    if not size:
        raise OutOfRange("size: expected 1 rank or more, got 0")
    table = _Table(size)
    results: list[Any] = [None] * size
    errors: list[BaseException] = []

    def run(rank: int) -> None:
        try:
            results[rank] = program(ThreadRanks(table, rank, size))
            table.end(f"rank {rank} has ended, and others wait for it", failed=False)
        except BaseException as error:  # raised again by the caller
            errors.append(error)
            table.end("another rank has failed", failed=True)

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(size)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except BaseException:  # an interruption, of which only this thread hears
        table.end("the program was interrupted", failed=True)
        raise
    if errors:
        raise errors[0]
    return results
