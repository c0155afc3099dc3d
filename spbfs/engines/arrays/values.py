"""Value arrays: casting, picking and evaluating without ever spelling out an iso array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.arrays.elementwise import eval_binary, eval_indexunary, eval_unary
from spbfs.operators.definitions import TypedBinary, TypedIndexUnary, TypedUnary
from spbfs.operators.dtypes import DType, lookup_dtype
from spbfs.storage.data import is_iso, iso_array

__all__ = ["ValueOps"]

Array = Any
#: Gives the (row, column) of every entry at hand; asked only by operators that see positions.
Positions = Callable[[], tuple[Array, Array]]


class ValueOps:
    """Arrays of values of one array module."""

    xp: Any = np

    def asarray(self, array: Any, dtype: DType | None = None) -> Array:
        """A one-dimensional array of this engine, copied only where it must be."""
        made = self.xp.asarray(array)
        made = made.reshape(-1) if made.ndim != 1 else made
        return made if dtype is None else self.values_as(made, dtype)

    def to_numpy(self, array: Array) -> np.ndarray[Any, Any]:
        """The array on the host."""
        return np.asarray(array)

    def require_bytes(self, needed: int, what: str) -> None:
        """Raise `OutOfMemory` when `what` needs more bytes than this engine can have."""
        require_bytes(needed, what)

    def constant(self, value: Any, dtype: np.dtype[Any], size: int) -> Array:
        """An iso array of `size` elements."""
        one = self.xp.asarray(value)
        if one.dtype != dtype:
            with np.errstate(invalid="ignore"):
                one = one.astype(dtype)
        return iso_array(one, size)

    def iso_value(self, values: Array) -> Any:
        """The one value of an iso array that is not empty, as a number of the host."""
        return values[0]

    def resized(self, values: Array, size: int) -> Array:
        """An iso array of another length."""
        if values.shape[0] == 0:
            return iso_array(self.xp.zeros(1, values.dtype), size)
        # An iso array keeps its element: never one inside an array that may change.
        return iso_array(values[:1] if is_iso(values) else values[:1].copy(), size)

    def group_of(self, counts: Array, total: int) -> Array:
        """For `total` items in consecutive groups of these sizes, the group of each (int64)."""
        if self.xp is np:
            return np.repeat(np.arange(counts.shape[0], dtype=np.int64), counts)
        ends = self.xp.cumsum(counts)
        return self.xp.searchsorted(ends, self.xp.arange(total), side="right")

    def values_as(self, values: Array, dtype: DType) -> Array:
        """The same values as another type; iso stays iso, and nothing is copied without need."""
        if values.dtype == dtype.np_type:
            return values
        if is_iso(values):
            if values.shape[0] == 0:
                return self.constant(0, dtype.np_type, 0)
            return self.constant(values[:1], dtype.np_type, values.shape[0])
        with np.errstate(invalid="ignore"):
            return values.astype(dtype.np_type)

    def take(self, values: Array, at: Array | None) -> Array:
        """``values[at]``; None stands for all of them."""
        if at is None:
            return values
        return self.resized(values, at.shape[0]) if is_iso(values) else values[at]

    def spelled_out(self, values: Array) -> Array:
        """An array of its own, element by element, that may be written."""
        if not is_iso(values):
            return values.copy()
        self.require_bytes(values.shape[0] * values.dtype.itemsize, f"{values.shape[0]} values")
        return self.xp.array(values)

    def blank(self, size: int, dtype: Any = np.bool_) -> Array:
        """Zeros, one for each of `size` elements: what a sparse vector may be too long for."""
        self.require_bytes(size * np.dtype(dtype).itemsize, f"a dense vector of {size} elements")
        return self.xp.zeros(size, dtype)

    def counting(self, size: int) -> Array:
        """``0 .. size - 1``, int64."""
        self.require_bytes(size * 8, f"the indices of {size} elements")
        return self.xp.arange(size, dtype=np.int64)

    def unary_values(self, op: TypedUnary, x: Array, positions: Positions) -> Array:
        """`op` of every value."""
        if op.op.positional:
            rows, cols = positions()
            return self.values_as(rows if op.op.name.endswith("i") else cols, op.out_type)
        if op.op.name == "one" and op.op.function is None:
            return self.constant(1, op.out_type.np_type, x.shape[0])
        x = self.values_as(x, op.in_type)
        if is_iso(x) and x.shape[0]:
            return self.resized(eval_unary(self.xp, op, x[:1]), x.shape[0])
        return eval_unary(self.xp, op, x)

    def binary_values(
        self, op: TypedBinary, x: Array, y: Array, positions: Positions | None = None
    ) -> Array:
        """`op` of values two by two, of entries that stand at the same positions."""
        name = op.op.name if op.op.function is None else ""
        if op.op.positional and positions is not None:
            rows, cols = positions()
            return self.values_as(rows if name.endswith("i") else cols, op.out_type)
        size = x.shape[0]
        if name == "pair":
            return self.constant(1, op.out_type.np_type, size)
        if name in ("first", "any"):
            return self.values_as(self.values_as(x, op.in_type), op.out_type)
        if name == "second":
            return self.values_as(self.values_as(y, op.in_type), op.out_type)
        x, y = self.values_as(x, op.in_type), self.values_as(y, op.in_type)
        if size and is_iso(x) and is_iso(y):
            return self.resized(eval_binary(self.xp, op, x[:1], y[:1]), size)
        return eval_binary(self.xp, op, x, y)

    def indexed_values(
        self,
        op: TypedIndexUnary,
        values: Array,
        rows: Callable[[], Array],
        cols: Callable[[], Array],
        thunk: Any,
    ) -> Array:
        """`op` of value, row, column and thunk for every entry; positions only where needed."""
        by_value, custom = op.op.by_value, op.op.function is not None
        scalar = self.constant(thunk, op.in_type.np_type if by_value else np.dtype(np.int64), 1)
        if by_value or custom:
            values = self.values_as(values, op.in_type)
        if custom:
            return eval_indexunary(self.xp, op, values, rows(), cols(), scalar)
        if by_value:
            if is_iso(values) and values.shape[0]:
                one = eval_indexunary(self.xp, op, values[:1], None, None, scalar)
                return self.resized(one, values.shape[0])
            return eval_indexunary(self.xp, op, values, None, None, scalar)
        name = op.op.name
        i = None if name.startswith("col") else rows()
        j = None if name.startswith(("row", "index")) else cols()
        return eval_indexunary(self.xp, op, values, i, j, scalar)

    def same_iso(self, *arrays: Array) -> bool:
        """Whether all arrays are iso and of one and the same value (empty ones aside)."""
        first: Any = None
        for a in arrays:
            if not a.shape[0]:
                continue
            if not is_iso(a):
                return False
            value = self.iso_value(a)
            if first is None:
                first = value
            elif a.dtype != first.dtype or value != first:
                return False
        return first is not None

    def dtype_of(self, x: Any) -> DType:
        """The GraphBLAS type of a vector's or matrix's values."""
        return lookup_dtype(x.values.dtype)
