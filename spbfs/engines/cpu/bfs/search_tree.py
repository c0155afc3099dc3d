"""The tree of a search as rows with weights: ``kernels/cpu/bfs/search_tree.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.base.threads import get_threads
from spbfs.engines.cpu.native import kernels
from spbfs.engines.fused import WeightedCsr

__all__ = ["search_tree"]

Array = Any  # numpy.ndarray


def search_tree(
    rows: WeightedCsr, parents: Array, start: int, directed: bool
) -> WeightedCsr | None:
    """See `spbfs.engines.fused.SearchTree`."""
    n = parents.shape[0]
    require_bytes(n * (8 + 8 * (not directed) + 20), "the tree of a search")
    offsets, children = np.empty(n + 1, np.int32), np.empty(n, np.int32)
    values = np.empty(n)
    try:
        count = kernels.search_tree(
            *rows, parents, start, directed, offsets, children, values, get_threads()
        )
    except TypeError:
        # Of other types, or not contiguous: what a conversion mends.
        return None
    return None if count is None else (offsets, children[:count], values[:count])
