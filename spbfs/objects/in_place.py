"""``v += w`` and its kin: written into the object, so that every name of it sees the result.

>>> import spbfs as sb
>>> v = sb.Vector.from_coo([0, 2], [1, 5], size=3)
>>> w = v
>>> v += 1
>>> w.to_coo()
(array([0, 2]), array([2, 6]))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spbfs.exceptions import DomainMismatch
from spbfs.objects.classes import classes
from spbfs.objects.scalar_arithmetic import ScalarArithmetic
from spbfs.operators.builtin import BINARY
from spbfs.operators.dtypes import BOOL

__all__ = ["iadd", "iand", "imatmul", "in_place", "ior", "of_scalar"]


def in_place(compute: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The method that puts what `compute` makes of an object and another into the object."""

    def method(self: Any, other: Any) -> Any:
        self.update(compute(self, other))
        return self

    return method


def of_scalar(compute: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The same of a Scalar; a number is one, too, so that ``-=`` is a union."""

    def method(self: Any, other: Any) -> Any:
        boxed = other if isinstance(other, ScalarArithmetic) else type(self).from_value(other)
        self.update(compute(self, boxed))
        return self

    return method


def iadd(self: Any, other: Any) -> Any:
    """``C += D``: another object is accumulated, in the type of C."""
    if isinstance(other, classes.Operand):
        self.update(other, accum=BINARY["plus"])
    else:
        self.update(self + other)
    return self


def imatmul(self: Any, other: Any) -> Any:
    """``C @= D``: `lor_land` of two BOOL objects, `plus_times` of others."""
    product = self @ other
    boolean = product.left.dtype.is_bool and product.right.dtype.is_bool
    self.update(product.with_operator("lor_land" if boolean else "plus_times"))
    return self


def ior(self: Any, other: Any) -> Any:
    """``C |= D`` of two BOOL objects."""
    return _logical(self, self.ewise_add, other, "lor")


def iand(self: Any, other: Any) -> Any:
    """``C &= D`` of two BOOL objects."""
    return _logical(self, self.ewise_mult, other, "land")


def _logical(target: Any, method: Callable[..., Any], other: Any, name: str) -> Any:
    for operand in (target, other):
        if getattr(operand, "dtype", None) is not BOOL:
            raise DomainMismatch(
                f"other: |= and &= need two BOOL objects, got {getattr(operand, 'dtype', operand)}"
            )
    target.update(method(other, BINARY[name]))
    return target
