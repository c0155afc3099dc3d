"""Shortest paths counted and their shares summed on the CPU: ``kernels/cpu/betweenness.cpp``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import require_bytes
from spbfs.base.threads import resolve_threads
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import MatrixData

__all__ = ["CpuDependencies"]

#: Sums that are made side by side and added at the end: the same whatever the number of threads,
#: so that results are.
_ROWS = 16


class CpuDependencies:
    """Every source a search of its own, a thread each; see `Dependencies`."""

    def __init__(self, A: MatrixData, sources: int, threads: int | None) -> None:
        self._threads = resolve_threads(threads)
        rows = max(1, min(_ROWS, sources))
        worker = 16 + A.indices.dtype.itemsize
        require_bytes(A.nrows * (8 * rows + self._threads * worker), "A: shares of its paths")
        self._A, self._rows = A, rows
        self.partial: npt.NDArray[np.float64] = np.zeros(rows * A.nrows)

    def add(self, sources: npt.NDArray[np.int64], first: int) -> int | None:
        A = self._A
        edges: int = kernels.betweenness(
            A.indptr,
            A.indices,
            sources.astype(A.indices.dtype),
            first,
            self.partial,
            self._rows,
            self._threads,
        )
        return None if edges < 0 else edges

    def sums(self) -> npt.NDArray[np.float64]:
        total: npt.NDArray[np.float64] = self.partial.reshape(self._rows, self._A.nrows).sum(axis=0)
        return total
