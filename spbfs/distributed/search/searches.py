"""Breadth-first searches of a distributed matrix: which of the two, and what every rank is told.

With one source and any tree a search exchanges who is on the frontier and nothing else (`search`).
Where the least parent or the nearest source is asked for, candidates cross with the vertices
(`keyed`).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from spbfs.distributed.parts.storage import DistributedMatrix, DistributedVector
from spbfs.distributed.search.keyed import search_by_keys
from spbfs.distributed.search.search import search
from spbfs.engines.bfs import Counts, SearchRequest, SearchResult, distinct, named
from spbfs.exceptions import InvalidValue
from spbfs.storage.data import VectorData

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["DistributedResult", "DistributedSearches"]

Array = Any


class DistributedResult(SearchResult):
    """What a search found: an array of this rank's elements for every output."""

    def __init__(
        self,
        engine: DistributedEngine,
        arrays: dict[str, Array | None],
        counts: Counts,
        edges: int,
    ) -> None:
        super().__init__(engine.partition.n, arrays, counts, edges)
        self._engine = engine

    def storage(self, array: Array) -> Any:
        """One of the arrays as a vector over all ranks."""
        engine = self._engine
        here, staging = array >= 0, engine.staging
        part = VectorData(engine.own, array, present=here, counted=staging.count_true(here))
        made = engine.from_staging(staging.choose_form(part))
        return DistributedVector(engine.partition, made, self.counts.reached)


class DistributedSearches:
    """The searches of one matrix, which all ranks make together."""

    #: Those of two threads would meet one another's messages.
    concurrent = False
    rehearsals = 0
    nbytes = 0

    def __init__(self, engine: DistributedEngine, A: DistributedMatrix) -> None:
        self._engine = engine

    def run(self, A: Any, request: SearchRequest) -> SearchResult:
        """Search `A`, the matrix that this was made for."""
        engine = self._engine
        _check(request)
        started = time.perf_counter()
        sources, positions = distinct(request.source)
        keyed = request.parents == "min" or request.several
        if keyed:
            found = search_by_keys(engine, A, request, sources, positions)
        else:
            found = search(engine, A, request, int(sources[0]))
        seconds = time.perf_counter() - started
        counts = Counts(
            found.depth,
            found.reached,
            seconds,
            named(found.trace, request.schedule) if request.traced else None,
        )
        return DistributedResult(engine, found.arrays, counts, found.edges)


def _check(request: SearchRequest) -> None:
    """Refuse what searches over ranks do not have."""
    for name, given in (("relabel", request.relabel), ("neighbours", request.neighbours)):
        if given not in ("auto", None):
            raise InvalidValue(f"{name}: expected 'auto' or None over ranks, got {given!r}")
    if request.part_edges is not None:
        raise InvalidValue(f"part_edges: expected None over ranks, got {request.part_edges}")
