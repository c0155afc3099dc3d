"""The built-in operators over an array module, by name, with the arithmetic of the GraphBLAS C API.

Integers wrap without a warning, division truncates toward zero and division by zero saturates,
Booleans form their own algebra (``plus`` is or, ``times`` is and, ``minus`` is exclusive or).
Every function takes arrays (of one element at least in dimension, so that NumPy wraps silently)
already cast to the operator's ``in_type``, and an array module; the caller casts the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spbfs.operators.casts import cast
from spbfs.operators.definitions import TypedBinary, TypedIndexUnary, TypedUnary
from spbfs.operators.traced import ufuncs, userdefined
from spbfs.storage.data import is_iso

__all__ = ["eval_binary", "eval_indexunary", "eval_unary"]

Array = Any
Unary = Callable[[Any, Array], Array]
Binary = Callable[[Any, Array, Array], Array]


def _int_divide(xp: Any, x: Array, y: Array) -> Array:
    info = np.iinfo(x.dtype)
    zero = y == 0
    safe = xp.where(zero, y.dtype.type(1), y)
    if info.min == 0:
        return xp.where(zero, xp.where(x == 0, x, x.dtype.type(info.max)), x // safe)
    # The quotient of the least integer by -1 does not exist: it wraps, as negation does.
    minus_one = safe == -1
    safe = xp.where(minus_one, y.dtype.type(1), safe)
    quotient = x // safe
    # // rounds down; one more where the signs differ and something is left over.
    quotient += (quotient * safe != x) & ((x < 0) != (safe < 0))
    quotient = xp.where(minus_one, -x, quotient)
    limit = xp.where(x > 0, x.dtype.type(info.max), x.dtype.type(info.min))
    return xp.where(zero, xp.where(x == 0, x, limit), quotient)


def _int_power(xp: Any, x: Array, y: Array) -> Array:
    power = xp.power(x.astype(np.float64), y.astype(np.float64))
    # Not every library gives 3 ** 1 exactly; what is below one in size is cut to zero.
    return cast(xp, xp.where(xp.abs(power) > 0.75, xp.rint(power), power), x.dtype)


def _float_power(xp: Any, x: Array, y: Array) -> Array:
    # Unlike C's pow, NaN ** 0 and 1 ** NaN are NaN here.
    nan = xp.isnan(x) | xp.isnan(y)
    return xp.where(nan, x.dtype.type(np.nan), xp.power(x, y))


def _remainder(xp: Any, x: Array, y: Array) -> Array:
    """The IEEE remainder: ``x - n y`` with n the integer nearest ``x / y``, ties to even."""
    size = xp.abs(y)
    rest = xp.abs(x)
    rest = xp.where(size <= np.finfo(x.dtype).max / 2, xp.fmod(rest, size + size), rest)
    # Compared by what is left of y: half of a tiny y would round to zero.
    over = (rest > size - rest) & xp.isfinite(size)
    rest = xp.where(over, rest - size, rest)
    # What began in the second half of the doubled period, its middle included, rounds up again.
    rest = xp.where(over & (rest >= size - rest), rest - size, rest)
    rest = xp.where(xp.isinf(x) | xp.isnan(y), x.dtype.type(np.nan), rest)
    return xp.where(xp.signbit(x), -rest, rest)


def _round(xp: Any, x: Array) -> Array:
    """Halves away from zero, as C's round; NumPy's own rounds them to even."""
    whole = xp.trunc(x)
    return xp.where(xp.abs(x - whole) >= 0.5, whole + xp.copysign(x.dtype.type(1), x), whole)


def _named(name: str) -> Any:
    return lambda xp, *arrays: ufuncs.call(xp, name, *arrays)


def _swap(f: Binary) -> Binary:
    return lambda xp, x, y: f(xp, y, x)


def _truth(x: Array) -> Array:
    return x if x.dtype.kind == "b" else x != 0


def _ones(xp: Any, x: Array) -> Array:
    return xp.ones(x.shape, x.dtype)


_UNARY: dict[str, Unary] = {
    "identity": lambda xp, x: x,
    "ainv": _named("negative"),
    "minv": lambda xp, x: xp.true_divide(x.dtype.type(1), x),
    "abs": _named("abs"),
    "one": _ones,
    "lnot": lambda xp, x: xp.logical_not(x),
    "signum": _named("sign"),
    "round": _round,
    "bnot": _named("invert"),
    **{
        name: _named(name)
        for name in "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh "
        "ceil floor trunc isnan isinf isfinite".split()
    },
    **{name: _named("arc" + name[1:]) for name in "asin acos atan asinh acosh atanh".split()},
}
_UNARY_INTEGER: dict[str, Unary] = {"minv": lambda xp, x: _int_divide(xp, _ones(xp, x), x)}
_UNARY_BOOL: dict[str, Unary] = {
    "ainv": lambda xp, x: x,
    "abs": lambda xp, x: x,
    "minv": _ones,
}

_COMPARE = {
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "gt": "greater",
    "le": "less_equal",
    "ge": "greater_equal",
}

_minus: Binary = _named("subtract")
_true_divide: Binary = _named("true_divide")
_floor_divide: Binary = _named("floor_divide")

_BINARY: dict[str, Binary] = {
    "plus": _named("add"),
    "times": _named("multiply"),
    "minus": _minus,
    "rminus": _swap(_minus),
    "min": _named("fmin"),
    "max": _named("fmax"),
    "pair": lambda xp, x, y: _ones(xp, x),
    "first": lambda xp, x, y: x,
    "second": lambda xp, x, y: y,
    "any": lambda xp, x, y: x,
    "cdiv": _true_divide,
    "rdiv": _swap(_true_divide),
    "truediv": _true_divide,
    "rtruediv": _swap(_true_divide),
    "floordiv": _floor_divide,
    "rfloordiv": _swap(_floor_divide),
    "mod": _named("remainder"),
    "pow": _float_power,
    "rpow": _swap(_float_power),
    "land": lambda xp, x, y: _truth(x) & _truth(y),
    "lor": lambda xp, x, y: _truth(x) | _truth(y),
    "lxor": lambda xp, x, y: _truth(x) ^ _truth(y),
    "lxnor": lambda xp, x, y: _truth(x) == _truth(y),
    "hypot": _named("hypot"),
    "atan2": _named("arctan2"),
    "fmod": _named("fmod"),
    "remainder": _remainder,
    "copysign": _named("copysign"),
    "band": _named("bitwise_and"),
    "bor": _named("bitwise_or"),
    "bxor": _named("bitwise_xor"),
    "bxnor": lambda xp, x, y: xp.invert(x ^ y),
    **{name: _named(ufunc) for name, ufunc in _COMPARE.items()},
    **{"is" + name: _named(ufunc) for name, ufunc in _COMPARE.items()},
}
_BINARY_INTEGER: dict[str, Binary] = {
    "cdiv": _int_divide,
    "rdiv": _swap(_int_divide),
    "pow": _int_power,
    "rpow": _swap(_int_power),
}
_BINARY_BOOL: dict[str, Binary] = {
    "minus": _named("logical_xor"),
    "rminus": _named("logical_xor"),
    "min": _named("logical_and"),
    "max": _named("logical_or"),
    "cdiv": lambda xp, x, y: x,
    "rdiv": lambda xp, x, y: y,
    "pow": lambda xp, x, y: x | ~y,
    "rpow": lambda xp, x, y: y | ~x,
}

#: (value, row, column, thunk); positions are compared as column - row, which cannot overflow.
_INDEXUNARY: dict[str, Callable[[Array, Any, Any, Any], Array]] = {
    "tril": lambda v, i, j, t: j - i <= t,
    "triu": lambda v, i, j, t: j - i >= t,
    "diag": lambda v, i, j, t: j - i == t,
    "offdiag": lambda v, i, j, t: j - i != t,
    "rowle": lambda v, i, j, t: i <= t,
    "rowgt": lambda v, i, j, t: i > t,
    "colle": lambda v, i, j, t: j <= t,
    "colgt": lambda v, i, j, t: j > t,
    "indexle": lambda v, i, j, t: i <= t,
    "indexgt": lambda v, i, j, t: i > t,
    "rowindex": lambda v, i, j, t: i + t,
    "colindex": lambda v, i, j, t: j + t,
    "index": lambda v, i, j, t: i + t,
    "diagindex": lambda v, i, j, t: j - i - t,
    "valueeq": lambda v, i, j, t: v == t,
    "valuene": lambda v, i, j, t: v != t,
    "valuelt": lambda v, i, j, t: v < t,
    "valuele": lambda v, i, j, t: v <= t,
    "valuegt": lambda v, i, j, t: v > t,
    "valuege": lambda v, i, j, t: v >= t,
}


def _pick(dtype: np.dtype[Any], table: Any, integer: Any, boolean: Any, name: str) -> Any:
    special = boolean if dtype.kind == "b" else (integer if dtype.kind in "iu" else {})
    return special.get(name) or table[name]


def _evaluate_user(op: Any, xp: Any, shape: tuple[int, ...], *arrays: Array) -> Array:
    result = userdefined.evaluate(op, xp, *arrays)
    if result.shape != shape:
        result = xp.broadcast_to(result, shape)
    # It may be an operand or a view of one, and read-only: iso results stay, others are our own.
    made = result.base is None and not [a for a in arrays if a is result]
    return result if made or is_iso(result) else xp.array(result)


#: NaN, infinities and overflow are ordinary values of these operators, not news.  As a decorator,
#: which takes half as long as a `with`.
_quiet = np.errstate(all="ignore")


@_quiet
def eval_unary(xp: Any, op: TypedUnary, x: Array) -> Array:
    """`op` of every element of `x`, an array of ``op.in_type``; the result is of ``out_type``."""
    if op.op.function is not None:
        result = _evaluate_user(op, xp, x.shape, x)
    else:
        f = _pick(x.dtype, _UNARY, _UNARY_INTEGER, _UNARY_BOOL, op.op.name)
        result = f(xp, x)
    return cast(xp, result, op.out_type.np_type)


@_quiet
def eval_binary(xp: Any, op: TypedBinary, x: Array, y: Array) -> Array:
    """`op` of elements of `x` and `y`, both of ``op.in_type`` and of equal length."""
    if op.op.function is not None:
        result = _evaluate_user(op, xp, x.shape, x, y)
    else:
        f = _pick(x.dtype, _BINARY, _BINARY_INTEGER, _BINARY_BOOL, op.op.name)
        result = f(xp, x, y)
    return cast(xp, result, op.out_type.np_type)


@_quiet
def eval_indexunary(
    xp: Any, op: TypedIndexUnary, values: Array, rows: Array | None, cols: Array | None, thunk: Any
) -> Array:
    """`op` of (value, row, column, thunk).

    Positions are int64, and None where a built-in operator ignores them; `thunk` is a scalar or an
    array of one element, already cast.
    """
    if op.op.function is not None:
        result = _evaluate_user(
            op, xp, values.shape, values, rows, cols, xp.broadcast_to(thunk, values.shape)
        )
    else:
        result = _INDEXUNARY[op.op.name](values, rows, cols, thunk)
    return cast(xp, result, op.out_type.np_type)
