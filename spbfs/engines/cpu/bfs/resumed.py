"""The CPU's part in a search that another engine goes on with: ``cpu/bfs/bfs_resumed.cpp``."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.base.threads import resolve_threads
from spbfs.engines.bfs import (
    DIRECTIONS,
    Counts,
    Ints,
    LevelTrace,
    SearchRequest,
    SearchResult,
    named,
)
from spbfs.engines.bfs_resumed import VERTEX, Ended, Expanded, Finds, Moved, Room, VertexSet
from spbfs.engines.cpu.bfs.workspace import Workspace
from spbfs.engines.cpu.native import kernels
from spbfs.planner.strategies import Run
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import on_host
from spbfs.storage.packed import popcounts

__all__ = ["CpuResumable"]

Array = Any
Words = npt.NDArray[np.uint64]


class CpuResumable:
    """Levels by the compiled search, between which the visited set and the frontier are bits.

    Parameters
    ----------
    A, in_edges : MatrixData
    workspace : Workspace
        That of the searches of `A`.
    request : SearchRequest
    sources : int64 array
        Distinct.
    rates : BfsRates
    """

    def __init__(
        self,
        A: MatrixData,
        in_edges: MatrixData,
        workspace: Workspace,
        request: SearchRequest,
        sources: Ints,
        rates: Any,
    ) -> None:
        self._A, self._in_edges, self._workspace = A, in_edges, workspace
        self._request, self._sources, self._rates = request, sources, rates
        self._threads = resolve_threads(request.threads)
        #: Only what is written of vertices that were found here means anything.
        self._levels = workspace.output()
        self._parents = workspace.output() if request.parents else None
        self._unreachable: Words = workspace.no_in_edges(in_edges)
        self._frontier: Words = _bits_of(sources, A.nrows)
        self._visited: Words = self._unreachable | self._frontier
        #: The visited set as another engine knows it, and what was found here.
        self._known = self._visited.copy()
        self._found = np.zeros_like(self._visited)

    def expand(self, run: Run, level: int, last_level: int, *, explored: int) -> Expanded:
        """Expand the frontier of `level`, and on to `last_level` at most."""
        A, request, workspace = self._A, self._request, self._workspace
        direction, schedule = request.scheduled(run.strategies).directions()
        pattern = self._in_edges
        pulls = direction != "push" or DIRECTIONS.index("pull") in schedule
        hubs = workspace.hubs(pattern, self._threads, planned=request.planned) if pulls else None
        traced = request.traced or run.levels is not None
        words = self._visited.shape[0]
        with workspace.scratch(self._threads) as (lists, bitmaps):
            bitmaps[:words], bitmaps[words : 2 * words] = self._visited, self._frontier
            depth, vertices, edges, rows = kernels.bfs_resumed(
                A.indptr,
                A.indices,
                pattern.indptr,
                pattern.indices,
                self._levels,
                self._parents,
                hubs,
                lists,
                bitmaps,
                workspace.longest_row(A),
                level,
                explored,
                last_level,
                -1 if request.target is None else request.target,
                direction,
                np.frombuffer(schedule, np.uint8) if schedule else None,
                self._rates,
                self._threads,
                traced,
            )
            self._found |= bitmaps[:words] & ~self._visited
            self._visited[:], self._frontier[:] = bitmaps[:words], bitmaps[words : 2 * words]
        steps = [LevelTrace(f, e, "pull" if pull else "push", s) for f, e, pull, s in rows]
        over = depth < last_level or vertices == 0 or self._has(request.target)
        return Expanded(depth, vertices, edges, over, named(steps, run.strategies))

    def _has(self, target: int | None) -> bool:
        """Whether a vertex was found here."""
        if target is None:
            return False
        return bool(int(self._found[target >> 6]) >> (target & 63) & 1)

    def give(self, room: Room) -> Moved:
        """What another engine needs to go on."""
        found = self._visited & ~self._known & ~self._frontier
        self._known[:] = self._visited
        return Moved(_moved(self._frontier, room), _moved(found, room))

    def take(self, moved: Moved, level: int) -> None:
        """Go on from where another engine ended, at `level`."""
        n = self._A.nrows
        self._frontier = _words(moved.frontier, n)
        self._visited |= self._frontier | _words(moved.found, n)
        self._known[:] = self._visited

    def finds(self) -> Finds:
        """What was found here; the last that is asked of this part."""
        vertices = _listed(self._found)
        levels, parents = self._levels[vertices], None
        self._workspace.take_back(self._levels)
        if self._parents is not None:
            parents = self._parents[vertices]
            self._workspace.take_back(self._parents)
        return Finds(vertices, levels, parents)

    def add(self, finds: Finds) -> None:
        """Write what another engine found among the levels and parents here."""
        vertices = on_host(finds.vertices)
        self._found |= _bits_of(vertices, self._A.nrows)
        for mine, theirs in ((self._levels, finds.levels), (self._parents, finds.parents)):
            if mine is not None and theirs is not None:
                mine[vertices] = on_host(theirs)

    def result(self, positions: Ints | None, ended: Ended) -> SearchResult:
        """What was found, by this engine alone."""
        A, found, sources = self._A, self.finds(), self._sources
        levels = np.full(A.nrows, -1, A.indices.dtype)
        levels[found.vertices], levels[sources] = found.levels, 0
        parents = None
        if found.parents is not None:
            parents = np.full_like(levels, -1)
            parents[found.vertices], parents[sources] = found.parents, sources
        reached = levels >= 0
        edges = int(np.diff(A.indptr)[reached].sum())
        seconds = time.perf_counter() - ended.started
        counts = Counts(ended.depth, int(np.count_nonzero(reached)), seconds, ended.trace)
        wanted = levels if self._request.levels else None
        return SearchResult(
            A.nrows, {"levels": wanted, "parents": parents, "owners": None}, counts, edges
        )


def _bits_of(vertices: Ints, n: int) -> Words:
    words = np.zeros(-(-n // 64), np.uint64)
    at, bits = vertices >> 6, np.uint64(1) << (vertices & 63).astype(np.uint64)
    np.bitwise_or.at(words, at, bits)
    return words


def _moved(words: Words, room: Room) -> VertexSet:
    """A set as a list or as bits, whichever is smaller."""
    count = int(popcounts(words).sum())
    listed = count * VERTEX < words.nbytes
    memory = room(count * VERTEX if listed else words.nbytes)
    if listed:
        memory.view(np.int32)[:] = _listed(words)
    else:
        memory.view(np.uint64)[:] = words
    return VertexSet(count, listed, memory)


def _listed(words: Words) -> Ints:
    """The vertices whose bits are set, looking into words only that have some."""
    at = np.flatnonzero(words)
    bits = np.unpackbits(words[at].view(np.uint8), bitorder="little").reshape(-1, 64)
    word, bit = np.nonzero(bits)
    return at[word] * 64 + bit


def _words(moved: VertexSet, n: int) -> Words:
    if moved.listed:
        return _bits_of(moved.memory.view(np.int32).astype(np.int64), n)
    return moved.memory.view(np.uint64).copy()
