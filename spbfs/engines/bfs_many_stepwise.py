"""Many searches a level at a time, by what earlier work did before it had rows of bits.

`Stepwise` is what such a way does on an engine; `search_stepwise` puts its steps in order.  They
are kept for comparison: `ManySearches` is what users get.

Liu, Huang, Hu: iBFS: concurrent breadth-first search on GPUs (SIGMOD 2016), sections 4 and 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from spbfs.exceptions import InvalidValue
from spbfs.planner.many import stepwise_pulls

__all__ = ["MOST_LEVEL", "UNVISITED", "Census", "Step", "Stepwise", "search_stepwise"]

#: The status byte of what is not visited, and the level at which searches end: what is between them
#: is for engines.
UNVISITED, MOST_LEVEL = 255, 253


class Census(NamedTuple):
    """Pairs of a vertex and a search that has it, and the entries in the rows of these pairs."""

    frontier: int
    frontier_entries: int
    unvisited: int
    unvisited_entries: int


@dataclass(frozen=True, slots=True)
class Step:
    """What searches did at one level.

    Attributes
    ----------
    level : int
    pulled : bool
        Whether vertices that are not visited looked for their parents, for all searches alike.
    queued : int
        Vertices of the queue, or of all queues where every search has one of its own.
    shared : int
        Pairs of a vertex that is to be expanded and a search that wants it.
    entries, inspections : int
        Entries of rows that were read, and statuses that searches looked at for them; 0 where the
        engine does not count them.
    """

    level: int
    pulled: bool
    queued: int
    shared: int
    entries: int
    inspections: int


class Stepwise(Protocol):
    """Searches of a matrix from some sources, begun and not yet run."""

    def census(self, level: int) -> Census:
        """What is at a level and what is nowhere yet."""

    def enqueue(self, level: int, pulled: bool) -> int:
        """List what is to be expanded; how much that is."""

    def expand(self, level: int, pulled: bool) -> tuple[int, int]:
        """Visit from what is listed; entries and inspections of `Step`."""

    def levels(self) -> Any:
        """Searches x n, uint8: the level of every vertex, `UNVISITED` where not reached."""


def search_stepwise(searches: Stepwise) -> list[Step]:
    """Run searches to their end.

    Raises
    ------
    InvalidValue
        When some vertex is deeper than a byte can say.
    """
    steps: list[Step] = []
    pulled = False
    for level in range(MOST_LEVEL + 1):
        found = searches.census(level)
        if not found.frontier:
            return steps
        if level == MOST_LEVEL:
            break
        pulled = stepwise_pulls(*found, pulled=pulled)
        queued = searches.enqueue(level, pulled)
        shared = found.unvisited if pulled else found.frontier
        steps.append(Step(level, pulled, queued, shared, *searches.expand(level, pulled)))
    raise InvalidValue(f"A: searches with a status byte end at level {MOST_LEVEL - 1}")
