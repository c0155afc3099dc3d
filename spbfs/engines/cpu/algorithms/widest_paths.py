"""Widest paths by a heap on the CPU: ``kernels/cpu/paths/widest_paths.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import MatrixData, VectorData

__all__ = ["widest_paths"]

Array = Any  # numpy.ndarray


def widest_paths(A: MatrixData, sources: Array, widest: Any) -> VectorData:
    """See `WidestPaths`; one thread."""
    n, dtype = A.nrows, A.values.dtype
    # The heap has an item for every time that somebody became wider: of most vertices a few.
    require_bytes(n * 33, "A: the widest paths to all of its vertices")
    widths, reached = np.empty(n, dtype), np.empty(n, np.bool_)
    edges = np.ascontiguousarray(A.values)
    count = kernels.widest_paths(A.indptr, A.indices, edges, sources, widest, widths, reached)
    return VectorData(n, widths, present=None if count == n else reached, counted=count)
