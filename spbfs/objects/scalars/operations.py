"""What scalars compute, delayed: the operations of vectors of one element.

A number counts as a Scalar that holds it, so that of an empty Scalar and a number a union, ``+``
and ``-``, has a value, and an intersection has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.engines.protocol import NO_HINTS
from spbfs.exceptions import DomainMismatch
from spbfs.objects.checks import is_scalar
from spbfs.objects.classes import classes
from spbfs.operators.tables.builtin import MONOID
from spbfs.storage.entries import vector_entries

if TYPE_CHECKING:
    from spbfs.objects.scalars.arithmetic import ScalarArithmetic
    from spbfs.objects.scalars.expression import ScalarExpression

__all__ = ["apply", "arithmetic", "ewise_add", "ewise_mult", "ewise_union", "select"]


def ewise_add(self: ScalarArithmetic, other: Any, op: Any = MONOID["plus"]) -> ScalarExpression:
    """Union: `op` where both have a value, the one that is there otherwise.

    Parameters
    ----------
    other : Scalar or number
    op : binary operator, monoid or name, optional
        ``monoid.plus`` by default, which is of numbers and not of BOOL.

    Returns
    -------
    ScalarExpression

    Examples
    --------
    >>> from spbfs import Scalar
    >>> s = Scalar.from_value(3)
    >>> s.ewise_add(4).value, s.ewise_add(Scalar(int)).value
    (7, 3)
    """
    return _of_vectors(_vector(self).ewise_add(_vector(other), op))


def ewise_mult(self: ScalarArithmetic, other: Any, op: Any = "times") -> ScalarExpression:
    """Intersection: `op` where both have a value, nothing otherwise.

    Parameters
    ----------
    other : Scalar or number
    op : binary operator, monoid or name, optional
        ``times`` by default.

    Returns
    -------
    ScalarExpression

    Examples
    --------
    >>> from spbfs import Scalar
    >>> s = Scalar.from_value(3)
    >>> s.ewise_mult(4).value, s.ewise_mult(Scalar(int)).value
    (12, None)
    """
    return _of_vectors(_vector(self).ewise_mult(_vector(other), op))


def ewise_union(
    self: ScalarArithmetic, other: Any, op: Any, left_default: Any, right_default: Any
) -> ScalarExpression:
    """Union in which an absent value is replaced by its default.

    Parameters
    ----------
    other : Scalar or number
    op : binary operator, monoid or name
    left_default, right_default : number or Scalar
        Stand for this scalar's value and for that of `other` where the other one has one.

    Returns
    -------
    ScalarExpression

    Examples
    --------
    >>> from spbfs import Scalar
    >>> Scalar(int).ewise_union(3, "minus", 10, 20).value
    7
    """
    return _of_vectors(_vector(self).ewise_union(_vector(other), op, left_default, right_default))


def apply(
    self: ScalarArithmetic, op: Any, right: Any = None, *, left: Any = None
) -> ScalarExpression:
    """`op` of the value, where there is one; see `Vector.apply`.

    Parameters
    ----------
    op : operator, name or function
    right, left : scalar, optional
        The other operand, or the thunk, where `op` takes one.

    Returns
    -------
    ScalarExpression

    Examples
    --------
    >>> from spbfs import Scalar
    >>> s = Scalar.from_value(-3)
    >>> s.apply("abs").value, s.apply("minus", left=1).value
    (3, 4)
    """
    return _of_vectors(_vector(self).apply(op, right, left=left))


def select(self: ScalarArithmetic, op: Any, thunk: Any = None) -> ScalarExpression:
    """The value, where `op` is true of it; see `Vector.select`.

    Parameters
    ----------
    op : select operator, name or symbol
    thunk : scalar, optional
        What the operator compares with; 0 by default.

    Returns
    -------
    ScalarExpression

    Examples
    --------
    >>> from spbfs import Scalar
    >>> s = Scalar.from_value(5)
    >>> s.select(">", 4).value, s.select(">", 6).value
    (5, None)
    """
    return _of_vectors(_vector(self).select(op, thunk))


def arithmetic(self: ScalarArithmetic, other: Any, op: Any, how: str, reflected: bool) -> Any:
    """What a symbol of Python between scalars and numbers means."""
    if not (is_scalar(other) or isinstance(other, classes.ScalarArithmetic)):
        return NotImplemented
    left, right = (other, self) if reflected else (self, other)
    x, y = _vector(left), _vector(right)
    if how == "union":
        return _of_vectors(x.ewise_union(y, op, False, False))
    made = _of_vectors(x.ewise_add(y, op) if how == "add" else x.ewise_mult(y, op))
    if not reflected:
        made.comparison = (self, op.name, other)
    return made


def _vector(scalar: Any) -> Any:
    if is_scalar(scalar):
        scalar = classes.Scalar.from_value(scalar)
    if not isinstance(scalar, classes.ScalarArithmetic):
        raise DomainMismatch(f"other: expected a Scalar or number, got {type(scalar).__name__}")
    return classes.OneElement(scalar)


def _of_vectors(expression: Any) -> ScalarExpression:
    """The one element that an operation on vectors of one element computes."""

    def run(engine: Any) -> Any:
        _, values = vector_entries(expression.compute(engine, None, NO_HINTS))
        return engine.to_numpy(values)[0] if values.shape[0] else None

    return classes.ScalarExpression(expression.operation, expression, expression.dtype, run)
