"""What workers do: make a result of every item from their replica of one matrix."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any, Protocol, TypeVar

from spbfs.objects.matrix import Matrix

__all__ = ["Begun", "Work", "Workers", "results"]

Item = TypeVar("Item")
Result = TypeVar("Result")
In = TypeVar("In", contravariant=True)
Out = TypeVar("Out", covariant=True)

#: Items under way for each worker: one that it is at, the next, and one more, so that workers of
#: unequal speed seldom wait for the one whose result is due.
_UNDER_WAY = 3


class Work(Protocol[In, Out]):
    """Makes the result of one item; what it is made of can be pickled, and so can the result, whose
    arrays are in host memory, but where the caller works alone."""

    def __call__(self, matrix: Matrix, item: In, threads: int | None, /) -> Out:
        """Of the matrix, on so many threads of the CPU."""


class Begun(Protocol[Out]):
    """An item that was handed out."""

    def result(self) -> Out:
        """Waited for; raises what the work has raised."""

    def cancel(self) -> Any:
        """Do not begin it any more."""


class Workers(Protocol):
    """Who has replicas of one matrix."""

    @property
    def count(self) -> int:
        """How many work at once."""

    def opened(
        self, work: Work[Item, Result], threads: int | None
    ) -> AbstractContextManager[Callable[[Item], Begun[Result]]]:
        """What hands out items, until the context is left.

        `threads` is how many of the CPU each worker has, by default all that are its own.
        """


def results(
    workers: Workers, work: Work[Item, Result], items: Iterable[Item], threads: int | None
) -> Generator[tuple[Item, Result], None, None]:
    """Every item with what `work` makes of it, in the order of the items, whoever made it.

    Where it is left early, by an error or an interruption, nothing that was not begun begins.
    """
    ahead, under_way = iter(items), deque[tuple[Item, Begun[Result]]]()
    with workers.opened(work, threads) as begin:
        try:
            while True:
                room = _UNDER_WAY * workers.count - len(under_way)
                under_way.extend((item, begin(item)) for item in islice(ahead, room))
                if not under_way:
                    return
                item, begun = under_way[0]
                made = begun.result()
                under_way.popleft()
                # Else what was made is held while the next one is waited for.
                del begun
                yield item, made
                del made
        finally:
            for _, begun in under_way:
                begun.cancel()
