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
from spbfs.objects.symbols.arithmetic import require_bool
from spbfs.operators.tables.builtin import BINARY

__all__ = ["accumulated", "iand", "imatmul", "in_place", "refuse"]

Method = Callable[[Any, Any], Any]


def in_place(compute: Method) -> Method:
    """The method that puts what `compute` makes of an object and another into the object."""

    def method(self: Any, other: Any) -> Any:
        self.update(compute(self, other))
        return self

    return method


def accumulated(name: str, symbol: str) -> Method:
    """The method of a union in place, for which another object is accumulated in the own type.

    A number is of no union: it applies to what is stored; and a vector that stands for the rows of
    a matrix has no entries to accumulate.
    """

    def method(self: Any, other: Any) -> Any:
        if name != "plus":
            require_bool(symbol, self, other)
        joined = isinstance(other, classes.Operand) and other.ndim >= self.ndim
        if joined or not self.ndim:
            self.update(other, accum=BINARY[name])
        else:
            made = self._arithmetic(other, BINARY[name], "add", False)
            if made is NotImplemented:
                return made
            self.update(made)
        return self

    return method


def iand(self: Any, other: Any) -> Any:
    """``C &= D`` of BOOL."""
    require_bool("&=", self, other)
    self.update(self._arithmetic(other, BINARY["land"], "mult", False))
    return self


def imatmul(self: Any, other: Any) -> Any:
    """``C @= D``: `lor_land` of two BOOL objects, `plus_times` of others."""
    product = self @ other
    if product.ndim != self.ndim:
        raise DomainMismatch(f"x @= y: the product has {product.ndim} dimensions, x {self.ndim}")
    self.update(product)
    return self


def _refuse(self: Any, other: Any) -> Any:
    """``x += y`` of a view or of what is delayed, which has nothing to put the result into.

    ``C[I] += y`` is no such thing: Python reads it as ``C[I] = C[I] + y``.
    """
    if getattr(self, "_extracted", None) is not None:
        return NotImplemented
    raise DomainMismatch(
        f"a {type(self).__name__} cannot be changed in place; make it an object by .new()"
    )


#: Of every kind of object, some of which override it by methods that others make.
refuse: Any = _refuse
