"""An order of sources by their hubs, by ``kernels/cuda/bfs_many/bfs_many_hubs.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, words_of
from spbfs.engines.cuda.runtime.source import INDEX_TYPES, Specialisation
from spbfs.storage.data import MatrixData

__all__ = ["hub_order", "specialisations"]

#: CTAs of a multiprocessor.
_RESIDENT = 8
#: Rows that ``hub_keys`` writes.
_KEYS = 4
#: Bytes of offsets and indices that go together.
_PAIRS = ((4, 4), (8, 4), (8, 8))


def _specialisation(offset: int, index: int) -> Specialisation:
    kernel = f"hub_keys<{INDEX_TYPES[offset]}, {INDEX_TYPES[index]}>"
    return Specialisation("bfs_many_hubs", (kernel,))


@cache
def _kernel(offset: int, index: int) -> Kernel:
    return Kernel(_specialisation(offset, index))


def hub_order(A: MatrixData, sources: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    """`algorithms.bfs_many.grouping.group_by_hub` of a matrix on the GPU.

    Parameters
    ----------
    A : MatrixData
    sources : int64 array
        In host memory.
    """
    import cupy as cp

    count = sources.shape[0]
    here, keys = cp.asarray(sources), cp.empty((_KEYS, count), np.int64)
    kernel = _kernel(A.indptr.dtype.itemsize, A.indices.dtype.itemsize)
    grid = min(-(-count // (THREADS // 32)), _RESIDENT * limits().sms)
    kernel(grid, words_of(A.indptr, A.indices, here, count, keys))
    return np.asarray(cp.lexsort(keys).get(), np.int64)


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    for offset, index in _PAIRS:
        yield _specialisation(offset, index)
