"""Sums of rows and of segments on CUDA, by the kernels of a pull."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cupy
import numpy as np

from spbfs.engines.arrays.values import reductions as array_reductions
from spbfs.engines.arrays.values.value_arrays import dtype_of
from spbfs.engines.cuda.operators.semirings import reduction_source
from spbfs.engines.cuda.products.kernels import LONG_ROW
from spbfs.engines.cuda.products.pull import pull_rows
from spbfs.engines.cuda.products.results import new_result, with_counts_sent
from spbfs.operators.definitions import TypedMonoid
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.derived import Derived, RowFacts

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine


__all__ = ["reduce_all", "row_sums", "segment_reduce"]

Array = Any


def row_sums(engine: CudaEngine, A: MatrixData, monoid: TypedMonoid) -> VectorData:
    """Every row summed; rows without entries give none."""
    source = reduction_source(monoid, dtype_of(A))
    if source is None or A.nvals == 0 or A.nrows == 0:
        return array_reductions.row_sums(engine, A, monoid)
    w = new_result(A.nrows, source.dtype, None)
    pull_rows(A, (A.values, None, None, False), source, w, A.indices)
    return with_counts_sent(engine, w)


def segment_reduce(engine: CudaEngine, values: Array, starts: Array, monoid: TypedMonoid) -> Array:
    """Sums of consecutive segments, none of them empty."""
    source = reduction_source(monoid, dtype_of(VectorData(0, values)))
    if source is None or starts.shape[0] == 0:
        return array_reductions.segment_reduce(engine, values, starts, monoid)
    count, total = int(starts.shape[0]), int(values.shape[0])
    indptr = cupy.empty(count + 1, np.int64)
    indptr[:-1] = starts
    indptr[-1] = total
    # Rows of a matrix that has no columns to look at.
    facts = RowFacts(LONG_ROW + 1 if total > LONG_ROW else 0, count)
    M = MatrixData(count, total, indptr, indptr[:0], values, Derived.of(row_facts=facts))
    w = new_result(count, source.dtype, None)
    pull_rows(M, (values, None, None, False), source, w, None)
    return w.values


def reduce_all(engine: CudaEngine, values: Array, monoid: TypedMonoid) -> Array:
    """All values summed, an array of one element."""
    while values.shape[0] > LONG_ROW:
        starts = cupy.arange(0, values.shape[0], LONG_ROW, dtype=np.int64)
        values = engine.segment_reduce(values, starts, monoid)
    return engine.segment_reduce(values, cupy.zeros(1, np.int64), monoid)
