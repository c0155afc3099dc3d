"""Diagonals of matrices on the CPU, found by bisection of their rows: ``diagonal.cpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spbfs.base.threads import get_threads
from spbfs.engines.arrays.structure import moves
from spbfs.engines.arrays.values.value_arrays import take
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import MatrixData, VectorData

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["diag_vector"]


def diag_vector(engine: CpuEngine, A: MatrixData, k: int) -> VectorData:
    """See `Engine.diag_vector`."""
    if type(A) is not MatrixData:
        return moves.diag_vector(engine, A, k)
    size = max(0, min(A.nrows, A.ncols - k) if k >= 0 else min(A.nrows + k, A.ncols))
    at = np.empty(A.nrows, A.indptr.dtype)
    kernels.diagonal(A.indptr, A.indices, k, at, get_threads())
    rows = np.flatnonzero(at >= 0)
    w = VectorData(size, take(engine, A.values, at[rows]), indices=rows + min(k, 0))
    return engine.choose_form(w)
