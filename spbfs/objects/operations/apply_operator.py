"""An operator on every stored value of one operand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidCall
from spbfs.objects.checks import as_number, to_scalar
from spbfs.objects.operations.delayed import delayed
from spbfs.objects.operations.thunks import beside_positions, comparison_with
from spbfs.objects.scalars.arithmetic import when_run
from spbfs.operators import lookup
from spbfs.operators.definitions import TypedIndexUnary
from spbfs.operators.dtypes import scalar_dtype

if TYPE_CHECKING:
    from spbfs.objects.operands.expression import Expression
    from spbfs.objects.operands.operand import Operand

__all__ = ["apply", "index_operator"]


def apply(self: Operand, op: Any, right: Any = None, *, left: Any = None) -> Expression:
    """`op` of every stored value.

    Parameters
    ----------
    op : operator, name or function
        A unary operator; or a binary one with one operand bound by `left` or `right`; or an
        index-unary one whose thunk is `right`.
    right, left : scalar, optional
        The bound operand.

    Returns
    -------
    Expression
        Computed when assigned or by ``.new()``.

    Raises
    ------
    InvalidCall, InvalidValue
        When both `left` and `right` are given, or neither and `op` is binary.

    Examples
    --------
    >>> import spbfs as sb
    >>> v = sb.Vector.from_coo([0, 2], [-4, 6])
    >>> v.apply("abs").new().to_dict(), v.apply("minus", left=1).new().to_dict()
    ({0: 4, 2: 6}, {0: 5, 2: -5})
    >>> v.apply("rowindex", 10).new().to_dict(), v.apply(lambda x: x * x + 1).new().to_dict()
    ({0: 10, 2: 12}, {0: 17, 2: 37})
    """
    if left is not None and right is not None:
        raise InvalidCall("left, right: only one operand can be bound, got both")
    op = _operator(op, "left" if left is not None else "right" if right is not None else "")
    if op.kind in ("indexunary", "select"):
        if left is not None:
            raise InvalidCall(f"left: {op!r} compares with its right operand")
        chosen = when_run(right, lambda: index_operator(self, op, right))
        return delayed(
            f"apply {op.name}",
            (self,),
            self.shape,
            chosen()[0].out_type,
            lambda engine, x: engine.apply_index(x, *chosen()),
        )
    if op.kind == "binary":
        return _apply_bound(self, op, left, right)
    if left is not None or right is not None:
        raise DomainMismatch(f"op: {brief(op)} takes one operand, but another was bound")
    unary = op.resolve(self.dtype)
    return delayed(
        f"apply {op.name}",
        (self,),
        self.shape,
        unary.out_type,
        lambda engine, x: engine.apply(x, unary),
    )


#: What a name stands for first, by the operand that is bound: a thunk is always on the right.
_KINDS = {
    "": ("unary", "indexunary", "binary"),
    "left": ("binary", "indexunary"),
    "right": ("indexunary", "binary"),
}


def _operator(op: Any, bound: str) -> Any:
    """A unary or binary operator, or one that sees positions, by which operand is bound."""
    if isinstance(op, str):
        return lookup.find_first(_KINDS[bound], op)
    found, opclass = lookup.find_opclass(op)
    if opclass in ("UnaryOp", "BinaryOp", "IndexUnaryOp", "SelectOp"):
        return found
    if opclass == "Monoid":
        return found.binaryop
    return lookup.as_binary(op) if bound else lookup.as_unary(op)


def _apply_bound(self: Operand, op: Any, left: Any, right: Any) -> Expression:
    if left is None and right is None:
        raise InvalidCall(f"right: {brief(op)} needs a bound operand; give left= or right=")
    name, given = ("left", left) if right is None else ("right", right)
    value = as_number(given, name)
    dtype = scalar_dtype(value, name)
    typed = op.resolve(dtype, self.dtype) if right is None else op.resolve(self.dtype, dtype)
    bound = when_run(given, lambda: to_scalar(as_number(given, name), typed.in_type, name))
    expression: Expression = delayed(
        f"apply {op.name}",
        (self,),
        self.shape,
        typed.out_type,
        lambda engine, x: engine.apply_bind(
            x,
            typed,
            left=bound() if right is None else None,
            right=None if right is None else bound(),
        ),
    )
    if right is not None and op.name in ("eq", "ne", "lt", "le", "gt", "ge"):
        expression.comparison = (self, op.name, given)
    return expression


def index_operator(operand: Operand, op: Any, thunk: Any) -> tuple[TypedIndexUnary, Any]:
    """An operator that sees positions, and its thunk, for the values of an operand."""
    value = 0 if thunk is None else as_number(thunk, "thunk")
    if op.is_positional:
        return op.resolve(operand.dtype), beside_positions(value, op.name)
    if op.orig_func is None:
        return comparison_with(value, op.name, op.resolve(operand.dtype).in_type)
    types = (operand.dtype,) if thunk is None else (operand.dtype, scalar_dtype(value, "thunk"))
    typed = op.resolve(*types)
    return typed, to_scalar(value, typed.in_type, "thunk")
