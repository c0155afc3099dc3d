"""From indices and values to storage: they are checked, then an engine builds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.engines.arrays.patterns.labels import settled
from spbfs.engines.arrays.patterns.layout import index_type, offset_type
from spbfs.exceptions import DimensionMismatch, InvalidEntry, InvalidValue
from spbfs.objects.checks import (
    as_index_array,
    as_number,
    as_size,
    as_value_array,
    check_shape,
    is_scalar,
    several,
)
from spbfs.objects.scalars.arithmetic import ScalarArithmetic
from spbfs.operators import lookup
from spbfs.operators.dtypes import DType, lookup_dtype, scalar_dtype
from spbfs.planner.forms import vector_form
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.entries import array_module

if TYPE_CHECKING:
    from spbfs.engines.protocol import Engine

__all__ = [
    "dense_matrix",
    "dense_vector",
    "duplicates_operator",
    "matrix_of_entries",
    "present",
    "vector_of_entries",
]


@typed_refusals
def vector_of_entries(
    engine: Engine, indices: Any, values: Any, dtype: DType | None, size: Any, dup_op: Any
) -> VectorData:
    """Storage of a vector; see `Vector.from_coo`."""
    gpu = engine.name == "cuda"
    # The dialect cuts fractions here; of edges they would be other edges.
    where, limit = _indices(indices, size, "indices", "size", gpu, floats="cut")
    stored = as_value_array(values, where.shape[0], dtype, gpu=gpu)
    dup = duplicates_operator(dup_op, lookup_dtype(stored.dtype), values)
    data = engine.build_vector(limit, engine.asarray(where), engine.asarray(stored), dup)
    # Sorted only where it is known that two are equal.
    if dup is None and not _is_one_number(values) and engine.nvals(data) < where.shape[0]:
        _check_distinct(np.sort(where), "indices")
    return data


@typed_refusals
def dense_vector(engine: Engine, values: Any, keep: Any = None) -> VectorData:
    """Storage of a vector of an array, which is copied: of all elements, or those flagged."""
    xp = array_module(values)
    own, size = xp.array(values, order="C"), values.shape[0]
    if keep is None:
        return VectorData(size, engine.asarray(own))
    # A GPU would compile what counts, and lists at once.
    count = int(np.count_nonzero(keep)) if xp is np else 0
    if xp is not np or vector_form(size, count, "bitmap") == "list":
        where = xp.flatnonzero(keep)
        return engine.build_vector(size, engine.asarray(where), engine.asarray(own[where]), None)
    present = None if count == size else engine.asarray(keep)
    return VectorData(size, engine.asarray(own), present=present, counted=count)


@typed_refusals
def dense_matrix(engine: Engine, values: Any, shape: tuple[int, int], keep: Any) -> MatrixData:
    """Storage of a matrix of the values of an array, row by row: of all, or those flagged."""
    xp = array_module(values)
    nrows, ncols = shape
    indptr = xp.arange(nrows + 1, dtype=offset_type(ncols, values.shape[0])) * ncols
    indices = xp.empty((nrows, ncols), index_type(ncols))
    indices[:] = xp.arange(ncols)
    indices = indices.reshape(-1)
    if keep is None:
        own = xp.array(values, order="C")
    else:
        # By places: of flags at random NumPy takes ten times as long.
        where = xp.flatnonzero(keep)
        indptr = xp.searchsorted(where, indptr).astype(indptr.dtype)
        indices, own = indices[where], values[where]
    arrays = indptr, indices, own
    return settled(MatrixData(nrows, ncols, *map(engine.asarray, arrays)))


@typed_refusals
def matrix_of_entries(
    engine: Engine,
    rows: Any,
    columns: Any,
    values: Any,
    dtype: DType | None,
    shape: tuple[Any, Any],
    dup_op: Any,
) -> MatrixData:
    """Storage of a matrix; see `Matrix.from_coo`."""
    gpu = engine.name == "cuda"
    i, nrows = _indices(rows, shape[0], "rows", "nrows", gpu)
    j, ncols = _indices(columns, shape[1], "columns", "ncols", gpu)
    if i.shape != j.shape:
        raise DimensionMismatch(
            f"columns: expected {i.size} indices, as many as rows, got {j.size}"
        )
    stored = as_value_array(values, i.shape[0], dtype, gpu=gpu)
    check_shape(nrows, ncols)
    dup = duplicates_operator(dup_op, lookup_dtype(stored.dtype), values)
    x, y, z = (engine.asarray(a) for a in (i, j, stored))
    data = engine.build_matrix(nrows, ncols, x, y, z, dup)
    if dup is None and not _is_one_number(values) and data.nvals < i.size:
        order = np.lexsort(np.stack((j, i)))
        i, j = i[order], j[order]
        twice = int(np.argmax((i[1:] == i[:-1]) & (j[1:] == j[:-1])))
        raise InvalidEntry(
            "rows, columns: position ({}, {}) occurs twice; give dup_op= to combine duplicates",
            i[twice],
            j[twice],
        )
    return data


def _indices(
    given: Any,
    limit: Any,
    name: str,
    size_name: str,
    gpu: bool,
    floats: Literal["whole", "cut"] = "whole",
) -> tuple[Any, int]:
    """Checked indices and their limit, by default one more than the largest."""
    bound = None if limit is None else as_size(limit, size_name)
    array = as_index_array(several(given, name), name, bound, floats=floats, gpu=gpu)
    if bound is None:
        if array.size == 0:
            raise InvalidValue(f"{size_name}: cannot be told from no {name}; give {size_name}=")
        bound = int(array.max()) + 1
    return array, bound


def duplicates_operator(dup_op: Any, dtype: DType, values: Any) -> Any:
    """The typed operator that combines duplicates, or None; it must stay within the dtype."""
    if dup_op is not None and _is_one_number(values):
        raise InvalidValue(
            "dup_op: one value for all entries stays that value; to combine, give one an entry"
        )
    return None if dup_op is None else lookup.as_binary(dup_op).resolve(dtype, dtype)


def present(array: Any, missing_value: Any) -> Any:
    """Where a dense array, of the type that it will have, differs from `missing_value`.

    NaN stands for NaN, though it equals nothing.
    """
    if not is_scalar(missing_value):
        missing_value = as_number(missing_value, "missing_value")
    scalar_dtype(missing_value, "missing_value")
    return array == array if missing_value != missing_value else array != missing_value


def _is_one_number(values: Any) -> bool:
    """Whether `values` is one number for all entries, so that duplicates agree."""
    return isinstance(values, ScalarArithmetic) or np.ndim(values) == 0


def _check_distinct(ordered: Any, name: str) -> None:
    """Raise `InvalidValue` when a sorted array names something twice."""
    twice = np.flatnonzero(ordered[1:] == ordered[:-1])
    if twice.size:
        raise InvalidValue(
            f"{name}: {ordered[twice[0]]} occurs twice; give dup_op= to combine duplicates"
        )
