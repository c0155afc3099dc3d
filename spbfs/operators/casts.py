"""Casts between the GraphBLAS types, the same wherever an array is: one function for all of them.

Integers wrap, anything to BOOL is ``!= 0``, and a float becomes the integer toward zero: the
least or greatest one where it lies beyond them, 0 where it is NaN.  What NumPy and CuPy make of
such floats is the machine's choice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["cast"]

Array = Any


def cast(xp: Any, values: Array, dtype: np.dtype[Any]) -> Array:
    """An array of `xp` as another type; itself where it has that type already.

    Examples
    --------
    >>> cast(np, np.array([-1.5, 300.7, np.nan]), np.dtype(np.uint8)).tolist()
    [0, 255, 0]
    """
    if values.dtype == dtype:
        return values
    if values.dtype.kind == "f" and dtype.kind in "iu":
        return _to_integers(xp, values, dtype)
    with np.errstate(all="ignore"):
        return values.astype(dtype)


def _to_integers(xp: Any, values: Array, dtype: np.dtype[Any]) -> Array:
    limits = np.iinfo(dtype)
    # The bounds may round up to a power of two, which is then beyond the type itself.
    low, high = values.dtype.type(limits.min), values.dtype.type(limits.max)
    inside = (values > low) & (values < high)
    # Only NumPy's arrays can be asked without waiting for a GPU.
    if xp is np and inside.all():
        return values.astype(dtype)
    made = xp.where(inside, values, values.dtype.type(0)).astype(dtype)
    made = xp.where(values >= high, dtype.type(limits.max), made)
    return xp.where(values <= low, dtype.type(limits.min), made)
