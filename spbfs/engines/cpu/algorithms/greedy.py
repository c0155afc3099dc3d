"""Greedy algorithms on the CPU: ``maximal_independent_set.cpp``, ``colouring.cpp`` and the order of
``smallest_last.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import require_bytes
from spbfs.base.threads import get_threads, resolve_threads
from spbfs.engines.cpu.native import kernels
from spbfs.engines.greedy import VertexOrder
from spbfs.storage.data import MatrixData

__all__ = ["colouring", "maximal_independent_set", "smallest_last"]

Ints = npt.NDArray[np.int64]


def maximal_independent_set(
    A: MatrixData, order: VertexOrder, threads: int | None
) -> npt.NDArray[np.bool_]:
    """See `IndependentSet`."""
    return _decided(kernels.maximal_independent_set, A, order, threads) < 0


def colouring(A: MatrixData, order: VertexOrder, threads: int | None) -> Ints:
    """See `Colouring`."""
    states = _decided(kernels.colouring, A, order, threads)
    return np.invert(states, out=states).astype(np.int64, copy=False)


def smallest_last(A: MatrixData) -> Ints:
    """See `SmallestLast`."""
    itype = A.indices.dtype
    require_bytes(A.nrows * 4 * itype.itemsize, "A: the order of its vertices")
    order: npt.NDArray[Any] = np.empty(A.nrows, itype)
    kernels.smallest_last(A.indptr, A.indices, order, get_threads())
    return order.astype(np.int64, copy=False)


def _decided(
    kernel: Any, A: MatrixData, order: VertexOrder, threads: int | None
) -> npt.NDArray[Any]:
    """What a kernel says of every vertex, having taken them in an order."""
    itype = A.indices.dtype
    require_bytes(A.nrows * (8 + 4 * itype.itemsize), "A: what is known of its vertices")
    states: npt.NDArray[Any] = np.empty(A.nrows, itype)
    kernel(A.indptr, A.indices, order.listed().astype(itype), states, resolve_threads(threads))
    return states
