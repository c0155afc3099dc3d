"""Operators that are functions of values and positions: unary, binary, index-unary, selecting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from spbfs.exceptions import DomainMismatch, InvalidValue, OperatorUndefined, UdfParseError
from spbfs.operators.dtypes import ALL, BOOL, INT64, DType, unify
from spbfs.operators.kinds.operator import Operator
from spbfs.operators.kinds.typed import TypedBinary, TypedIndexUnary, TypedUnary
from spbfs.operators.names import registry
from spbfs.operators.rules import Rule, boolean, same
from spbfs.operators.traced import userdefined

__all__ = ["BinaryOp", "IndexUnaryOp", "SelectOp", "UnaryOp"]


def _of_function(
    cls: Any, name: str | None, function: Callable[..., Any], types: Any, options: dict[str, Any]
) -> Any:
    """An operator of a user's function; `types` are those of its arguments, for a type."""
    followed = userdefined.follow(function, cls.arity)
    op = cls(
        name or getattr(function, "__name__", f"<anonymous_{cls.kind}>"),
        userdefined.rule_of(followed, types),
        function=followed.function,
        tree=followed.tree,
        **options,
    )
    op.orig_func = function
    # One type is enough: for another, which nobody may ask for, the function might never return.
    if followed.tree is None and not any(_is_defined(op, t) for t in ALL):
        raise UdfParseError(_why_undefined(op) or followed.reason)
    return op


def _why_undefined(op: Any) -> str:
    try:
        op.rule(INT64)
    except DomainMismatch as error:
        return str(error)
    return ""


def _is_defined(op: Operator, t: DType) -> bool:
    try:
        op.typed(t)
    except OperatorUndefined:
        return False
    return True


@dataclass(eq=False, repr=False)
class UnaryOp(Operator):
    """A function of one value; ``positional`` ones see the position instead."""

    name: str
    rule: Rule = same
    positional: bool = False
    #: of a user's operator, with Python's functions of numbers replaced (see `userdefined`)
    function: Callable[..., Any] | None = None
    #: what `function` was traced to; None where it is called for every element
    tree: Any = None
    anonymous: bool = False

    kind = "unary"
    arity = 1

    def _make(self, t: DType) -> TypedUnary:
        return TypedUnary(self, *self.rule(t))

    @classmethod
    def _build(cls, name: str | None, *definition: Any, **options: Any) -> UnaryOp:
        made: UnaryOp = _of_function(cls, name, definition[0], lambda t: (t,), options)
        return made


@dataclass(eq=False, repr=False)
class BinaryOp(Operator):
    """A function of two values; ``positional`` ones see the positions of the entries instead.

    In a product ``x = A[i, k]``, ``y = B[k, j]``: firsti is i, firstj and secondi are k, secondj
    is j; a vector on the left is a row (i = 0), one on the right a column (j = 0).
    """

    name: str
    rule: Rule = same
    positional: bool = False
    #: name of the operator with its operands exchanged, where there is one; its own if they may be
    flipped: str | None = None
    #: The type that operands are taken as where the user fixed none: a count of pairs must not
    #: wrap in the type of whatever is paired.
    usual: DType | None = None
    function: Callable[..., Any] | None = None
    tree: Any = None
    anonymous: bool = False

    kind = "binary"
    expects = "x | y, x & y or an operand and a scalar"
    arity = 2

    def _make(self, t: DType) -> TypedBinary:
        return TypedBinary(self, *self.rule(t))

    def resolve(self, *operands: DType) -> TypedBinary:
        t = self.usual or unify(*operands)
        made: TypedBinary = self._typed.get(t.name) or self.typed(t)
        return made

    @property
    def monoid(self) -> Any:
        """The monoid that sums by it, where there is one."""
        own = self.__dict__.get("_monoid")
        return own if own is not None or self.anonymous else registry.find("monoid", self.name)

    @property
    def commutes_to(self) -> Any:
        """What gives the same for operands exchanged, where there is something."""
        if self.flipped == self.name:
            return self
        return None if self.flipped is None else registry.find("binary", self.flipped)

    @property
    def is_commutative(self) -> bool:
        """Whether operands may be exchanged."""
        return self.commutes_to is self

    @classmethod
    def _build(cls, name: str | None, *definition: Any, **options: Any) -> BinaryOp:
        made: BinaryOp = _of_function(cls, name, definition[0], lambda t: (t, t), options)
        return made


@dataclass(eq=False, repr=False)
class IndexUnaryOp(Operator):
    """A function of (value, row, column, thunk).  A vector's column is 0.

    Operators that compare positions ignore the value; ``value*`` ones compare it with the thunk.
    """

    name: str
    rule: Rule = boolean
    #: whether the value and the thunk are cast to the operand's type (else the thunk is INT64)
    by_value: bool = False
    function: Callable[..., Any] | None = None
    tree: Any = None
    anonymous: bool = False

    kind = "indexunary"
    arity = 4

    @property
    def is_positional(self) -> bool:
        return not self.by_value

    def _make(self, t: DType) -> TypedIndexUnary:
        return TypedIndexUnary(self, *self.rule(t))

    @classmethod
    def _build(cls, name: str | None, *definition: Any, **options: Any) -> Any:
        types: Any = lambda t: (t, INT64, INT64, t)  # noqa: E731
        return _of_function(cls, name, definition[0], types, {"by_value": True, **options})

    @classmethod
    def _companion(cls, op: Any) -> Any:
        selects = isinstance(op, cls) and set(op.types.values()) == {BOOL}
        return SelectOp if selects else None


@dataclass(eq=False, repr=False)
class SelectOp(IndexUnaryOp):
    """An index-unary operator that says which entries to keep; called, it selects."""

    kind = "select"

    @classmethod
    def of(cls, op: IndexUnaryOp) -> SelectOp:
        """The selection by what an index-unary operator says.

        Parameters
        ----------
        op : IndexUnaryOp
            Its results are BOOL.
        """
        if set(op.types.values()) != {BOOL}:
            found = ", ".join(sorted({t.name for t in op.types.values()}))
            raise InvalidValue(f"function: a select operator must return BOOL, got {found}")
        made = cls(op.name, op.rule, op.by_value, op.function, op.tree, op.anonymous)
        made.orig_func = op.orig_func
        return made

    @classmethod
    def _build(cls, name: str | None, *definition: Any, **options: Any) -> SelectOp:
        return cls.of(IndexUnaryOp._build(name, *definition, **options))

    @classmethod
    def _companion(cls, op: Any) -> Any:
        return IndexUnaryOp
