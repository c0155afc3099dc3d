"""Lists of numbers: what NumPy makes of them without a word is refused or made whole here."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, IndexOutOfRange, NotIndices, OutOfRange, UnknownDtype
from spbfs.objects.classes import classes
from spbfs.operators.dtypes import INT64, UINT64, DType, lookup_dtype

__all__ = [
    "OF_NAMES",
    "PLAIN",
    "as_listed",
    "integers_of",
    "known_dtype",
    "numbers_of_scalars",
    "refuse_flags",
    "whole_numbers",
]

#: What helps where names were given for indices.
OF_NAMES = (
    "; those of names are labels.numbers(names), and Matrix.from_pandas_edgelist takes names with "
    "labels=True"
)
#: What lists may hold beside objects that are no numbers.
_NUMBERS = (int, float, np.integer)
#: What a list of numbers mostly holds, and no Scalar is.
PLAIN = frozenset((int, float, bool, np.int64, np.float64, np.bool_, str))
#: The greatest index, see `checks.MAX_SIZE`.
_FAR = 1 << 60


def integers_of(values: Any, name: str, beyond: type[Exception]) -> Any:
    """Integers one by one: of a column of objects, of several types, beyond 64 bits."""
    found = []
    for value in values:
        try:
            if isinstance(value, bool | np.bool_):
                raise TypeError
            found.append(operator.index(value))
        except TypeError:
            hint = OF_NAMES if isinstance(value, str) else ""
            raise DomainMismatch(
                f"{name}: expected integer indices, got {brief(value)}{hint}"
            ) from None
    if not -_FAR <= min(found) <= max(found) <= _FAR:
        far = max(found, key=abs)
        raise (IndexOutOfRange if min(found) < 0 else beyond)(
            f"{name}: {brief(far)} is beyond the largest index 2**60"
        )
    return np.array(found, np.int64)


def known_dtype(dtype: np.dtype[Any], name: str) -> DType:
    """The type of an array of numbers."""
    try:
        return lookup_dtype(dtype)
    except UnknownDtype:
        raise UnknownDtype(
            f"{name}: expected numbers of a type of GraphBLAS, got dtype {dtype}; dtype= chooses "
            "what they become"
        ) from None


def refuse_flags(values: Any, array: Any, name: str) -> None:
    """Refuse a list in which Booleans stand among the indices that NumPy has made of it."""
    if not isinstance(values, list | tuple) or array.ndim != 1 or array.dtype.kind not in "iuf":
        return
    for at in np.flatnonzero((array == 0) | (array == 1)).tolist():
        if isinstance(values[at], bool | np.bool_):
            raise NotIndices(f"{name}: expected integer indices, got {values[at]} among numbers")


def whole_numbers(array: Any, *, cut: bool) -> Any:
    """Floats as integers, where all fit, and are whole unless fractions are cut."""
    fits = (abs(array) <= _FAR) & (cut | (array == np.trunc(array)))  # NaN is less than nothing
    return array.astype(np.int64) if fits.all() else array


def as_listed(
    values: Any,
    array: Any,
    dtype: DType | None,
    name: str = "values",
    *,
    floats_are_cast: bool = False,
) -> Any:
    """What NumPy made of a list, `array`, or where that has lost bits of whole numbers another.

    Whole numbers beyond INT64 are UINT64, where all are, or refused.  A list with numbers that the
    integer type, which the user chose, does not hold is refused: whole ones, and unless floats are
    cast what is left of others without their fractions.
    """
    if hasattr(values, "dtype"):
        return array  # an array is cast
    kind, leaf = array.dtype.kind, values
    while isinstance(leaf, list | tuple) and leaf:
        leaf = leaf[0]
    is_cast = hasattr(leaf, "dtype")  # as NumPy's own numbers are
    if kind == "O" or (kind == "f" and array.max(initial=0) >= 2.0**63):
        # Of numbers with and without a 64th bit NumPy makes doubles; of others some may be none.
        numbers = [x for x in np.array(values, object).flat if isinstance(x, _NUMBERS)]
        if len(numbers) == array.size and not any(isinstance(x, float) for x in numbers):
            return _whole(numbers, array, dtype, name, is_cast)
        is_cast = is_cast or floats_are_cast
        if dtype is None or not dtype.is_integer or floats_are_cast:
            _refuse_beyond(numbers, name)
        elif not is_cast:
            limits = np.iinfo(dtype.np_type)
            fits = [limits.min - 1 < x < limits.max + 1 for x in numbers]
            _refuse_unfit(numbers, np.array(fits, np.bool_), dtype, name)
        return array
    is_cast = is_cast or (floats_are_cast and kind == "f")
    if dtype is None or not dtype.is_integer or is_cast or kind not in "iuf":
        return array
    limits, numbers = np.iinfo(dtype.np_type), array.reshape(-1)
    if kind == "f":
        # One below the least of 64 bits is no double: it is the least.
        fits = (numbers >= limits.min) | (numbers > limits.min - 1.0)
        fits &= numbers < limits.max + 1.0
    elif not array.size or limits.min <= int(array.min()) <= int(array.max()) <= limits.max:
        return array
    else:
        fits = (numbers >= limits.min) & (numbers <= limits.max)
    _refuse_unfit(numbers, fits, dtype, name)
    return array


def numbers_of_scalars(values: Any) -> Any:
    """A list with numbers for Scalars, which NumPy would make doubles; itself where are none."""
    found = list(values)
    changed = False
    for at, x in enumerate(values):
        if isinstance(x, list | tuple):
            if not PLAIN.issuperset(map(type, x)):
                found[at] = numbers_of_scalars(x)
                changed = changed or found[at] is not x
        elif isinstance(x, classes.ScalarArithmetic):
            found[at], changed = x._number(), True
    return found if changed else values


def _whole(numbers: list[Any], array: Any, dtype: DType | None, name: str, is_cast: bool) -> Any:
    """An array of whole numbers, some of which are beyond INT64, of the type that holds all."""
    if dtype is not None and not dtype.is_integer:
        _refuse_beyond(numbers, name)
        return array.astype(dtype.np_type) if array.dtype.kind == "O" else array
    if dtype is None:
        _refuse_beyond(numbers, name)
        low, high = min(numbers), max(numbers)
        if low < 0 and high > np.iinfo(np.int64).max:
            raise OutOfRange(
                f'{name}: no integer type holds both {low} and {high}; dtype="FP64" rounds them'
            )
        dtype = INT64 if low < 0 else UINT64
    limits = np.iinfo(dtype.np_type)
    fits = np.array([limits.min <= x <= limits.max for x in numbers], np.bool_)
    if is_cast and not fits.all():
        return array
    _refuse_unfit(numbers, fits, dtype, name)
    return np.array(numbers, dtype.np_type).reshape(array.shape)


def _refuse_beyond(numbers: list[Any], name: str) -> None:
    """Refuse integers of Python's that no type holds."""
    for x in numbers:
        if isinstance(x, int) and not -(1 << 63) <= x < 1 << 64:
            raise OutOfRange(f"{name}: {brief(x)} does not fit 64 bits")


def _refuse_unfit(numbers: Any, fits: Any, dtype: DType, name: str) -> None:
    if not fits.all():
        x = numbers[int(np.argmin(fits))]
        x = x.item() if isinstance(x, np.generic) else x
        raise OutOfRange(f"{name}: {brief(x)} does not fit {dtype}; an array of numbers is cast")
