"""Submatrices on the CPU, whatever rows and columns are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.threads import get_threads
from spbfs.engines.arrays.patterns.layout import index_type, offset_type
from spbfs.engines.arrays.patterns.ranges import spelled
from spbfs.engines.arrays.structure import moves
from spbfs.engines.cpu.matrices.csr import csr_of, values_between
from spbfs.engines.cpu.native import kernels
from spbfs.engines.protocol import Indices
from spbfs.storage.data import MatrixData, is_iso, iso_array

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["extract_submatrix"]

Array = Any
#: What kernels say of columns.
_RISING, _TWICE = 0, 2
#: Bytes of the rows asked for that are given room for; beyond, what is wanted is counted first.
_SMALL = 1 << 28


def extract_submatrix(engine: CpuEngine, A: MatrixData, rows: Indices, cols: Indices) -> MatrixData:
    """``C[i, j] = A[rows[i], cols[j]]``; None stands for all."""
    if isinstance(rows, range):
        if rows.step == 1 and cols is None:
            return moves.extract_matrix(engine, A, rows, None)  # their entries lie together
        rows = spelled(engine, rows)
    if isinstance(cols, range) and cols.step != 1:
        cols = spelled(engine, cols)
    pattern = csr_of(A)
    nrows = A.nrows if rows is None else len(rows)
    ncols = A.ncols if cols is None else len(cols)
    first, last, rising = 0, A.ncols, True
    places = starts = order = None
    if cols is not None and ncols:
        if isinstance(cols, range) or _follow(cols):
            first, last = int(cols[0]), int(cols[-1]) + 1
        else:
            # Zeroed by the system, page by page as columns are looked up.
            places = np.zeros(A.ncols, A.indices.dtype)
            kind = kernels.column_places(cols, places)
            rising = kind == _RISING
            if kind == _TWICE:
                starts, order = np.zeros(A.ncols + 1, np.int64), np.empty(ncols, np.int64)
                kernels.sorted_places(cols, starts, order)
                places = None
            if not rising and A.indices.dtype != np.int32:
                pattern = None
    if pattern is None or ncols == 0:
        return moves.extract_matrix(engine, A, rows, cols)
    csr, threads = pattern[0], get_threads()
    chosen = (rows, first, last, places, starts, order)
    offsets = np.empty(nrows + 1, np.int64)
    given = None if is_iso(A.values) else values_between(engine, A.values)
    each = csr[1].dtype.itemsize + (0 if given is None else given.dtype.itemsize)
    most = A.nvals if rows is None else kernels.entries_of_rows(csr[0], rows)
    counted = starts is not None or (rows is not None and most * each > _SMALL)
    if counted:
        nvals = kernels.extract_offsets(*csr, *chosen, offsets, threads)
        engine.require_bytes(nvals * each, f"extract: {nrows} x {ncols} with {nvals} entries")
    columns, made = kernels.extract(*csr, given, *chosen, rising, counted, offsets, threads)
    indices = columns.view(csr[1].dtype).astype(index_type(ncols), copy=False)
    nvals = indices.shape[0]
    if made is not None:
        values = made.view(A.values.dtype)
    else:
        values = iso_array(A.values[:1].copy(), nvals) if nvals else np.empty(0, A.values.dtype)
    indptr = offsets.astype(offset_type(ncols, nvals), copy=False)
    return MatrixData(nrows, ncols, indptr, indices, values)


def _follow(chosen: Array) -> bool:
    """Whether indices follow one another."""
    first, last = int(chosen[0]), int(chosen[-1])
    size = chosen.shape[0]
    return last - first == size - 1 and bool((chosen[1:] > chosen[:-1]).all())
