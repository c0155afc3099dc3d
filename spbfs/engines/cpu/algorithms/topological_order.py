"""Vertices behind all before them, by queue or rank: ``cpu/connectivity/topological_order.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.cpu.native import kernels
from spbfs.engines.fused import Csr
from spbfs.storage.data import MatrixData, VectorData

__all__ = ["topological_levels", "topological_order", "topological_order_by_rank"]

Array = Any  # numpy.ndarray


def topological_levels(A: MatrixData) -> VectorData:
    """See `TopologicalLevels`; one thread."""
    n = A.nrows
    require_bytes(9 * n, "A: the levels of its vertices")
    order, levels = topological_order((A.indptr, A.indices))
    found, present = np.zeros(n, np.int64), None
    found[order] = levels
    if order.shape[0] < n:
        present = np.zeros(n, np.bool_)
        present[order] = True
    return VectorData(n, found, present=present)


def topological_order(rows: Csr) -> tuple[Array, Array]:
    """The vertices that are on no cycle and behind none, in order, and the level of each of them.

    One is listed when the last of the edges that enter it has been looked at, along the rows of
    those listed before; those that no edge enters come first, by number.
    """
    n, kind = rows[0].shape[0] - 1, rows[1].dtype
    require_bytes(3 * n * kind.itemsize, "a topological order")
    order, levels = np.empty(n, kind), np.empty(n, kind)
    count = kernels.topological_order(*rows, np.empty(n, kind), order, levels)
    return order[:count], levels[order[:count]]


def topological_order_by_rank(rows: Csr, by_rank: Array) -> Array:
    """The same vertices, of those that could come next always the first in `by_rank`."""
    n, kind = rows[0].shape[0] - 1, rows[1].dtype
    require_bytes(5 * n * kind.itemsize, "a topological order")
    rank_of, order = np.empty(n, kind), np.empty(n, kind)
    rank_of[by_rank] = np.arange(n, dtype=kind)
    work = np.empty(n, kind), np.empty(n, kind)
    count = kernels.topological_order_by_rank(
        *rows, rank_of, np.ascontiguousarray(by_rank, kind), *work, order
    )
    return order[:count]
