"""Greedy colours on the GPU: ``kernels/cuda/colouring.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.algorithms.rows import (
    launch,
    room_for_ctas,
    room_for_pieces,
    specialised,
)
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.greedy import LargestFirst, VertexOrder
from spbfs.storage.data import MatrixData

__all__ = ["STATE_BYTES", "colouring", "specialisations"]

#: ``struct ColouringState``, and `kDigits`.
STATE_BYTES = 1040
_DIGITS = 256


def colouring(A: MatrixData, order: VertexOrder, threads: int | None) -> Any:
    """See `spbfs.engines.greedy.Colouring`."""
    import cupy as cp

    from spbfs.base.gpu_memory import require_bytes

    n, entries = A.nrows, A.nvals
    require_bytes(28 * n + 5 * entries, "A: neighbours that its vertices wait for")
    colours = cp.empty(n, np.int64)
    if n:
        sorts = order.rule is LargestFirst.RULE
        given = cp.empty(n, np.int32) if sorts else cp.asarray(order.listed().astype(np.int32))
        counts = cp.empty(room_for_ctas() * _DIGITS, np.uint32)
        other, state, earlier, least = cp.empty((4, n), np.int32)
        launch(
            specialised("colouring", A.indptr.dtype),
            *(A, A.indptr, A.indices, n, sorts, given, other, counts),
            *(state, earlier, least, cp.empty(entries, np.int32)),
            *(colours, room_for_pieces(entries), cp.zeros(STATE_BYTES, np.uint8)),
        )
    return colours


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (specialised("colouring", offset) for offset in (np.int32, np.int64))
