"""The built-in operators, as tables: the names users of GraphBLAS know and the rule of each."""

from __future__ import annotations

import numpy as np

from spbfs.operators.definitions import (
    BinaryOp,
    IndexUnaryOp,
    Monoid,
    Rule,
    Semiring,
    UnaryOp,
    boolean,
    comparison,
    integral,
    only_boolean,
    positional,
    same,
)
from spbfs.operators.dtypes import BOOL, FP32, FP64, INT8, INT64, DType

__all__ = ["BINARY", "INDEXUNARY", "MONOID", "SEMIRING", "UNARY"]


def floating(t: DType) -> tuple[DType, DType]:
    """Floating types keep theirs, 8- and 16-bit integers become FP32, all others FP64."""
    f = t if t.is_float else (FP32 if t.np_type.itemsize <= 2 else FP64)
    return f, f


def floating_division(t: DType) -> tuple[DType, DType]:
    """Floating types keep theirs, every other type becomes FP64: the division of Python."""
    f = t if t.is_float else FP64
    return f, f


def float_test(t: DType) -> tuple[DType, DType]:
    return floating(t)[0], BOOL


def countable(t: DType) -> tuple[DType, DType]:
    """The sum of Booleans counts them: ``plus`` over BOOL is INT64."""
    u = INT64 if t.is_bool else t
    return u, u


def integer_floor(t: DType) -> tuple[DType, DType]:
    """Floor division and its remainder, of Booleans those of INT8, as in NumPy."""
    u = INT8 if t.is_bool else t
    return u, u


def index_result(t: DType) -> tuple[DType, DType]:
    return t, INT64


def _unary(rule: Rule, names: str, positional: bool = False) -> dict[str, UnaryOp]:
    return {n: UnaryOp(n, rule, positional) for n in names.split()}


UNARY: dict[str, UnaryOp] = {
    **_unary(same, "identity ainv minv abs one lnot"),
    **_unary(
        floating,
        "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh "
        "asinh acosh atanh ceil floor round trunc signum",
    ),
    **_unary(float_test, "isnan isinf isfinite"),
    **_unary(integral, "bnot"),
    **_unary(positional, "positioni positionj", positional=True),
}


def _binary(
    rule: Rule,
    names: str,
    commutes: bool = False,
    positional: bool = False,
    usual: DType | None = None,
) -> dict[str, BinaryOp]:
    """Names are ``op`` or ``op/flipped``; operators that commute are their own flip."""
    table = {}
    for word in names.split():
        name, _, flip = word.partition("/")
        flipped = name if commutes else (flip or None)
        table[name] = BinaryOp(name, rule, commutes, positional, flipped, usual)
    return table


BINARY: dict[str, BinaryOp] = {
    **_binary(same, "plus times min max land lor lxor", commutes=True),
    **_binary(same, "pair", commutes=True, usual=INT64),
    **_binary(boolean, "lxnor", commutes=True),
    **_binary(same, "any", commutes=True),
    **_binary(same, "first/second second/first minus/rminus rminus/minus cdiv/rdiv rdiv/cdiv"),
    **_binary(same, "pow/rpow rpow/pow"),
    **_binary(integer_floor, "floordiv/rfloordiv rfloordiv/floordiv mod"),
    **_binary(floating_division, "truediv/rtruediv rtruediv/truediv"),
    **_binary(floating, "hypot", commutes=True),
    **_binary(floating, "atan2 fmod remainder copysign"),
    **_binary(comparison, "eq ne", commutes=True),
    **_binary(comparison, "lt/gt gt/lt le/ge ge/le"),
    **_binary(same, "iseq isne", commutes=True),
    **_binary(same, "islt/isgt isgt/islt isle/isge isge/isle"),
    **_binary(integral, "band bor bxor bxnor", commutes=True),
    **_binary(
        positional, "firsti/secondj firstj/secondi secondi/firstj secondj/firsti", positional=True
    ),
}


def lowest(t: DType) -> object:
    if t.is_bool:
        return False
    return -np.inf if t.is_float else np.iinfo(t.np_type).min


def highest(t: DType) -> object:
    if t.is_bool:
        return True
    return np.inf if t.is_float else np.iinfo(t.np_type).max


def all_ones(t: DType) -> object:
    return np.array(0, t.np_type).__invert__()[()]


MONOID: dict[str, Monoid] = {
    "plus": Monoid("plus", BINARY["plus"], countable, lambda t: 0),
    "times": Monoid(
        "times",
        BINARY["times"],
        same,
        lambda t: True if t.is_bool else 1,
        lambda t: None if t.is_float else (False if t.is_bool else 0),
    ),
    "min": Monoid("min", BINARY["min"], same, highest, lowest),
    "max": Monoid("max", BINARY["max"], same, lowest, highest),
    "any": Monoid("any", BINARY["any"], same, is_any=True),
    "lor": Monoid("lor", BINARY["lor"], boolean, lambda t: False, lambda t: True),
    "land": Monoid("land", BINARY["land"], boolean, lambda t: True, lambda t: False),
    "lxor": Monoid("lxor", BINARY["lxor"], boolean, lambda t: False),
    "lxnor": Monoid("lxnor", BINARY["lxnor"], boolean, lambda t: True),
    "eq": Monoid("eq", BINARY["eq"], only_boolean, lambda t: True),
    "band": Monoid("band", BINARY["band"], integral, all_ones, lambda t: 0),
    "bor": Monoid("bor", BINARY["bor"], integral, lambda t: 0, all_ones),
    "bxor": Monoid("bxor", BINARY["bxor"], integral, lambda t: 0),
    "bxnor": Monoid("bxnor", BINARY["bxnor"], integral, all_ones),
}

#: Which multiplications each group of monoids is combined with by name.
_ARITHMETIC = (
    "first second pair plus minus rminus times cdiv rdiv truediv rtruediv floordiv rfloordiv "
    "min max land lor lxor iseq isne isgt islt isge isle firsti firstj secondi secondj pow rpow"
).split()
_LOGICAL = "first second pair land lor lxor eq ne gt lt ge le".split()
_BITWISE = "band bor bxor bxnor".split()


def _semirings() -> dict[str, Semiring]:
    pairs = [(a, m) for a in ("any", "plus", "times", "min", "max") for m in _ARITHMETIC]
    pairs += [(a, m) for a in ("lor", "land", "lxor", "lxnor", "eq", "any") for m in _LOGICAL]
    pairs += [(a, m) for a in _BITWISE for m in _BITWISE]
    return {f"{a}_{m}": Semiring(f"{a}_{m}", MONOID[a], BINARY[m]) for a, m in pairs}


SEMIRING: dict[str, Semiring] = _semirings()

_SELECTORS = "tril triu diag offdiag rowle rowgt colle colgt indexle indexgt"
_VALUES = "valueeq valuene valuelt valuele valuegt valuege"

INDEXUNARY: dict[str, IndexUnaryOp] = {
    **{n: IndexUnaryOp(n, boolean) for n in _SELECTORS.split()},
    **{n: IndexUnaryOp(n, comparison, by_value=True) for n in _VALUES.split()},
    **{
        n: IndexUnaryOp(n, index_result, is_select=False)
        for n in "rowindex colindex index diagindex".split()
    },
}
