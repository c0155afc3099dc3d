"""Every built-in operator kept under its names: its own, NumPy's, and those of SuiteSparse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

from spbfs.operators.definitions import Semiring, semiring_of
from spbfs.operators.names import registry
from spbfs.operators.tables.builtin import BINARY, INDEXUNARY, MONOID, SELECT, SEMIRING, UNARY
from spbfs.operators.tables.composed import (
    COMPOSED_BINARY,
    COMPOSED_MONOID,
    COMPOSED_UNARY,
    ISCLOSE,
)

__all__: list[str] = []

#: NumPy's names of operators that have another.
_NUMPY_UNARY = {
    "abs": "abs",
    "absolute": "abs",
    "bitwise_not": "bnot",
    "invert": "bnot",
    "logical_not": "lnot",
    "negative": "ainv",
    "positive": "identity",
    "rint": "round",
    **{
        n: n
        for n in "cbrt ceil cos cosh exp exp2 expm1 floor isfinite isinf isnan log log10 log1p "
        "log2 sin sinh sqrt tan tanh trunc".split()
    },
    **{f"arc{n}": f"a{n}" for n in "sin cos tan sinh cosh tanh".split()},
}
_NUMPY_MONOID = {
    "add": "plus",
    "bitwise_and": "band",
    "bitwise_or": "bor",
    "bitwise_xor": "bxor",
    "equal": "eq",
    "fmax": "max",
    "fmin": "min",
    "logical_and": "land",
    "logical_or": "lor",
    "logical_xor": "lxor",
    "multiply": "times",
}
#: Names that nobody is told, since NumPy's is the one that python-graphblas has.
_HIDDEN = {"mod"}
_NUMPY_BINARY = {
    **_NUMPY_MONOID,
    "arctan2": "atan2",
    "copysign": "copysign",
    "divide": "truediv",
    "greater": "gt",
    "greater_equal": "ge",
    "ldexp": "ldexp",
    "less": "lt",
    "less_equal": "le",
    "mod": "mod",
    "not_equal": "ne",
    "power": "pow",
    "remainder": "mod",
    "subtract": "minus",
    "true_divide": "truediv",
}

_INTEGER = {"gcd", "lcm", "left_shift", "right_shift"}
_BITS = {"bitwise_and", "bitwise_or", "bitwise_xor"}
_COMPARISONS = {"equal", "greater", "greater_equal", "less", "less_equal", "not_equal"}
_FLOATING = {
    *"arctan2 copysign divide float_power hypot ldexp logaddexp logaddexp2 nextafter".split(),
    "true_divide",
}
_LOGARITHMIC = {"hypot", "logaddexp", "logaddexp2"}
#: Monoids and multiplications whose types do not meet.
_WITHOUT_TYPES = (
    ({"equal", *_LOGARITHMIC}, _INTEGER),
    ({*_BITS, "equal", "gcd"}, _FLOATING),
    (_LOGARITHMIC, _BITS),
    ({"equal"}, {"floor_divide", "fmod", "mod", "power", "remainder", "subtract"}),
    ({"gcd", *_LOGARITHMIC}, _COMPARISONS),
)

#: Operators that python-graphblas has in a place of their own.  Those that see positions answer to
#: their short name, but are listed there only.
_OF_SUITESPARSE = {
    "unary": "erf erfc frexpe frexpx lgamma tgamma positioni positionj",
    "binary": "firsti firstj secondi secondj",
    "semiring": " ".join(
        f"{a}_{m}"
        for a, m in product(
            ("any", "max", "min", "plus", "times"), ("firsti", "firstj", "secondi", "secondj")
        )
    ),
}


def _kept(kind: str, table: dict[str, Any]) -> None:
    own = _OF_SUITESPARSE.get(kind, "").split()
    root, combined = registry.ROOTS[kind], registry.ROOTS["op"]
    for name, op in table.items():
        if name in own:
            root.ss.__dict__[name] = combined.ss.__dict__[name] = op
        if name in _HIDDEN:
            root._deprecated[name] = op
            continue
        if name in own and op.is_positional:
            root._deprecated[name] = combined._deprecated[name] = op
        else:
            registry.keep(kind, name, op)


def _numpy_names(kind: str, named: dict[str, str]) -> None:
    for name, own in named.items():
        registry.keep(kind, f"numpy.{name}", registry.find(kind, own))


def _numpy_semirings() -> Iterator[tuple[str, Callable[[], Any]]]:
    adds, multiplies = (
        [n for n in vars(registry.ROOTS[kind].numpy) if not n.startswith("_")]
        for kind in ("monoid", "binary")
    )
    for add, multiply in product(adds, multiplies):
        if not any(add in a and multiply in m for a, m in _WITHOUT_TYPES):
            yield f"{add}_{multiply}", partial(_numpy_semiring, add, multiply)


def _numpy_semiring(add: str, multiply: str) -> Any:
    monoid = registry.find("monoid", f"numpy.{add}")
    return semiring_of(monoid, registry.find("binary", f"numpy.{multiply}"))


def _fill() -> None:
    for kind, table in (
        ("unary", {**UNARY, **COMPOSED_UNARY}),
        ("binary", {**BINARY, **COMPOSED_BINARY, "isclose": ISCLOSE}),
        ("monoid", {**MONOID, **COMPOSED_MONOID}),
        ("semiring", {**SEMIRING, **_more_semirings()}),
        ("indexunary", INDEXUNARY),
        ("select", SELECT),
    ):
        _kept(kind, table)
    _numpy_names("unary", _NUMPY_UNARY)
    _numpy_names("binary", _NUMPY_BINARY)
    _numpy_names("monoid", _NUMPY_MONOID)
    for name, make in _numpy_semirings():
        registry.ROOTS["semiring"].numpy._delayed[name] = make
        registry.ROOTS["op"].numpy._delayed.setdefault(name, make)


def _more_semirings() -> dict[str, Semiring]:
    """Sums and maxima of absolute values, for norms; sums of powers."""
    pairs = [*product(("plus", "max"), ("absfirst", "abssecond")), ("plus", "rpow")]
    return {f"{a}_{m}": Semiring(f"{a}_{m}", MONOID[a], COMPOSED_BINARY[m]) for a, m in pairs}


_fill()
