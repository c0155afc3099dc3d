"""One search along arrays as they are, for who searches a graph once."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.bfs import Counts, SearchRequest, SearchResult
from spbfs.engines.cpu.bfs.listed import list_as_given
from spbfs.engines.cpu.native import kernels
from spbfs.planner.search_cpu import cpu_layout, listed_edges

__all__ = ["search_as_given"]

_INT32, _INT64 = np.dtype(np.int32), np.dtype(np.int64)
_MOST_INT32 = np.iinfo(np.int32).max


def search_as_given(
    indptr: Any, indices: Any, request: SearchRequest, started: float
) -> SearchResult | None:
    """A search by ``kernels/cpu/bfs/bfs_as_given.cpp``; None where arrays or request need a matrix.

    In-edges, several sources, layouts, parts, schedules and traces do.  Its time counts from
    `started`.
    """
    source, n = request.source, indptr.shape[0] - 1
    if request.direction == "pull" or request.parents == "min" or request.traced:
        return None
    if request.part_edges is not None or cpu_layout(*request.layout, least=False) != (None, None):
        return None
    if request.schedule or not isinstance(source, int):
        return None
    dtype = _INT32 if n <= _MOST_INT32 else _INT64
    max_depth, target = request.max_depth, request.target
    most = listed_edges(n, given=True)
    try:
        if most:
            listed = list_as_given(indptr, indices, request, most, started)
            if listed is not None:
                return listed
        require_bytes(4 * n * dtype.itemsize, "A: a search of it")
        levels = np.empty(n, dtype) if request.levels else None
        parents = np.empty(n, dtype)
        found = kernels.bfs_as_given(
            indptr,
            indices,
            source,
            n if max_depth is None else min(max_depth, n),
            -1 if target is None else target,
            levels,
            parents,
        )
    except TypeError:
        # Of other types, or not contiguous: what a conversion mends or refuses.
        return None
    if found is None:
        return None
    reached, depth, edges = found
    arrays = {"levels": levels, "parents": parents if request.parents else None, "owners": None}
    counts = Counts(depth, reached, time.perf_counter() - started, None)
    return SearchResult(n, arrays, counts, edges)
