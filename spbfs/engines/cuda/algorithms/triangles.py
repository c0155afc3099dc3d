"""Triangles on the GPU: ``kernels/cuda/cohesion/triangles.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.base.progress import Told
from spbfs.engines.cuda.algorithms.prepared import GIVEN, Launch, Room, Zeroed, prepared
from spbfs.engines.cuda.algorithms.rows import PIECE_BYTES, specialised
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

    counts = cp.zeros(A.nrows, np.int64)
    prepared(A, _launch)(counts)
    if told is not None:
        told(A.nrows, A.nvals)
    return counts


def _launch(A: MatrixData) -> Launch:
    n, entries = A.nrows, A.nvals
    pieces = PIECE_BYTES * (entries // _WARP_ENTRIES + entries // _SHARED_ENTRIES + 1)
    return Launch(
        specialised("triangles", A.indptr.dtype),
        A,
        "A: counts of its triangles, and its kept rows",
        *(A.indptr, A.indices, n, Room(4 * (entries + 3)), Room(8 * n), Room(4 * n)),
        *(Room(pieces), GIVEN, Zeroed(STATE_BYTES)),
    )


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (specialised("triangles", offset) for offset in (np.int32, np.int64))
