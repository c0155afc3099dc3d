"""What a breadth-first search is asked for and what it finds, whichever engine runs it."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, cast

import numpy as np
import numpy.typing as npt

from spbfs.engines.arrays.patterns.sets import is_first
from spbfs.planner.search import NeighbourOrder, Relabelling
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.derived import keeping

if TYPE_CHECKING:
    from spbfs.planner.expansion import Expansion
    from spbfs.planner.lanes import LaneUse
    from spbfs.planner.strategies import Strategy

__all__ = [
    "DIRECTIONS",
    "NEIGHBOUR_ORDERS",
    "RELABELLINGS",
    "UNSHARED",
    "ArrayPool",
    "Counts",
    "LevelTrace",
    "ListedResult",
    "SearchRequest",
    "SearchResult",
    "Searches",
    "distinct",
    "named",
    "searches_elsewhere",
    "searches_of",
]

Array = Any
Ints = npt.NDArray[np.int64]
Direction = Literal["auto", "push", "pull"]

#: In the order of the numbers that kernels know them by.
DIRECTIONS: tuple[Direction, ...] = ("auto", "push", "pull")
RELABELLINGS: tuple[Relabelling, ...] = ("auto", "compact", "degree", None)
NEIGHBOUR_ORDERS: tuple[NeighbourOrder, ...] = ("auto", "degree", None)


@dataclass(slots=True)
class SearchRequest:
    """The arguments of `spbfs.bfs`, checked."""

    #: One vertex; or several (int64, in range), perhaps repeated, the nearest of which owns a
    #: vertex.  For the CUDA engine also int32 in its memory, unchecked.
    source: int | Array
    levels: bool
    parents: Literal["any", "min"] | None
    #: None where there is no limit or target.
    max_depth: int | None
    target: int | None
    direction: Direction
    threads: int | None
    relabel: Relabelling
    traced: bool
    #: Whether many searches of the matrix are to be expected.
    planned: bool
    #: How to push alone, on CUDA; None: the fused search, which decides by itself.
    expansion: Expansion | None = None
    #: In which order a search looks at the neighbours of a row.
    neighbours: NeighbourOrder = "auto"
    #: Most edges that are in one buffer; None: the edges are not cut.
    part_edges: int | None = None
    #: Who searches; it may be another than the matrix lies with where its edges are cut.
    device: str = "cpu"
    #: GPUs that search together, by their numbers; none: the one where the matrix is.
    devices: tuple[int, ...] = ()
    #: One a level, all of the engine's device, the last for all deeper levels; none: `direction`.
    schedule: tuple[Strategy, ...] = ()

    @property
    def several(self) -> bool:
        """Whether owners are told: several sources were given, be they one vertex."""
        return not isinstance(self.source, int) and self.source.shape[0] > 1

    @property
    def layout(self) -> tuple[Relabelling, NeighbourOrder]:
        """Which copy of the graph is searched."""
        return self.relabel, self.neighbours

    def scheduled(self, strategies: tuple[Strategy, ...]) -> SearchRequest:
        """The same with a strategy a level; with none at all each level is as the engine likes."""
        return replace(self, schedule=strategies)

    def direction_at(self, level: int) -> Direction:
        """That in which the frontier of a level is expanded."""
        if not self.schedule:
            return self.direction
        return self.schedule[min(level, len(self.schedule) - 1)].direction

    def directions(self) -> tuple[Direction, bytes]:
        """The direction of all levels behind the scheduled ones, and a byte for each of these."""
        if not self.schedule:
            return self.direction, b""
        *first, last = self.schedule
        return last.direction, bytes(DIRECTIONS.index(s.direction) for s in first)


def named(steps: list[LevelTrace], schedule: tuple[Strategy, ...]) -> list[LevelTrace]:
    """A trace whose steps have the names of the strategies that were asked for."""
    if not schedule:
        return steps
    last = len(schedule) - 1
    return [replace(s, strategy=schedule[min(k, last)].name) for k, s in enumerate(steps)]


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
        Time of the step; on CUDA by the clock of the device.  NaN where it was not taken.
    strategy : str
        Who shared its work: "threads" on the CPU; "cta", "cluster" or "grid" on CUDA, or "part" of
        the grid, while others write results; the name of the kernel where an expansion was asked
        for.  Where a strategy was asked for, its name.
    lanes : LaneUse or None
        What the lanes of warps did, with shares ``me``, ``ua`` and ``ur`` (Cheng et al.), where an
        expansion with ``count_lanes=True`` was asked for.
    switch : float
        Seconds that it took before the step to bring the frontier and the visited set to its
        device; 0 where they were there.
    read : int
        Of a search over parts of the edges, the bytes of columns that the step looked at, by
        counts: in a push those of the frontier's rows, in a pull those of the parts with rows of
        vertices not reached.  Of a graph on the disk it reads no more, up to whole pages; less
        where pages are in memory yet.  Of a matrix in pinned memory, the bytes over the bus of a
        push; a pull's are not counted.  Else 0.
    exchanged : int or None
        Bytes that ranks sent one another, summed over ranks; None where there are none.
    predicted : int or None
        What the model of `spbfs.planner.exchange` expected of it, before the step.
    """

    frontier: int
    edges: int
    direction: str
    seconds: float
    strategy: str = "threads"
    lanes: LaneUse | None = None
    switch: float = 0.0
    read: int = 0
    exchanged: int | None = None
    predicted: int | None = None


class ArrayPool(Protocol):
    """Who made the arrays of a result, and may use them again."""

    def take_back(self, array: Array) -> None: ...


class Counts(NamedTuple):
    """What a result says in numbers, under the names of `BFSResult`."""

    depth: int
    reached: int
    seconds: float
    trace: list[LevelTrace] | None


class SearchResult:
    """What a search found: numbers, and for every output an array of n, -1 where not reached.

    An engine that runs behind the host's back overrides `counts`, `edges` and `storage`, so that
    only who reads them waits.
    """

    def __init__(
        self,
        n: int,
        arrays: dict[str, Array | None],
        counts: Counts | None = None,
        edges: int | None = None,
        pool: ArrayPool | None = None,
    ) -> None:
        self.n = n
        self._arrays = arrays
        self._counts = counts
        self._edges = edges
        self._flags: Any = None
        # Weakly: a result that is kept need not keep the workspace of its graph.
        self._pool = None if pool is None else weakref.ref(pool)

    @property
    def counts(self) -> Counts:
        """The numbers."""
        assert self._counts is not None
        return self._counts

    @property
    def edges(self) -> int:
        """Stored entries in the rows of the reached vertices."""
        assert self._edges is not None
        return self._edges

    def took(self, seconds: float) -> None:
        """Set the time, where what was made for this search alone is a part of it."""
        self._counts = self.counts._replace(seconds=seconds)

    def array(self, name: str) -> Array | None:
        """The output called `name` as it is, -1 where not reached; None where not asked for."""
        return self._arrays[name]

    def level_sum(self) -> int:
        """Levels of the reached vertices, added up."""
        levels: Array = self.array("levels")
        # Where not reached the level is -1.
        return int(levels.sum(dtype=np.int64)) + self.n - self.counts.reached

    def vector(self, name: str) -> VectorData | None:
        """The output called `name` as storage; None where it was not asked for."""
        array = self._arrays[name]
        return None if array is None else self.storage(array)

    def storage(self, array: Array) -> VectorData:
        """One of the arrays as a vector: flags of the reached are shared by all outputs."""
        reached = self.counts.reached
        if reached == self.n:
            return VectorData(self.n, array)
        if self._flags is None:
            self._flags = array >= 0
            self._flags.flags.writeable = False
        return VectorData(self.n, array, present=self._flags, counted=reached)

    def give_back(self) -> None:
        """Let the arrays that nobody else refers to serve another search."""
        pool = None if self._pool is None else self._pool()
        if pool is None:
            return
        for name in list(self._arrays):
            array = self._arrays.pop(name)
            # Anything else that refers to the array, a view or a Vector, may still be read.
            if array is not None and sys.getrefcount(array) <= UNSHARED:
                pool.take_back(array)


class ListedResult(SearchResult):
    """What a search found that reached little: of every output only the entries, by vertex.

    Parameters
    ----------
    n : int
        Vertices of the graph.
    vertices : int64 array
        Those reached, rising.
    entries : dict
        Of every output its values at these vertices; None where it was not asked for.
    counts : Counts
    edges : int
    """

    def __init__(
        self,
        n: int,
        vertices: Array,
        entries: dict[str, Array | None],
        counts: Counts,
        edges: int,
    ) -> None:
        super().__init__(n, {}, counts, edges)
        self._vertices, self._entries = vertices, entries

    def array(self, name: str) -> Array | None:
        values = self._entries[name]
        if values is None:
            return None
        dense = np.full(self.n, -1, values.dtype)
        dense[self._vertices] = values
        return dense

    def vector(self, name: str) -> VectorData | None:
        values = self._entries[name]
        # Vectors are written in place, so that every output has vertices of its own.
        return None if values is None else VectorData(self.n, values, self._vertices.copy())


def _count_unshared() -> int:
    """What getrefcount says, on this interpreter, of an array that one local name refers to."""
    array = np.empty(0)
    return sys.getrefcount(array)


#: The references to an array that only one local name refers to, as getrefcount counts them.
UNSHARED = _count_unshared()


class Searches(Protocol):
    """What the searches of one matrix share; refers to no matrix, so a matrix may keep it."""

    #: Whether searches that several threads run are faster than as many one after the other.
    concurrent: bool
    #: How often the way of a search, to depth 0, should be gone before the first: that of an engine
    #: on a GPU is short beside what it takes for the first time.  Set to 0 by whoever does it.
    rehearsals: int

    @property
    def nbytes(self) -> int:
        """Bytes held, outputs that came back included."""

    def run(self, A: MatrixData, request: SearchRequest) -> SearchResult:
        """Search `A`, the matrix that this was made for."""


def searches_of(A: MatrixData, make: Callable[[MatrixData], Searches]) -> Searches:
    """What the searches of `A` share, kept with it; `make` is the engine's way to begin them."""
    derived = A.derived
    if derived.searches is None:
        made = make(A)
        with keeping:
            if derived.searches is None:
                derived.searches = made
    return cast(Searches, derived.searches)


def searches_elsewhere(A: MatrixData, make: Callable[[MatrixData], Searches]) -> Searches:
    """What the searches of `A` share on devices where it is not."""
    derived = A.derived
    if derived.searches_elsewhere is None:
        made = make(A)
        with keeping:
            if derived.searches_elsewhere is None:
                derived.searches_elsewhere = made
    return cast(Searches, derived.searches_elsewhere)


def distinct(source: int | Ints) -> tuple[Ints, Ints | None]:
    """Each source once, in order of first appearance, and where that was if any came twice."""
    if isinstance(source, int):
        return np.array([source], np.int64), None
    order = np.argsort(source, kind="stable")
    first = np.sort(order[is_first(np, source[order])])
    return source[first], (first if first.shape[0] < source.shape[0] else None)
