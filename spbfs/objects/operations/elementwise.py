"""The element-wise operations of two operands: union, intersection, union with defaults."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spbfs.objects.checks import as_number, to_scalar
from spbfs.objects.operations.broadcasting import scaled, spread
from spbfs.objects.operations.delayed import delayed
from spbfs.objects.scalars.arithmetic import when_run
from spbfs.objects.shapes import joined_shape
from spbfs.operators import lookup
from spbfs.operators.definitions import Monoid, TypedBinary
from spbfs.operators.dtypes import DType, scalar_dtype, unify
from spbfs.operators.tables.builtin import MONOID

if TYPE_CHECKING:
    from spbfs.objects.operands.expression import Expression
    from spbfs.objects.operands.operand import Operand

__all__ = ["binary_operator", "ewise_add", "ewise_mult", "ewise_union"]


def binary_operator(op: Any, left: DType, right: DType) -> TypedBinary:
    """The operator of a union, an intersection or an outer product, for these types."""
    if isinstance(op, Monoid):
        over: TypedBinary = op.resolve(left, right).binaryop
        return over
    typed: TypedBinary = lookup.as_binary(op).resolve(left, right)
    return typed


def ewise_add(self: Operand, other: Any, op: Any = MONOID["plus"]) -> Expression:
    """Union: `op` where both have an entry, the one there is elsewhere.

    Parameters
    ----------
    other : Matrix or Vector
        Of the same shape; or a vector behind a matrix, which then stands for every row, or a
        matrix behind a vector, which then stands for every column.
    op : binary operator, monoid or name, optional
        ``plus`` by default.

    Returns
    -------
    Expression
        Computed when assigned or by ``.new()``.

    Examples
    --------
    >>> import spbfs as sb
    >>> u, v = sb.Vector.from_coo([0, 1], [1, 2], size=3), sb.Vector.from_coo([1, 2], [10, 20])
    >>> u.ewise_add(v).new().to_dict()
    {0: 1, 1: 12, 2: 20}
    """
    joined_shape(self, other)
    left, right = spread(self, other)
    typed = binary_operator(op, left.dtype, right.dtype)
    return delayed(
        f"ewise_add {typed.op.name}",
        (left, right),
        left.shape,
        typed.out_type,
        lambda engine, x, y: engine.ewise_add(x, y, typed),
    )


def ewise_mult(self: Operand, other: Any, op: Any = "times") -> Expression:
    """Intersection: `op` where both have an entry, nothing elsewhere.

    Parameters
    ----------
    other : Matrix or Vector
        Of the same shape; or a vector behind a matrix, which then stands for every row, or a
        matrix behind a vector, which then stands for every column.
    op : binary operator, monoid or name, optional
        ``times`` by default.

    Returns
    -------
    Expression
        Computed when assigned or by ``.new()``.

    Examples
    --------
    >>> import spbfs as sb
    >>> u, v = sb.Vector.from_coo([0, 1], [1, 2], size=3), sb.Vector.from_coo([1, 2], [10, 20])
    >>> u.ewise_mult(v).new().to_dict()
    {1: 20}
    """
    joined_shape(self, other)
    typed = binary_operator(op, self.dtype, other.dtype)
    if self.ndim != other.ndim:
        made: Expression = scaled(self, other, typed)
        return made
    return delayed(
        f"ewise_mult {typed.op.name}",
        (self, other),
        self.shape,
        typed.out_type,
        lambda engine, x, y: engine.ewise_mult(x, y, typed),
    )


def ewise_union(
    self: Operand, other: Any, op: Any, left_default: Any, right_default: Any
) -> Expression:
    """Union in which an absent operand is replaced by its default.

    Parameters
    ----------
    other : Matrix or Vector
        Of the same shape; or a vector behind a matrix, which then stands for every row, or a
        matrix behind a vector, which then stands for every column.
    op : binary operator, monoid or name
    left_default, right_default : scalar
        Stand for the absent entries of this operand and of `other`.

    Returns
    -------
    Expression
        Computed when assigned or by ``.new()``.

    Examples
    --------
    >>> import spbfs as sb
    >>> u, v = sb.Vector.from_coo([0, 1], [1, 2], size=3), sb.Vector.from_coo([1, 2], [10, 20])
    >>> u.ewise_union(v, "minus", 0, 0).new().to_dict()
    {0: 1, 1: -8, 2: -20}
    """
    joined_shape(self, other)
    left = as_number(left_default, "left_default")
    right = as_number(right_default, "right_default")
    # The defaults are operands, too: a default of 0.5 makes the operator one of floats.
    x_type = unify(self.dtype, scalar_dtype(left, "left_default"))
    y_type = unify(other.dtype, scalar_dtype(right, "right_default"))
    typed = binary_operator(op, x_type, y_type)
    x_default = _default(left_default, typed.in_type, "left_default")
    y_default = _default(right_default, typed.in_type, "right_default")
    operands = spread(self, other)
    return delayed(
        f"ewise_union {typed.op.name}",
        operands,
        operands[0].shape,
        typed.out_type,
        lambda engine, x, y: engine.ewise_union(x, x_default(), y, y_default(), typed),
    )


def _default(given: Any, dtype: DType, name: str) -> Callable[[], Any]:
    return when_run(given, lambda: to_scalar(as_number(given, name), dtype, name))
