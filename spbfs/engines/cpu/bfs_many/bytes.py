"""Many searches with one queue and a status byte each: ``cpu/bfs_many/bfs_many_bytes.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import require_bytes
from spbfs.base.threads import resolve_threads
from spbfs.engines.bfs_many_stepwise import UNVISITED, Census
from spbfs.engines.cpu.graph.transpose import is_symmetric, transposed
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import MatrixData

__all__ = ["JointBytes"]

Ints = npt.NDArray[np.int64]


class JointBytes:
    """iBFS's joint traversal; see `Stepwise`.

    Parameters
    ----------
    A : MatrixData
        Square, on the CPU.
    sources : int64 array
        At most 1024.
    threads : int, optional
    """

    def __init__(self, A: MatrixData, sources: Ints, *, threads: int | None = None) -> None:
        self._searches = int(sources.shape[0])
        self._out = A
        self._into = A if is_symmetric(A) else transposed(A)
        self._threads = resolve_threads(threads)
        require_bytes(A.nrows * (self._searches + A.indices.dtype.itemsize), "A: searches of it")
        self._status = np.full((A.nrows, self._searches), UNVISITED, np.uint8)
        self._status[sources, np.arange(self._searches)] = 0
        self._queue = np.empty(A.nrows, A.indices.dtype)
        self._queued = 0

    def census(self, level: int) -> Census:
        return Census(
            *kernels.bfs_many_bytes_census(
                self._out.indptr, self._flat, self._searches, level, self._threads
            )
        )

    def enqueue(self, level: int, pulled: bool) -> int:
        wanted = UNVISITED if pulled else level
        self._queued = kernels.bfs_many_bytes_enqueue(
            self._flat, self._queue, self._searches, wanted, self._threads
        )
        return self._queued

    def expand(self, level: int, pulled: bool) -> tuple[int, int]:
        rows = self._into if pulled else self._out
        counts: tuple[int, int] = kernels.bfs_many_bytes_expand(
            rows.indptr,
            rows.indices,
            self._flat,
            self._queue,
            self._queued,
            self._searches,
            level,
            pulled,
            self._threads,
        )
        return counts

    def levels(self) -> Any:
        return self._status.T

    @property
    def _flat(self) -> npt.NDArray[np.uint8]:
        return self._status.reshape(-1)
