"""Built-in operators that are written as functions of numbers, like those of users.

Each is one entry: a rule of types and a function, which `userdefined` follows.  So all engines have
it: the reference by calling the function, the others by its tree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spbfs.operators.definitions import BinaryOp, Monoid, UnaryOp
from spbfs.operators.dtypes import BOOL, DType
from spbfs.operators.kinds.parameterized import ParameterizedBinaryOp
from spbfs.operators.rules import (
    Rule,
    floating,
    floating_division,
    floats,
    floats_of_integers,
    integer_floor,
    integral,
    integral_to_int64,
    same,
)
from spbfs.operators.tables.builtin import highest, lowest
from spbfs.operators.traced import ufuncs, userdefined
from spbfs.operators.traced.standins import StandIn, call, cast

__all__ = ["COMPOSED_BINARY", "COMPOSED_MONOID", "COMPOSED_UNARY", "ISCLOSE"]


def _of(name: str) -> Callable[..., Any]:
    """A function of `ufuncs`, of symbols and of NumPy's scalars."""

    def function(*operands: Any) -> Any:
        if any(isinstance(x, StandIn) for x in operands):
            return call(name, *operands)
        with np.errstate(all="ignore"):
            return ufuncs.call(np, name, *operands)

    return function


_ldexp = _of("ldexp")
_wrapped_power = _of("wrapped_power")


def _bit(k: Any) -> Any:
    """The k-th bit, counted from 1; none where there is no such bit."""
    return np.left_shift(1, k - 1)


def _exponent(y: Any) -> Any:
    return cast("int32", y) if isinstance(y, StandIn) else ufuncs.cast(np, "int32", y)[()]


_LARGEST = int(np.iinfo(np.int64).max)
#: Every partial product of C(n, 35) and larger is beyond 64 bits.
_MOST_FACTORS = 34


def _binom(n: Any, k: Any) -> Any:
    """The binomial coefficient, 0 where a product on the way to it does not fit 64 bits."""
    fewest = np.minimum(k, n - k)
    lost = (k > n) | (k < 0)
    value = n * 0 + 1
    for i in range(_MOST_FACTORS):
        more = fewest > i
        factor = np.where(more, n - i, 1)
        lost = lost | (value > _LARGEST // factor)
        value = np.where(more & np.logical_not(lost), value * factor // (i + 1), value)
    return np.where(lost | (fewest > _MOST_FACTORS), 0, value)


def _isclose(rel_tol: float = 1e-7, abs_tol: float = 0.0) -> Callable[[Any, Any], Any]:
    def close(x: Any, y: Any) -> Any:
        bound = np.maximum(rel_tol * np.maximum(abs(x), abs(y)), abs_tol)
        return np.logical_or(x == y, abs(x - y) <= bound)

    return close


def _shifts(t: DType) -> tuple[DType, DType]:
    """Of integers, and of BOOL as INT8."""
    return integral(integer_floor(t)[0])


def _sign_test(t: DType) -> tuple[DType, DType]:
    return floating(t)[0], BOOL


def _unary(name: str, rule: Rule, function: Callable[..., Any]) -> UnaryOp:
    followed = userdefined.follow(function, 1)
    return UnaryOp(name, rule, function=followed.function, tree=followed.tree)


def _binary(
    name: str, rule: Rule, function: Callable[..., Any], flipped: str | None = None
) -> BinaryOp:
    followed = userdefined.follow(function, 2)
    return BinaryOp(name, rule, flipped=flipped, function=followed.function, tree=followed.tree)


COMPOSED_UNARY: dict[str, UnaryOp] = {
    **{n: _unary(n, floating, _of(n)) for n in ("erf", "erfc", "lgamma", "tgamma")},
    **{n: _unary(n, floats, _of(n)) for n in ("frexpx", "frexpe")},
    **{
        f"numpy.{n}": _unary(f"numpy.{n}", floating, _of(n))
        for n in ("deg2rad", "degrees", "rad2deg", "radians", "fabs", "spacing")
    },
    **{
        f"numpy.{n}": _unary(f"numpy.{n}", integer_floor, _of(n))
        for n in ("reciprocal", "sign", "square")
    },
    "numpy.signbit": _unary("numpy.signbit", _sign_test, _of("signbit")),
}

COMPOSED_BINARY: dict[str, BinaryOp] = {
    "absfirst": _binary("absfirst", same, lambda x, y: abs(x), "abssecond"),
    "abssecond": _binary("abssecond", same, lambda x, y: abs(y), "absfirst"),
    "rpow": _binary("rpow", integer_floor, lambda x, y: _wrapped_power(y, x), "pow"),
    "binom": _binary("binom", integral_to_int64, _binom),
    "bget": _binary("bget", integral, lambda x, k: np.where((x & _bit(k)) != 0, 1, 0)),
    "bset": _binary("bset", integral, lambda x, k: x | _bit(k)),
    "bclr": _binary("bclr", integral, lambda x, k: x & ~_bit(k)),
    "bshift": _binary(
        "bshift",
        integral,
        lambda x, k: np.where(k >= 0, np.left_shift(x, k), np.right_shift(x, -k)),
    ),
    "ldexp": _binary("ldexp", floats_of_integers, lambda x, y: _ldexp(x, _exponent(y))),
    **{
        f"numpy.{n}": _binary(f"numpy.{n}", floating, _of(n), f"numpy.{n}")
        for n in ("hypot", "logaddexp", "logaddexp2")
    },
    "numpy.nextafter": _binary("numpy.nextafter", floating, _of("nextafter")),
    "numpy.float_power": _binary("numpy.float_power", floating_division, _of("power")),
    **{
        f"numpy.{n}": _binary(f"numpy.{n}", same, _of(n), f"numpy.{n}")
        for n in ("maximum", "minimum")
    },
    **{
        f"numpy.{n}": _binary(f"numpy.{n}", integer_floor, _of(n)) for n in ("floor_divide", "fmod")
    },
    **{f"numpy.{n}": _binary(f"numpy.{n}", _shifts, _of(n), f"numpy.{n}") for n in ("gcd", "lcm")},
    **{f"numpy.{n}": _binary(f"numpy.{n}", _shifts, _of(n)) for n in ("left_shift", "right_shift")},
}

ISCLOSE = ParameterizedBinaryOp("isclose", _isclose)
ISCLOSE.is_commutative = True


def _monoid(name: str, identity: Callable[[DType], Any], rule: Rule, idempotent: bool) -> Monoid:
    return Monoid(
        f"numpy.{name}", COMPOSED_BINARY[f"numpy.{name}"], rule, identity, is_idempotent=idempotent
    )


COMPOSED_MONOID: dict[str, Monoid] = {
    op.name: op
    for op in (
        _monoid("gcd", lambda t: 0, integral, True),
        _monoid("hypot", lambda t: 0.0, floats, False),
        _monoid("logaddexp", lambda t: -np.inf, floats, False),
        _monoid("logaddexp2", lambda t: -np.inf, floats, False),
        _monoid("maximum", lowest, same, True),
        _monoid("minimum", highest, same, True),
    )
}
