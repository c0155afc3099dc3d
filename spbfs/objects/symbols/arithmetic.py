"""Python's symbols between matrices, vectors, scalars and numbers: which operator, over what.

``+`` and ``^`` are of the union of two objects, ``-`` also, with 0 for what is absent, and all
others of the intersection.  With a number each applies to what is stored; for two scalars see
`scalars.operations`.  ``^`` and ``~`` are of BOOL alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spbfs.exceptions import DomainMismatch
from spbfs.objects.symbols.ufuncs import not_taken
from spbfs.operators.dtypes import DType
from spbfs.operators.tables.builtin import BINARY, UNARY

__all__ = ["divmod_", "invert", "rdivmod", "require_bool", "symbol", "unary"]

Method = Callable[[Any, Any], Any]


def symbol(name: str, how: str = "mult", reflected: bool = False) -> Method:
    """The method behind a symbol: the operator of a name, over a union or an intersection."""

    op = BINARY[name]

    def method(self: Any, other: Any) -> Any:
        return self._arithmetic(other, op, how, reflected)

    def comparison(self: Any, other: Any) -> Any:
        made = method(self, other)
        if made is NotImplemented:
            # Python would fall back to comparing identities.
            raise not_taken("==" if name == "eq" else "!=", other, reflected)
        return made

    def logical(self: Any, other: Any) -> Any:
        made = method(self, other)
        if made is not NotImplemented:
            require_bool("^", self, other)
        return made

    return {"eq": comparison, "ne": comparison, "lxor": logical}.get(name, method)


def require_bool(symbol: str, *operands: Any) -> None:
    """Refuse operands of a logical symbol that are not BOOL."""
    for x in operands:
        dtype = getattr(x, "dtype", type(x))
        if not (dtype.is_bool if isinstance(dtype, DType) else dtype in (bool, np.bool_)):
            raise DomainMismatch(f"{symbol}: expected BOOL operands, got {dtype}")


def unary(name: str) -> Callable[[Any], Any]:
    """The method that applies a unary operator."""
    return lambda self: self.apply(UNARY[name])


def invert(self: Any) -> Any:
    """``~x`` of BOOL."""
    if not self.dtype.is_bool:
        raise DomainMismatch(
            f"~: expected a BOOL operand, got {self.dtype}; ~C.S and ~C.V are complements of masks"
        )
    return self.apply(UNARY["lnot"])


def divmod_(self: Any, other: Any) -> Any:
    """``divmod(x, y)``: the pair of ``x // y`` and ``x % y``."""
    return self // other, self % other


def rdivmod(self: Any, other: Any) -> Any:
    """``divmod(x, y)`` where x is a number."""
    return other // self, other % self
