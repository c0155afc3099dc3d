"""A shortest path over weights between two vertices: ``kernels/cpu/paths/dijkstra_between.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.cpu.native import kernels
from spbfs.engines.fused import WeightedCsr

__all__ = ["dijkstra_between"]

Array = Any  # numpy.ndarray


def dijkstra_between(
    rows: WeightedCsr, columns: WeightedCsr, source: int, target: int
) -> tuple[float, Array]:
    """The length and the vertices of a shortest path, both ends included; none where there is none.

    The rows are searched from `source`, the columns, which are the transpose, from `target`; no
    weight is negative or NaN.  Which of several shortest paths is found follows from the order of
    neighbours alone.
    """
    if source == target:
        return 0.0, np.array([source], rows[1].dtype)
    n, size = rows[0].shape[0] - 1, rows[1].dtype.itemsize
    require_bytes(2 * n * (9 + size), "a search from two ends")
    length, path = kernels.dijkstra_between(*rows, *columns, source, target)
    return float(length), path
