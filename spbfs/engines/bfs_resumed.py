"""A search that several engines take turns with: what each is asked for, and what moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from spbfs.engines.bfs import Ints, LevelTrace, SearchRequest, SearchResult
from spbfs.planner.strategies import Run
from spbfs.storage.data import MatrixData

__all__ = ["Ended", "Expanded", "Finds", "Moved", "Resumable", "Room", "TurnTaking", "VertexSet"]

Array = Any
Bytes = npt.NDArray[np.uint8]
#: Gives host memory of so many bytes, for as long as the search lasts.
Room = Callable[[int], Bytes]
#: Bytes of a vertex in a list.
VERTEX = np.dtype(np.int32).itemsize


@dataclass(frozen=True, slots=True)
class VertexSet:
    """Some of n vertices in host memory: a list of int32, or packed bits, the lowest first."""

    count: int
    listed: bool
    memory: Bytes

    @property
    def form(self) -> str:
        """Which of the two it is."""
        return "list" if self.listed else "bits"


@dataclass(frozen=True, slots=True)
class Moved:
    """What one engine hands to the next: the frontier, and what else it found since it had it."""

    frontier: VertexSet
    found: VertexSet

    @property
    def nbytes(self) -> int:
        """Bytes that move."""
        return self.frontier.memory.nbytes + self.found.memory.nbytes


@dataclass(frozen=True, slots=True)
class Expanded:
    """Where a run ended.

    Attributes
    ----------
    level : int
        Of the frontier that is left, or the deepest where none is left.
    frontier, edges : int
        Its vertices, and the entries of their rows.
    over : bool
        Whether the search is: nothing is left to find, or the target was found.
    steps : list of LevelTrace
        The levels that were expanded, where they were recorded.
    """

    level: int
    frontier: int
    edges: int
    over: bool
    steps: list[LevelTrace]


@dataclass(frozen=True, slots=True)
class Ended:
    """What its engines do not know of a search that has ended: its depth, when it began by
    ``time.perf_counter``, and its trace."""

    depth: int
    started: float
    trace: list[LevelTrace] | None


@dataclass(frozen=True, slots=True)
class Finds:
    """Vertices that one engine found, with levels and parents: lists of one length."""

    vertices: Array
    levels: Array
    parents: Array | None


class TurnTaking(Protocol):
    """The searches of one matrix by an engine that takes turns with others."""

    def resumable(self, A: MatrixData, request: SearchRequest, sources: Ints) -> Resumable:
        """The engine's part in a search of `A` from distinct sources."""


class Resumable(Protocol):
    """One engine's part in a search; it begins with the sources as frontier of level 0."""

    def expand(self, run: Run, level: int, last_level: int, *, explored: int) -> Expanded:
        """Expand the frontier of `level`, and on to `last_level` at most.

        The rows that were expanded before have `explored` entries.
        """

    def give(self, room: Room) -> Moved:
        """What another engine needs to go on."""

    def take(self, moved: Moved, level: int) -> None:
        """Go on from where another engine ended, at `level`."""

    def finds(self) -> Finds:
        """What this engine found."""

    def add(self, finds: Finds) -> None:
        """Write what another engine found among what this one has."""

    def result(self, positions: Ints | None, ended: Ended) -> SearchResult:
        """What was found in all, owners by their `positions` among the sources given."""
