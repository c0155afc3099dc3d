"""What every check reads: values of all vertices as an array, and edges some millions at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.base.flags import any_true
from spbfs.base.memory import require_bytes
from spbfs.base.wording import brief
from spbfs.exceptions import DimensionMismatch, DomainMismatch
from spbfs.objects.checks import as_array
from spbfs.objects.operands.vector_operand import VectorOperand
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.entries import array_module, bincount, rows_of

__all__ = [
    "edges_in_parts",
    "entries_of_rows",
    "first_of",
    "is_stored",
    "moved",
    "parts_of",
    "places",
    "values_of",
    "vertex_integers",
]

Array = Any  # of the module that holds the matrix: NumPy's, or CuPy's for one on the GPU

# Edges looked at together: bounds the memory of a check, whatever the size of the graph.
_EDGES_AT_ONCE = {"numpy": 1 << 22, "cupy": 1 << 25}


def moved(xp: Any, values: Any) -> Any:
    """Values as an array of a module; what is in host memory stays as it is for NumPy."""
    if xp is np:
        return values.get() if hasattr(values, "__cuda_array_interface__") else values
    return xp.asarray(values)


def parts_of(found: Any, *names: str) -> tuple[Any, ...]:
    """What a result unpacks as."""
    try:
        parts = () if isinstance(found, str) else tuple(found)
    except TypeError:
        parts = ()
    if len(parts) != len(names):
        raise DomainMismatch(f"found: expected {', '.join(names)}, got {brief(found)}")
    return parts


def vertex_integers(xp: Any, values: Any, n: int, name: str) -> Array:
    """Values of all n vertices, -1 where there is none."""
    if isinstance(values, VectorOperand):
        if values.dtype.is_float or values.dtype.is_bool:
            raise DomainMismatch(f"{name}: expected integers, got dtype {values.dtype}")
        stored: VectorData = values._ready()
        if stored.size != n:
            raise DimensionMismatch(f"{name}: expected size {n}, got {stored.size}")
        numbers, present = values_of(xp, stored, name)
        return xp.where(present, numbers.astype(np.int64), -1)
    array = as_array(moved(np, values), name)
    if array.shape != (n,):
        raise DimensionMismatch(f"{name}: expected shape ({n},), got {array.shape}")
    if n and array.dtype.kind not in "iu":
        raise DomainMismatch(f"{name}: expected integers, got dtype {array.dtype}")
    return xp.asarray(np.maximum(array.astype(np.int64), -1))


def values_of(xp: Any, stored: VectorData, name: str) -> tuple[Array, Array]:
    """A value of all n vertices, whatever number where there is none, and where there is one."""
    n = stored.size
    if stored.indices is None:
        present = xp.ones(n, np.bool_) if stored.present is None else moved(xp, stored.present)
        return moved(xp, stored.values), present
    if xp is np:
        # Asked first: a machine may hand out more memory than it has, and end the process.
        require_bytes(9 * n, f"{name}: a number a vertex")
    at = moved(xp, stored.indices)
    dense, present = xp.zeros(n, stored.values.dtype), xp.zeros(n, np.bool_)
    dense[at], present[at] = moved(xp, stored.values), True
    return dense, present


def first_of(bad: Array) -> int | None:
    """Index of the first True."""
    return int(bad.argmax()) if any_true(bad) else None


def is_stored(data: MatrixData, rows: Array, cols: Array) -> Array:
    """Whether (rows[k], cols[k]) is stored."""
    return places(data, rows, cols) >= 0


def places(data: MatrixData, rows: Array, cols: Array) -> Array:
    """Which entry (rows[k], cols[k]) is, -1 where none, by bisection of all rows at once."""
    xp = array_module(rows)
    if data.nvals == 0:
        return xp.full(rows.shape[0], -1, np.int64)
    low = data.indptr[rows].astype(np.int64)
    row_end = data.indptr[rows + 1].astype(np.int64)
    high = row_end
    while any_true(low < high):
        open_ = low < high
        middle = (low + high) // 2
        less = data.indices[xp.minimum(middle, data.nvals - 1)] < cols
        low, high = (
            xp.where(open_ & less, middle + 1, low),
            xp.where(open_ & ~less, middle, high),
        )
    found = (low < row_end) & (data.indices[xp.minimum(low, data.nvals - 1)] == cols)
    return xp.where(found, low, -1)


def edges_in_parts(data: MatrixData) -> Iterator[tuple[Array, Array]]:
    """All stored entries as (rows, columns), some millions at a time."""
    xp = array_module(data.indices)
    step = _EDGES_AT_ONCE[xp.__name__]
    for begin in range(0, data.nvals, step):
        end = min(begin + step, data.nvals)
        bounds = xp.asarray([begin, end], data.indptr.dtype)
        first = int(xp.searchsorted(data.indptr, bounds[:1], side="right")[0]) - 1
        last = int(xp.searchsorted(data.indptr, bounds[1:], side="left")[0])
        # A row's number is how many rows have begun.
        begun = data.indptr[first + 1 : last] - data.indptr.dtype.type(begin)
        rows = first + xp.cumsum(bincount(begun, end - begin))
        yield rows, data.indices[begin:end].astype(np.int64)


def entries_of_rows(data: MatrixData, rows: Array) -> tuple[Array, Array]:
    """The entries of a list of rows: for each its row's place in the list, and its column."""
    xp = array_module(rows)
    first = data.indptr[rows].astype(np.int64)
    length = data.indptr[rows + 1].astype(np.int64) - first
    ends = xp.zeros(rows.shape[0] + 1, np.int64)
    xp.cumsum(length, out=ends[1:])
    place = rows_of(ends, int(ends[-1]))
    at = xp.arange(place.shape[0]) + (first - ends[:-1])[place]
    return place, data.indices[at].astype(np.int64)
