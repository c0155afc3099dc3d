"""Shortest paths over lengths below 0, too: ``kernels/cpu/paths/distances_by_potential.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.base.threads import resolve_threads
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import MatrixData

__all__ = ["distances_by_potential"]

Array = Any  # numpy.ndarray


def distances_by_potential(
    A: MatrixData, potential: Array, sources: Array, rows: Array, threads: int | None
) -> bool:
    """See `DistancesByPotential`; a search is one thread's."""
    workers = min(resolve_threads(threads), max(1, sources.shape[0]))
    # A heap has an item for every time that somebody came nearer: of most vertices a few.
    require_bytes(A.nrows * workers * 48, "A: paths from each source")
    return bool(
        kernels.distances_by_potential(
            A.indptr,
            A.indices,
            np.ascontiguousarray(A.values),
            potential,
            sources,
            rows.reshape(-1),
            workers,
        )
    )
