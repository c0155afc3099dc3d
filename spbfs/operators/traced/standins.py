"""What a user's function is called with in place of numbers: what Python and NumPy do to it.

Symbols make a tree of that (`symbols`), the numbers of the reference engine compute it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from spbfs.exceptions import UdfParseError

__all__ = ["COMPARISONS", "OPERATORS", "UFUNCS", "StandIn", "call", "cast"]

#: The NumPy ufuncs an operator may call; their names are those of `Node.op`.
UFUNCS = frozenset(
    "add subtract multiply true_divide divide floor_divide remainder mod fmod power negative "
    "positive absolute fabs sign sqrt cbrt square exp exp2 expm1 log log2 log10 log1p sin cos tan "
    "arcsin arccos arctan arctan2 sinh cosh tanh arcsinh arccosh arctanh hypot floor ceil trunc "
    "rint minimum maximum fmin fmax equal not_equal less less_equal greater greater_equal "
    "logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor invert "
    "left_shift right_shift isnan isinf isfinite copysign logaddexp logaddexp2 gcd lcm nextafter "
    "ldexp spacing signbit reciprocal deg2rad rad2deg degrees radians float_power heaviside".split()
)

#: Python's comparisons, which are NumPy's of any two numbers.
COMPARISONS = {
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}
#: Python's other operators by their signs, each with the function of NumPy's that does the same to
#: operands of one type.
OPERATORS = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "true_divide",
    "//": "floor_divide",
    "%": "remainder",
    "**": "power",
    "&": "bitwise_and",
    "|": "bitwise_or",
    "^": "bitwise_xor",
    "<<": "left_shift",
    ">>": "right_shift",
    "neg": "negative",
    "pos": "positive",
    "abs": "absolute",
    "~": "invert",
}


class StandIn:
    """Stands for a number in a function."""

    __slots__ = ()

    def made(self, name: str, *operands: Any) -> Self:
        """What a function gives.

        Parameters
        ----------
        name : str
            A sign of `OPERATORS`, ``"where"``, or the name of a function of `ufuncs`.
        *operands : StandIn or number
        """
        raise NotImplementedError

    def converted(self, to: str) -> Self:
        """It as another type: see `ufuncs.cast`."""
        raise NotImplementedError

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Self:
        if method != "__call__" or kwargs or ufunc.__name__ not in UFUNCS:
            raise UdfParseError(
                f"function: numpy.{ufunc.__name__} cannot be used in an operator; "
                f"expected one of {', '.join(sorted(UFUNCS))}"
            )
        # Where NumPy's scalars are compared with something they come as arrays.
        scalars = (x[()] if isinstance(x, np.ndarray) and not x.ndim else x for x in inputs)
        return self.made(ufunc.__name__, *scalars)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func in _FUNCTIONS and not kwargs:
            return _FUNCTIONS[func](*args)
        raise UdfParseError(f"function: numpy.{func.__name__} cannot be used in an operator")

    def __round__(self, digits: Any = None) -> Self:
        if digits is not None:
            raise UdfParseError("function: round takes no number of digits in an operator")
        return self.made("rint", self).converted("integer")


def call(name: str, *operands: Any) -> Any:
    """A function of numbers, one of which at least is stood in for."""
    return next(x for x in operands if isinstance(x, StandIn)).made(name, *operands)


def cast(to: str, x: StandIn) -> Any:
    """A number that is stood in for as another type: see `ufuncs.cast`."""
    return x.converted(to)


_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.where: lambda condition, x, y: call("where", condition, x, y),
    np.clip: lambda x, low, high: call("minimum", call("maximum", x, low), high),
    np.round: lambda x: call("rint", x),
    np.around: lambda x: call("rint", x),
}


def _operator(name: str, swap: bool = False) -> Callable[..., Any]:
    def method(self: StandIn, *others: Any) -> Any:
        return self.made(name, *((*others, self) if swap else (self, *others)))

    return method


def _power(self: StandIn, other: Any, modulus: Any = None) -> Any:
    if modulus is not None:
        raise UdfParseError("function: pow takes no modulus in an operator")
    return self.made("**", self, other)


def _quotient_and_rest(self: StandIn, other: Any) -> tuple[Any, Any]:
    return self.made("//", self, other), self.made("%", self, other)


def _reflected_quotient_and_rest(self: StandIn, other: Any) -> tuple[Any, Any]:
    return self.made("//", other, self), self.made("%", other, self)


for _name, _sign in {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "and": "&",
    "or": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
}.items():
    setattr(StandIn, f"__{_name}__", _operator(_sign))
    setattr(StandIn, f"__r{_name}__", _operator(_sign, swap=True))
for _name, _sign in {
    "neg": "neg",
    "pos": "pos",
    "abs": "abs",
    "invert": "~",
    **COMPARISONS,
}.items():
    setattr(StandIn, f"__{_name}__", _operator(_sign))
for _name, _function in {
    "pow": _power,
    "divmod": _quotient_and_rest,
    "rdivmod": _reflected_quotient_and_rest,
}.items():
    setattr(StandIn, f"__{_name}__", _function)
