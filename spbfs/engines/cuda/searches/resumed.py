"""The GPU's part in a search that another engine goes on with: fused searches from a state.

A search is seeded with what is visited and with its frontier, as those are that run ahead of a
loop, and its levels count from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cupy as cp
import numpy as np

from spbfs.engines.bfs import (
    DIRECTIONS,
    Ints,
    LevelTrace,
    SearchRequest,
    SearchResult,
    named,
)
from spbfs.engines.bfs_resumed import VERTEX, Ended, Expanded, Finds, Moved, Room, VertexSet
from spbfs.engines.cuda.bfs import seeding
from spbfs.engines.cuda.bfs.result import level_traces
from spbfs.engines.cuda.bfs.state import TRACE_ROWS, SearchSummary
from spbfs.engines.cuda.runtime.counting import count_true
from spbfs.planner.strategies import Run
from spbfs.storage.data import MatrixData

if TYPE_CHECKING:
    from spbfs.engines.cuda.searches.device import CudaSearches

__all__ = ["CudaResumable"]

Array = Any


class CudaResumable:
    """Levels by the fused search, between which the frontier is a list and the visited set flags.

    Parameters
    ----------
    A : MatrixData
    searches : CudaSearches
        Those of `A`.
    request : SearchRequest
    sources : int64 array
        Distinct, in host memory.
    """

    def __init__(
        self, A: MatrixData, searches: CudaSearches, request: SearchRequest, sources: Ints
    ) -> None:
        n = A.nrows
        self._A, self._searches, self._request = A, searches, request
        self._sources = self._frontier = cp.asarray(sources.astype(np.int32))
        self._visited = cp.zeros(n, np.bool_)
        self._visited[self._frontier] = True
        #: Of what was found here, and of the sources.
        self.levels = cp.full(n, -1, np.int32)
        self.levels[self._frontier] = 0
        self.parents = None
        if request.parents:
            self.parents = cp.full(n, -1, np.int32)
            self.parents[self._frontier] = self._frontier
        #: Of the frontier, and of the one that another engine left.
        self._level = self._taken = 0

    def expand(self, run: Run, level: int, last_level: int, *, explored: int) -> Expanded:
        """Expand the frontier of `level`, and on to `last_level` at most."""
        A, request = self._A, self._request.scheduled(run.strategies)
        levels, parents, depth, rows = self._launch(
            request, last_level - level, request.traced or run.levels is not None
        )
        found = levels > 0
        self.levels = cp.where(found, levels + level, self.levels)
        if parents is not None:
            self.parents = cp.where(found, parents, self.parents)
        self._visited |= found
        steps: list[LevelTrace] = []
        if rows is not None:
            record = rows[: depth + 2].get()
            steps = named(level_traces(record, levels, A.indptr, depth), run.strategies)
        self._level = level + depth
        # What a run of no level leaves is what it began with.
        if depth > 0:
            self._frontier = cp.flatnonzero(levels == depth).astype(np.int32)
        over = self._level < last_level or self._found(request.target)
        return Expanded(self._level, self._frontier.shape[0], self._edges(), over, steps)

    def _found(self, target: int | None) -> bool:
        return target is not None and bool(self.levels[target] >= 0)

    def _launch(
        self, request: SearchRequest, most_levels: int, recorded: bool
    ) -> tuple[Array, Array | None, int, Array | None]:
        """Levels from the frontier on, the parents of what was found, the depth and its record."""
        A, frontier, stream = self._A, self._frontier, cp.cuda.get_current_stream()
        n = A.nrows
        levels = cp.empty(n, np.int32)
        parents = cp.empty(n, np.int32) if request.parents else None
        sources, words = cp.empty(frontier.shape[0], np.int32), cp.zeros(2, np.uint32)
        kind = request.layout, bool(request.schedule)
        depth, rows = min(most_levels, TRACE_ROWS), 0
        while depth + 3 > rows:
            rows = depth + 3
            record = cp.zeros((rows, 4), np.int64) if recorded else None
            with self._searches.borrowed(A, kind) as (search, summary):
                seeding.mark(None, self._visited, search.start(), levels)
                seeds = frontier.data.ptr, VERTEX, frontier.shape[0]
                seeding.seed(seeds, None, search.start(), levels, sources, words)
                search.launch(
                    stream.ptr,
                    sources,
                    levels,
                    parents,
                    most_levels,
                    request.target,
                    DIRECTIONS.index(request.directions()[0]),
                    summary,
                    request.schedule,
                    record,
                )
                stream.synchronize()
                depth = SearchSummary.read(summary, n).depth
            if not recorded:
                break
        return levels, parents, depth, record

    def _edges(self) -> int:
        offsets = self._A.indptr
        return int((offsets[self._frontier + 1] - offsets[self._frontier]).astype(np.int64).sum())

    def give(self, room: Room) -> Moved:
        """What another engine needs to go on."""
        n = self._A.nrows
        found = (self.levels > self._taken) & (self.levels < self._level)
        frontier = cp.zeros(n, np.bool_)
        frontier[self._frontier] = True
        self._taken = self._level
        sets = self._moved(frontier, room), self._moved(found, room)
        cp.cuda.get_current_stream().synchronize()
        return Moved(*sets)

    @staticmethod
    def _moved(flags: Array, room: Room) -> VertexSet:
        """A set as a list or as bits, whichever is smaller, on its way to the host."""
        count, nbytes = count_true(flags), _bytes_of(flags.shape[0])
        listed = count * VERTEX < nbytes
        if listed:
            there = cp.flatnonzero(flags).astype(np.int32).view(np.uint8)
        else:
            there = cp.zeros(nbytes, np.uint8)
            packed = cp.packbits(flags, bitorder="little")
            there[: packed.shape[0]] = packed
        memory = room(there.shape[0])
        there.get(out=memory)
        return VertexSet(count, listed, memory)

    def take(self, moved: Moved, level: int) -> None:
        """Go on from where another engine ended, at `level`."""
        self._level = self._taken = level
        frontier = self._flags(moved.frontier)
        self._visited |= frontier | self._flags(moved.found)
        self._frontier = cp.flatnonzero(frontier).astype(np.int32)
        cp.cuda.get_current_stream().synchronize()

    def _flags(self, moved: VertexSet) -> Array:
        n = self._A.nrows
        there = cp.empty(moved.memory.shape[0], np.uint8)
        there.set(moved.memory)
        if not moved.listed:
            return cp.unpackbits(there, bitorder="little")[:n].view(np.bool_)
        flags = cp.zeros(n, np.bool_)
        flags[there.view(np.int32)] = True
        return flags

    def finds(self) -> Finds:
        """What was found here, and the sources."""
        vertices = cp.flatnonzero(self.levels >= 0)
        parents = None if self.parents is None else self.parents[vertices]
        return Finds(vertices, self.levels[vertices], parents)

    def add(self, finds: Finds) -> None:
        """Write what another engine found among the levels and parents here."""
        vertices = cp.asarray(finds.vertices.astype(np.int32))
        for mine, theirs in ((self.levels, finds.levels), (self.parents, finds.parents)):
            if mine is not None and theirs is not None:
                mine[vertices] = cp.asarray(theirs.astype(np.int32, copy=False))

    def result(self, positions: Ints | None, ended: Ended) -> SearchResult:
        """What was found in all."""
        return self._searches.resumed_result(
            self._A, self._request, self._sources, positions, (self.levels, self.parents), ended
        )


def _bytes_of(n: int) -> int:
    """Bytes of so many bits, in words of 64."""
    return -(-n // 64) * 8
