"""Every check of an argument that comes from outside, each with one message."""

from __future__ import annotations

import contextlib
import numbers
import operator
from collections import deque
from collections.abc import Iterator, ValuesView
from collections.abc import Set as AbstractSet
from typing import Any, Literal

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.base.threads import resolve_threads
from spbfs.base.wording import brief
from spbfs.engines.protocol import Hints
from spbfs.exceptions import (
    DeviceMismatch,
    DimensionMismatch,
    DomainMismatch,
    EmptyObject,
    IndexOutOfBound,
    IndexOutOfRange,
    InvalidCall,
    InvalidValue,
    KindMismatch,
    NotIndices,
    OutOfRange,
    UnknownDtype,
)
from spbfs.objects.classes import classes
from spbfs.objects.display.makers import maker_of
from spbfs.objects.masked_arrays import masked_in
from spbfs.objects.number_lists import (
    OF_NAMES,
    PLAIN,
    as_listed,
    integers_of,
    known_dtype,
    numbers_of_scalars,
    refuse_flags,
    whole_numbers,
)
from spbfs.objects.placement.gpu_arrays import array_module, as_gpu_array, on_gpu
from spbfs.operators.casts import cast
from spbfs.operators.dtypes import INT64, UINT64, DType, scalar_dtype
from spbfs.storage.data import iso_array

__all__ = [
    "MAX_SIZE",
    "as_array",
    "as_flag",
    "as_hints",
    "as_index",
    "as_index_array",
    "as_number",
    "as_offset",
    "as_one_index",
    "as_size",
    "as_tuples",
    "as_value_array",
    "as_wanted",
    "check_covers",
    "check_ndim",
    "check_same_shape",
    "check_shape",
    "check_wait",
    "is_scalar",
    "listed",
    "several",
    "to_scalar",
]

_ARRAYS = (np.ndarray, list, tuple, range)  # NumPy makes arrays of these by itself
_ONCE = (AbstractSet, Iterator, ValuesView, deque)
#: Python's own first: to ask an abstract class takes ten times as long.
_NUMBERS = (int, float, np.generic, numbers.Real)
_DIRECTIONS = ("auto", "push", "pull")
_ZERO = INT64.np_type.type(0)
#: The greatest dimension.  GraphBLAS leaves two bits of a 64-bit index unused; so do we, and key
#: arithmetic stays exact.
MAX_SIZE = 1 << 60


def as_size(value: Any, name: str) -> int:
    """A dimension: an integer from 0 to 2**60."""
    if type(value) is int and 0 <= value <= MAX_SIZE:
        return value
    if isinstance(value, bool | np.bool_):
        raise DomainMismatch(f"{name}: expected an integer, got {brief(value)}")
    try:
        size = operator.index(value)
    except TypeError:
        raise DomainMismatch(f"{name}: expected an integer, got {brief(value)}") from None
    if not 0 <= size <= MAX_SIZE:
        raise OutOfRange(f"{name}: expected 0 <= {name} <= 2**60, got {brief(size)}")
    return size


def as_flag(value: Any, name: str) -> bool:
    """True or False, of Python or NumPy."""
    if value is True or value is False:
        return value
    if not isinstance(value, bool | np.bool_):
        raise DomainMismatch(f"{name}: expected True or False, got {brief(value)}")
    return bool(value)


def as_wanted(value: Any, name: str) -> bool:
    """The same of a part of a result, where the dialect takes None for False."""
    return value is not None and as_flag(value, name)


def as_offset(value: Any, name: str) -> int:
    """An integer of either sign: the number of a diagonal, a shift."""
    if isinstance(value, bool | np.bool_):
        raise DomainMismatch(f"{name}: expected an integer, got {brief(value)}")
    try:
        offset = operator.index(value)
    except TypeError:
        raise DomainMismatch(f"{name}: expected an integer, got {brief(value)}") from None
    if abs(offset) > MAX_SIZE:
        raise InvalidValue(f"{name}: expected at most 2**60, got {brief(offset)}")
    return offset


def listed(values: Any) -> Any:
    """Values that can be gone through only once, or in no order, as a list; others as they are.

    Those of a set rise; of a list with Scalars there are the numbers, as NumPy has them.
    """
    if isinstance(values, list | tuple):
        return values if PLAIN.issuperset(map(type, values)) else numbers_of_scalars(values)
    if isinstance(values, _ARRAYS) or not isinstance(values, _ONCE) or hasattr(values, "__array__"):
        return values
    if isinstance(values, AbstractSet):
        with contextlib.suppress(TypeError):
            return sorted(values)
    return numbers_of_scalars(list(values))


def as_array(values: Any, name: str, *, gpu: bool = False) -> Any:
    """An array from what NumPy can make one of; nested lists of unequal lengths are refused.

    Where `gpu` is true, one in GPU memory is taken as it is, and comes as CuPy's.
    """
    if on_gpu(values):
        if not gpu:
            raise DeviceMismatch(f"{name}: expected an array in host memory, got one on the GPU")
        return as_gpu_array(values)
    if type(values) is not np.ndarray and masked_in(values) is not None:
        raise InvalidValue(
            f"{name}: expected a value everywhere, got a masked array; values.compressed() has "
            "those that are not masked"
        )
    try:
        array = np.asarray(values if type(values) is np.ndarray else listed(values))
    except ValueError as error:
        raise DimensionMismatch(f"{name}: expected a rectangular array: {brief(error)}") from None
    except TypeError as error:  # what is on a GPU, in a list
        raise DomainMismatch(f"{name}: expected numbers: {brief(error)}") from None
    # What NumPy makes no array of it keeps as one object: None, a mapping, a sparse matrix.
    if array.ndim == 0 and array.dtype == object and not isinstance(values, int):
        raise DomainMismatch(f"{name}: expected an array, got {brief(values)}{maker_of(values)}")
    return array


def as_tuples(values: Any, name: str, widths: tuple[int, ...]) -> list[tuple[Any, ...]]:
    """The items of an iterable as tuples, all of one of the lengths in `widths`."""
    expected = f"{name}: expected tuples of {' or '.join(map(str, widths))} numbers"
    try:
        rows = [tuple(row) for row in values]
    except TypeError:
        raise DomainMismatch(f"{expected}, got {brief(values)}") from None
    if rows and len(rows[0]) not in widths:
        raise DimensionMismatch(f"{expected}, got {brief(rows[0])}")
    odd = next((row for row in rows if len(row) != len(rows[0])), None)
    if odd is not None:
        raise DimensionMismatch(f"{expected}, got {brief(rows[0])} and {brief(odd)}")
    return rows


def check_shape(nrows: int, ncols: int) -> None:
    """Refuse sides that no index reaches."""
    for name, side in (("nrows", nrows), ("ncols", ncols)):
        as_size(side, name)


def as_hints(direction: Any = "auto", threads: Any = None, **unknown: Any) -> Hints:
    """What was asked of the engine."""
    if unknown:
        name = next(iter(unknown))
        raise InvalidValue(
            f"{name}: no such option; expected mask, accum, replace, direction or threads"
        )
    if direction not in _DIRECTIONS:
        raise InvalidValue(f"direction: expected one of {_DIRECTIONS}, got {brief(direction)}")
    return Hints(direction, None if threads is None else resolve_threads(threads))


def check_wait(how: Any) -> None:
    """Refuse what is no way of waiting."""
    if not isinstance(how, str) or how.lower() not in ("materialize", "complete"):
        raise InvalidValue(f'how: expected "materialize" or "complete", got {brief(how)}')


def check_ndim(value: Any, ndim: int, name: str = "other") -> None:
    """Refuse what is no vector (`ndim` is 1) or no matrix (2), stored, viewed or delayed."""
    if not isinstance(value, classes.Operand) or value.ndim != ndim:
        kind = "vector" if ndim == 1 else "matrix"
        raise DomainMismatch(f"{name}: expected a {kind}, got {type(value).__name__}")


def check_covers(shape: tuple[int, ...], expected: tuple[int, ...], name: str) -> None:
    """Refuse a value or a mask of another shape than what is written, by its kind or its size."""
    if len(shape) != len(expected):
        kinds = ("number", "vector", "matrix")
        found, wanted = kinds[len(shape)], kinds[len(expected)]
        raise KindMismatch(f"{name}: expected a {wanted} of shape {expected}, got a {found}")
    if shape != expected:
        raise DimensionMismatch(f"{name}: expected shape {expected}, got {shape}")


def check_same_shape(value: Any, shape: tuple[int, ...], name: str = "other") -> None:
    """Refuse what is no vector or matrix of this shape."""
    check_ndim(value, len(shape), name)
    if value.shape != shape:
        raise DimensionMismatch(f"{name}: expected shape {shape}, got {value.shape}")


#: What helps where a name was given.
_OF_A_NAME = (
    "; labels[{0}] is its number where there are labels, which Matrix.from_pandas_edgelist makes "
    "with labels=True"
)


def as_index(value: Any, size: int, name: str, *, negative: bool = False) -> int:
    """One index below `size`; negative ones count from the end only where `negative`."""
    if type(value) is int and 0 <= value < size:
        return value
    if isinstance(value, bool | np.bool_):
        raise DomainMismatch(f"{name}: expected an integer index, got {brief(value)}")
    try:
        index = operator.index(value)
    except TypeError:
        hint = _OF_A_NAME.format(brief(value)) if isinstance(value, str) else ""
        raise DomainMismatch(
            f"{name}: expected an integer index, got {brief(value)}{hint}"
        ) from None
    if negative and -size <= index < 0:
        index += size
    if not 0 <= index < size:
        expected = f"0 <= {name} < {size}" if size else "none, as there is nothing to index"
        raise IndexOutOfBound(f"{name}: expected {expected}, got {brief(value)}")
    return index


def as_one_index(value: Any, size: int, name: str) -> int:
    """The index of one element, where lists and slices could be meant and are not served."""
    if isinstance(value, list | tuple | slice) or np.ndim(value):
        kind = type(value).__name__
        raise InvalidCall(f"{name}: expected one integer, got a {kind}; C[index] takes several")
    return as_index(value, size, name, negative=True)


def as_index_array(
    values: Any,
    name: str,
    size: int | None = None,
    *,
    negative: bool = False,
    floats: Literal["refused", "whole", "cut"] = "refused",
    gpu: bool = False,
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """A one-dimensional, dense int64 array of indices, each below `size` where it is given.

    They may be floats where these may be `whole`, as what comes from text or tables often is, and
    in a list where fractions are cut.
    """
    values = listed(values)
    if isinstance(values, range) and values:
        # What is wrong with a range is so with its ends: a long one need not be written down.
        as_index_array([values[0], values[-1]], name, size, negative=negative)
        require_bytes(8 * len(values), f"{name}: a list of {len(values):,} indices")
    array = as_array(values, name, gpu=gpu)
    if array.ndim != 1:
        raise DimensionMismatch(f"{name}: expected one dimension, got shape {array.shape}")
    if array.size == 0:
        return array_module(array).empty(0, np.int64)
    # NumPy makes reals of integers of several types, none of which has room for all.
    mixed = array.dtype.kind == "f" and isinstance(values, list | tuple)
    if array.dtype.kind == "O" or (mixed and all(hasattr(v, "__index__") for v in values)):
        array = integers_of(values, name, OutOfRange if size is None else IndexOutOfRange)
    refuse_flags(values, array, name)
    if array.dtype.kind == "f" and floats != "refused":
        array = whole_numbers(array, cut=mixed and floats == "cut")
    if array.dtype.kind == "f":
        bad = ~np.isfinite(array)
        bad = bad if bad.any() else (array != np.trunc(array)) | (abs(array) > MAX_SIZE)
        value = array[np.argmax(bad)]
        hint = "" if bad.any() else "; numpy.array(x).astype(int) makes integers of whole floats"
        raise NotIndices(
            f"{name}: expected integer indices, got {array.dtype} ({brief(value)}){hint}"
        )
    if array.dtype.kind not in "iu":
        hint = OF_NAMES if array.dtype.kind in "SU" else ""
        raise NotIndices(f"{name}: expected integer indices, got dtype {array.dtype}{hint}")
    if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.max() > np.uint64(MAX_SIZE):
        far = OutOfRange if size is None else IndexOutOfRange
        raise far(f"{name}: {array.max()} is beyond the largest index 2**60")
    array = array.astype(np.int64, copy=False)
    # As numbers without a sign negative ones are beyond all others: one pass says of both.
    low, high = 0, int(array.view(np.uint64).max())
    if high > MAX_SIZE:
        low, high = int(array.min()), int(array.max())
    if negative and low < 0 and size is not None and low >= -size:
        array = np.where(array < 0, array + size, array)
        low = 0
    if low < 0:
        raise IndexOutOfRange(f"{name}: indices must not be negative, got {low}")
    if size is None and high >= MAX_SIZE:
        raise OutOfRange(f"{name}: expected indices below 2**60, got {high}")
    if size is not None and high >= size:
        raise IndexOutOfBound(f"{name}: expected indices below {size}, got {high}")
    # Kernels take dense arrays, and not a view that is turned round or leaves some out.
    return array if array.flags.c_contiguous else array.copy()


def is_scalar(value: Any) -> bool:
    """Whether a value is a plain number (Python's or NumPy's, or an array without dimensions)."""
    if isinstance(value, np.ndarray):  # first, as _NUMBERS asks a class of all that is none
        return value.ndim == 0
    return isinstance(value, _NUMBERS)


def as_number(value: Any, name: str) -> Any:
    """The number behind a scalar argument: of Python or NumPy, or in a Scalar, perhaps delayed.

    That of a Scalar is NumPy's, so that its type takes part as the Scalar's.
    """
    if isinstance(value, classes.ScalarArithmetic):
        scalar = value.new()
        if scalar.is_empty:
            raise EmptyObject(f"{name}: expected a number, got an empty Scalar")
        return scalar._value
    if is_scalar(value):
        return value
    raise DomainMismatch(f"{name}: expected a number or Scalar, got {type(value).__name__}")


def several(indices: Any, name: str) -> Any:
    """Indices of entries: one alone, perhaps in a Scalar, is a list of one."""
    if isinstance(indices, classes.ScalarArithmetic):
        indices = as_number(indices, name)
    return [indices] if is_scalar(indices) else indices


def to_scalar(value: Any, dtype: DType, name: str = "value") -> Any:
    """A number cast to `dtype`: see `spbfs.operators.casts`."""
    if dtype is INT64 and type(value) is int:
        try:
            return _ZERO + value  # what loops assign; the type itself takes five times as long
        except OverflowError:
            pass
    source = scalar_dtype(value, name)
    if source is dtype:
        return dtype.np_type.type(value)
    if source is UINT64 and type(value) is int and dtype.np_type.kind in "iu":
        raise OutOfRange(f"{name}: {brief(value)} does not fit {dtype}; a np.uint64 is cast")
    return cast(np, np.asarray(value, source.np_type), dtype.np_type)[()]


def as_value_array(
    values: Any, count: int, dtype: DType | None, name: str = "values", *, gpu: bool = False
) -> Any:
    """Values for `count` entries: an array as long, or one scalar for all (then iso)."""
    if isinstance(values, classes.ScalarArithmetic):
        values = as_number(values, name)
    if is_scalar(values):
        target = dtype if dtype is not None else scalar_dtype(values, name)
        if type(values) in (int, float):
            as_listed([values], np.array([values]), dtype, name)
        return iso_array(np.array([to_scalar(values, target, name)]), count)
    values = values if type(values) is np.ndarray else listed(values)
    array = as_array(values, name, gpu=gpu)
    if array is not values:
        array = as_listed(values, array, dtype, name)
    if array.ndim != 1:
        raise DimensionMismatch(f"{name}: expected one dimension, got shape {array.shape}")
    if array.shape[0] != count:
        raise DimensionMismatch(f"{name}: expected {count} values, one an entry, got {array.size}")
    if array.size == 0 and array.dtype.kind not in "biuf":
        array = array_module(array).empty(0, np.float64)
    if array.dtype.kind not in "biuf":
        raise UnknownDtype(f"{name}: expected numbers, got dtype {array.dtype}")
    target = dtype if dtype is not None else known_dtype(array.dtype, name)
    return cast(array_module(array), array, target.np_type)
