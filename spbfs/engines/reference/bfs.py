"""Breadth-first search as textbooks write it: the judge of the fused searches."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from spbfs.engines.bfs import Counts, LevelTrace, SearchRequest, SearchResult, distinct
from spbfs.storage.data import MatrixData

__all__ = ["ReferenceSearches"]


class ReferenceSearches:
    """The searches of one matrix by `search`, which keeps nothing; parents are always the least."""

    nbytes = 0
    concurrent = False

    def run(self, A: MatrixData, request: SearchRequest) -> SearchResult:
        """Search `A`."""
        sources, positions = distinct(request.source)
        limit = A.nrows if request.max_depth is None else request.max_depth
        target = -1 if request.target is None else request.target
        started = time.perf_counter()
        level, parent, owner, steps = search(A, sources.tolist(), limit, target)
        if positions is not None:
            owner[owner >= 0] = positions[owner[owner >= 0]]
        seconds = time.perf_counter() - started
        reached = level >= 0
        level, parent, owner = (a.astype(A.indices.dtype) for a in (level, parent, owner))
        trace = [LevelTrace(f, e, "push", s) for f, e, s in steps] if request.traced else None
        edges = int(np.diff(A.indptr)[reached].sum())
        return SearchResult(
            A.nrows,
            {
                "levels": level if request.levels else None,
                "parents": parent if request.parents else None,
                "owners": owner if sources.shape[0] > 1 else None,
            },
            Counts(int(level.max()), int(np.count_nonzero(reached)), seconds, trace),
            edges,
        )


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
    indptr, indices = A.indptr.tolist(), A.indices.tolist()
    levels, parents, owners = ([-1] * A.nrows for _ in range(3))
    for position, source in enumerate(sources):
        levels[source], parents[source], owners[source] = 0, source, position
    frontier, depth, steps = list(sources), 0, []
    while frontier and depth < max_depth and not (target >= 0 and levels[target] >= 0):
        found: dict[int, tuple[int, int]] = {}
        edges, started = 0, time.perf_counter()
        for u in frontier:
            for v in indices[indptr[u] : indptr[u + 1]]:
                edges += 1
                if levels[v] < 0:
                    found[v] = min(found.get(v, (owners[u], u)), (owners[u], u))
        depth += 1
        for v, (owner, parent) in found.items():
            levels[v], parents[v], owners[v] = depth, parent, owner
        steps.append((len(frontier), edges, time.perf_counter() - started))
        frontier = list(found)
    return np.array(levels), np.array(parents), np.array(owners), steps
