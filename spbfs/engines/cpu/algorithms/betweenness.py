"""Shortest paths counted and their shares summed on the CPU: ``cpu/centrality/betweenness.cpp``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import require_bytes
from spbfs.base.threads import resolve_threads
from spbfs.engines.cpu.bfs.searches import maybe_in_edges
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import MatrixData
from spbfs.storage.on_disk import OnDiskMatrix

__all__ = ["dependencies"]

#: Sums that are made side by side and added at the end: the same whatever the number of threads,
#: so that results are.
SUMS_AT_ONCE = 16


def dependencies(
    A: MatrixData, sources: npt.NDArray[np.int64], scale: float, threads: int | None
) -> tuple[npt.NDArray[np.float64], int]:
    """Every source a search of its own, a thread each or more; see `Dependencies`."""
    threads, rows = resolve_threads(threads), max(1, min(SUMS_AT_ONCE, sources.shape[0]))
    # Two numbers and a place in the order, and those of a search that counts more paths than a
    # double does; whether it is reached, in bits.
    search = 2 * (8 + 16) + 2 * A.indices.dtype.itemsize + 1
    require_bytes(A.nrows * (8 * rows + min(threads, rows) * search + 8), "A: shares of its paths")
    # Of a matrix on disk those that it was written with.
    into = maybe_in_edges(A, needed=not isinstance(A, OnDiskMatrix))
    sums, total = np.zeros(rows * A.nrows), np.empty(A.nrows)
    edges: int = kernels.betweenness(
        A.indptr,
        A.indices,
        None if into is None else into.indptr,
        None if into is None else into.indices,
        sources.astype(A.indices.dtype),
        sums,
        rows,
        scale,
        total,
        threads,
    )
    return total, edges
