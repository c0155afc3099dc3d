"""The built-in operators, as tables: the names users of GraphBLAS know and the rule of each."""

from __future__ import annotations

import numpy as np

from spbfs.operators.definitions import (
    BinaryOp,
    IndexUnaryOp,
    Monoid,
    SelectOp,
    Semiring,
    UnaryOp,
)
from spbfs.operators.dtypes import BOOL, INT64, DType
from spbfs.operators.rules import (
    Rule,
    bitwise_product,
    boolean,
    comparison,
    float_test,
    floating,
    floating_division,
    index_result,
    integer_floor,
    integral,
    numeric,
    only_boolean,
    positional,
    same,
    unsigned,
)

__all__ = ["BINARY", "INDEXUNARY", "MONOID", "SELECT", "SEMIRING", "UNARY"]


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
        table[name] = BinaryOp(name, rule, positional, flipped, usual)
    return table


BINARY: dict[str, BinaryOp] = {
    **_binary(same, "plus times min max land lor lxor", commutes=True),
    **_binary(same, "pair", commutes=True, usual=INT64),
    **_binary(boolean, "lxnor", commutes=True),
    **_binary(same, "any", commutes=True),
    **_binary(same, "first/second second/first minus/rminus rminus/minus cdiv/rdiv rdiv/cdiv"),
    **_binary(same, "pow/rpow"),
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
        positional, "firsti/secondi firstj/secondj secondi/firsti secondj/firstj", positional=True
    ),
}


def lowest(t: DType) -> object:
    if t.is_bool:
        return False
    return -np.inf if t.is_float else int(np.iinfo(t.np_type).min)


def highest(t: DType) -> object:
    if t.is_bool:
        return True
    return np.inf if t.is_float else int(np.iinfo(t.np_type).max)


def all_ones(t: DType) -> object:
    return int(np.array(0, t.np_type).__invert__()[()])


MONOID: dict[str, Monoid] = {
    "plus": Monoid("plus", BINARY["plus"], numeric),
    "times": Monoid(
        "times",
        BINARY["times"],
        same,
        lambda t: t.np_type.type(1).item(),
        lambda t: None if t.is_float else (False if t.is_bool else 0),
    ),
    "min": Monoid("min", BINARY["min"], same, highest, lowest, is_idempotent=True),
    "max": Monoid("max", BINARY["max"], same, lowest, highest, is_idempotent=True),
    "any": Monoid("any", BINARY["any"], same, is_any=True, is_idempotent=True),
    "lor": Monoid("lor", BINARY["lor"], boolean, lambda t: False, lambda t: True),
    "land": Monoid("land", BINARY["land"], boolean, lambda t: True, lambda t: False),
    "lxor": Monoid("lxor", BINARY["lxor"], boolean, lambda t: False),
    "lxnor": Monoid("lxnor", BINARY["lxnor"], boolean, lambda t: True),
    "eq": Monoid("eq", BINARY["eq"], only_boolean, lambda t: True),
    "band": Monoid("band", BINARY["band"], unsigned, all_ones, lambda t: 0, is_idempotent=True),
    "bor": Monoid("bor", BINARY["bor"], unsigned, lambda t: 0, all_ones, is_idempotent=True),
    "bxor": Monoid("bxor", BINARY["bxor"], unsigned),
    "bxnor": Monoid("bxnor", BINARY["bxnor"], unsigned, all_ones),
}
for _name in ("lor", "land"):
    MONOID[_name].is_idempotent = True

#: Which multiplications each group of monoids is combined with by name.
_ARITHMETIC = (
    "first second pair plus minus rminus times cdiv rdiv truediv rtruediv floordiv rfloordiv "
    "min max land lor lxor iseq isne isgt islt isge isle firsti firstj secondi secondj"
).split()
_LOGICAL = "first second pair land lor lxor eq ne gt lt ge le".split()
_BITWISE = "band bor bxor bxnor".split()
#: Products that Booleans have without a word of it in `types`: a product by ``times`` exists for
#: what its multiplication hands on as it is.
_UNLISTED = {("times", m) for m in ("first", "second")}
#: Arithmetic products that Booleans have, too.
_OF_BOOLEANS = {
    *((a, m) for a in ("any", "min", "max") for m in ("first", "second", "land", "lor", "lxor")),
    *_UNLISTED,
    ("any", "pair"),
}


def _arithmetic(add: str, multiply: str) -> Semiring:
    binaryop = BINARY[multiply]
    gives_numbers = binaryop.positional or binaryop.rule in (integer_floor, floating_division)
    of_booleans = gives_numbers or (add, multiply) in _OF_BOOLEANS
    rule = None if of_booleans else numeric
    unlisted = (BOOL,) if (add, multiply) in _UNLISTED else ()
    return Semiring(f"{add}_{multiply}", MONOID[add], binaryop, rule, unlisted=unlisted)


def _semirings() -> dict[str, Semiring]:
    made = [_arithmetic(a, m) for a in ("any", "plus", "times", "min", "max") for m in _ARITHMETIC]
    made += [
        Semiring(f"{a}_{m}", MONOID[a], BINARY[m])
        for a in ("lor", "land", "lxor", "lxnor", "eq", "any")
        for m in _LOGICAL
        if (a, m) not in _OF_BOOLEANS
    ]
    made.append(_arithmetic("plus", "pow"))
    made += [
        Semiring(f"{a}_{m}", MONOID[a], BINARY[m], bitwise_product)
        for a in _BITWISE
        for m in _BITWISE
    ]
    return {op.name: op for op in made}


SEMIRING: dict[str, Semiring] = _semirings()

_SELECTORS = "tril triu diag offdiag rowle rowgt colle colgt indexle indexgt"
_VALUES = "valueeq valuene valuelt valuele valuegt valuege"

INDEXUNARY: dict[str, IndexUnaryOp] = {
    **{n: IndexUnaryOp(n, boolean) for n in _SELECTORS.split()},
    **{n: IndexUnaryOp(n, comparison, by_value=True) for n in _VALUES.split()},
    **{n: IndexUnaryOp(n, index_result) for n in "rowindex colindex index diagindex".split()},
}
SELECT: dict[str, SelectOp] = {
    n: SelectOp.of(INDEXUNARY[n]) for n in (*_SELECTORS.split(), *_VALUES.split())
}
