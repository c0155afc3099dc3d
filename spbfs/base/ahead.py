"""Work that threads of Python's do ahead of whoever takes its results, one after the other."""

from __future__ import annotations

import _thread
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from queue import SimpleQueue
from threading import Lock
from typing import Any, Generic, TypeVar

__all__ = ["in_order"]

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Seconds between two looks whether this is a child that was forked meanwhile.
_PATIENCE = 0.5


class _Job(Generic[Item, Result]):
    """One item, and what became of it; done by the first who comes."""

    __slots__ = ("_begun", "_ended", "_error", "_process", "_result", "item")

    def __init__(self, item: Item) -> None:
        self.item = item
        self._process = os.getpid()
        self._begun, self._ended = Lock(), Lock()
        self._ended.acquire()
        self._result: Any = None
        self._error: BaseException | None = None

    def run(self, work: Callable[[Item], Result]) -> bool:
        """Do it, unless somebody has begun."""
        if not self._begun.acquire(blocking=False):
            return False
        try:
            self._result = work(self.item)
        except BaseException as error:
            self._error = error
        self._ended.release()
        return True

    def help(self, work: Callable[[Item], Result]) -> bool:
        """`run` by the caller's thread before its turn: an interruption is not kept for later."""
        if not self.run(work):
            return False
        if self._error is not None and not isinstance(self._error, Exception):
            raise self._error
        return True

    @property
    def ended(self) -> bool:
        return not self._ended.locked()

    def give_up(self) -> None:
        """Nobody begins any more."""
        self._begun.acquire(blocking=False)

    def result(self, work: Callable[[Item], Result]) -> Result:
        """What `work` makes of the item; nobody asks twice."""
        self.run(work)
        while not self._ended.acquire(timeout=_PATIENCE):
            if os.getpid() != self._process:
                # A signal handler forked: whoever was at it is not in this process.
                return work(self.item)
        if self._error is not None:
            raise self._error
        made: Result = self._result
        self._result = None  # a thread that is busy may have the job in its queue for long
        return made


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> Generator[tuple[Item, Result], None, None]:
    """Every item with what `work` makes of it.

    The threads end with the process if they have to: a pool of `concurrent.futures` takes no work
    from what runs at the interpreter's exit, and makes that wait for what a daemon has begun.

    Parameters
    ----------
    work : callable
    items : iterable
        Taken by the caller's thread, a few ahead.
    threads : int
        How many work, the caller's included; fewer where there are fewer cores, or other calls
        have them.
    """
    from spbfs import _cpu

    if threads == 1:
        yield from ((item, work(item)) for item in items)
        return
    reserved = _cpu.Reservation(threads - 1)
    jobs: SimpleQueue[_Job[Item, Result] | None] = SimpleQueue()
    under_way: deque[_Job[Item, Result]] = deque()
    started = 0
    try:
        started = _started(_serve, (jobs, work), reserved.helpers)
        if not started:
            yield from ((item, work(item)) for item in items)
            return
        ahead = iter(items)
        while True:
            # One more than threads, so that none of them waits for the caller.
            for item in islice(ahead, started + 2 - len(under_way)):
                under_way.append(_Job(item))
                jobs.put(under_way[-1])
            if not under_way:
                return
            job = under_way.popleft()
            # Who would wait does what nobody has begun.
            while not (job.run(work) or job.ended) and any(j.help(work) for j in under_way):
                pass
            item, made = job.item, job.result(work)
            # Else its references would keep what was made from being used again.
            del job
            yield item, made
            del made
    finally:
        # An interruption does not wait for what has begun.
        for job in under_way:
            job.give_up()
        for _ in range(started):
            jobs.put(None)
        reserved.release()


def _started(target: Callable[..., None], arguments: tuple[Any, ...], threads: int) -> int:
    """How many threads could be started."""
    for count in range(threads):
        try:
            # A `Thread` is waited for until it runs, in a child that was forked meanwhile for ever.
            _thread.start_new_thread(target, arguments)
        except RuntimeError:  # the system has no more, or the interpreter is at its end
            return count
    return threads


def _serve(jobs: SimpleQueue[_Job[Item, Result] | None], work: Callable[[Item], Result]) -> None:
    while (job := jobs.get()) is not None:
        job.run(work)
        del job
