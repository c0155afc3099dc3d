"""Scores of a random walk on the CPU: ``kernels/cpu/centrality/pagerank.cpp``."""

from __future__ import annotations

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.base.progress import Told
from spbfs.base.threads import resolve_threads
from spbfs.engines.cpu.bfs.searches import in_edges
from spbfs.engines.cpu.graph.hubs_first import hubs_first
from spbfs.engines.cpu.graph.transpose import transposed
from spbfs.engines.cpu.native import kernels
from spbfs.engines.fused import Scores, Walk
from spbfs.storage.data import MatrixData, is_iso

__all__ = ["pagerank"]


def pagerank(A: MatrixData, walk: Walk, threads: int | None, told: Told | None = None) -> Scores:
    """See `spbfs.engines.fused.PageRank`."""
    n, kind = A.nrows, walk.dtype
    # What all edges have in common makes none of them likelier.
    alike = walk.weights is None or (is_iso(A.values) and A.nvals > 0 and A.values[0] > 0)
    into = in_edges(A) if alike else transposed(A)
    values = None if alike else np.ascontiguousarray(into.values, kind)
    require_bytes(4 * kind.itemsize * n, "A: four numbers a vertex")
    scores = np.empty(n, kind)
    workers = resolve_threads(threads)
    order = hubs_first(into, np.diff(A.indptr), walk.iterations, workers)
    found = kernels.pagerank(
        into.indptr,
        into.indices if order.indices is None else order.indices,
        order.rank,
        values,
        A.indptr,
        None if alike else walk.weights,
        walk.restart,
        walk.start,
        walk.damping,
        -1.0 if walk.tolerance is None else walk.tolerance,
        walk.iterations,
        scores,
        workers,
        told,
    )
    if told is not None:
        told(found[0], found[0] * A.nvals)
    return Scores(scores, *found)
