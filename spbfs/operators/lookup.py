"""From what a user writes (an operator, its name, a symbol, a Python function) to an operator."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidValue, NotImplementedException
from spbfs.operators.definitions import (
    BinaryOp,
    IndexUnaryOp,
    Monoid,
    Operator,
    SelectOp,
    Semiring,
    UnaryOp,
    semiring_of,
)
from spbfs.operators.kinds.aggregator import Aggregator, TypedAggregator
from spbfs.operators.kinds.parameterized import ParameterizedUdf
from spbfs.operators.kinds.typed import Typed
from spbfs.operators.names import registry
from spbfs.operators.spelling import find, find_first, from_string
from spbfs.operators.tables.builtin import BINARY, UNARY

__all__ = [
    "as_binary",
    "as_indexunary",
    "as_monoid",
    "as_reduction",
    "as_semiring",
    "as_unary",
    "find",
    "find_first",
    "find_opclass",
    "from_string",
    "get_semiring",
    "get_typed_op",
]

#: Python's functions that are operators' names for themselves.
_OF_PYTHON: dict[Any, Operator] = {abs: UNARY["abs"], min: BINARY["min"], max: BINARY["max"]}


def _chosen(op: Any, kind: str, takes: tuple[type, ...], wanted: str) -> Any:
    """An operator of some classes, from what stands for one."""
    if isinstance(op, takes):
        return op
    if isinstance(op, ParameterizedUdf):
        op = op()  # with its defaults
    if isinstance(op, takes) or (isinstance(op, Typed) and isinstance(op.op, takes)):
        return op
    if isinstance(op, str):
        return find(kind, op)
    if isinstance(op, Operator | Typed) or not callable(op) or not isinstance(op, Hashable):
        raise DomainMismatch(f"op: expected {wanted}, got {brief(op)}")
    known = _OF_PYTHON.get(op)
    if known is not None and isinstance(known, takes):
        return known
    maker: Any = takes[0]
    if maker is Monoid and not isinstance(op, type):
        raise NotImplementedException(
            f"op: expected {wanted}, got {brief(op)}; a function has no identity, "
            "monoid.register_anonymous(function, identity) gives it one"
        )
    if maker in (Monoid, Semiring) or isinstance(op, type):
        raise DomainMismatch(f"op: expected {wanted}, got {brief(op)}")
    return maker.register_anonymous(op)


def as_unary(op: Any) -> Any:
    return _chosen(op, "unary", (UnaryOp,), "a unary operator, its name or a function")


def as_binary(op: Any) -> Any:
    chosen = _chosen(op, "binary", (BinaryOp, Monoid), "a binary operator, its name or a function")
    return chosen.binaryop if chosen.kind == "monoid" else chosen


def as_monoid(op: Any) -> Any:
    chosen = _chosen(op, "monoid", (Monoid, BinaryOp), "a monoid or its name")
    if chosen.kind == "monoid":
        return chosen
    monoid = chosen.monoid
    if monoid is None:
        raise NotImplementedException(
            f"op: {chosen!r} is not the operator of a monoid; expected a Monoid"
        )
    return monoid


def as_reduction(op: Any) -> Any:
    """A monoid or an aggregator."""
    if isinstance(op, str):
        op = find_first(("monoid", "agg"), op)
    return op if isinstance(op, Aggregator | TypedAggregator) else as_monoid(op)


def as_semiring(op: Any) -> Any:
    return _chosen(op, "semiring", (Semiring,), "a semiring or its name")


def as_indexunary(op: Any, kind: str = "indexunary") -> Any:
    takes = (SelectOp, IndexUnaryOp) if kind == "select" else (IndexUnaryOp,)
    return _chosen(op, kind, takes, "an index-unary operator or its name")


# -- for programs that ask what an operator is -----------------------------------------------------
_CLASSES = {
    "unary": "UnaryOp",
    "binary": "BinaryOp",
    "indexunary": "IndexUnaryOp",
    "select": "SelectOp",
    "monoid": "Monoid",
    "semiring": "Semiring",
    "agg": "Aggregator",
}
UNKNOWN_OPCLASS = "UnknownOpClass"


def find_opclass(op: Any) -> tuple[Any, str]:
    """An operator, made if it stands for one, and the name of its class.

    Examples
    --------
    >>> find_opclass(min), find_opclass("min")[1]
    ((binary.min, 'BinaryOp'), 'UnknownOpClass')
    """
    if isinstance(op, ParameterizedUdf):
        op = op()
    try:
        op = _OF_PYTHON.get(op, op)
    except TypeError:  # unhashable
        return op, UNKNOWN_OPCLASS
    return op, _CLASSES.get(getattr(op, "kind", ""), UNKNOWN_OPCLASS)


def get_typed_op(op: Any, dtype: Any, dtype2: Any = None, *, kind: str | None = None) -> Any:
    """The operator over the types of its operands.

    Parameters
    ----------
    op : operator, name, or function
    dtype, dtype2 : DType
    kind : str, optional
        Of what is a name; ``"binary|aggregator"`` tries both.

    Examples
    --------
    >>> from spbfs import dtypes
    >>> get_typed_op("+", dtypes.INT64, kind="binary")
    binary.plus[INT64]
    """
    if isinstance(op, str):
        if kind is None:
            raise InvalidValue(f"kind: expected that of the operator named {brief(op)}, got None")
        op = find_first(["agg" if k == "aggregator" else k for k in kind.split("|")], op)
    elif kind in ("unary", "binary") and callable(op) and not hasattr(op, "kind"):
        op = as_unary(op) if kind == "unary" else as_binary(op)
    op, opclass = find_opclass(op)
    if opclass == UNKNOWN_OPCLASS:
        raise DomainMismatch(f"op: expected an operator, got {brief(op)}")
    if isinstance(op, Aggregator | TypedAggregator):
        return op.resolve(dtype)
    if dtype2 is None:
        return op if isinstance(op, Typed) else op[dtype]
    return op.resolve(dtype, dtype2)


def get_semiring(monoid: Any, binaryop: Any, name: str | None = None) -> Any:
    """The semiring of a monoid and a binary operator: the one that has a name, or a new one.

    Parameters
    ----------
    monoid : Monoid, or the BinaryOp of one
    binaryop : BinaryOp or Monoid
        Over one type, perhaps: then so is the semiring.
    name : str, optional
        Another name to keep it under.

    Returns
    -------
    Semiring

    Raises
    ------
    DomainMismatch
        They are no such operators, or seem to be exchanged.

    Examples
    --------
    >>> from spbfs import binary, monoid, semiring
    >>> semiring.get_semiring(monoid.plus, binary.times)
    semiring.plus_times
    """
    adds, add_class = find_opclass(monoid)
    multiplies, multiply_class = find_opclass(binaryop)
    exchanged = add_class == "BinaryOp" and multiply_class == "Monoid"
    if exchanged:
        raise DomainMismatch(
            "monoid, binaryop: got a binary operator and a monoid; are they exchanged?"
        )
    if add_class == "BinaryOp" and adds.monoid is not None:
        adds = adds.monoid
    elif add_class != "Monoid":
        raise DomainMismatch(f"monoid: expected a Monoid, got {monoid!r}")
    if multiply_class == "Monoid":
        multiplies = multiplies.binaryop
    elif multiply_class != "BinaryOp":
        raise DomainMismatch(f"binaryop: expected a BinaryOp, got {binaryop!r}")
    types = [op.in_type for op in (multiplies, adds) if isinstance(op, Typed)]
    parents: list[Any] = [op.op if isinstance(op, Typed) else op for op in (adds, multiplies)]
    made = semiring_of(*parents)
    if name is not None and registry.find("semiring", name) is None:
        registry.keep("semiring", name, made)
    return made[types[0]] if types else made
