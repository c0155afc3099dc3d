"""One call of ``kernels/cpu/bfs/bfs.cpp``: arrays from a workspace, an answer with names."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from spbfs.base.threads import resolve_threads
from spbfs.engines.bfs import DIRECTIONS, Counts, Ints, LevelTrace, SearchRequest, named
from spbfs.engines.cpu.bfs.workspace import Workspace
from spbfs.engines.cpu.native import kernels
from spbfs.planner.rates import current
from spbfs.planner.search_cpu import CpuSearchRates
from spbfs.storage.data import MatrixData

__all__ = ["Found", "native_rates", "needs_least", "pushes", "search"]

#: The rates that were used last, and as the kernels take them.
_native_rates: tuple[CpuSearchRates | None, Any] = (None, None)


def native_rates() -> Any:
    """The rates in use, as the kernels take them."""
    global _native_rates
    rates, (known, native) = current().cpu, _native_rates
    if known is not rates:
        native = kernels.BfsRates(rates)
        _native_rates = rates, native
    return native


class Found(NamedTuple):
    """Outputs of `search`, -1 where not reached, None where not made; and the numbers."""

    levels: Any
    parents: Any
    owners: Any
    counts: Counts
    edges: int


def needs_least(request: SearchRequest) -> bool:
    """Whether owners or least parents are asked for: they are found by the levels of a vertex's
    in-neighbours, which therefore lie in the caller's order."""
    return request.several or request.parents == "min"


def pushes(request: SearchRequest) -> bool:
    """Whether every level is pushed, which needs no in-edges."""
    direction, schedule = request.directions()
    return direction == "push" and DIRECTIONS.index("pull") not in schedule


def search(
    A: MatrixData,
    in_edges: MatrixData | None,
    workspace: Workspace,
    sources: Ints,
    request: SearchRequest,
) -> Found:
    """A search from distinct sources, which `request` has in other words."""
    n, workers = A.nrows, resolve_threads(request.threads)
    least = needs_least(request)
    no_in_edges = workspace.no_in_edges(in_edges)
    pattern = A if in_edges is None else in_edges
    longest_row = workspace.longest_row(A)
    # Least parents are not those found first, and a push probes nobody.
    hubs = None
    direction, schedule = request.directions()
    if not pushes(request) and not least:
        hubs = workspace.hubs(pattern, workers, planned=request.planned)
    with workspace.scratch(workers) as (lists, bitmaps):
        level = workspace.output() if request.levels or least else None
        parent = workspace.output() if request.parents else None
        owner = workspace.output() if request.several else None
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
            direction,
            np.frombuffer(schedule, np.uint8) if schedule else None,
            request.parents == "min",
            native_rates(),
            workers,
            request.traced,
        )
        seconds = time.perf_counter() - started
    steps = [LevelTrace(f, e, "pull" if pull else "push", s) for f, e, pull, s in rows]
    trace = named(steps, request.schedule) if request.traced else None
    return Found(level, parent, owner, Counts(depth, reached, seconds, trace), edges)
