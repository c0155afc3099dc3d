"""Selections by position on the CPU, in one walk: ``select.cpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.threads import get_threads
from spbfs.engines.arrays.matrices import elements
from spbfs.engines.arrays.matrices.elements import with_values
from spbfs.engines.arrays.values.value_arrays import own_copy
from spbfs.engines.cpu.matrices.csr import values_between
from spbfs.engines.cpu.native import kernels
from spbfs.operators.definitions import TypedIndexUnary
from spbfs.storage.data import MatrixData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["matrix_select"]

#: What is compared with the thunk, as factors of column and row; how; and whether to keep it.
_POSITIONS = {
    "tril": (1, -1, "<=", True),
    "triu": (1, -1, ">=", True),
    "diag": (1, -1, "==", True),
    "offdiag": (1, -1, "==", False),
    "colle": (1, 0, "<=", True),
    "colgt": (1, 0, "<=", False),
}
#: Whether the first rows are kept, or those behind them.
_ROWS = {"rowle": True, "indexle": True, "rowgt": False, "indexgt": False}
_ALL = np.iinfo(np.int64)


def matrix_select(engine: CpuEngine, A: MatrixData, op: TypedIndexUnary, thunk: Any) -> MatrixData:
    """The entries for which `op` is true."""
    name = op.op.name if op.op.function is None and type(A) is MatrixData else ""
    if name in _ROWS:
        return _rows(engine, A, min(max(int(thunk) + 1, 0), A.nrows), _ROWS[name])
    position = _POSITIONS.get(name)
    if position is None:
        return elements.matrix_select(engine, A, op, thunk)
    by_column, by_row, how, inside = position
    low = _ALL.min if how == "<=" else int(thunk)
    high = _ALL.max if how == ">=" else int(thunk)
    given = None if is_iso(A.values) else values_between(engine, A.values)
    indptr = np.empty_like(A.indptr)
    columns, made = kernels.select(
        A.indptr, A.indices, given, by_column, by_row, low, high, inside, indptr, get_threads()
    )
    indices = columns.view(A.indices.dtype)
    if indices.shape[0] == A.nvals:
        return with_values(A, A.values)
    values = A.values[: indices.shape[0]] if made is None else made.view(A.values.dtype)
    return MatrixData(A.nrows, A.ncols, indptr, indices, values)


def _rows(engine: CpuEngine, A: MatrixData, row: int, first: bool) -> MatrixData:
    """The entries before a row, or those from it on: they lie together."""
    cut = int(A.indptr[row])
    indptr = np.minimum(A.indptr, cut) if first else np.maximum(A.indptr, cut) - A.indptr[row]
    kept = slice(cut) if first else slice(cut, None)
    values = own_copy(engine, A.values[kept])
    return MatrixData(A.nrows, A.ncols, indptr, A.indices[kept].copy(), values)
