"""What an engine is asked and answers about shortest paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from spbfs.storage.data import MatrixData, VectorData

__all__ = ["DistancesFromEach", "FoundPaths", "PathRequest", "ShortestPaths"]

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
