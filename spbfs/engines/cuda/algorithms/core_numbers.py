"""Core numbers by peeling on the GPU: ``kernels/cuda/cohesion/core_numbers.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.algorithms.prepared import GIVEN, Launch, Room, prepared
from spbfs.engines.cuda.algorithms.rows import room_for_items, rounds, specialised
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import MatrixData

__all__ = ["core_numbers", "specialisations"]


def core_numbers(A: MatrixData, threads: int | None) -> Any:
    """See `spbfs.engines.fused.CoreNumbers`."""
    import cupy as cp

    cores = cp.empty(A.nrows, np.int64)
    prepared(A, _launch)(cores)
    return cores


def _launch(A: MatrixData) -> Launch:
    n, number = A.nrows, Room(4 * A.nrows)
    return Launch(
        specialised("core_numbers", A.indptr.dtype),
        A,
        "A: the cores of its vertices",
        *(A.indptr, A.indices, n, number, GIVEN, number, number),
        *(room_for_items(n, A.nvals), rounds()),
    )


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (specialised("core_numbers", offset) for offset in (np.int32, np.int64))
