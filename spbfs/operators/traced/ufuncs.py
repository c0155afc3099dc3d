"""Functions of arrays by name: NumPy's ufuncs, C's functions that NumPy lacks, casts.

They also hold where CuPy's of the name give other results.

CuPy divides by ``a - floor(a / b) * b`` and its like, which rounding and infinities spoil, takes
remainders of integers in double precision, and shifts as the hardware happens to.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from spbfs.operators import casts
from spbfs.operators.traced.standins import UFUNCS

__all__ = ["FUNCTIONS_OF_C", "OF_FLOATS", "call", "cast", "cast_type"]

Array = Any

#: Of Booleans and 8 bits NumPy computes these in half precision, which is no type of GraphBLAS.
OF_FLOATS = frozenset(name for name in UFUNCS if getattr(np, name).types[0][0] == "e")


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


def _spacing(xp: Any, x: Array) -> Array:
    # By bits, as CuPy's arithmetic takes subnormal numbers of 32 bits for zeros.
    digits, width = int(np.finfo(x.dtype).nmant), 8 * x.dtype.itemsize
    bits = x.view(f"i{x.dtype.itemsize}")
    magnitude = bits & ((1 << width - 1) - 1)
    exponent = magnitude >> digits
    lowest = xp.left_shift(xp.ones_like(bits), xp.clip(exponent - 1, 0, digits - 1))
    gap = xp.where(exponent > digits, (exponent - digits) << digits, lowest)
    negative = (bits < 0) & (magnitude != 0)  # that of -0.0 is not
    gap = xp.where(negative, gap | np.iinfo(bits.dtype).min, gap).astype(bits.dtype)
    return xp.where(xp.isfinite(x), gap.view(x.dtype), x.dtype.type(np.nan))


def _reciprocal(xp: Any, x: Array) -> Array:
    if x.dtype.kind == "f":
        return xp.true_divide(x.dtype.type(1), x)
    # Of integers only those of 1 and -1 are not cut to zero; that of zero is whatever NumPy says.
    lost = np.reciprocal(np.zeros(1, x.dtype))[0]
    return xp.where(x == 0, lost, xp.where(xp.abs(x) == 1, x, x.dtype.type(0)))


_OTHERWISE: dict[str, Callable[..., Array]] = {
    "floor_divide": _floor_divide,
    "remainder": _remainder,
    "mod": _remainder,
    "fmod": _fmod,
    "left_shift": _left_shift,
    "right_shift": _right_shift,
    "spacing": _spacing,
    "reciprocal": _reciprocal,
}


def _gamma(x: float) -> float:
    """C's tgamma: infinite at zero, not a number at the other poles."""
    try:
        return math.gamma(x)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.copysign(math.inf, x) if x == 0 else math.nan


def _log_gamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except (OverflowError, ValueError):
        return math.inf


#: Functions of C that NumPy lacks, for one number; `cupyx.scipy.special` has them by another name.
_OF_C: dict[str, tuple[Callable[[float], float], str]] = {
    "erf": (math.erf, "erf"),
    "erfc": (math.erfc, "erfc"),
    "tgamma": (_gamma, "gamma"),
    "lgamma": (_log_gamma, "gammaln"),
}


FUNCTIONS_OF_C = frozenset(_OF_C)


@lru_cache(maxsize=16)
def _special(xp_name: str, name: str) -> Callable[[Array], Array]:
    scalar, other_name = _OF_C[name]
    if xp_name == "numpy":
        of_objects = np.frompyfunc(scalar, 1, 1)
        return lambda x: np.asarray(of_objects(x)).astype(np.float64)
    import cupy as cp
    from cupyx.scipy import special

    function: Callable[[Array], Array] = getattr(special, other_name)
    # At poles and minus infinity CuPy is as SciPy is, or was.
    if name == "tgamma":
        return lambda x: function(cp.where((x < 0) & (x == cp.floor(x)), np.nan, x))
    if name == "lgamma":
        return lambda x: function(cp.where(x == -np.inf, np.inf, x))
    return function


def _of_c(xp: Any, name: str, x: Any) -> Array:
    x = xp.asarray(x)
    out = x.dtype if x.dtype.kind == "f" else np.dtype(np.float64)
    return _special(xp.__name__, name)(x.astype(np.float64)).astype(out)


def _wrapped_power(xp: Any, x: Any, y: Any) -> Array:
    """Powers as C has them: integers wrap, and to a negative power are cut to an integer."""
    x, y = xp.asarray(x), xp.asarray(y)
    if x.dtype.kind == "f":
        return xp.power(x, y)
    zero, one = x.dtype.type(0), x.dtype.type(1)
    power = xp.power(x, xp.where(y < 0, zero, y))
    if x.dtype.kind == "u":
        return power
    sign = xp.where((y & one) != 0, x, one)
    return xp.where(y < 0, xp.where((x == one) | (x == -one), sign, zero), power)


_NAMED: dict[str, Callable[..., Array]] = {
    **{name: lambda xp, x, name=name: _of_c(xp, name, x) for name in _OF_C},
    "frexpx": lambda xp, x: xp.frexp(x)[0],
    "frexpe": lambda xp, x: xp.frexp(x)[1].astype(x.dtype),
    "wrapped_power": _wrapped_power,
    "float_power": lambda xp, x, y: xp.power(_double(xp, x), _double(xp, y)),
}


def _double(xp: Any, x: Any) -> Array:
    return xp.asarray(x).astype(np.float64)


def call(xp: Any, name: str, *operands: Any) -> Array:
    """The function `name` of arrays of `xp`, and numbers, as NumPy or C compute it.

    Examples
    --------
    >>> int(call(np, "left_shift", np.int8(3), np.int8(2)))
    12
    """
    if name in _NAMED:
        return _NAMED[name](xp, *operands)
    other = None if xp is np else _OTHERWISE.get(name)
    if other is None and name not in OF_FLOATS:
        return getattr(xp, name)(*operands)
    given = (
        np.dtype(bool) if isinstance(x, bool) else getattr(x, "dtype", type(x)) for x in operands
    )
    types = getattr(np, name).resolve_dtypes((*given, None))
    if np.float16 not in types and (other is None or types[0].kind == "b"):
        return getattr(xp, name)(*operands)
    wanted = (np.dtype(np.float32) if t == np.float16 else t for t in types[:-1])
    arrays = [xp.asarray(x).astype(t) for x, t in zip(operands, wanted, strict=True)]
    return getattr(xp, name)(*arrays) if other is None else other(xp, *arrays)


def cast(xp: Any, to: str, x: Any) -> Array:
    """An array as Python's ``int`` or ``float`` make one, or as another type.

    Parameters
    ----------
    xp : module
    to : str
        ``"integer"`` or ``"float"``, of which a type that is one stays what it is, or a NumPy type.
    x : array or number

    Examples
    --------
    >>> cast(np, "integer", np.array([2.7, -1e30, np.nan])).tolist()
    [2, -9223372036854775808, 0]
    """
    x = xp.asarray(x)
    return casts.cast(xp, x, cast_type(to, x.dtype))


def cast_type(to: str, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """What `cast` makes of an array of this type."""
    kinds = {"integer": ("iu", "int64"), "float": ("f", "float64")}
    kept, wanted = kinds.get(to, ("", to))
    return dtype if dtype.kind in kept else np.dtype(wanted)
