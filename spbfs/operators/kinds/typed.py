"""Operators over types: what engines see, and what ``binary.plus["INT64"]`` is.

The same operator over the same types is the same object, so that engines may key what they derive
from it by identity.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from operator import getitem
from typing import TYPE_CHECKING, Any, ClassVar

from spbfs.operators.dtypes import ALL, INT64, DType
from spbfs.operators.traced.userdefined import tree_over

if TYPE_CHECKING:
    from spbfs.operators.definitions import (
        BinaryOp,
        IndexUnaryOp,
        Monoid,
        Operator,
        Semiring,
        UnaryOp,
    )

__all__ = [
    "Typed",
    "TypedBinary",
    "TypedIndexUnary",
    "TypedMonoid",
    "TypedSemiring",
    "TypedUnary",
]


class Typed:
    """An operator for operands of one type, to which others are cast."""

    op: Operator
    #: What operands are cast to, and what comes out.
    in_type: DType
    out_type: DType

    @property
    def parent(self) -> Operator:
        """The operator for all types."""
        return self.op

    @property
    def name(self) -> str:
        """That of the operator."""
        return self.op.name

    @property
    def kind(self) -> str:
        """``"unary"``, ``"binary"`` and so on."""
        return self.op.kind

    @property
    def opclass(self) -> str:
        """``"UnaryOp"``, ``"BinaryOp"`` and so on: the class of the operator for all types."""
        return type(self.op).__name__

    @property
    def expects(self) -> str:
        """What it is called on."""
        return self.op.expects

    @property
    def type(self) -> DType:
        """The type of the (first) operand."""
        return self.in_type

    @property
    def return_type(self) -> DType:
        """The type of the result."""
        return self.out_type

    @property
    def is_positional(self) -> bool:
        """Whether it sees where entries are, not their values."""
        return self.op.is_positional

    @property
    def orig_func(self) -> Callable[..., Any] | None:
        """The function that a user's operator was made of."""
        return self.op.orig_func

    def resolve(self, *operands: DType) -> Any:
        """Itself: what operands are cast to has been chosen."""
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.op.call(self, args, kwargs)

    def __repr__(self) -> str:
        return f"{self.op!r}[{self.in_type}]"

    def __reduce__(self) -> tuple[Any, ...]:
        return getitem, (self.op, self.in_type)


class _Function(Typed):
    """What is a function of numbers, not made of other operators."""

    #: How many arguments it has, where all are of `in_type`.
    _arguments: ClassVar[int] = 1

    @property
    def argument_types(self) -> tuple[DType, ...]:
        """Those of the function's arguments."""
        return (self.in_type,) * self._arguments

    @cached_property
    def tree(self) -> Any:
        """What the function was traced to, over these types; None where it was not."""
        parent: Any = self.op
        if parent.tree is None:
            return None
        widen = parent.orig_func is not None
        return tree_over(parent.tree, self.argument_types, widen=widen, out=self.out_type)


class _Binary(Typed):
    """What two operands have in common with one."""

    @property
    def type2(self) -> DType:
        """The type of the second operand."""
        return self.in_type

    @property
    def commutes_to(self) -> Any:
        """What gives the same for operands exchanged, where there is something."""
        parent: Any = self.op
        other = parent.commutes_to
        return other[self.in_type] if other is not None and self.in_type in other else None

    @property
    def is_commutative(self) -> bool:
        """Whether operands may be exchanged."""
        return self.commutes_to is self


@dataclass(eq=False, repr=False)
class TypedUnary(_Function):
    """Cast the operand to `in_type`, apply `op`, store as `out_type`."""

    op: UnaryOp
    in_type: DType
    out_type: DType


#: Built-in operators that give x for x and x, whatever the type ...
_IDEMPOTENT = frozenset("first second any min max band bor".split())
#: ... and those that do so for Booleans only: over numbers ``lor`` turns a 2 into a 1.
_IDEMPOTENT_OVER_BOOL = frozenset("plus times lor land".split())


@dataclass(eq=False, repr=False)
class TypedBinary(_Function, _Binary):
    """Cast both operands to `in_type`, apply `op`, store as `out_type`."""

    _arguments = 2

    op: BinaryOp
    in_type: DType
    out_type: DType

    @property
    def idempotent(self) -> bool:
        """Whether two equal operands are sure to give that value: not of user-defined operators."""
        if self.op.function is not None or self.in_type != self.out_type:
            return False
        name = self.op.name
        return name in _IDEMPOTENT or (self.in_type.is_bool and name in _IDEMPOTENT_OVER_BOOL)

    @property
    def monoid(self) -> Any:
        """The monoid that sums by it, where there is one for this type."""
        monoid = self.op.monoid
        return monoid[self.in_type] if monoid is not None and self.in_type in monoid else None


@dataclass(eq=False, repr=False)
class TypedIndexUnary(_Function):
    """Cast the value (and, ``by_value``, the thunk) to `in_type`; the result is `out_type`."""

    op: IndexUnaryOp
    in_type: DType
    out_type: DType

    @property
    def argument_types(self) -> tuple[DType, ...]:
        """Those of a value, its row, its column and the thunk."""
        return self.in_type, INT64, INT64, self.in_type

    @property
    def thunk_type(self) -> DType:
        """The type of the thunk."""
        return self.in_type


@dataclass(eq=False, repr=False)
class TypedMonoid(_Binary):
    """A monoid over one type: operands and result are `dtype`."""

    op: Monoid
    dtype: DType
    identity: Any
    terminal: Any

    @property
    def in_type(self) -> DType:  # type: ignore[override]
        """The type of operands and result."""
        return self.dtype

    out_type = in_type

    @cached_property
    def idempotent(self) -> bool:
        """Whether a sum of equal values is sure to be that value."""
        return TypedBinary(self.op.binaryop, self.dtype, self.dtype).idempotent

    @property
    def is_idempotent(self) -> bool:
        """Whether ``op(x, x)`` is x: of Booleans also where it is not of numbers."""
        return self.op.is_idempotent or self.idempotent

    @property
    def binaryop(self) -> TypedBinary:
        """The binary operator over this type."""
        return self.op.binaryop.typed(self.dtype)


@dataclass(eq=False, repr=False)
class TypedSemiring(_Binary):
    """Operands cast to ``multiply.in_type``, products cast to ``add.dtype`` and summed there."""

    op: Semiring
    add: TypedMonoid
    multiply: TypedBinary

    #: A loop asks a semiring for the types that it resolved last: this one has no others.
    last = (None, None, None)

    @property
    def in_type(self) -> DType:  # type: ignore[override]
        """What operands are cast to."""
        return self.multiply.in_type

    @property
    def out_type(self) -> DType:  # type: ignore[override]
        """The type of the sums."""
        return self.add.dtype

    @property
    def monoid(self) -> TypedMonoid:
        """What sums."""
        return self.add

    @property
    def binaryop(self) -> TypedBinary:
        """What multiplies."""
        return self.multiply

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.op.call(self, args, kwargs)

    @cached_property
    def by_output(self) -> dict[str, TypedSemiring] | None:
        """Where all values of a product are one: the same product by the name of its type.

        What is written into a BOOL frontier is then made as BOOL, not made and cast.
        """
        multiply = self.multiply.op
        if not (self.add.op.is_any and multiply.name == "pair" and multiply.function is None):
            return None
        return {t.name: self.op.over(t) for t in ALL}
