"""Triangles counted on the CPU: ``kernels/cpu/cohesion/triangles.cpp``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import require_bytes
from spbfs.base.progress import Told
from spbfs.base.threads import resolve_threads
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.products.product import filled_rows
from spbfs.planner import triangles as planner
from spbfs.storage.data import MatrixData

__all__ = ["triangles"]

Ints = npt.NDArray[np.int64]


def triangles(A: MatrixData, threads: int | None, told: Told | None = None) -> Ints:
    """See `Triangles`."""
    n, workers = A.nrows, resolve_threads(threads)
    squares = kernels.squared_degrees(A.indptr, A.indices, workers)
    by_degree = planner.numbers_by_degree(filled_rows(A).count, A.nvals, squares)
    width = A.indices.dtype.itemsize
    more = width * A.nvals + n * (8 * workers + 16 + width) if by_degree else 0
    require_bytes(8 * n + more, "A: counts of its triangles, and its edges by degree")
    counts: Ints = np.zeros(n, np.int64)
    if by_degree:
        partial: Ints = np.zeros(workers * n, np.int64)
        core = planner.core_size(n, A.nvals)
        kernels.triangles_by_degree(A.indptr, A.indices, counts, partial, core, workers, told)
    else:
        kernels.triangles(A.indptr, A.indices, counts, workers, told)
    if told is not None:
        told(n, A.nvals)
    return counts
