"""Trusses by peeling edges on the CPU: ``kernels/cpu/cohesion/truss.cpp``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import require_bytes
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import MatrixData

__all__ = ["truss"]


def truss(A: MatrixData, least: int) -> npt.NDArray[np.bool_]:
    """See `Truss`; one thread."""
    offset = A.indptr.dtype.itemsize
    # Names of the entries, counts, half of the entries by degree, and a list of those that go.
    require_bytes((4 * offset + 1) * A.nvals + 3 * offset * A.nrows, "A: the edges of a truss")
    kept = np.empty(A.nvals, np.bool_)
    kernels.truss(A.indptr, A.indices, least, kept)
    return kept
