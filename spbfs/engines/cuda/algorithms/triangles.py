"""Triangles on the GPU: ``kernels/cuda/triangles.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.base.progress import Told
from spbfs.engines.cuda.algorithms.rows import (
    PIECE_BYTES,
    launch,
    specialised,
)
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import MatrixData

__all__ = ["STATE_BYTES", "specialisations", "triangles"]

#: ``struct TriangleState``.
STATE_BYTES = 32
#: Entries of rows that no CTA is needed for: ``kWarpEntries``.
_WARP_ENTRIES = 128
#: Entries of a piece of a longer row: ``kSharedEntries``.
_SHARED_ENTRIES = 2048


def triangles(A: MatrixData, threads: int | None, told: Told | None = None) -> Any:
    """See `spbfs.engines.fused.Triangles`."""
    import cupy as cp

    from spbfs.base.gpu_memory import require_bytes

    n, entries = A.nrows, A.nvals
    pieces = PIECE_BYTES * (entries // _WARP_ENTRIES + entries // _SHARED_ENTRIES + 1)
    require_bytes(20 * n + 4 * entries + pieces, "A: counts of its triangles, and its kept rows")
    counts = cp.zeros(n, np.int64)
    if n:
        launch(
            specialised("triangles", A.indptr.dtype),
            *(A, A.indptr, A.indices, n, cp.empty(entries + 3, np.int32)),
            *(cp.empty(n, np.uint64), cp.empty(n, np.int32), cp.empty(pieces, np.uint8)),
            *(counts, cp.zeros(STATE_BYTES, np.uint8)),
        )
    if told is not None:
        told(n, entries)
    return counts


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (specialised("triangles", offset) for offset in (np.int32, np.int64))
