"""Searches on the CPU that reach little, with lists as results: ``kernels/cpu/bfs_listed.cpp``.

What they take grows with what they find, not with the graph.
"""

from __future__ import annotations

import time

import numpy as np

from spbfs.base.threads import resolve_threads
from spbfs.engines.bfs import Counts, Ints, ListedResult, SearchRequest
from spbfs.engines.bfs_many import ListedBatch, ManyRequest
from spbfs.engines.cpu.bfs_workspace import Marks
from spbfs.engines.cpu.native import kernels
from spbfs.planner.search import listed_edges
from spbfs.storage.data import MatrixData

__all__ = ["list_many", "list_one"]

#: What the kernel says in the place of a number of vertices.
_GAVE_UP, _NOT_BEGUN = -1, -2


def list_one(
    A: MatrixData, request: SearchRequest, sources: Ints, positions: Ints | None, marks: Marks
) -> ListedResult | None:
    """A search from distinct sources that lists what it finds; None where that is not for it.

    A trace, and a pull, are only to be had of the search of everything.
    """
    n = A.nrows
    most = listed_edges(n)
    if request.traced or request.direction == "pull" or sources.shape[0] > most:
        return None
    several = sources.shape[0] > 1
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
            several or request.parents is not None,
        )
        if found is None:
            return None
        vertices, levels, parents, owners, depth, edges = found
        if several and positions is not None:
            owners = positions[owners].astype(owners.dtype)
        seconds = time.perf_counter() - started
    return ListedResult(
        n,
        vertices,
        {
            "levels": levels if request.levels else None,
            "parents": parents if request.parents else None,
            "owners": owners if several else None,
        },
        Counts(depth, vertices.shape[0], seconds, None),
        edges,
    )


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
    numbers = np.zeros((4, k), np.int64)
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
    return ListedBatch(
        n,
        np.flatnonzero(reached >= 0),
        np.flatnonzero(reached == _GAVE_UP),
        numbers[:, reached >= 0],
        vertices,
        hops,
        parents,
    )
