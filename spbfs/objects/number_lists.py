"""Lists of numbers: what NumPy makes of them without a word is refused or made whole here."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, IndexOutOfRange, NotIndices, OutOfRange
from spbfs.operators.dtypes import DType

__all__ = ["OF_NAMES", "as_listed", "integers_of", "refuse_flags", "whole_numbers"]

#: What helps where names were given for indices.
OF_NAMES = (
    "; those of names are labels.numbers(names), and Matrix.from_pandas_edgelist takes names with "
    "labels=True"
)
#: What lists may hold beside objects that are no numbers.
_NUMBERS = (int, float, np.integer)
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


def as_listed(values: Any, array: Any, dtype: DType | None, name: str = "values") -> Any:
    """What NumPy made of a list, `array`, or where that has lost bits of whole numbers another.

    A list with numbers that the integer type, which the user chose, does not hold is refused:
    whole ones, and what is left of others without their fractions.
    """
    leaf = values
    while isinstance(leaf, list | tuple) and leaf:
        leaf = leaf[0]
    if dtype is None or dtype.np_type.kind not in "iu" or hasattr(leaf, "dtype"):
        return array  # NumPy's own numbers are cast
    limits, numbers, all_whole = np.iinfo(dtype.np_type), array.reshape(-1), False
    if array.dtype.kind == "O" or (array.dtype.kind == "f" and array.max(initial=0) >= 2.0**63):
        # Of numbers with and without a 64th bit NumPy makes doubles; of others some may be none.
        numbers = [x for x in np.array(values, object).flat if isinstance(x, _NUMBERS)]
        fits: Any = np.array([limits.min - 1 < x < limits.max + 1 for x in numbers], np.bool_)
        all_whole = len(numbers) == array.size and not any(isinstance(x, float) for x in numbers)
    elif array.dtype.kind == "f":
        # One below the least of 64 bits is no double: it is the least.
        fits = (numbers >= limits.min) | (numbers > limits.min - 1.0)
        fits &= numbers < limits.max + 1.0
    elif array.dtype.kind in "iu":
        if not array.size or limits.min <= int(array.min()) <= int(array.max()) <= limits.max:
            return array
        fits = (numbers >= limits.min) & (numbers <= limits.max)
    else:
        return array
    if not fits.all():
        x = numbers[int(np.argmin(fits))]
        x = x.item() if isinstance(x, np.generic) else x
        raise OutOfRange(f"{name}: {brief(x)} does not fit {dtype}; an array of numbers is cast")
    return np.array(values, dtype.np_type) if all_whole else array
