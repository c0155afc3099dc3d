"""Rounds of a program that is not ours: what an engine does for it beside its statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from spbfs.storage.data import VectorData

__all__ = ["Change", "HeldVector", "Recorder", "Rounds", "Watch", "Watcher"]


class Change(NamedTuple):
    """What a round has changed in a vector."""

    #: Elements that are stored in one of the two only, or of another value.
    elements: int
    #: The sum of all absolute changes, and of all absolute values; what is not stored is zero.
    changes: float
    values: float


class HeldVector(Protocol):
    """A vector of a program, as it is at the moment."""

    def data(self) -> VectorData:
        """What it holds."""

    def hold(self, data: VectorData) -> None:
        """Hold something else, of the same size and type."""


class Watch(Protocol):
    """Looks at what happens to vectors."""

    def keep(self) -> None:
        """Remember them as they are."""

    def changes(self) -> list[Change]:
        """How each differs from what was remembered; it waits for that."""


class Watcher(Protocol):
    """What looks at vectors."""

    def __call__(self, held: list[HeldVector]) -> Watch:
        """At these, as they are at the time."""


class Rounds(Protocol):
    """Rounds of a program: as they are written, or as one of them was recorded.

    As a context manager it puts what is launched in the block where rounds can be recorded.
    """

    #: Rounds that were launched as recorded, and why none could be.
    launched: int
    refusal: str

    def __enter__(self) -> Any: ...

    def __exit__(self, *raised: Any) -> None: ...

    def __call__(self) -> None:
        """One round."""


class Recorder(Protocol):
    """What makes the rounds of a program."""

    def __call__(self, body: Callable[[], Any], held: list[HeldVector]) -> Rounds:
        """`body` is a round as it is written; `held` is all that goes from one to the next."""
