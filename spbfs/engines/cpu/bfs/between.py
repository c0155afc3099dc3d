"""A shortest path between two vertices: ``kernels/cpu/bfs/bfs_between.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.cpu.bfs.searches import in_edges
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import MatrixData

__all__ = ["bfs_between", "path_between"]

Array = Any  # numpy.ndarray


def bfs_between(
    rows: tuple[Array, Array], columns: tuple[Array, Array], source: int, target: int
) -> Array:
    """The vertices of a shortest path, both ends included; none where there is no path.

    Offsets and indices of the rows are searched from `source`, those of the columns from `target`,
    a level at a time where the frontier is smaller; neighbours in the order in which they stand.
    """
    if source == target:
        return np.array([source], rows[1].dtype)
    n = rows[0].shape[0] - 1
    require_bytes(2 * n * rows[1].dtype.itemsize, "a search from two ends")
    return kernels.bfs_between(*rows, *columns, source, target)


def path_between(A: MatrixData, source: int, target: int) -> Array:
    """See `PathBetween`; one thread."""
    back = in_edges(A)
    found = bfs_between((A.indptr, A.indices), (back.indptr, back.indices), source, target)
    return found.astype(np.int64)
