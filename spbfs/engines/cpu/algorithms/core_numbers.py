"""Core numbers by peeling on the CPU: ``kernels/cpu/cohesion/core_numbers.cpp``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import require_bytes
from spbfs.base.threads import resolve_threads
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import MatrixData

__all__ = ["core_numbers"]


def core_numbers(A: MatrixData, threads: int | None) -> npt.NDArray[np.int64]:
    """See `CoreNumbers`."""
    require_bytes(A.nrows * (8 + 3 * A.indices.dtype.itemsize), "A: the cores of its vertices")
    cores = np.empty(A.nrows, np.int64)
    kernels.core_numbers(A.indptr, A.indices, cores, resolve_threads(threads))
    return cores
