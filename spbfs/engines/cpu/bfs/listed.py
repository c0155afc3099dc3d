"""Searches on the CPU that reach little, with lists as results: ``kernels/cpu/bfs/bfs_listed.cpp``.

What they take grows with what they find, not with the graph.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from spbfs.base.threads import resolve_threads
from spbfs.engines.bfs import Counts, Ints, ListedResult, SearchRequest
from spbfs.engines.bfs_many import ListedBatch, ManyRequest
from spbfs.engines.cpu.bfs.workspace import Marks
from spbfs.engines.cpu.native import kernels
from spbfs.planner.search_cpu import listed_edges
from spbfs.storage.data import MatrixData

__all__ = ["list_as_given", "list_many", "list_one"]

#: What the kernel says in the place of a number of vertices.
_GAVE_UP, _NOT_BEGUN = -1, -2
_NOBODY = np.zeros(0, np.int64)
_MOST_INT32 = np.iinfo(np.int32).max


def list_one(
    A: MatrixData, request: SearchRequest, sources: Ints, positions: Ints | None, marks: Marks
) -> ListedResult | None:
    """A search from distinct sources that lists what it finds; None where that is not for it.

    A trace, and a pull, are only to be had of the search of everything.
    """
    n = A.nrows
    most = listed_edges(n)
    if request.traced or request.schedule or request.direction == "pull" or sources.shape[0] > most:
        return None
    with marks.lent(n) as bits:
        started = time.perf_counter()
        found = kernels.bfs_listed(
            A.indptr,
            A.indices,
            sources.astype(A.indices.dtype),
            bits,
            n if request.max_depth is None else min(request.max_depth, n),
            -1 if request.target is None else request.target,
            most,
            request.several or request.parents is not None,
            True,
        )
    if found is None:
        return None
    return _result(n, found, request, started, positions)


def list_as_given(
    indptr: Any, indices: Any, request: SearchRequest, most: int, started: float
) -> ListedResult | None:
    """A search from one source along arrays that nobody has checked; None where not for it."""
    n = indptr.shape[0] - 1
    found = kernels.bfs_listed(
        indptr,
        indices,
        np.array([request.source], indices.dtype),
        np.zeros(-(-n // 64), np.uint64),
        n if request.max_depth is None else min(request.max_depth, n),
        -1 if request.target is None else request.target,
        most,
        request.parents is not None,
        False,
    )
    return None if found is None else _result(n, found, request, started)


def _result(
    n: int,
    found: Any,
    request: SearchRequest,
    started: float,
    positions: Ints | None = None,
) -> ListedResult:
    vertices, levels, parents, owners, depth, edges = found
    if request.several and positions is not None:
        owners = positions[owners].astype(owners.dtype)
    outputs = {
        "levels": levels if request.levels else None,
        "parents": parents if request.parents else None,
        "owners": owners if request.several else None,
    }
    if n <= _MOST_INT32:
        for name, values in outputs.items():
            outputs[name] = None if values is None else values.astype(np.int32, copy=False)
    counts = Counts(depth, vertices.shape[0], time.perf_counter() - started, None)
    return ListedResult(n, vertices, outputs, counts, edges)


def list_many(
    A: MatrixData,
    sources: Ints,
    request: ManyRequest,
    most_edges: int,
    most_rows: int,
    marks: Marks,
) -> ListedBatch:
    """A search from each of the sources that lists what it finds, a thread each."""
    n, k, threads = A.nrows, sources.shape[0], resolve_threads(request.threads)
    numbers = np.empty((4, k), np.int64)
    with marks.lent(n, threads) as bits:
        lists = kernels.bfs_many_listed(
            A.indptr,
            A.indices,
            sources.astype(A.indices.dtype),
            bits,
            numbers.reshape(-1),
            n if request.max_depth is None else min(request.max_depth, n),
            most_edges,
            request.lists,
            request.parents is not None,
            request.lists,
            most_rows,
            threads,
        )
    reached = numbers[0]
    vertices, hops, parents = lists or (None, None, None)
    ended, gave_up = np.arange(k), _NOBODY
    if k and reached.min() < 0:
        ended, gave_up = np.flatnonzero(reached >= 0), np.flatnonzero(reached == _GAVE_UP)
        numbers = numbers[:, ended]
    return ListedBatch(n, ended, gave_up, numbers, vertices, hops, parents)
