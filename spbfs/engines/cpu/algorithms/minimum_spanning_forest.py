"""Minimum spanning forests on the CPU: ``kernels/cpu/connectivity/minimum_spanning_forest.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.base.threads import resolve_threads
from spbfs.engines.cpu.native import kernels
from spbfs.engines.fused import Forest
from spbfs.storage.data import MatrixData, is_iso, iso_array

__all__ = ["minimum_spanning_forest"]

Array = np.ndarray[Any, Any]


def minimum_spanning_forest(A: MatrixData, threads: int | None) -> Forest | None:
    """See `spbfs.engines.fused.MinimumSpanningForest`."""
    n, kind = A.nrows, A.indices.dtype
    weights = _wide(A.values)
    size = kind.itemsize
    offset = A.indptr.dtype
    # Ends and weights of what is chosen, twice; two vertices, a weight and an edge a component.
    require_bytes(n * (6 * size + 3 * weights.itemsize + 8 + offset.itemsize), "A: its forest")
    low, high = np.empty(n, kind), np.empty(n, kind)
    chosen, places = np.empty(n, weights.dtype), np.empty(n, offset)
    count = kernels.minimum_spanning_forest(
        A.indptr, A.indices, weights, low, high, chosen, places, resolve_threads(threads)
    )
    if count < 0:
        return None
    values = chosen[:count].astype(A.values.dtype, copy=False)
    return Forest(low[:count], high[:count], values, places[:count])


def _wide(values: Array) -> Array:
    """The same numbers in four bytes or eight."""
    dtype = values.dtype
    if dtype.itemsize >= 4:
        return values
    wide = np.int32 if dtype.kind == "i" else np.uint32
    if is_iso(values) and values.shape[0]:
        return iso_array(values[:1].astype(wide), values.shape[0])
    return values.astype(wide)
