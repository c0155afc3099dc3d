"""Patterns of matrices as kernels take them that walk several at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.values.value_arrays import values_as
from spbfs.operators.dtypes import DType
from spbfs.storage.data import MatrixData, is_iso
from spbfs.storage.delayed import is_plain

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["Csr", "csr_of", "most_entries", "values_between"]

Array = Any
#: Offsets and column indices, of one type.
Csr = tuple[Array, Array]

_INT32, _INT64 = np.dtype(np.int32), np.dtype(np.int64)
_INT32_MAX, _INT64_MAX = (int(np.iinfo(dtype).max) for dtype in (_INT32, _INT64))


def csr_of(*matrices: MatrixData) -> list[Csr] | None:
    """Offsets and indices of all of them in the narrowest type that a result of them all fits.

    None where a matrix is stored in another way, or has so many entries that its indices, which
    fit 32 bits, would have to be widened.
    """
    entries, wide = 0, False
    for m in matrices:
        if type(m) is not MatrixData and not is_plain(m):
            return None
        entries += len(m.indices)
        wide = wide or m.indices.dtype != _INT32
    if entries > _INT32_MAX and not wide:
        return None
    itype = _INT64 if wide else _INT32
    found: list[Csr] = []
    for m in matrices:
        indptr, indices = m.indptr, m.indices
        if indptr.dtype != itype:
            indptr = indptr.astype(itype)
        if indices.dtype != itype:
            indices = indices.astype(itype)
        found.append((indptr, indices))
    return found


def most_entries(offsets: np.dtype[Any]) -> int:
    """How many entries offsets of a type can count."""
    return _INT32_MAX if offsets == _INT32 else _INT64_MAX


def values_between(engine: CpuEngine, values: Array, dtype: DType | None = None) -> Array:
    """Values as a kernel takes them, of a type: side by side, or one for all."""
    if dtype is not None and values.dtype != dtype.np_type:
        values = values_as(engine, values, dtype)
    if values.flags.c_contiguous or is_iso(values):
        return values
    return np.ascontiguousarray(values)
