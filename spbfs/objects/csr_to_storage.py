"""From the three arrays of a CSR matrix to storage: they are checked, and sorted where needed."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.engines import get_engine
from spbfs.exceptions import DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue
from spbfs.objects.checks import as_array, as_index_array, as_size, as_value_array
from spbfs.objects.entries_to_storage import duplicates_operator
from spbfs.objects.gpu_arrays import as_gpu_array, on_gpu
from spbfs.operators.dtypes import DType, lookup_dtype
from spbfs.storage.data import MatrixData, is_iso, iso_array
from spbfs.storage.entries import array_module, rows_of

__all__ = ["matrix_of_csr"]

INT32_MAX = np.iinfo(np.int32).max


@typed_refusals
def matrix_of_csr(
    indptr: Any,
    indices: Any,
    values: Any,
    dtype: DType | None,
    nrows: Any,
    ncols: Any,
    sorted_cols: bool,
    dup_op: Any,
    device: str,
) -> MatrixData:
    """Storage of a matrix; see `Matrix.from_csr`."""
    m = None if nrows is None else as_size(nrows, "nrows")
    n = None if ncols is None else as_size(ncols, "ncols")
    engine = get_engine(device)
    gpu = device == "cuda" and any(map(on_gpu, (indptr, indices)))
    if gpu:
        indptr, indices = as_gpu_array(indptr), as_gpu_array(indices)
    given = as_array(indices, "indices", gpu=gpu)
    columns: Any
    if given.dtype == np.int32 and n is not None and given.size:
        columns = _int32_columns(given, n)
    else:
        columns = as_index_array(given, "indices", n, gpu=gpu)
    entries = columns.shape[0]
    stored = as_value_array(values, entries, dtype, gpu=device == "cuda")
    offsets = _as_offsets(indptr, entries, m, gpu)
    m = offsets.shape[0] - 1
    if n is None:
        n = int(columns.max()) + 1 if entries else 0
    kind = lookup_dtype(stored.dtype)
    rising = columns[1:] > columns[:-1]
    rising |= _row_starts(offsets, entries)[1:]
    if rising.all():
        width = np.int32 if n <= INT32_MAX else np.int64
        own = stored if is_iso(stored) or on_gpu(stored) else np.array(stored)
        arrays = (offsets, columns.astype(width, copy=not gpu), own)
        return MatrixData(m, n, *(_to_device(engine, a) for a in arrays))
    if sorted_cols:
        at = int(np.flatnonzero(~rising)[0]) + 1
        row = int(np.searchsorted(offsets, at, side="right")) - 1
        raise InvalidValue(
            f"indices: declared sorted, but row {row} has column {columns[at]} "
            f"after {columns[at - 1]}"
        )
    rows = rows_of(offsets, entries)
    dup = duplicates_operator(dup_op, kind)
    data = engine.build_matrix(
        m,
        n,
        engine.asarray(rows),
        engine.asarray(columns.astype(np.int64)),
        _to_device(engine, stored),
        dup,
    )
    if dup is None and not is_iso(stored) and data.nvals < entries:
        raise InvalidValue("indices: a column occurs twice in a row; give dup_op= to combine them")
    return data


def _as_offsets(indptr: Any, entries: int, nrows: int | None, gpu: bool) -> Any:
    """Row offsets, checked, in the narrowest type that holds them."""
    offsets = as_array(indptr, "indptr", gpu=gpu)
    if offsets.ndim != 1:
        raise DimensionMismatch(f"indptr: expected one dimension, got shape {offsets.shape}")
    if offsets.dtype.kind not in "iu":
        raise DomainMismatch(f"indptr: expected integer offsets, got dtype {offsets.dtype}")
    if offsets.size == 0:
        raise DimensionMismatch("indptr: expected nrows + 1 offsets, got none")
    if nrows is not None and offsets.size != nrows + 1:
        raise DimensionMismatch(f"indptr: expected nrows + 1 = {nrows + 1}, got {offsets.size}")
    if offsets[0] != 0:
        raise InvalidValue(f"indptr: expected to start at 0, got {offsets[0]}")
    falls = np.flatnonzero(offsets[1:] < offsets[:-1])
    if falls.size:
        i = int(falls[0])
        raise InvalidValue(f"indptr: decreases at row {i}, from {offsets[i]} to {offsets[i + 1]}")
    if int(offsets[-1]) != entries:
        raise InvalidValue(f"indptr: ends at {offsets[-1]}, but indices has {entries} entries")
    width = np.int32 if entries <= INT32_MAX else np.int64
    return offsets.astype(width, copy=not on_gpu(indptr))


def _row_starts(offsets: Any, entries: int) -> Any:
    """Whether each entry is the first of its row."""
    first = array_module(offsets).zeros(entries + 1, np.bool_)
    first[offsets[:-1]] = True
    return first[:entries]


def _int32_columns(columns: Any, ncols: int) -> Any:
    """Range-check without widening: the usual case, where memory is the matrix itself."""
    if columns.ndim != 1:
        raise DimensionMismatch(f"indices: expected one dimension, got shape {columns.shape}")
    low, high = int(columns.min()), int(columns.max())
    if low < 0:
        raise IndexOutOfBound(f"indices: indices must not be negative, got {low}")
    if high >= ncols:
        raise IndexOutOfBound(f"indices: expected indices below {ncols}, got {high}")
    return columns


def _to_device(engine: Any, array: Any) -> Any:
    """The array on the engine's device, iso kept."""
    if isinstance(array, np.ndarray) and is_iso(array) and array.shape[0]:
        return iso_array(engine.asarray(np.array(array[:1])), array.shape[0])
    return engine.asarray(array)
