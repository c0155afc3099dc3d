"""Submatrices on the CPU: counted, then made, whatever rows and distinct columns are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.threads import get_threads
from spbfs.engines.arrays import structure
from spbfs.engines.arrays.layout import index_type, offset_type
from spbfs.engines.cpu.csr import csr_of, values_between
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import MatrixData, is_iso, iso_array

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["extract_submatrix"]

Array = Any
#: What kernels say of columns.
_RISING, _TWICE = 0, 2


def extract_submatrix(
    engine: CpuEngine, A: MatrixData, rows: Array | None, cols: Array | None
) -> MatrixData:
    """``C[i, j] = A[rows[i], cols[j]]``; None stands for all."""
    pattern = csr_of(A)
    nrows = A.nrows if rows is None else int(rows.shape[0])
    ncols = A.ncols if cols is None else int(cols.shape[0])
    first, last, rising = 0, A.ncols, True
    places = starts = order = None
    if cols is not None and ncols:
        if _follow(cols):
            first, last = int(cols[0]), int(cols[-1]) + 1
        else:
            # Zeroed by the system, page by page as columns are looked up.
            places = np.zeros(A.ncols, A.indices.dtype)
            kind = kernels.column_places(cols, places)
            rising = kind == _RISING
            if kind == _TWICE:
                places, starts, order = (
                    None,
                    _starts(cols, A.ncols),
                    np.argsort(cols, kind="stable"),
                )
            if not rising and A.indices.dtype != np.int32:
                pattern = None
    if pattern is None or ncols == 0:
        return structure.extract_matrix(engine, A, rows, cols)
    csr, threads = pattern[0], get_threads()
    chosen = (rows, first, last, places, starts, order)
    offsets = np.empty(nrows + 1, np.int64)
    nvals = kernels.extract_offsets(*csr, *chosen, offsets, threads)
    itype, otype = index_type(ncols), offset_type(ncols, nvals)
    what = f"extract: {nrows} x {ncols} with {nvals} entries"
    engine.require_bytes(nvals * (itype.itemsize + A.values.dtype.itemsize), what)
    indices = np.empty(nvals, csr[1].dtype)
    given = values = None
    if not is_iso(A.values):
        given, values = values_between(engine, A.values), np.empty(nvals, A.values.dtype)
    kernels.extract(*csr, given, *chosen, rising, offsets, indices, values, threads)
    if values is None:
        values = iso_array(A.values[:1].copy(), nvals) if nvals else np.empty(0, A.values.dtype)
    indptr = offsets.astype(otype, copy=False)
    return MatrixData(nrows, ncols, indptr, indices.astype(itype, copy=False), values)


def _starts(cols: Array, ncols: int) -> Array:
    """Where the places of each column begin, once they are sorted by column."""
    starts = np.zeros(ncols + 1, np.int64)
    np.cumsum(np.bincount(cols, minlength=ncols), out=starts[1:])
    return starts


def _follow(chosen: Array) -> bool:
    """Whether indices follow one another."""
    first, last = int(chosen[0]), int(chosen[-1])
    size = chosen.shape[0]
    return last - first == size - 1 and bool((chosen[1:] > chosen[:-1]).all())
