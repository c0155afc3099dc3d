"""The five strategies of a level by name, and who says which comes next.

Zhang et al.: An adaptive breadth-first search algorithm on integrated architectures (2018), in
table 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal, Protocol

__all__ = ["STRATEGIES", "Chooser", "Forced", "Run", "Strategy", "Traversed"]


@dataclass(frozen=True, slots=True)
class Strategy:
    """One way to expand a frontier: its direction and the device that does it."""

    name: str
    device: Literal["cpu", "cuda"]
    direction: Literal["push", "pull"]
    #: Whether a pull has the hot part of the visited set in shared memory.
    cached: bool = False


#: Top-down and bottom-up, on the CPU and on the GPU, there also with the hot part of the status in
#: shared memory.
STRATEGIES = {
    known.name: known
    for known in (
        Strategy("TC", "cpu", "push"),
        Strategy("TG", "cuda", "push"),
        Strategy("BC", "cpu", "pull"),
        Strategy("BG", "cuda", "pull"),
        Strategy("BGC", "cuda", "pull", cached=True),
    )
}


@dataclass(frozen=True, slots=True)
class Run:
    """Levels that one device expands before anybody is asked again.

    Attributes
    ----------
    device : {"cpu", "cuda"}
    strategies : tuple of Strategy
        One a level, all of this device; the last goes on.  None at all: the device decides at every
        level by itself.
    levels : int, optional
        How many levels at most; None: to the end of the search.
    """

    device: Literal["cpu", "cuda"]
    strategies: tuple[Strategy, ...] = ()
    levels: int | None = None


@dataclass(frozen=True, slots=True)
class Traversed:
    """What is known of a search when somebody is asked how it goes on.

    Attributes
    ----------
    vertices, entries : int
        Of the graph.
    level : int
        Of the frontier.
    frontier, edges : int
        Its vertices, and the entries of their rows.
    reached, explored : int
        Vertices that have a level, the frontier's among them, and the entries of the rows that were
        expanded.
    """

    vertices: int
    entries: int
    level: int
    frontier: int
    edges: int
    reached: int
    explored: int


class Chooser(Protocol):
    """Who is asked for the next run of a search: a list given beforehand, or a model."""

    def next_run(self, traversed: Traversed) -> Run:
        """How the search goes on from here."""


@dataclass(frozen=True, slots=True)
class Forced:
    """A strategy for every level, the last for all deeper ones."""

    strategies: tuple[Strategy, ...]

    def next_run(self, traversed: Traversed) -> Run:
        """All levels up to the next change of device.

        Examples
        --------
        >>> forced = Forced(tuple(STRATEGIES[name] for name in ("TC", "TC", "BG")))
        >>> start = Traversed(9, 20, level=0, frontier=1, edges=2, reached=1, explored=0)
        >>> run = forced.next_run(start)
        >>> run.device, run.levels, [s.name for s in run.strategies]
        ('cpu', 2, ['TC', 'TC'])
        """
        left: Sequence[Strategy] = self.strategies[traversed.level :] or self.strategies[-1:]
        device = left[0].device
        same = tuple(takewhile(lambda strategy: strategy.device == device, left))
        return Run(device, same, None if len(same) == len(left) else len(same))
