"""Core numbers by peeling on the GPU: ``kernels/cuda/core_numbers.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.algorithms.rows import (
    ITEM_BYTES,
    items_of,
    launch,
    room_for_items,
    rounds,
    specialised,
)
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import MatrixData

__all__ = ["core_numbers", "specialisations"]


def core_numbers(A: MatrixData, threads: int | None) -> Any:
    """See `spbfs.engines.fused.CoreNumbers`."""
    import cupy as cp

    from spbfs.base.gpu_memory import require_bytes

    n, entries = A.nrows, A.nvals
    held = 20 * n + ITEM_BYTES * items_of(n, entries)
    require_bytes(held, "A: the cores of its vertices")
    cores = cp.empty(n, np.int64)
    if n:
        left, alive, other = cp.empty((3, n), np.int32)
        arrays = A.indptr, A.indices, n, left, cores, alive, other, room_for_items(n, entries)
        launch(specialised("core_numbers", A.indptr.dtype), A, *arrays, rounds())
    return cores


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (specialised("core_numbers", offset) for offset in (np.int32, np.int64))
