"""What a batch of breadth-first searches is asked for and what it finds, whichever engine runs it.

A batch is searched in one traversal.  Row v of packed bits has a bit a search: search j of a batch
is bit ``j % 64`` of word ``j // 64``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from spbfs.engines.bfs import Direction
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import keeping

__all__ = [
    "BatchResult",
    "FoundMany",
    "FoundSpread",
    "Idle",
    "ListedBatch",
    "ManyRequest",
    "ManySearches",
    "many_searches_of",
    "summed",
]

Array = Any
Ints = npt.NDArray[np.int64]


def summed(sizes: Ints) -> tuple[Ints, Ints, Ints]:
    """What `BatchResult.per_source` says, from level sizes."""
    level = np.arange(sizes.shape[1])
    deepest = np.where(sizes > 0, level, 0).max(axis=1, initial=0)
    return sizes.sum(axis=1), sizes @ level, deepest


class Workspace(Protocol):
    """What one batch at a time writes to."""

    @property
    def nbytes(self) -> int:
        """Bytes held."""


W = TypeVar("W", bound=Workspace)


class Idle(Generic[W]):
    """At most one workspace that no batch uses: the next batch of the same shape takes it.

    Popped and appended without a lock: both are atomic, and any number of threads may search.
    """

    def __init__(self) -> None:
        self._idle: list[W] = []

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return sum(workspace.nbytes for workspace in list(self._idle))

    def take(self, fits: Callable[[W], bool]) -> W | None:
        """The workspace if it fits; one that does not is given up."""
        try:
            workspace = self._idle.pop()
        except IndexError:
            return None
        return workspace if fits(workspace) else None

    def peek(self, fits: Callable[[W], bool]) -> W | None:
        """The workspace if it fits, which stays for others to take."""
        return next((workspace for workspace in list(self._idle) if fits(workspace)), None)

    def give_back(self, workspace: W) -> None:
        """Let the next batch have it."""
        if not self._idle:
            self._idle.append(workspace)


@dataclass(slots=True)
class ManyRequest:
    """What every batch of a call is asked for, checked."""

    #: Whether levels, or the vertices of every level, will be asked for.
    levels: bool = False
    #: Whether `BatchResult.add_counts` will be asked for sums of levels.
    level_sums: bool = False
    #: A row of n a source of the whole call, of the matrix's index type, on its device.
    parents: Array | None = None
    #: Levels of the whole call, in an array of the engine that the depth may turn out to need
    #: wider: an engine may write to it before it knows the depth, so that the host waits once.
    early_levels: Array | None = None
    max_depth: int | None = None
    direction: Direction = "auto"
    threads: int | None = None
    #: Whether anything will be asked for that needs the vertices that were found.
    lists: bool = False
    #: What `ManySearches.begin` has begun, until `batch` goes on with it.
    begun: Any = None


class FoundMany(Protocol):
    """What several searches found, however they were made."""

    depth: int
    #: Vertices of all joint frontiers: one that several searches have at a level counts once.  0
    #: where the engine does not count them.
    joint: int

    @property
    def edges(self) -> int:
        """Stored entries in the rows of what was reached, summed over searches."""

    def per_source(self) -> tuple[Ints, Ints, Ints]:
        """On the host, per search: vertices reached, the sum of their levels, the largest level."""

    def level_sizes(self) -> Ints:
        """On the host, searches x (depth + 1): how many vertices each has at every level."""

    def levels(self, out: Array, rows: Ints) -> None:
        """Write the level of every vertex, the dtype's maximum where not reached.

        Parameters
        ----------
        out : array, uint8, uint16 or uint32, C-contiguous, n columns
            Of the engine, or on the host.
        rows : int64 array
            Which row of `out` is whose; one a search.
        """

    def add_counts(self, counts: Array | None, level_sums: Array | None) -> None:
        """Add to every vertex how many searches reach it, and the sum of their levels, int64."""


class BatchResult(FoundMany, Protocol):
    """What a batch searched in one traversal found; valid until the batch is left."""

    def level_bits(self, level: int) -> Array:
        """The vertices at exactly this level: n x words of uint64."""


class ListedBatch:
    """What searches found that reach little: lists, on the host; see `FoundMany`.

    Attributes
    ----------
    ended, gave_up : int64 array
        Which of the searches, by position, are in here, and which looked at too much; of those in
        neither the caller may ask again.
    vertices, hops, parents : array or None
        What every search that ended found, by level and then by vertex, one search's after the
        other's; None where lists were not asked for.
    """

    def __init__(
        self,
        n: int,
        ended: Ints,
        gave_up: Ints,
        numbers: Ints,
        vertices: Array | None,
        hops: Array | None,
        parents: Array | None,
    ) -> None:
        self.ended, self.gave_up = ended, gave_up
        self.vertices, self.hops, self.parents = vertices, hops, parents
        self._n = n
        self._reached, self._sums, self._depths, edges = numbers
        self.depth = int(self._depths.max(initial=0))
        self.joint = int(self._reached.sum())
        self.edges = int(edges.sum())

    def per_source(self) -> tuple[Ints, Ints, Ints]:
        return self._reached, self._sums, self._depths

    def searches(self) -> Ints:
        """For every entry of the lists which of those that ended it belongs to."""
        return np.repeat(np.arange(self._reached.shape[0]), self._reached)

    def level_sizes(self) -> Ints:
        assert self.hops is not None
        k, levels = self._reached.shape[0], self.depth + 1
        return np.bincount(self.searches() * levels + self.hops, minlength=k * levels).reshape(
            k, levels
        )

    def levels(self, out: Array, rows: Ints) -> None:
        out[rows] = np.iinfo(out.dtype).max
        out[rows[self.searches()], self.vertices] = self.hops

    def write_parents(self, out: Array, rows: Ints) -> None:
        """Write the parents that were asked for, -1 where not reached, as `levels` does."""
        out[rows] = -1
        out[rows[self.searches()], self.vertices] = self.parents

    def add_counts(self, counts: Array | None, level_sums: Array | None) -> None:
        assert self.vertices is not None
        if counts is not None:
            counts += np.bincount(self.vertices, minlength=self._n)
        if level_sums is not None:
            # Sums of doubles are exact up to 2^53.
            sums = np.bincount(self.vertices, weights=self.hops, minlength=self._n)
            level_sums += sums.astype(np.int64)


@dataclass(frozen=True, slots=True)
class FoundSpread:
    """What searches found of a matrix that is spread over processes.

    Attributes
    ----------
    level_sizes : int64 array, searches x (depth + 1)
        On the host, the same in all processes.
    edges : int
        Stored entries in the rows of what was reached, summed over searches.
    levels : list or None
        A vector's storage for every search, where they were asked for.
    vectors : dict
        Storage of "counts" and "level_sums" where they were asked for.
    parents : list or None
        As `levels`.
    """

    level_sizes: Ints
    edges: int
    levels: list[Any] | None
    vectors: dict[str, Any]
    parents: list[Any] | None = None


class ManySearches(Protocol):
    """Runs batches of searches of one matrix, with the workspace that they share."""

    @property
    def nbytes(self) -> int:
        """Bytes of workspace and layout held."""

    def room(self, enough: int | None = None) -> int:
        """Bytes that a batch could have; some number of at least `enough` where there are more."""

    def needed(self, searches: int, request: ManyRequest) -> int:
        """Bytes of workspace that a batch of so many searches needs, an idle one's included; what
        `begin` has begun has them."""

    def expect(self, A: MatrixData, searches: int) -> None:
        """Batches of so many searches of `A` are likely to follow: what takes long to get ready,
        and not the caller's time, may begin."""

    def begin(
        self, A: MatrixData, sources: Array, max_depth: int | None, direction: Direction
    ) -> Any:
        """Begin to search from all sources of a call in one batch, where nothing has to be made for
        it first: it runs while the caller makes what it fills, and `batch` goes on with it.

        Sources may be on the engine's device, int32 or int64 and C-contiguous, not checked, and not
        written to until the search has ended.  What it gives goes into the request,
        `ManyRequest.begun`, or to `give_up`; None where nothing has begun.
        """

    def give_up(self, begun: Any) -> None:
        """Nobody goes on with what `begin` gave."""

    def batch_size(self, sources: int) -> int:
        """How many of so many sources are best searched at once, memory permitting."""

    def batch(
        self, A: MatrixData, sources: Ints, rows: Ints, request: ManyRequest
    ) -> AbstractContextManager[BatchResult]:
        """Search `A`, the matrix that this was made for, from at most 1024 sources.

        `rows` says which row of the call's outputs is whose.
        """

    def listed(
        self, A: MatrixData, sources: Ints, request: ManyRequest, most_edges: int, most_rows: int
    ) -> ListedBatch | None:
        """A search of its own from each source, in lists; None where the engine has no such way.

        One gives up before it looks at more than `most_edges`, and none begins when there are
        `most_rows` entries in the lists.  Parents go to the lists, not to the request's array.
        """


def many_searches_of(A: MatrixData, make: Callable[[MatrixData], ManySearches]) -> ManySearches:
    """What joined searches of `A` share, kept with it; `make` is the engine's way to begin them."""
    derived = A.derived
    if derived.many_searches is None:
        made = make(A)
        with keeping:
            if derived.many_searches is None:
                derived.many_searches = made
    return cast(ManySearches, derived.many_searches)
