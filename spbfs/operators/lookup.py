"""From what a user writes (an operator, its name, a symbol, a Python function) to an operator."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any

from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.operators.builtin import BINARY, INDEXUNARY, MONOID, SEMIRING, UNARY
from spbfs.operators.definitions import (
    BinaryOp,
    IndexUnaryOp,
    Monoid,
    Semiring,
    UnaryOp,
    boolean,
    same,
)
from spbfs.operators.dtypes import BOOL, INT64, DType, scalar_dtype
from spbfs.operators.userdefined import result_type, trace

__all__ = [
    "REGISTRIES",
    "Namespace",
    "as_binary",
    "as_indexunary",
    "as_monoid",
    "as_semiring",
    "as_unary",
    "find",
]

#: Symbols that python-graphblas reads as operators, too.
SYMBOLS = {
    "+": "plus",
    "-": "minus",
    "*": "times",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
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
}

#: Symbols as the selections they name when compared with a thunk.
SELECT_SYMBOLS = {
    "==": "valueeq",
    "!=": "valuene",
    "<": "valuelt",
    "<=": "valuele",
    ">": "valuegt",
    ">=": "valuege",
}

REGISTRIES: dict[str, dict[str, Any]] = {
    "unary": UNARY,
    "binary": BINARY,
    "monoid": MONOID,
    "semiring": SEMIRING,
    "indexunary": INDEXUNARY,
    "select": {n: op for n, op in INDEXUNARY.items() if op.is_select},
}


def find(kind: str, name: str) -> Any:
    """The operator of that kind and name.

    Raises
    ------
    InvalidValue
        When there is none; the message lists names that come close.
    """
    if not isinstance(name, str):
        raise DomainMismatch(f"name: expected the name of a {kind} operator, got {name!r}")
    registry = REGISTRIES[kind]
    symbols = SELECT_SYMBOLS if kind == "select" else SYMBOLS
    key = symbols.get(name, name)
    if kind == "semiring" and key not in registry:
        key = "_".join(symbols.get(part, part) for part in name.replace(".", "_").split("_"))
    if key in registry:
        return registry[key]
    from difflib import get_close_matches

    close = ", ".join(get_close_matches(name, registry, 4)) or ", ".join(sorted(registry)[:12])
    raise InvalidValue(
        f"{kind}: no {kind} operator is named {name!r}; did you mean one of {close}?"
    )


def as_unary(op: Any) -> UnaryOp:
    if isinstance(op, UnaryOp):
        return op
    if isinstance(op, str):
        return find("unary", op)
    if callable(op):
        return new_unary("anonymous", op)
    raise DomainMismatch(f"op: expected a unary operator, its name or a function, got {op!r}")


def as_binary(op: Any) -> BinaryOp:
    if isinstance(op, BinaryOp):
        return op
    if isinstance(op, Monoid):
        return op.binaryop
    if isinstance(op, str):
        return find("binary", op)
    if callable(op) and not isinstance(op, UnaryOp | Semiring | IndexUnaryOp):
        return new_binary("anonymous", op)
    raise DomainMismatch(f"op: expected a binary operator, its name or a function, got {op!r}")


def as_monoid(op: Any) -> Monoid:
    if isinstance(op, Monoid):
        return op
    if isinstance(op, BinaryOp):
        if op.name in MONOID and MONOID[op.name].binaryop is op:
            return MONOID[op.name]
        raise DomainMismatch(f"op: {op!r} is not the operator of a monoid; expected a monoid")
    if isinstance(op, str):
        return find("monoid", op)
    raise DomainMismatch(f"op: expected a monoid or its name, got {op!r}")


def as_semiring(op: Any) -> Semiring:
    if isinstance(op, Semiring):
        return op
    if isinstance(op, str):
        return find("semiring", op)
    raise DomainMismatch(f"op: expected a semiring or its name, got {op!r}")


def as_indexunary(op: Any, kind: str = "indexunary") -> IndexUnaryOp:
    if isinstance(op, IndexUnaryOp):
        return op
    if isinstance(op, str):
        return find(kind, op)
    if callable(op) and not isinstance(op, UnaryOp | BinaryOp | Monoid | Semiring):
        return new_indexunary("anonymous", op, is_select=kind == "select")
    raise DomainMismatch(f"op: expected an index-unary operator or its name, got {op!r}")


def new_unary(name: str, function: Callable[..., Any]) -> UnaryOp:
    tree = trace(function, 1)
    return UnaryOp(name, lambda t: (t, result_type(tree, t)), function=function, tree=tree)


def new_binary(name: str, function: Callable[..., Any], commutes: bool = False) -> BinaryOp:
    tree = trace(function, 2)

    def rule(t: DType) -> tuple[DType, DType]:
        return t, result_type(tree, t, t)

    return BinaryOp(name, rule, commutes=commutes, function=function, tree=tree)


def new_indexunary(
    name: str, function: Callable[..., Any], is_select: bool = False
) -> IndexUnaryOp:
    """From a function of (value, row, column, thunk)."""
    tree = trace(function, 4)

    def rule(t: DType) -> tuple[DType, DType]:
        return t, BOOL if is_select else result_type(tree, t, INT64, INT64, t)

    return IndexUnaryOp(name, rule, True, is_select, function, tree)


def new_monoid(name: str, binaryop: BinaryOp, identity: Any, terminal: Any = None) -> Monoid:
    for argument, value in (("identity", identity), ("terminal", terminal)):
        if value is not None:
            scalar_dtype(value, argument)
    is_any = binaryop.name == "any" and binaryop.function is None
    types = boolean if isinstance(identity, bool) else same

    def rule(t: DType) -> tuple[DType, DType]:
        operand, out = types(t)
        binaryop.resolve(out, out)  # refuses the types that it is not defined for
        return operand, out

    return Monoid(name, binaryop, rule, lambda t: identity, lambda t: terminal, is_any=is_any)


def new_semiring(name: str, monoid: Monoid, binaryop: BinaryOp) -> Semiring:
    return Semiring(name, monoid, binaryop)


_NEW: dict[str, Callable[..., Any]] = {
    "unary": new_unary,
    "binary": new_binary,
    "monoid": lambda name, op, identity, terminal=None: new_monoid(
        name, as_binary(op), identity, terminal
    ),
    "semiring": lambda name, monoid, op: new_semiring(name, as_monoid(monoid), as_binary(op)),
    "indexunary": new_indexunary,
    "select": lambda name, function: new_indexunary(name, function, is_select=True),
}


class Namespace:
    """What the modules ``spbfs.unary`` ... ``spbfs.semiring`` offer: operators by attribute."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in REGISTRIES[self._kind]:
            raise AttributeError(f"spbfs.{self._kind} has no operator {name!r}")
        return self.__dict__.setdefault(name, REGISTRIES[self._kind][name])

    def __dir__(self) -> Iterable[str]:
        return sorted(REGISTRIES[self._kind])

    def from_string(self, name: str) -> Any:
        """The operator of that name; symbols such as ``"+"`` and ``"min_+"`` are understood."""
        return find(self._kind, name)

    def register_new(self, name: str, *definition: Any, **options: Any) -> Any:
        """Make an operator from Python functions or operators and keep it under `name`.

        Raises
        ------
        InvalidValue
            When `name` is taken or not an identifier.
        DomainMismatch
            When the definition cannot become an operator.
        """
        if not (isinstance(name, str) and name.isidentifier()):
            raise InvalidValue(f"name: expected a Python identifier, got {name!r}")
        if name in REGISTRIES[self._kind]:
            raise InvalidValue(f"name: {self._kind}.{name} exists already")
        op = self._made(name, definition, options)
        REGISTRIES[self._kind][name] = op
        return op

    def register_anonymous(self, *definition: Any, name: str = "anonymous", **options: Any) -> Any:
        """Make an operator from Python functions or operators, kept under no name."""
        return self._made(name, definition, options)

    def _made(self, name: str, definition: tuple[Any, ...], options: dict[str, Any]) -> Any:
        make = _NEW[self._kind]
        try:
            signature(make).bind(name, *definition, **options)
        except TypeError as error:
            raise DomainMismatch(
                f"definition: cannot make a {self._kind} operator of it: {error}"
            ) from None
        return make(name, *definition, **options)
