"""NumPy's ufuncs over arrays of another module, also where CuPy's of the name give other results.

CuPy divides by ``a - floor(a / b) * b`` and its like, which rounding and infinities spoil, takes
remainders of integers in double precision, and shifts as the hardware happens to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["call"]

Array = Any


def _floor_divide(xp: Any, x: Array, y: Array) -> Array:
    if x.dtype.kind != "f":
        return xp.floor_divide(x, y)
    rest = xp.fmod(x, y)
    quotient = (x - rest) / y - ((rest != 0) & ((rest < 0) != (y < 0)))
    whole = xp.floor(quotient)
    whole = xp.where(quotient - whole > 0.5, whole + x.dtype.type(1), whole)
    whole = xp.where(quotient != 0, whole, xp.copysign(x.dtype.type(0), x / y))
    return xp.where(y == 0, x / y, whole)


def _remainder(xp: Any, x: Array, y: Array) -> Array:
    if x.dtype.kind != "f":
        return xp.remainder(x, y)
    rest = xp.fmod(x, y)
    other_side = (rest < 0) != (y < 0)
    return xp.where(
        rest != 0, xp.where(other_side, rest + y, rest), xp.copysign(x.dtype.type(0), y)
    )


def _fmod(xp: Any, x: Array, y: Array) -> Array:
    if x.dtype.kind == "f":
        return xp.fmod(x, y)
    rest = xp.remainder(x, y)
    return xp.where((rest != 0) & ((x < 0) != (y < 0)), rest - y, rest)


def _left_shift(xp: Any, x: Array, y: Array) -> Array:
    inside = (y >= 0) & (y < 8 * x.dtype.itemsize)
    nought = x.dtype.type(0)
    return xp.where(inside, xp.left_shift(x, xp.where(inside, y, nought)), nought)


def _right_shift(xp: Any, x: Array, y: Array) -> Array:
    # All places but one leave the sign alone, too.
    most = x.dtype.type(8 * x.dtype.itemsize - 1)
    last = xp.right_shift(xp.right_shift(x, most), x.dtype.type(1))
    inside = (y >= 0) & (y <= most)
    return xp.where(inside, xp.right_shift(x, xp.where(inside, y, most)), last)


_OTHERWISE: dict[str, Callable[[Any, Array, Array], Array]] = {
    "floor_divide": _floor_divide,
    "remainder": _remainder,
    "mod": _remainder,
    "fmod": _fmod,
    "left_shift": _left_shift,
    "right_shift": _right_shift,
}


def call(xp: Any, name: str, *operands: Any) -> Array:
    """The ufunc `name` of arrays of `xp`, and numbers, as NumPy computes it.

    Examples
    --------
    >>> int(call(np, "left_shift", np.int8(3), np.int8(2)))
    12
    """
    other = None if xp is np else _OTHERWISE.get(name)
    if other is None:
        return getattr(xp, name)(*operands)
    given = (getattr(x, "dtype", type(x)) for x in operands)
    types = getattr(np, name).resolve_dtypes((*given, None))
    if types[0].kind == "b":
        return getattr(xp, name)(*operands)
    x, y = (xp.asarray(x).astype(t) for x, t in zip(operands, types[:2], strict=True))
    return other(xp, x, y)
