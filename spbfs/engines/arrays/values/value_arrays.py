"""Value arrays: casting, picking and evaluating without ever spelling out an iso array."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base import memory
from spbfs.engines.arrays.values.elementwise import eval_binary, eval_indexunary, eval_unary
from spbfs.operators.casts import cast
from spbfs.operators.definitions import TypedBinary, TypedIndexUnary, TypedUnary
from spbfs.operators.dtypes import DType, lookup_dtype
from spbfs.storage.data import is_iso, iso_array

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = [
    "asarray",
    "binary_values",
    "blank",
    "constant",
    "counting",
    "dtype_of",
    "group_of",
    "indexed_values",
    "iso_value",
    "own_copy",
    "require_bytes",
    "resized",
    "same_bits",
    "same_iso",
    "spelled_out",
    "take",
    "to_numpy",
    "truths",
    "unary_results",
    "unary_values",
    "values_as",
]

Array = Any
#: Gives the (row, column) of every entry at hand; asked only by operators that see positions.
Positions = Callable[[], tuple[Array, Array]]


def asarray(engine: ArrayEngine, array: Any, dtype: DType | None = None) -> Array:
    """A one-dimensional array of this engine, copied only where it must be."""
    made = engine.xp.asarray(array)
    made = made.reshape(-1) if made.ndim != 1 else made
    return made if dtype is None else values_as(engine, made, dtype)


def to_numpy(engine: ArrayEngine, array: Array) -> np.ndarray[Any, Any]:
    """The array on the host."""
    return np.asarray(array)


def require_bytes(engine: ArrayEngine, needed: int, what: str) -> None:
    """Raise `OutOfMemory` when `what` needs more bytes than this engine can have."""
    memory.require_bytes(needed, what)


def constant(engine: ArrayEngine, value: Any, dtype: np.dtype[Any], size: int) -> Array:
    """An iso array of `size` elements."""
    return iso_array(cast(engine.xp, engine.xp.asarray(value), dtype), size)


def iso_value(engine: ArrayEngine, values: Array) -> Any:
    """The one value of an iso array that is not empty, as a number of the host."""
    return values[0]


def resized(engine: ArrayEngine, values: Array, size: int) -> Array:
    """An iso array of another length."""
    if values.shape[0] == 0:
        return iso_array(engine.xp.zeros(1, values.dtype), size)
    # An iso array keeps its element: never one inside an array that may change.
    return iso_array(values[:1] if values.strides == (0,) else values[:1].copy(), size)


def group_of(engine: ArrayEngine, counts: Array, total: int) -> Array:
    """For `total` items in consecutive groups of these sizes, the group of each (int64)."""
    if engine.xp is np:
        return np.arange(counts.shape[0], dtype=np.int64).repeat(counts)
    ends = engine.xp.cumsum(counts)
    return engine.xp.searchsorted(ends, engine.xp.arange(total), side="right")


def values_as(engine: ArrayEngine, values: Array, dtype: DType) -> Array:
    """The same values as another type; iso stays iso, and nothing is copied without need."""
    if values.dtype == dtype.np_type:
        return values
    if is_iso(values):
        if values.shape[0] == 0:
            return engine.constant(0, dtype.np_type, 0)
        return engine.constant(values[:1], dtype.np_type, values.shape[0])
    return cast(engine.xp, values, dtype.np_type)


def truths(engine: ArrayEngine, values: Array) -> Array:
    """Which values are true, as flags of their own, spelled out."""
    flags = cast(engine.xp, values, np.dtype(np.bool_))
    return values.astype(np.bool_) if flags is values else flags


def take(engine: ArrayEngine, values: Array, at: Array | None) -> Array:
    """``values[at]``; None stands for all of them."""
    if at is None:
        return values
    if values.strides != (0,):  # not iso: a call less, for every list that is made
        return values[at]
    size = at.shape[0]
    return iso_array(values[:1], size) if values.shape[0] else engine.resized(values, size)


def spelled_out(engine: ArrayEngine, values: Array) -> Array:
    """An array of its own, element by element, that may be written."""
    if not is_iso(values):
        return values.copy()
    engine.require_bytes(values.shape[0] * values.dtype.itemsize, f"{values.shape[0]} values")
    return engine.xp.array(values)


def blank(engine: ArrayEngine, size: int, dtype: Any = np.bool_) -> Array:
    """Zeros, one for each of `size` elements: what a sparse vector may be too long for."""
    needed = size * np.dtype(dtype).itemsize
    if needed >= memory.UNQUESTIONED:
        engine.require_bytes(needed, f"a dense vector of {size} elements")
    return engine.xp.zeros(size, dtype)


def counting(engine: ArrayEngine, size: int) -> Array:
    """``0 .. size - 1``, int64."""
    engine.require_bytes(size * 8, f"the indices of {size} elements")
    return engine.xp.arange(size, dtype=np.int64)


def unary_values(engine: ArrayEngine, op: TypedUnary, x: Array, positions: Positions) -> Array:
    """`op` of every value."""
    if op.op.positional:
        rows, cols = positions()
        return values_as(engine, rows if op.op.name.endswith("i") else cols, op.out_type)
    if op.op.name == "one" and op.op.function is None:
        return engine.constant(1, op.out_type.np_type, x.shape[0])
    x = values_as(engine, x, op.in_type)
    if is_iso(x) and x.shape[0]:
        return engine.resized(engine.unary_results(op, x[:1]), x.shape[0])
    return engine.unary_results(op, x)


def unary_results(engine: ArrayEngine, op: TypedUnary, x: Array) -> Array:
    """`op` of every value of an array of its type."""
    return eval_unary(engine.xp, op, x)


def binary_values(
    engine: ArrayEngine, op: TypedBinary, x: Array, y: Array, positions: Positions | None = None
) -> Array:
    """`op` of values two by two, of entries that stand at the same positions."""
    name = op.op.name if op.op.function is None else ""
    if op.op.positional and positions is not None:
        rows, cols = positions()
        return values_as(engine, rows if name.endswith("i") else cols, op.out_type)
    size = x.shape[0]
    if name == "pair":
        return engine.constant(1, op.out_type.np_type, size)
    if name in ("first", "any"):
        return values_as(engine, values_as(engine, x, op.in_type), op.out_type)
    if name == "second":
        return values_as(engine, values_as(engine, y, op.in_type), op.out_type)
    x, y = values_as(engine, x, op.in_type), values_as(engine, y, op.in_type)
    if size and is_iso(x) and is_iso(y):
        return engine.resized(eval_binary(engine.xp, op, x[:1], y[:1]), size)
    return eval_binary(engine.xp, op, x, y)


def indexed_values(
    engine: ArrayEngine,
    op: TypedIndexUnary,
    values: Array,
    rows: Callable[[], Array],
    cols: Callable[[], Array],
    thunk: Any,
) -> Array:
    """`op` of value, row, column and thunk for every entry; positions only where needed."""
    by_value, custom = op.op.by_value, op.op.function is not None
    if by_value or custom:
        values = values_as(engine, values, op.in_type)
    if custom:
        kind = op.in_type.np_type if by_value else np.dtype(np.int64)
        scalar = engine.constant(thunk, kind, 1)
        return eval_indexunary(engine.xp, op, values, rows(), cols(), scalar)
    # Of that type already: `objects.operations.apply_operator` has made it so.
    if by_value:
        if values.strides == (0,) and values.shape[0]:
            one = eval_indexunary(engine.xp, op, values[:1], None, None, thunk)
            return engine.resized(one, values.shape[0])
        return eval_indexunary(engine.xp, op, values, None, None, thunk)
    name = op.op.name
    i = None if name.startswith("col") else rows()
    j = None if name.startswith(("row", "index")) else cols()
    return eval_indexunary(engine.xp, op, values, i, j, thunk)


def same_bits(x: Any, y: Any) -> bool:
    """Whether two numbers of one type are alike bit by bit: -0.0 equals 0.0 and divides otherwise,
    and NaN does not equal itself."""
    if x is y or (x == y and x):  # as most are, and bits take thirty times as long
        return True
    return bool(x == y or x != x) and x.tobytes() == y.tobytes()


def same_iso(engine: ArrayEngine, *arrays: Array) -> bool:
    """Whether all arrays are iso and of one and the same value (empty ones aside)."""
    first: Any = None
    for a in arrays:
        if not a.shape[0]:
            continue
        if not is_iso(a):
            return False
        value = engine.iso_value(a)
        if first is None:
            first = value
        elif a.dtype != first.dtype or not same_bits(value, first):
            return False
    return first is not None


def dtype_of(x: Any) -> DType:
    """The GraphBLAS type of a vector's or matrix's values."""
    return lookup_dtype(x.values.dtype)


def own_copy(engine: ArrayEngine, values: Array) -> Array:
    """The same values in memory that nobody else holds; iso stays iso."""
    return engine.resized(values, values.shape[0]) if is_iso(values) else values.copy()
