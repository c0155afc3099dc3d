"""Triangles on the GPU: ``kernels/cuda/triangles.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.algorithms.rows import launch, specialised
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import MatrixData

__all__ = ["STATE_BYTES", "specialisations", "triangles"]

#: ``struct TriangleState``.
STATE_BYTES = 32


def triangles(A: MatrixData, threads: int | None) -> Any:
    """See `spbfs.engines.fused.Triangles`."""
    import cupy as cp

    from spbfs.base.gpu_memory import require_bytes

    n, entries = A.nrows, A.nvals
    require_bytes(20 * n + 4 * entries, "A: counts of its triangles, and its edges by degree")
    counts = cp.zeros(n, np.int64)
    if n:
        size, some, many = cp.empty((3, n), np.int32)
        launch(
            specialised("triangles", A.indptr.dtype),
            *(A, A.indptr, A.indices, n, cp.empty(entries, np.int32)),
            *(size, some, many, counts, cp.zeros(STATE_BYTES, np.uint8)),
        )
    return counts


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (specialised("triangles", offset) for offset in (np.int32, np.int64))
