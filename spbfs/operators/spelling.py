"""Operators by what they are called: names, symbols, and types in brackets behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spbfs.base.suggestions import suggestion
from spbfs.base.wording import brief
from spbfs.exceptions import InvalidValue, OperatorUndefined, WrongOperator
from spbfs.operators.definitions import semiring_of
from spbfs.operators.names import registry
from spbfs.operators.tables import aggregators, catalogue

__all__ = ["find", "find_first", "from_string"]

#: Imported for what they keep in the registry.
_ = aggregators, catalogue

_SELECTIONS = {
    "==": "valueeq",
    "!=": "valuene",
    "<": "valuelt",
    "<=": "valuele",
    ">": "valuegt",
    ">=": "valuege",
    "row<=": "rowle",
    "row>": "rowgt",
    "col<=": "colle",
    "col>": "colgt",
    "index<=": "indexle",
    "index>": "indexgt",
}

#: Symbols that python-graphblas reads as operators, too.
SYMBOLS: dict[str, dict[str, str]] = {
    "unary": {"-": "ainv", "~": "lnot"},
    "binary": {
        "+": "plus",
        "-": "minus",
        "*": "times",
        "/": "truediv",
        "//": "floordiv",
        "%": "numpy.mod",
        "**": "pow",
        "&": "land",
        "|": "lor",
        "^": "lxor",
        "==": "eq",
        "!=": "ne",
        "<": "lt",
        "<=": "le",
        ">": "gt",
        ">=": "ge",
    },
    "monoid": {"==": "eq", "+": "plus", "*": "times", "&": "land", "|": "lor", "^": "lxor"},
    "semiring": {},
    "indexunary": _SELECTIONS,
    "select": _SELECTIONS,
    "agg": {"+": "sum", "*": "prod", "&": "all", "|": "any"},
}


def find(kind: str, name: str) -> Any:
    """The operator of that kind and name or symbol, perhaps with a type: ``"plus[float]"``.

    Raises
    ------
    WrongOperator, InvalidValue
        When it is no name, or names one of another kind, or none; the message lists names that come
        close.
    """
    return find_first((kind,), name)


def _refusal(kinds: Sequence[str], name: str) -> InvalidValue:
    """Why there is no operator of these kinds."""
    kind, base = kinds[0], _parted(kinds[0], name)[0]
    known = list(registry.names(kind))
    listed = f"dir(spbfs.{kind}) lists them"
    hint = suggestion(base.lower(), known, registry.ELSEWHERE, listed)
    for other in registry.KINDS:
        if other not in kinds and _named(other, base) is not None:
            expected = " or ".join(kinds)
            return WrongOperator(
                f"{kind}: {brief(name)} names the operator {other}.{base}; "
                f"expected the name of a {expected} operator; {hint}"
            )
    return InvalidValue(f"{kind}: no {kind} operator is named {brief(name)}; {hint}")


def _check_name(kinds: Sequence[str], name: Any) -> None:
    if not isinstance(name, str):
        kind = f"of kind {' or '.join(kinds)}" if kinds else "of any kind"
        raise WrongOperator(f"name: expected the name of an operator {kind}, got {brief(name)}")


def _known(kind: str, name: str) -> Any:
    """The operator; None where there is none: to look for what comes close takes a while."""
    op = _named(kind, name)  # as most are written
    if op is not None:
        return op
    base, dtype = _parted(kind, name)
    op = _named(kind, base)
    if op is None:
        op = _named(kind, base.lower())
    if op is None or dtype is None:
        return op
    if "," in dtype:
        raise OperatorUndefined(f"{kind}: expected one type in brackets, got {name!r}")
    return op[dtype]


def _parted(kind: str, name: str) -> tuple[str, str | None]:
    """The name, and that of the type in brackets behind it."""
    base, bracket, rest = name.strip().partition("[")
    if "]" in base or "[" in rest or (bracket and not rest.endswith("]")) or rest.count("]") > 1:
        raise InvalidValue(f"{kind}: expected name[type], such as plus[int], got {name!r}")
    return base.strip(), rest[:-1].strip().lower() if bracket else None


def _named(kind: str, base: str) -> Any:
    symbols = SYMBOLS[kind]
    op = registry.find(kind, symbols.get(base, base))
    if op is None:
        op = registry.find(kind, f"numpy.{base}")
    if op is None and kind == "semiring":
        for separator in "._":
            left, found, right = base.partition(separator)
            if (
                found
                and (monoid := _named("monoid", left))
                and (multiply := _named("binary", right))
            ):
                return semiring_of(monoid, multiply)
    return op


def from_string(kind: str, name: str) -> Any:
    """The operator of that name; of kind ``"op"``, whichever kind has it.

    Examples
    --------
    >>> from_string("binary", "+[int]"), from_string("op", "min.+"), from_string("op", "-")
    (binary.plus[INT64], semiring.min_plus, unary.ainv)
    """
    if kind != "op":
        return find(kind, name)
    _check_name((), name)
    op = _first(registry.KINDS, name)
    if op is None:
        raise InvalidValue(
            f"op: no operator is named {brief(name)}; expected a name such as 'abs[int]'"
        )
    return op


def find_first(kinds: Sequence[str], name: str) -> Any:
    """The operator of that name and of the first of these kinds that has one."""
    _check_name(kinds, name)
    op = _known(kinds[0], name) if len(kinds) == 1 else _first(kinds, name)
    if op is None:
        raise _refusal(kinds, name)
    return op


def _first(kinds: Sequence[str], name: str) -> Any:
    for kind in kinds:
        try:
            op = _known(kind, name)
        except InvalidValue:
            continue
        if op is not None:
            return op
    return None
