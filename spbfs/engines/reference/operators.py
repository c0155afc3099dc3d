"""What every built-in operator means, as plain functions of two (or one) NumPy scalars.

This table is the oracle's own: it shares nothing with the engines it judges.  The rules are those
of the GraphBLAS C API.  Integers are computed as Python integers of any length and then wrapped
to their width, so that nothing depends on how the machine overflows; floats are computed by NumPy
in their own precision; Booleans by their own rules (``plus`` is *or*, ``minus`` is *xor*, ...).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from spbfs.engines.reference.casts import RANGES, cast, saturate, wrap
from spbfs.engines.reference.numbers import Number
from spbfs.operators.definitions import (
    TypedBinary,
    TypedIndexUnary,
    TypedMonoid,
    TypedUnary,
)

__all__ = ["apply_binary", "apply_indexunary", "apply_unary", "cast", "combine"]

Position = tuple[int, int]
Scalar = Any  # a NumPy scalar, or a Python number on its way to `cast`
Function = Callable[..., Scalar]


# -- binary ------------------------------------------------------------------------------------
# Each takes (x, y, dtype): Python bools, Python ints, or NumPy floats by the type of the operands.


def _by_kind(on_bool: Function, on_int: Function, on_float: Function) -> Function:
    def function(x: Scalar, y: Scalar, dtype: np.dtype[Any]) -> Scalar:
        if dtype.kind == "b":
            return on_bool(bool(x), bool(y))
        if dtype.kind == "f":
            return on_float(x, y)
        return wrap(on_int(int(x), int(y)), dtype)

    return function


def _flip(f: Function) -> Function:
    return lambda x, y, dtype: f(y, x, dtype)


def _of_values(f: Function) -> Function:
    return lambda x, y, dtype: f(x, y)


def _divide(x: Scalar, y: Scalar, dtype: np.dtype[Any]) -> Scalar:
    """Division as in C: toward zero; by zero, an integer gives its type's bound or zero."""
    if dtype.kind == "b":
        return x
    if dtype.kind == "f":
        return x / y
    x, y = int(x), int(y)
    if y == 0:
        return 0 if x == 0 else RANGES[dtype][x > 0]
    quotient = abs(x) // abs(y)
    return wrap(quotient if (x < 0) == (y < 0) else -quotient, dtype)


def _power(x: Scalar, y: Scalar, dtype: np.dtype[Any]) -> Scalar:
    """Integers go through FP64 and saturate; a NaN operand gives NaN whatever the other is."""
    if dtype.kind == "b":
        return bool(x) or not bool(y)
    if dtype.kind == "f":
        return dtype.type(np.nan) if np.isnan(x) or np.isnan(y) else np.power(x, y)
    return saturate(float(np.power(np.float64(x), np.float64(y))), dtype)


def _floor_divide_int(x: int, y: int) -> int:
    return x // y if y else 0


def _floor_mod(x: Scalar, y: Scalar, dtype: np.dtype[Any]) -> Scalar:
    """What floor division leaves, with the sign of the divisor; nothing by an integer zero."""
    if dtype.kind == "f":
        return np.remainder(x, y)
    return int(x) % int(y) if y else 0


def _ieee_remainder(x: Scalar, y: Scalar) -> float:
    try:
        return math.remainder(float(x), float(y))
    except ValueError:
        return math.nan


def _least(x: Scalar, y: Scalar) -> Scalar:
    return y if np.isnan(x) or y < x else x


def _greatest(x: Scalar, y: Scalar) -> Scalar:
    return y if np.isnan(x) or y > x else x


_minus = _by_kind(lambda x, y: x != y, lambda x, y: x - y, lambda x, y: x - y)
_floor_divide = _by_kind(
    lambda x, y: x and y, _floor_divide_int, lambda x, y: np.floor_divide(x, y)
)

BINARY: dict[str, Function] = {
    "plus": _by_kind(lambda x, y: x or y, lambda x, y: x + y, lambda x, y: x + y),
    "times": _by_kind(lambda x, y: x and y, lambda x, y: x * y, lambda x, y: x * y),
    "minus": _minus,
    "rminus": _flip(_minus),
    "min": _by_kind(lambda x, y: x and y, min, _least),
    "max": _by_kind(lambda x, y: x or y, max, _greatest),
    "cdiv": _divide,
    "rdiv": _flip(_divide),
    "pow": _power,
    "rpow": _flip(_power),
    "floordiv": _floor_divide,
    "rfloordiv": _flip(_floor_divide),
    "mod": _floor_mod,
    "truediv": _of_values(lambda x, y: x / y),
    "rtruediv": _of_values(lambda x, y: y / x),
    "pair": _of_values(lambda x, y: 1),
    "first": _of_values(lambda x, y: x),
    "second": _of_values(lambda x, y: y),
    "any": _of_values(lambda x, y: x),
    "land": _of_values(lambda x, y: bool(x) and bool(y)),
    "lor": _of_values(lambda x, y: bool(x) or bool(y)),
    "lxor": _of_values(lambda x, y: bool(x) != bool(y)),
    "lxnor": _of_values(lambda x, y: bool(x) == bool(y)),
    "eq": _of_values(lambda x, y: x == y),
    "ne": _of_values(lambda x, y: x != y),
    "lt": _of_values(lambda x, y: x < y),
    "le": _of_values(lambda x, y: x <= y),
    "gt": _of_values(lambda x, y: x > y),
    "ge": _of_values(lambda x, y: x >= y),
    "hypot": _of_values(lambda x, y: np.hypot(x, y)),
    "atan2": _of_values(lambda x, y: np.arctan2(x, y)),
    "fmod": _of_values(lambda x, y: np.fmod(x, y)),
    "remainder": _of_values(_ieee_remainder),
    "copysign": _of_values(lambda x, y: np.copysign(x, y)),
    "band": _of_values(lambda x, y: int(x) & int(y)),
    "bor": _of_values(lambda x, y: int(x) | int(y)),
    "bxor": _of_values(lambda x, y: int(x) ^ int(y)),
    "bxnor": _of_values(lambda x, y: ~(int(x) ^ int(y))),
}
BINARY |= {"is" + name: BINARY[name] for name in ("eq", "ne", "lt", "le", "gt", "ge")}

POSITIONAL: dict[str, Callable[[Position, Position], int]] = {
    "firsti": lambda x, y: x[0],
    "firstj": lambda x, y: x[1],
    "secondi": lambda x, y: y[0],
    "secondj": lambda x, y: y[1],
}


def _of_function(op: Any, *arguments: Scalar) -> Scalar:
    """The function of an operator, called as it is.

    A user's is given numbers that count as it expects; one that loops as often as they say needs
    NumPy's, as those of built-in operators do.
    """
    if op.orig_func is not None and op.tree is not None:
        value = op.op.function(*(Number.of(x) for x in arguments))
        return value.value if isinstance(value, Number) else value
    value = op.op.function(*arguments)
    # np.where makes arrays of no dimension, whose integers are not to be taken for floats.
    return value[()] if isinstance(value, np.ndarray) else value


def apply_binary(
    op: TypedBinary, x: Scalar, y: Scalar, at_x: Position = (0, 0), at_y: Position = (0, 0)
) -> Any:
    """``op(x, y)`` as a scalar of ``op.out_type``; positional operators use the positions."""
    if op.op.positional:
        return cast(POSITIONAL[op.op.name](at_x, at_y), op.out_type)
    x, y = cast(x, op.in_type), cast(y, op.in_type)
    with np.errstate(all="ignore"):
        if op.op.function is not None:
            return cast(_of_function(op, x, y), op.out_type)
        return cast(BINARY[op.op.name](x, y, op.in_type.np_type), op.out_type)


def combine(monoid: TypedMonoid, x: Scalar, y: Scalar) -> Any:
    """``x + y`` in the sense of the monoid, in the monoid's type."""
    return apply_binary(TypedBinary(monoid.op.binaryop, monoid.dtype, monoid.dtype), x, y)


# -- unary -------------------------------------------------------------------------------------


def _half_away(x: Scalar) -> Scalar:
    """Rounding as in C: halves move away from zero."""
    whole = np.trunc(x)
    return whole + np.copysign(1, x) if abs(x - whole) >= 0.5 else whole


_MATH = (
    "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh ceil floor trunc "
    "isnan isinf isfinite"
).split()
_INVERSE = "asin acos atan asinh acosh atanh".split()

UNARY: dict[str, Callable[[Scalar], Scalar]] = {
    **{name: getattr(np, name) for name in _MATH},
    **{name: getattr(np, "arc" + name[1:]) for name in _INVERSE},
    "identity": lambda x: x,
    "one": lambda x: 1,
    "lnot": lambda x: x == 0,
    "bnot": lambda x: ~int(x),
    "round": _half_away,
    "signum": lambda x: x if np.isnan(x) else (x > 0) * 1.0 - (x < 0) * 1.0,
    "ainv": lambda x: x if isinstance(x, np.bool_) else -_number(x),
    "abs": lambda x: abs(_number(x)),
    "minv": lambda x: _divide(type(x)(1), x, x.dtype) if x.dtype.kind != "b" else True,
}


def _number(x: Scalar) -> Scalar:
    return int(x) if isinstance(x, np.integer) else x


def apply_unary(op: TypedUnary, x: Scalar, at: Position = (0, 0)) -> Any:
    """``op(x)`` as a scalar of ``op.out_type``; positional operators use the position."""
    if op.op.positional:
        return cast(at[0] if op.op.name == "positioni" else at[1], op.out_type)
    x = cast(x, op.in_type)
    with np.errstate(all="ignore"):
        if op.op.function is not None:
            return cast(_of_function(op, x), op.out_type)
        return cast(UNARY[op.op.name](x), op.out_type)


# -- index-unary -------------------------------------------------------------------------------

#: Of (value, row, column, thunk).
INDEXUNARY: dict[str, Callable[[Scalar, int, int, Scalar], Scalar]] = {
    "tril": lambda x, i, j, t: j <= i + t,
    "triu": lambda x, i, j, t: j >= i + t,
    "diag": lambda x, i, j, t: j == i + t,
    "offdiag": lambda x, i, j, t: j != i + t,
    "rowle": lambda x, i, j, t: i <= t,
    "rowgt": lambda x, i, j, t: i > t,
    "colle": lambda x, i, j, t: j <= t,
    "colgt": lambda x, i, j, t: j > t,
    "indexle": lambda x, i, j, t: i <= t,
    "indexgt": lambda x, i, j, t: i > t,
    "valueeq": lambda x, i, j, t: x == t,
    "valuene": lambda x, i, j, t: x != t,
    "valuelt": lambda x, i, j, t: x < t,
    "valuele": lambda x, i, j, t: x <= t,
    "valuegt": lambda x, i, j, t: x > t,
    "valuege": lambda x, i, j, t: x >= t,
    "rowindex": lambda x, i, j, t: i + t,
    "colindex": lambda x, i, j, t: j + t,
    "index": lambda x, i, j, t: i + t,
    "diagindex": lambda x, i, j, t: j - i - t,
}


def apply_indexunary(op: TypedIndexUnary, x: Scalar, at: Position, thunk: Scalar) -> Any:
    """``op(x, row, column, thunk)`` as a scalar of ``op.out_type``."""
    x = cast(x, op.in_type)
    if op.op.function is not None:
        if op.op.by_value:
            thunk = cast(thunk, op.in_type)
        with np.errstate(all="ignore"):
            value = _of_function(op, x, np.int64(at[0]), np.int64(at[1]), thunk)
        return cast(value, op.out_type)
    thunk = cast(thunk, op.in_type) if op.op.by_value else int(thunk)
    return cast(INDEXUNARY[op.op.name](x, *at, thunk), op.out_type)
