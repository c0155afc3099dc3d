"""One search along arrays as they are, for who searches a graph once."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.bfs import Counts, SearchRequest, SearchResult
from spbfs.engines.cpu.native import kernels

__all__ = ["search_as_given"]


def search_as_given(indptr: Any, indices: Any, request: SearchRequest) -> SearchResult | None:
    """A search by ``kernels/cpu/bfs_as_given.cpp``; None where arrays or request need a matrix.

    In-edges, several sources and traces do.
    """
    n = indptr.shape[0] - 1
    plain = request.direction != "pull" and request.parents != "min" and not request.traced
    if not (plain and isinstance(request.source, int)):
        return None
    if indices.dtype.itemsize > indptr.dtype.itemsize:
        indptr = indptr.astype(np.int64)
    require_bytes(3 * n * indices.dtype.itemsize, "A: a search of it")
    levels = np.empty(n, indices.dtype) if request.levels else None
    parents, order = np.empty(n, indices.dtype), np.empty(n, indices.dtype)
    started = time.perf_counter()
    found = kernels.bfs_as_given(
        indptr,
        indices,
        request.source,
        n if request.max_depth is None else min(request.max_depth, n),
        -1 if request.target is None else request.target,
        levels,
        parents,
        order,
    )
    if found is None:
        return None
    seconds = time.perf_counter() - started
    reached, depth, edges = found
    wanted = parents if request.parents else None
    arrays: dict[str, Any] = {"levels": levels, "parents": wanted, "owners": None}
    if n <= np.iinfo(np.int32).max:
        for name, array in arrays.items():
            arrays[name] = None if array is None else array.astype(np.int32, copy=False)
    return SearchResult(n, arrays, Counts(depth, reached, seconds, None), edges)
