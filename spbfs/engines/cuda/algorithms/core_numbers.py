"""Core numbers by peeling on the GPU: ``kernels/cuda/core_numbers.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.algorithms.rows import launch, room_for_pieces, rounds, specialised
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import MatrixData

__all__ = ["core_numbers", "specialisations"]


def core_numbers(A: MatrixData, threads: int | None) -> Any:
    """See `spbfs.engines.fused.CoreNumbers`."""
    import cupy as cp

    from spbfs.base.gpu_memory import require_bytes

    n, entries = A.nrows, A.nvals
    require_bytes(24 * n + entries // 64, "A: the cores of its vertices")
    cores = cp.empty(n, np.int64)
    if n:
        left, leaving, alive, other = cp.empty((4, n), np.int32)
        arrays = A.indptr, A.indices, n, left, cores, leaving, alive, other
        launch(
            specialised("core_numbers", A.indptr.dtype),
            A,
            *arrays,
            room_for_pieces(entries),
            rounds(),
        )
    return cores


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (specialised("core_numbers", offset) for offset in (np.int32, np.int64))
