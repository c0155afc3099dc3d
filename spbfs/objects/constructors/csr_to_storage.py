"""From the arrays of compressed rows or columns to storage: checked, and sorted where needed."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.flags import all_true, any_true
from spbfs.base.memory import typed_refusals
from spbfs.engines import get_engine
from spbfs.engines.arrays.patterns.labels import settled
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    IndexBeyondShape,
    IndexOutOfBound,
    IndexOutOfRange,
    InvalidOffsets,
    InvalidValue,
)
from spbfs.objects.checks import as_array, as_index_array, as_size, as_value_array
from spbfs.objects.constructors.entries_to_storage import duplicates_operator, matrix_of_entries
from spbfs.objects.number_lists import refuse_flags, whole_numbers
from spbfs.objects.placement.gpu_arrays import as_gpu_array, on_gpu
from spbfs.operators.dtypes import DType, lookup_dtype
from spbfs.storage.data import MatrixData, is_iso, iso_array
from spbfs.storage.entries import array_module, rows_of

__all__ = ["matrix_of_csr", "matrix_of_lines"]

INT32_MAX = np.iinfo(np.int32).max
SIZES = {"row": "nrows", "column": "ncols"}


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
    lines: tuple[str, str] = ("row", "column"),
) -> MatrixData:
    """Storage of a matrix; see `Matrix.from_csr`.

    `lines` says what the offsets separate and what `indices` count: the other way round the
    arrays are those of a CSC matrix, and the result is the storage of the transpose.
    """
    line, across = lines
    m = None if nrows is None else as_size(nrows, SIZES[line])
    n = None if ncols is None else as_size(ncols, SIZES[across])
    engine = get_engine(device)
    gpu = device == "cuda" and any(map(on_gpu, (indptr, indices)))
    if gpu:
        indptr, indices = as_gpu_array(indptr), as_gpu_array(indices)
    columns = _checked_indices(indices, n, gpu)
    entries = columns.shape[0]
    stored = as_value_array(values, entries, dtype, gpu=device == "cuda")
    offsets = _as_offsets(indptr, entries, m, gpu, line)
    m = offsets.shape[0] - 1
    if n is None:
        n = int(columns.max()) + 1 if entries else 0
    kind = lookup_dtype(stored.dtype)
    rising = columns[1:] > columns[:-1]
    rising |= _row_starts(offsets, entries)[1:]
    if all_true(rising):
        width = np.int32 if n <= INT32_MAX else np.int64
        own = stored if is_iso(stored) or on_gpu(stored) else np.array(stored)
        arrays = (offsets, columns.astype(width, copy=not gpu), own)
        return settled(MatrixData(m, n, *(_to_device(engine, a) for a in arrays)))
    if sorted_cols:
        at = int(np.flatnonzero(~rising)[0]) + 1
        row = int(np.searchsorted(offsets, at, side="right")) - 1
        raise InvalidValue(
            f"indices: declared sorted, but {line} {row} has {across} {columns[at]} "
            f"after {columns[at - 1]}"
        )
    rows = rows_of(offsets, entries)
    dup = duplicates_operator(dup_op, kind, values)
    data = engine.build_matrix(
        m,
        n,
        engine.asarray(rows),
        engine.asarray(columns.astype(np.int64)),
        _to_device(engine, stored),
        dup,
    )
    if dup is None and not is_iso(stored) and data.nvals < entries:
        raise InvalidValue(
            f"indices: a {across} occurs twice in a {line}; give dup_op= to combine them"
        )
    return data


@typed_refusals
def matrix_of_lines(
    compressed: Any,
    indptr: Any,
    indices: Any,
    values: Any,
    dtype: DType | None,
    shape: tuple[Any, Any],
    device: str,
    lines: tuple[str, str],
) -> MatrixData:
    """Storage of a matrix of which only the rows, or columns, with entries are given.

    `shape` counts these lines first; see `Matrix.from_dcsr`.
    """
    line = lines[0]
    names = [SIZES[x] for x in lines]
    limits = [None if n is None else as_size(n, x) for n, x in zip(shape, names, strict=True)]
    gpu = device == "cuda" and any(map(on_gpu, (compressed, indptr, indices)))
    if gpu:
        compressed, indptr, indices = map(as_gpu_array, (compressed, indptr, indices))
    chosen = as_index_array(compressed, f"compressed_{line}s", limits[0], floats="whole", gpu=gpu)
    across_of = _checked_indices(indices, limits[1], gpu)
    offsets = _as_offsets(indptr, across_of.shape[0], chosen.shape[0], gpu, line)
    line_of = chosen[rows_of(offsets, across_of.shape[0])]
    sizes = [
        limit if limit is not None else int(array.max(initial=-1)) + 1
        for limit, array in zip(limits, (chosen, across_of), strict=True)
    ]
    rows, columns = (line_of, across_of) if line == "row" else (across_of, line_of)
    nrows, ncols = sizes if line == "row" else sizes[::-1]
    return matrix_of_entries(get_engine(device), rows, columns, values, dtype, (nrows, ncols), None)


def _checked_indices(indices: Any, limit: int | None, gpu: bool) -> Any:
    given = as_array(indices, "indices", gpu=gpu)
    refuse_flags(indices, given, "indices")
    try:
        if given.dtype == np.int32 and given.size:
            return _int32_columns(given, limit)
        return as_index_array(given, "indices", limit, floats="whole", gpu=gpu)
    except IndexOutOfBound as error:
        raise IndexBeyondShape(str(error)) from None


def _as_offsets(indptr: Any, entries: int, lines: int | None, gpu: bool, line: str) -> Any:
    """Offsets of the rows, or columns, checked, in the narrowest type that holds them."""
    offsets = as_array(indptr, "indptr", gpu=gpu)
    refuse_flags(indptr, offsets, "indptr")
    if offsets.ndim != 1:
        raise DimensionMismatch(f"indptr: expected one dimension, got shape {offsets.shape}")
    if offsets.size == 0:
        raise InvalidValue(f"indptr: expected an offset for every {line} and one more, got none")
    if offsets.dtype.kind == "f":
        offsets = whole_numbers(offsets, cut=False)
    if offsets.dtype.kind not in "iu":
        raise DomainMismatch(f"indptr: expected integer offsets, got dtype {offsets.dtype}")
    if lines is not None and offsets.size != lines + 1:
        raise DimensionMismatch(
            f"indptr: expected {lines + 1} offsets, one more than {SIZES[line]} or compressed "
            f"{line}s, got {offsets.size}"
        )
    if offsets[0] != 0:
        raise InvalidOffsets(f"indptr: expected to start at 0, got {offsets[0]}")
    falls = offsets[1:] < offsets[:-1]
    if any_true(falls):
        i = int(falls.argmax())
        raise InvalidOffsets(
            f"indptr: decreases at {line} {i}, from {offsets[i]} to {offsets[i + 1]}"
        )
    if int(offsets[-1]) != entries:
        raise InvalidOffsets(f"indptr: ends at {offsets[-1]}, but indices has {entries} entries")
    width = np.int32 if entries <= INT32_MAX else np.int64
    return offsets.astype(width, copy=not on_gpu(indptr))


def _row_starts(offsets: Any, entries: int) -> Any:
    """Whether each entry is the first of its row."""
    first = array_module(offsets).zeros(entries + 1, np.bool_)
    first[offsets[:-1]] = True
    return first[:entries]


def _int32_columns(columns: Any, ncols: int | None) -> Any:
    """Range-check without widening: the usual case, where memory is the matrix itself."""
    if columns.ndim != 1:
        raise DimensionMismatch(f"indices: expected one dimension, got shape {columns.shape}")
    high = int(columns.view(np.uint32).max())  # of which negative ones are beyond all others
    if high > INT32_MAX:
        raise IndexOutOfRange(f"indices: indices must not be negative, got {columns.min()}")
    if ncols is not None and high >= ncols:
        raise IndexOutOfBound(f"indices: expected indices below {ncols}, got {high}")
    return columns


def _to_device(engine: Any, array: Any) -> Any:
    """The array on the engine's device, iso kept."""
    if isinstance(array, np.ndarray) and is_iso(array) and array.shape[0]:
        return iso_array(engine.asarray(np.array(array[:1])), array.shape[0])
    return engine.asarray(array)
