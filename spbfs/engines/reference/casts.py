"""Casts of one number, as the GraphBLAS C API has them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from spbfs.operators.dtypes import DType

__all__ = ["RANGES", "cast", "saturate", "wrap"]

#: Of each type of integers the least and the greatest.
RANGES = {
    np.dtype(code): (int(np.iinfo(code).min), int(np.iinfo(code).max)) for code in "bhilqBHILQ"
}


def cast(value: Any, dtype: DType) -> Any:
    """`value` as a NumPy scalar of `dtype`: integers wrap, BOOL is ``!= 0``.

    Floats are cut toward zero to an integer, to the nearest there is where they lie beyond its
    type; NaN becomes 0.
    """
    if type(value) is dtype.np_type.type:
        return value
    if dtype.is_bool:
        return np.bool_(value != 0)
    if not dtype.is_float:
        if isinstance(value, int | np.integer | np.bool_):
            return dtype.np_type.type(wrap(int(value), dtype.np_type))
        return dtype.np_type.type(saturate(float(value), dtype.np_type))
    with np.errstate(all="ignore"):
        return np.asarray(value).astype(dtype.np_type)[()]


def wrap(value: int, dtype: np.dtype[Any]) -> int:
    """A whole number modulo the range of a type of integers."""
    least, greatest = RANGES[dtype]
    return (value - least) % (greatest - least + 1) + least


def saturate(value: float, dtype: np.dtype[Any]) -> int:
    """The integer of a type that is next toward zero; 0 for NaN."""
    least, greatest = RANGES[dtype]
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return greatest if value > 0 else least
    return min(max(int(value), least), greatest)
