"""What an engine is asked and answers about shortest paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from spbfs.storage.data import MatrixData, VectorData

__all__ = [
    "BfsDag",
    "DistancesByPotential",
    "DistancesFromEach",
    "FoundPaths",
    "PathBetween",
    "PathRequest",
    "ShortestPaths",
    "TopologicalLevels",
    "WidestPaths",
]

Array = Any  # numpy.ndarray or cupy.ndarray


@dataclass(frozen=True, slots=True)
class PathRequest:
    """A search over lengths that are not negative: where from, how far, and what of it."""

    sources: Array  # distinct
    limit: float | None
    target: int | None
    tree: bool
    threads: int | None
    #: Of the lengths.
    mean: float
    greatest: float


class FoundPaths(NamedTuple):
    """Distances in INT64 or FP64; parents and, of several sources, positions of the nearest.

    No parents where the engine leaves the tree to products.
    """

    distances: VectorData
    parents: VectorData | None
    owners: VectorData | None
    edges: int


class ShortestPaths(Protocol):
    """Shortest paths in a square matrix whose values are no less than 0."""

    def __call__(self, A: MatrixData, request: PathRequest) -> FoundPaths:
        """What `sssp` promises, of ties too."""


class DistancesFromEach(Protocol):
    """Searches in a square matrix whose values are no less than 0, concurrent as threads allow."""

    def __call__(self, A: MatrixData, request: PathRequest, none: Any, rows: Array) -> None:
        """Writes the distances from each of the sources to a row of host memory, `none` where no
        path leads.

        The rows are contiguous, INT64 where lengths are integers or Boolean, else FP64.  There is
        no limit, target or tree in the request.
        """


class DistancesByPotential(Protocol):
    """Searches in a square matrix of FP64 whose values may be negative, around no cycle."""

    def __call__(
        self, A: MatrixData, potential: Array, sources: Array, rows: Array, threads: int | None
    ) -> bool:
        """Writes the distances that `sssp` finds from each of the sources to a row of host memory,
        infinity where no path leads; False where that would take too long.

        The potential of a vertex, in host memory, is about its distance from the nearest source.
        """


class PathBetween(Protocol):
    """A path of fewest edges in a square matrix."""

    def __call__(self, A: MatrixData, source: int, target: int) -> Array:
        """Its vertices, both ends included, int64 in host memory; none where there is no path."""


class BfsDag(Protocol):
    """All paths of fewest edges in a square matrix from the nearest of some sources."""

    def __call__(self, A: MatrixData, sources: Array) -> tuple[VectorData, Array, VectorData]:
        """Levels in INT64; of every entry whether such a path uses it; how many of them there are
        to each vertex, in FP64.  The sources are distinct, int64 in host memory."""


class TopologicalLevels(Protocol):
    """How many edges the longest path to every vertex of a square matrix has."""

    def __call__(self, A: MatrixData) -> VectorData:
        """They in INT64; none of whoever is on a cycle, or behind one."""


class WidestPaths(Protocol):
    """Widths of the widest paths in a square matrix of INT64 or FP64, no value NaN."""

    def __call__(self, A: MatrixData, sources: Array, widest: Any) -> VectorData:
        """To every vertex that one of the sources reaches, in the type of the matrix; `widest` to
        the sources, which are distinct, int64 in host memory."""
