"""Breadth-first search as textbooks write it: the judge of the fused searches."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from spbfs.engines.bfs import (
    Counts,
    LevelTrace,
    ListedResult,
    SearchRequest,
    SearchResult,
    distinct,
    named,
)
from spbfs.engines.reference.entries import entries_of
from spbfs.storage.data import MatrixData

__all__ = ["ReferenceSearches"]


class ReferenceSearches:
    """The searches of one matrix by `search`, which keeps nothing; parents are always the least."""

    nbytes = 0
    concurrent = False
    rehearsals = 0

    def run(self, A: MatrixData, request: SearchRequest) -> SearchResult:
        """Search `A`."""
        sources, positions = distinct(request.source)
        limit = A.nrows if request.max_depth is None else request.max_depth
        target = -1 if request.target is None else request.target
        started = time.perf_counter()
        neighbours = neighbours_of(A)
        found, steps = explored(neighbours, sources.tolist(), limit, target)
        seconds = time.perf_counter() - started
        vertices = np.array(sorted(found), np.int64)
        level, parent, owner = np.array([found[v] for v in vertices.tolist()], np.int64).T
        if positions is not None:
            owner = positions[owner]
        kind = A.indices.dtype
        entries = {
            "levels": level.astype(kind) if request.levels else None,
            "parents": parent.astype(kind) if request.parents else None,
            "owners": owner.astype(kind) if request.several else None,
        }
        trace = None
        if request.traced:
            trace = named([LevelTrace(f, e, "push", s) for f, e, s in steps], request.schedule)
        counts = Counts(int(level.max()), vertices.shape[0], seconds, trace)
        edges = sum(len(neighbours(v)) for v in found)
        return ListedResult(A.nrows, vertices, entries, counts, edges)


def neighbours_of(A: MatrixData) -> Callable[[int], list[int]]:
    """Says where the edges of a vertex lead."""
    rows: dict[int, list[int]] = {}
    for u, v in entries_of(A):
        rows.setdefault(u, []).append(v)
    return lambda u: rows.get(u, [])


def search(
    A: MatrixData, sources: list[int], max_depth: int, target: int
) -> tuple[Any, Any, Any, list[tuple[int, int, float]]]:
    """Levels, least parents and owners of every vertex (-1: not reached), and what each level had.

    Parameters
    ----------
    A : MatrixData
        Square; an entry (u, v) is an edge from u to v.
    sources : list of int
        Distinct; the owner of a vertex is a position in this list, the least of the nearest.
    max_depth : int
        No vertex deeper than this is visited.
    target : int
        The search stops after the level that has this vertex; -1 for none.

    Returns
    -------
    levels, parents, owners : ndarray of int64
        The parent is the least vertex among those of the previous level that have the owner.
    steps : list of (int, int, float)
        Vertices, out-edges and seconds of every frontier that was expanded.
    """
    found, steps = explored(neighbours_of(A), sources, max_depth, target)
    columns = np.full((A.nrows, 3), -1, np.int64)
    for v, row in found.items():
        columns[v] = row
    levels, parents, owners = columns.T
    return levels, parents, owners, steps


def explored(
    neighbours: Callable[[int], list[int]], sources: list[int], max_depth: int, target: int
) -> tuple[dict[int, tuple[int, int, int]], list[tuple[int, int, float]]]:
    """What `search` finds, as ``{vertex: (level, parent, owner)}`` of those reached."""
    reached = {source: (0, source, position) for position, source in enumerate(sources)}
    frontier, depth, steps = list(sources), 0, []
    while frontier and depth < max_depth and target not in reached:
        found: dict[int, tuple[int, int]] = {}
        edges, started = 0, time.perf_counter()
        for u in frontier:
            owner = reached[u][2]
            for v in neighbours(u):
                edges += 1
                if v not in reached:
                    found[v] = min(found.get(v, (owner, u)), (owner, u))
        depth += 1
        for v, (owner, parent) in found.items():
            reached[v] = depth, parent, owner
        steps.append((len(frontier), edges, time.perf_counter() - started))
        frontier = list(found)
    return reached, steps
