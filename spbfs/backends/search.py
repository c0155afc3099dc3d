"""What a breadth-first search is asked for and what it finds, whichever engine runs it."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from spbfs.core.storage import MatrixData, VectorData

__all__ = ["DIRECTIONS", "Found", "Keeper", "LevelTrace", "SearchRequest", "Searches", "distinct"]

Array = Any
Ints = npt.NDArray[np.int64]
Direction = Literal["auto", "push", "pull"]

#: In the order of the numbers that kernels know them by.
DIRECTIONS: tuple[Direction, ...] = ("auto", "push", "pull")


@dataclass(slots=True)
class SearchRequest:
    """The arguments of `spbfs.bfs`, checked."""

    #: One vertex; or several (int64, in range, perhaps repeated), nearest of which owns a vertex.
    source: int | Ints
    levels: bool
    parents: Literal["any", "min"] | None
    #: None where there is no limit or target.
    max_depth: int | None
    target: int | None
    direction: Direction
    threads: int | None
    traced: bool
    #: Whether many searches of the matrix are to be expected.
    planned: bool


@dataclass(frozen=True, slots=True)
class LevelTrace:
    """One step of a search: a frontier expanded.

    Attributes
    ----------
    frontier : int
        Vertices at this level.
    edges : int
        Their out-edges, the work of a push.
    direction : str
        "push" or "pull".
    seconds : float
        Time of the step.
    """

    frontier: int
    edges: int
    direction: str
    seconds: float


class Keeper(Protocol):
    """Who made the arrays of a result, and may use them again."""

    def take_back(self, array: Array) -> None: ...


class Found:
    """What a search found: counts, and for every output an array of n, -1 where not reached."""

    def __init__(
        self,
        n: int,
        depth: int,
        reached: int,
        edges: int,
        *,
        seconds: float,
        trace: Sequence[LevelTrace] | None,
        arrays: dict[str, Array | None],
        keeper: Keeper | None = None,
    ) -> None:
        self.n, self.depth, self.reached, self.edges = n, depth, reached, edges
        self.seconds = seconds
        self.trace = None if trace is None else list(trace)
        self._arrays = arrays
        self._flags: Array | None = None
        # Weakly: a result that is kept need not keep the workspace of its graph.
        self._keeper = None if keeper is None else weakref.ref(keeper)

    def vector(self, name: str) -> VectorData | None:
        """The output called `name` as storage; None where it was not asked for."""
        array = self._arrays[name]
        if array is None:
            return None
        return VectorData(self.n, array, present=self._reached(array), counted=self.reached)

    def _reached(self, array: Array) -> Array | None:
        """Flags of the reached vertices, one array for all outputs; None where that is all."""
        if self.reached == self.n:
            return None
        if self._flags is None:
            self._flags = array >= 0
            self._flags.flags.writeable = False
        return self._flags

    def give_back(self) -> None:
        """Let the arrays that nobody else refers to serve another search."""
        keeper = None if self._keeper is None else self._keeper()
        if keeper is None:
            return
        for name in list(self._arrays):
            array = self._arrays.pop(name)
            # Anything else that refers to the array, a view or a Vector, may still be read.
            if array is not None and sys.getrefcount(array) <= _UNSHARED:
                keeper.take_back(array)


def _count_unshared() -> int:
    """What getrefcount says, on this interpreter, of an array that one local name refers to."""
    array = np.empty(0)
    return sys.getrefcount(array)


_UNSHARED = _count_unshared()


class Searches(Protocol):
    """What the searches of one matrix share; refers to no matrix, so a matrix may keep it."""

    @property
    def nbytes(self) -> int:
        """Bytes held, outputs that came back included."""

    def run(self, A: MatrixData, request: SearchRequest) -> Found:
        """Search `A`, the matrix that this was made for."""


def distinct(source: int | Ints) -> tuple[Ints, Ints | None]:
    """Each source once, in order of first appearance, and where that was if any came twice."""
    if isinstance(source, int):
        return np.array([source], np.int64), None
    first = np.sort(np.unique(source, return_index=True)[1])
    return source[first], (first if first.shape[0] < source.shape[0] else None)
