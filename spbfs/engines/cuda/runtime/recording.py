"""What is noted of a round that is to be recorded, by the thread that launches it.

A recorded round is launched again and again as it was: the same kernels, at the same addresses,
with the same numbers, and nobody looks at what comes out.  What depends on anything else says so
here.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

__all__ = ["Notes", "brought", "noted", "notes", "used", "written"]

Array = Any


class Notes:
    """What must be alike in two rounds, and what keeps a round from being recorded.

    Parameters
    ----------
    *owned : set of int
        Where arrays begin that a round may write into: those of the state, and all that it makes.
    """

    __slots__ = ("_owned", "refusal", "used")

    def __init__(self, *owned: set[int]) -> None:
        self._owned = owned
        #: Kernels with their grids, and numbers of the host, in order.
        self.used: list[Any] = []
        self.refusal = ""

    def owns(self, address: int) -> bool:
        """Whether an array that begins there may be written."""
        return any(address in known for known in self._owned)

    def refuse(self, why: str) -> None:
        """The round cannot be recorded; of several reasons the first is told."""
        self.refusal = self.refusal or why


class _Current(threading.local):
    notes: Notes | None = None


_current = _Current()


def notes() -> Notes | None:
    """Those of the round that this thread is to record; None at other times."""
    return _current.notes


@contextmanager
def noted(notes: Notes) -> Iterator[None]:
    """What is launched in the block is noted."""
    before, _current.notes = _current.notes, notes
    try:
        yield
    finally:
        _current.notes = before


def used(number: Any) -> None:
    """A number of the host's goes into a launch, by its bits: -0.0 equals 0.0."""
    notes = _current.notes
    if notes is not None:
        notes.used.append(number.tobytes() if isinstance(number, np.generic) else number)


def brought() -> None:
    """An array is brought from the host, which may have another at the next round."""
    notes = _current.notes
    if notes is not None:
        notes.refuse("a round brings an array from the host")


def written(arrays: tuple[Array, ...]) -> None:
    """Arrays of a vector are written in place."""
    notes = _current.notes
    if notes is not None and not all(notes.owns(array.data.ptr) for array in arrays):
        notes.refuse("a round writes into a vector that is not of the state")
