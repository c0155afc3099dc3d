"""Batches searched one after the other by the caller's thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from spbfs.algorithms.workers.protocol import Begun, Item, Result, Work
from spbfs.objects.matrix import Matrix

__all__ = ["Here"]


@dataclass(frozen=True, slots=True)
class _Due:
    """An item that is worked on when its result is asked for."""

    make: Callable[[], Any]

    def result(self) -> Any:
        return self.make()

    def cancel(self) -> None:
        """Nothing has begun."""


class Here:
    """The caller, who needs no replica; see `Workers`."""

    count = 1

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix

    @contextmanager
    def opened(
        self, work: Work[Item, Result], threads: int | None
    ) -> Iterator[Callable[[Item], Begun[Result]]]:
        yield lambda item: _Due(lambda: work(self._matrix, item, threads))
