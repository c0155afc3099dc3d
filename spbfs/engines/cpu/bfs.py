"""Breadth-first search on the CPU: the whole traversal in one native call."""

from __future__ import annotations

import time

from spbfs.base.threads import resolve_threads
from spbfs.engines.bfs import Counts, LevelTrace, SearchRequest, SearchResult, distinct
from spbfs.engines.cpu.bfs_listed import list_one
from spbfs.engines.cpu.bfs_workspace import Workspace
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.transpose import is_symmetric, transposed
from spbfs.planner.search import CPU_SEARCH
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import known_transpose

__all__ = ["CpuSearches"]

_RATES = kernels.BfsRates(CPU_SEARCH)


class CpuSearches:
    """The searches of one matrix by ``kernels/cpu/bfs.cpp``, with the workspace they share.

    Any number of threads may search at once; each search beyond the first has workspace of its own
    for as long as it runs.
    """

    concurrent = True

    def __init__(self, A: MatrixData) -> None:
        self._workspace = Workspace(A.nrows, A.indices.dtype)

    @property
    def nbytes(self) -> int:
        """Bytes of workspace held, and of outputs that came back."""
        return self._workspace.nbytes

    def run(self, A: MatrixData, request: SearchRequest) -> SearchResult:
        """Search `A`, the matrix that this was made for."""
        n, workspace = A.nrows, self._workspace
        sources, positions = distinct(request.source)
        listed = list_one(A, request, sources, positions, workspace.marks)
        if listed is not None:
            return listed
        several = sources.shape[0] > 1
        workers = resolve_threads(request.threads)
        # Owners and least parents are found by the levels of a vertex's in-neighbours.
        least = several or request.parents == "min"
        in_edges = _in_edges(A, needed=request.direction != "push" or least)
        no_in_edges = workspace.no_in_edges(in_edges)
        pattern = A if in_edges is None else in_edges
        longest_row = workspace.longest_row(A)
        # Least parents are not those found first, and a push probes nobody.
        hubs = None
        if request.direction != "push" and not least:
            hubs = workspace.hubs(pattern, workers, planned=request.planned)
        with workspace.scratch(workers) as (lists, bitmaps):
            level = workspace.output() if request.levels or least else None
            parent = workspace.output() if request.parents else None
            owner = workspace.output() if several else None
            started = time.perf_counter()
            if least:
                for array in (level, owner):
                    if array is not None:
                        array.fill(-1)
            depth, reached, edges, rows = kernels.bfs(
                A.indptr,
                A.indices,
                pattern.indptr,
                pattern.indices,
                sources.astype(A.indices.dtype),
                no_in_edges,
                level,
                parent,
                owner,
                hubs,
                lists,
                bitmaps,
                longest_row,
                n if request.max_depth is None else min(request.max_depth, n),
                -1 if request.target is None else request.target,
                request.direction,
                request.parents == "min",
                _RATES,
                workers,
                request.traced,
            )
            if owner is not None and positions is not None:
                owner[owner >= 0] = positions[owner[owner >= 0]]
            seconds = time.perf_counter() - started
        steps = [LevelTrace(f, e, "pull" if pull else "push", s) for f, e, pull, s in rows]
        trace = steps if request.traced else None
        wanted = level if request.levels else None
        return SearchResult(
            n,
            {"levels": wanted, "parents": parent, "owners": owner},
            Counts(depth, reached, seconds, trace),
            edges,
            workspace,
        )


def _in_edges(data: MatrixData, *, needed: bool) -> MatrixData | None:
    """A matrix with the pattern of the transpose of `data`; None where it need not be made."""
    if (needed or data.derived.symmetric is not None) and is_symmetric(data):
        return data
    return transposed(data) if needed else known_transpose(data)
