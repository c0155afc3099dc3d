"""Stored values and positions compared with a thunk: exactly, whatever its type is.

To compare in a type that both are cast to is not exact where no type holds both: an INT64 beyond
2**53 and 0.5, a UINT64 and -1.  What one type cannot say of the thunk is said by its neighbour.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from spbfs.objects.checks import MAX_SIZE, as_offset, to_scalar
from spbfs.operators.definitions import TypedIndexUnary
from spbfs.operators.dtypes import BOOL, FP64, INT64, DType, scalar_dtype, unify
from spbfs.operators.tables.builtin import INDEXUNARY

__all__ = ["beside_positions", "comparison_with"]

#: What is said of values where none equals the thunk, by the number below it.
_BY_NUMBER_BELOW = {"gt": "gt", "ge": "gt", "lt": "le", "le": "le"}
#: Operators whose result is a position and the thunk.
_ADDED = ("rowindex", "colindex", "diagindex", "index")
#: Where no position equals the thunk: true at a diagonal from the number above it, and at none.
_BY_NUMBER_ABOVE, _AT_NUMBER = ("triu",), ("diag", "offdiag")


def comparison_with(thunk: Any, name: str, dtype: DType) -> tuple[TypedIndexUnary, Any]:
    """The typed comparison, and its thunk, that say of values of a type what is asked.

    Parameters
    ----------
    thunk : number
    name : str
        ``"valuegt"`` and so on.
    dtype : DType
        Of the stored values.

    Examples
    --------
    >>> from spbfs.operators.dtypes import INT64, UINT8
    >>> typed, thunk = comparison_with(2.5, "valuege", INT64)
    >>> typed.op, int(thunk)
    (indexunary.valuegt, 2)
    """
    kind = scalar_dtype(thunk, "thunk")
    if dtype.is_bool:
        return _typed(name, unify(dtype, kind), thunk)
    if dtype.is_float:
        return _of_floats(thunk, kind, name, dtype)
    return _of_integers(thunk, kind, name, dtype)


def beside_positions(thunk: Any, name: str) -> np.int64:
    """The integer that an operator on positions adds to them, or that says of them what is asked.

    Parameters
    ----------
    thunk : number
        What is added is cast as values are.
    name : str
        ``"tril"`` and so on.

    Examples
    --------
    >>> int(beside_positions(1.5, "tril")), int(beside_positions(1.5, "triu"))
    (1, 2)
    """
    if not scalar_dtype(thunk, "thunk").is_float:
        return np.int64(as_offset(int(thunk), "thunk"))
    if name in _ADDED:
        return np.int64(as_offset(int(to_scalar(thunk, INT64, "thunk")), "thunk"))
    if math.isnan(thunk):
        # No comparison with it is true: it is above all positions, or below them.
        above = name in (*_AT_NUMBER, *_BY_NUMBER_ABOVE) or name.endswith("gt")
        return np.int64(MAX_SIZE if above else -MAX_SIZE)
    if abs(thunk) > MAX_SIZE or (name in _AT_NUMBER and thunk != math.floor(thunk)):
        return np.int64(math.copysign(MAX_SIZE, thunk))
    return np.int64(math.ceil(thunk) if name in _BY_NUMBER_ABOVE else math.floor(thunk))


def _typed(name: str, dtype: DType, thunk: Any) -> tuple[TypedIndexUnary, Any]:
    return TypedIndexUnary(INDEXUNARY[name], dtype, BOOL), to_scalar(thunk, dtype, "thunk")


def _of_integers(thunk: Any, kind: DType, name: str, dtype: DType) -> tuple[TypedIndexUnary, Any]:
    low, high = _limits(dtype.np_type)
    asked = name.removeprefix("value")
    if kind.is_float and math.isnan(thunk):
        return _all_or_none(asked == "ne", dtype)
    if kind.is_float and thunk <= high and thunk >= low and thunk != math.floor(thunk):
        if asked not in _BY_NUMBER_BELOW:
            return _all_or_none(asked == "ne", dtype)
        return _typed(f"value{_BY_NUMBER_BELOW[asked]}", dtype, math.floor(thunk))
    if thunk > high:
        return _all_or_none(asked in ("lt", "le", "ne"), dtype)
    if thunk < low:
        return _all_or_none(asked in ("gt", "ge", "ne"), dtype)
    return _typed(name, dtype, int(thunk))


def _all_or_none(everything: bool, dtype: DType) -> tuple[TypedIndexUnary, Any]:
    """What is true of all integers of a type, or of none."""
    return _typed("valuege" if everything else "valuelt", dtype, _limits(dtype.np_type)[0])


@cache
def _limits(dtype: np.dtype[Any]) -> tuple[int, int]:
    """The least and the greatest integer of a type; NumPy takes a while to say them."""
    limits = np.iinfo(dtype)
    return int(limits.min), int(limits.max)


def _of_floats(thunk: Any, kind: DType, name: str, dtype: DType) -> tuple[TypedIndexUnary, Any]:
    common = unify(dtype, kind)
    if kind.is_float:
        return _typed(name, common, thunk)
    exact = int(thunk)
    if int(to_scalar(thunk, common)) == exact:
        return _typed(name, common, thunk)
    # No float equals it: unify has given FP64, whose number below it decides.
    below = float(exact)
    if int(below) > exact:
        below = math.nextafter(below, -math.inf)
    asked = name.removeprefix("value")
    if asked in _BY_NUMBER_BELOW:
        return _typed(f"value{_BY_NUMBER_BELOW[asked]}", FP64, below)
    return _typed(name, FP64, math.nan)
