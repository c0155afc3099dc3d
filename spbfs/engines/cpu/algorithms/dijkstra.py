"""Shortest paths from many vertices, a thread each: ``kernels/cpu/paths/dijkstra.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.base.threads import get_threads
from spbfs.engines.cpu.native import kernels
from spbfs.engines.fused import Paths, WeightedCsr

__all__ = ["dijkstra"]

Array = Any  # numpy.ndarray


def dijkstra(
    rows: WeightedCsr,
    columns: WeightedCsr | None,
    sources: Array,
    limit: float,
    *,
    nearest: bool,
    predecessors: bool,
    nobody: int,
) -> Paths | None:
    """See `spbfs.engines.fused.Dijkstra`."""
    n = rows[0].shape[0] - 1
    shape = (n,) if nearest else (sources.shape[0], n)
    several = nearest and predecessors
    require_bytes(
        int(np.prod(shape)) * (8 + 4 * predecessors + 4 * several), "lengths of shortest paths"
    )
    distances = np.empty(shape)
    before = np.empty(shape, np.int32) if predecessors else None
    origins = np.empty(shape, np.int32) if several else None
    try:
        sound = kernels.dijkstra(
            *rows,
            *(columns or (None, None, None)),
            np.ascontiguousarray(sources, np.int64),
            limit,
            nearest,
            nobody,
            distances.reshape(-1),
            None if before is None else before.reshape(-1),
            origins,
            get_threads(),
        )
    except TypeError:
        # Of other types, or not contiguous: what a conversion mends or refuses.
        return None
    return (distances, before, origins) if sound else None
