"""All paths of fewest edges from some sources: ``kernels/cpu/bfs/bfs_dag.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import MatrixData, VectorData

__all__ = ["bfs_dag"]

Array = Any  # numpy.ndarray


def bfs_dag(A: MatrixData, sources: Array) -> tuple[VectorData, Array, VectorData]:
    """See `BfsDag`; one thread."""
    n, kind = A.nrows, A.indices.dtype
    require_bytes(n * (18 + kind.itemsize) + A.nvals, "A: shortest paths to all of its vertices")
    levels, paths, ahead = np.empty(n, np.int64), np.empty(n), np.empty(A.nvals, np.bool_)
    count = kernels.bfs_dag(A.indptr, A.indices, sources, levels, paths, ahead)

    def vector(values: Array) -> VectorData:
        return VectorData(n, values, present=None if count == n else levels >= 0, counted=count)

    return vector(levels), ahead, vector(paths)
