"""Who reaches whom without cycles, in bits: ``cpu/connectivity/transitive_closure.cpp``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.cpu.algorithms.topological_order import topological_order
from spbfs.engines.cpu.graph.transpose import transposed
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import MatrixData
from spbfs.storage.packed import PackedMatrix, words_of

__all__ = ["acyclic_reach"]

Array = Any  # numpy.ndarray


def acyclic_reach(A: MatrixData, own: Array) -> Callable[[int, int], MatrixData]:
    """See `spbfs.engines.fused.AcyclicReach`."""
    across, n = transposed(A), A.nrows
    order, _ = topological_order((A.indptr, A.indices))

    def reached(first: int, last: int) -> MatrixData:
        words = words_of(last - first)
        require_bytes(8 * words * n, f"who of {n} is reached from {last - first}")
        bits = np.empty((n, words), np.uint64)
        kernels.transitive_closure(
            across.indptr, across.indices, order, first, last - first, bits.reshape(-1)
        )
        at = np.flatnonzero(own[first:last])
        bits[first + at, at // 64] |= np.uint64(1) << (at % 64).astype(np.uint64)
        return PackedMatrix(last - first, bits)

    return reached
