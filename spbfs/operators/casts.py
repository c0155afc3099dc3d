"""Casts between the GraphBLAS types, the same wherever an array is: one function for all of them.

Integers wrap, anything to BOOL is ``!= 0``, and a float becomes the integer toward zero: the
least or greatest one where it lies beyond them, 0 where it is NaN.  What NumPy and CuPy make of
such floats is the machine's choice.  Subnormal numbers stay what they are, which CuPy's kernels
take for zero in FP32: there their bits say what they are.
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
    if xp is not np and np.float32 in (values.dtype, dtype):
        by_bits = _BY_BITS.get((values.dtype.kind, values.dtype.itemsize, dtype.kind))
        if by_bits is not None:
            return by_bits(xp, values)
    with np.errstate(all="ignore"):
        return values.astype(dtype)


def _fp32_to_bool(xp: Any, values: Array) -> Array:
    return values.view(np.uint32) & np.uint32(0x7FFFFFFF) != 0


def _fp32_to_fp64(xp: Any, values: Array) -> Array:
    bits = values.view(np.uint32)
    size = bits & np.uint32(0x7FFFFFFF)
    small = size.astype(np.float64) * 2.0**-149
    small = xp.where(bits >> np.uint32(31) != 0, -small, small)
    return xp.where(size < np.uint32(1 << 23), small, values.astype(np.float64))


def _fp64_to_fp32(xp: Any, values: Array) -> Array:
    size = xp.abs(values)
    is_small = size < 2.0**-126
    small = xp.rint(xp.where(is_small, size, 0.0) * 2.0**149).astype(np.uint32)
    small |= xp.signbit(values).astype(np.uint32) << np.uint32(31)
    with np.errstate(all="ignore"):
        bits = values.astype(np.float32).view(np.uint32)
    return xp.where(is_small, small, bits).view(np.float32)


#: By kind and size of the type cast from, and kind of the one cast to.
_BY_BITS = {
    ("f", 4, "b"): _fp32_to_bool,
    ("f", 4, "f"): _fp32_to_fp64,
    ("f", 8, "f"): _fp64_to_fp32,
}


def _to_integers(xp: Any, values: Array, dtype: np.dtype[Any]) -> Array:
    limits = np.iinfo(dtype)
    # The bounds may round up to a power of two, which is then beyond the type itself, and of half
    # precision to infinity.
    with np.errstate(over="ignore"):
        low, high = values.dtype.type(limits.min), values.dtype.type(limits.max)
    inside = (values > low) & (values < high)
    # Only NumPy's arrays can be asked without waiting for a GPU.
    if xp is np and inside.all():
        return values.astype(dtype)
    made = xp.where(inside, values, values.dtype.type(0)).astype(dtype)
    made = xp.where(values >= high, dtype.type(limits.max), made)
    return xp.where(values <= low, dtype.type(limits.min), made)
