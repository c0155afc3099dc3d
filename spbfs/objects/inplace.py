"""``v += w`` and its kin: written into the object, so that every name of it sees the result."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from spbfs.exceptions import DomainMismatch
from spbfs.operators.builtin import BINARY
from spbfs.operators.dtypes import BOOL

__all__ = ["InPlace"]


def _arithmetic(compute: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        self.update(compute(self, other))
        return self

    return method


class InPlace:
    """The in-place operators of `Matrix` and `Vector`.

    Examples
    --------
    >>> import spbfs as sb
    >>> v = sb.Vector.from_coo([0, 2], [1, 5], size=3)
    >>> w = v
    >>> v += 1
    >>> w.to_coo()
    (array([0, 2]), array([2, 6]))
    """

    __slots__ = ()

    __iadd__ = _arithmetic(operator.add)
    __isub__ = _arithmetic(operator.sub)
    __imul__ = _arithmetic(operator.mul)
    __itruediv__ = _arithmetic(operator.truediv)
    __ifloordiv__ = _arithmetic(operator.floordiv)
    __imod__ = _arithmetic(operator.mod)
    __ipow__ = _arithmetic(operator.pow)

    def __ior__(self, other: Any) -> Any:
        return _logical(self, "ewise_add", other, "lor")

    def __iand__(self, other: Any) -> Any:
        return _logical(self, "ewise_mult", other, "land")


def _logical(target: Any, method: str, other: Any, name: str) -> Any:
    for operand in (target, other):
        if getattr(operand, "dtype", None) != BOOL:
            raise DomainMismatch(
                f"other: |= and &= need two BOOL objects, got {getattr(operand, 'dtype', operand)}"
            )
    target.update(getattr(target, method)(other, BINARY[name]))
    return target
