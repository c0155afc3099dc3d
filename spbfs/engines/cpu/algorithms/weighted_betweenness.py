"""Shares of shortest paths over weights: ``kernels/cpu/centrality/weighted_betweenness.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.base.threads import get_threads
from spbfs.engines.cpu.algorithms.betweenness import SUMS_AT_ONCE
from spbfs.engines.cpu.native import kernels
from spbfs.engines.fused import WeightedCsr

__all__ = ["weighted_betweenness"]

Array = Any  # numpy.ndarray


def weighted_betweenness(rows: WeightedCsr, sources: Array) -> Array:
    """Dependencies of the sources on every vertex, in Brandes's words, summed; weights are above 0.

    A source is a search of its own, a thread each; the sums do not depend on how many there are.
    """
    n, kind, threads = rows[0].shape[0] - 1, rows[1].dtype, get_threads()
    parts = max(1, min(SUMS_AT_ONCE, sources.shape[0]))
    # Lengths, numbers of paths and whether one is done with it, an order, and a heap.
    require_bytes(n * (8 * parts + threads * (40 + kind.itemsize)), "shares of shortest paths")
    totals = np.zeros(parts * n)
    kernels.weighted_betweenness(*rows, sources.astype(kind), totals, parts, threads)
    return totals.reshape(parts, n).sum(axis=0)
