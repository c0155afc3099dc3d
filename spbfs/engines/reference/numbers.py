"""The numbers that a user's function is called with: they count as Numba's do.

Python's operators take integers as 64 bits, signed unless both operands are unsigned, and the
numbers in a function are INT64 and FP64; NumPy's functions keep the types that NumPy gives them.
Integers are Python's own of any length, wrapped where they have a type.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from spbfs.engines.reference.casts import cast
from spbfs.operators.dtypes import lookup_dtype
from spbfs.operators.traced.standins import StandIn

__all__ = ["Number"]

_INT8, _INT64, _UINT64 = np.dtype(np.int8), np.dtype(np.int64), np.dtype(np.uint64)
_BOOL, _FP32, _FP64 = np.dtype(np.bool_), np.dtype(np.float32), np.dtype(np.float64)

_COMPARED = {
    name: getattr(operator, sign)
    for name, sign in {
        "equal": "eq",
        "not_equal": "ne",
        "less": "lt",
        "less_equal": "le",
        "greater": "gt",
        "greater_equal": "ge",
    }.items()
}
_LOGICAL: dict[str, Callable[..., bool]] = {
    "logical_and": lambda x, y: x and y,
    "logical_or": lambda x, y: x or y,
    "logical_xor": lambda x, y: x != y,
    "logical_not": lambda x: not x,
}
_BITS: dict[str, Callable[..., int]] = {
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "~": operator.invert,
}


class Number(StandIn):
    """A number with a type: a bool, an int of any length or a float of NumPy's."""

    __slots__ = ("dtype", "given", "value")

    def __init__(self, value: Any, dtype: np.dtype[Any], given: bool = False) -> None:
        scalar = cast(value, lookup_dtype(dtype))
        self.value: Any = scalar if dtype.kind == "f" else scalar.item()
        self.dtype = dtype
        #: whether it is a number in the function
        self.given = given

    @classmethod
    def of(cls, x: Any) -> Self:
        """A NumPy scalar, or a number as it stands in a function."""
        if isinstance(x, Number):
            return x  # type: ignore[return-value]
        if isinstance(x, np.generic):
            return cls(x, x.dtype, given=True)
        if isinstance(x, bool):
            return cls(x, _BOOL, given=True)
        if isinstance(x, int):
            made = cls(x, _UINT64 if x >= 1 << 63 else _INT64, given=True)
            made.value = x  # which may be beyond the type where it is compared with
            return made
        return cls(float(x), _FP64, given=True)

    def __repr__(self) -> str:
        return f"{self.value}"

    def __bool__(self) -> bool:
        return bool(self.value != 0)

    def __hash__(self) -> int:
        return hash(self.value)

    def as_type(self, dtype: np.dtype[Any]) -> Any:
        """The value in another type."""
        return Number(self.value, dtype).value

    def converted(self, to: str) -> Number:
        if to == "integer":
            return self if self.dtype.kind in "iu" else Number(self.value, _INT64)
        if to == "float":
            return self if self.dtype.kind == "f" else Number(self.value, _FP64)
        return Number(self.value, np.dtype(to))

    def made(self, name: str, *operands: Any) -> Number:
        numbers = [Number.of(x) for x in operands]
        with np.errstate(all="ignore"):
            if name in _COMPARED:
                return _compared(name, *numbers)
            if name in _LOGICAL:
                return Number(_LOGICAL[name](*map(bool, numbers)), _BOOL)
            if name == "where":
                return _chosen(*numbers)
            if name in _PYTHON:
                return _PYTHON[name](*numbers)
            if name in _OF_C:
                x = numbers[0]
                return Number(_OF_C[name](float(x.value)), x.dtype if _is_float(x) else _FP64)
            return _of_numpy(name, numbers)


def _is_float(x: Number) -> bool:
    return x.dtype.kind == "f"


def _wide(*numbers: Number) -> np.dtype[Any]:
    if any(map(_is_float, numbers)):
        return np.promote_types(numbers[0].dtype, numbers[-1].dtype)
    return _UINT64 if all(x.dtype.kind == "u" for x in numbers) else _INT64


def _compared(name: str, x: Number, y: Number) -> Number:
    """Of integers exactly, of floats in the type that holds both."""
    if _is_float(x) or _is_float(y):
        t = np.promote_types(x.dtype, y.dtype)
        return Number(_COMPARED[name](x.as_type(t), y.as_type(t)), _BOOL)
    return Number(_COMPARED[name](x.value, y.value), _BOOL)


def _chosen(condition: Number, x: Number, y: Number) -> Number:
    types = x.dtype, y.dtype
    # No type of integers holds UINT64 and a signed one: as INT64 no bit is lost.
    mixed = _UINT64 in types and any(t.kind == "i" for t in types)
    t = _INT64 if mixed else np.promote_types(*types)
    return Number((x if condition else y).value, t)


# -- Python's operators ----------------------------------------------------------------------------


def _arithmetic(f: Callable[..., Any]) -> Callable[..., Number]:
    def function(*numbers: Number) -> Number:
        t = _wide(*numbers)
        return Number(f(*(x.as_type(t) for x in numbers)), t)

    return function


def _divided(x: Number, y: Number) -> Number:
    t = _wide(x, y)
    t = t if t.kind == "f" else _FP64
    return Number(x.as_type(t) / y.as_type(t), t)


def _quotient(on_int: Callable[..., int], on_float: Callable[..., Any]) -> Callable[..., Number]:
    def function(x: Number, y: Number) -> Number:
        t = _wide(x, y)
        if t.kind == "f":
            return Number(on_float(x.as_type(t), y.as_type(t)), t)
        # An unsigned number by one in the function is what it is, not what INT64 makes of it.
        exact = y.given and y.value >= 0
        a, b = (x.value, y.value) if exact else (x.as_type(t), y.as_type(t))
        return Number(on_int(a, b) if b else 0, t)

    return function


def _power(x: Number, y: Number) -> Number:
    if _is_float(x) or _is_float(y):
        t = _FP32 if x.dtype == _FP32 and not _is_float(y) else _wide(x, y)
        return Number(np.power(x.as_type(t), y.as_type(t)), t)
    t = _wide(x, y)
    return Number(_whole_power(x.as_type(t), y.as_type(t)), t)


def _whole_power(x: int, y: int) -> int:
    """Cut to an integer where the exponent is negative."""
    if y >= 0:
        return pow(x, y, 1 << 64)
    return 0 if abs(x) != 1 else x if y % 2 else 1


def _bits(sign: str) -> Callable[..., Number]:
    def function(*numbers: Number) -> Number:
        if any(map(_is_float, numbers)):
            raise TypeError(f"{sign} is for integers")
        if all(x.dtype.kind == "b" for x in numbers):
            value = (
                not numbers[0].value if sign == "~" else _BITS[sign](*(x.value for x in numbers))
            )
            return Number(value, _BOOL)
        t = _wide(*numbers)
        if sign == "~":  # in the operand's own type
            return Number(Number(~numbers[0].value, numbers[0].dtype).value, t)
        return Number(_BITS[sign](*(x.as_type(t) for x in numbers)), t)

    return function


def _shifted(shift: Callable[[int, int], int], beyond: Callable[[int], int]) -> Any:
    def function(x: Number, y: Number) -> Number:
        if _is_float(x) or _is_float(y):
            raise TypeError("shifts are of integers")
        t = _wide(x)
        a = x.as_type(t)
        return Number(shift(a, y.value) if 0 <= y.value < 64 else beyond(a), t)

    return function


def _negated(x: Number) -> Number:
    """In the operand's own type; a Boolean as an integer."""
    return Number(-x.value, _INT64 if x.dtype.kind == "b" else x.dtype)


_PYTHON: dict[str, Callable[..., Number]] = {
    "+": _arithmetic(operator.add),
    "-": _arithmetic(operator.sub),
    "*": _arithmetic(operator.mul),
    "/": _divided,
    "//": _quotient(operator.floordiv, np.floor_divide),
    "%": _quotient(operator.mod, np.remainder),
    "**": _power,
    **{sign: _bits(sign) for sign in "&|^~"},
    "<<": _shifted(operator.lshift, lambda x: 0),
    ">>": _shifted(operator.rshift, lambda x: -1 if x < 0 else 0),
    "neg": lambda x: Number(_negated(x).value, _wide(x)),
    "pos": _arithmetic(operator.pos),
    "abs": lambda x: Number(abs(x.value), _INT8 if x.dtype.kind == "b" else x.dtype),
}

# -- functions of NumPy's and of C -----------------------------------------------------------------


def _of_numpy(name: str, numbers: list[Number]) -> Number:
    types = [x.dtype for x in numbers]
    if name in ("floor", "ceil", "trunc") and not _is_float(numbers[0]):
        return numbers[0]
    if _FP32 in types and _FP64 not in types and name != "ldexp":
        types = [_FP32] * len(types)
    elif _UINT64 in types:
        is_positive = [x.given and x.dtype == _INT64 and x.value >= 0 for x in numbers]
        types = [_UINT64 if p else t for p, t in zip(is_positive, types, strict=True)]
    scalars = [cast(x.value, lookup_dtype(t)) for x, t in zip(numbers, types, strict=True)]
    if name == "power" and not any(t.kind == "f" for t in types):
        t = np.result_type(*types)
        if t.kind in "iu":
            return Number(_whole_power(*(int(x) for x in scalars)), t)
        if t.kind == "b":
            return Number(_whole_power(*(int(x) for x in scalars)), _INT8)
    function = getattr(np, name)
    try:
        value = function(*scalars)
    except TypeError:
        if set(types) != {_BOOL}:
            raise
        value = function(*(np.int8(x) for x in scalars))
    if value.dtype == np.float16:
        value = function(*(np.float32(x) if x.dtype.itemsize == 1 else x for x in scalars))
    return Number(value, value.dtype)


def _gamma(x: float) -> float:
    if x == 0:
        return math.copysign(math.inf, x)
    if x == -math.inf or (x < 0 and x == math.floor(x)):
        return math.nan
    try:
        return math.gamma(x)
    except OverflowError:
        return math.inf


def _log_gamma(x: float) -> float:
    if x <= 0 and x == math.floor(x):
        return math.inf
    try:
        return math.lgamma(x)
    except OverflowError:
        return math.inf


_OF_C: dict[str, Callable[[float], float]] = {
    "erf": math.erf,
    "erfc": math.erfc,
    "tgamma": _gamma,
    "lgamma": _log_gamma,
}
