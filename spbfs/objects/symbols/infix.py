"""``x | y``, ``x & y`` and ``A @ B``: delayed operations whose operator is a default at first.

Calling one says another: ``semiring.min_plus(A @ v)``, ``binary.plus(x | y)``; in a chain such as
``x | y | z`` it is that of every link.  The default is `plus_times` for ``@``, and `lor_land`,
`lor` and `land` for operands of BOOL; numbers under ``|`` and ``&`` have none.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from spbfs.exceptions import DimensionMismatch, DomainMismatch
from spbfs.objects.checks import is_scalar
from spbfs.objects.classes import classes
from spbfs.objects.display.makers import described
from spbfs.objects.mask import Mask
from spbfs.objects.shapes import joined_shape, resized
from spbfs.objects.symbols.ufuncs import may_answer
from spbfs.operators import lookup
from spbfs.operators.dtypes import DType, unify

if TYPE_CHECKING:
    from spbfs.objects.operands.operand import Operand

__all__ = ["JOIN", "fill", "join", "matmul", "multiply", "settle", "with_operator"]

#: What Python does for each symbol.
JOIN: dict[str, Any] = {"@": operator.matmul, "|": operator.or_, "&": operator.and_}
_BOOLEAN = {"@": "lor_land", "|": "lor", "&": "land"}
#: What `fill` sets.
_FILLED = frozenset(("operands", "shape", "_run", "_semiring", "_result"))
_EWISE = {"|": "ewise_add", "&": "ewise_mult"}
_REFLECTED = {"|": "__ror__", "&": "__rand__"}


def join(symbol: str, left: Any, right: Any) -> Any:
    """``left | right`` or ``left & right``, of two operands or of two scalars."""
    for value in (left, right):
        if isinstance(value, Mask):
            return NotImplemented  # masks say themselves what they make of an operand
        other = getattr(value, "symbol", None)
        if other in _EWISE and other != symbol:
            raise DomainMismatch(
                f"x {symbol} y: one of the two is x {other} y, which waits for an operator; call "
                "one on it, or write .new(), before it meets another symbol"
            )
    if isinstance(left, classes.Operand) and isinstance(right, classes.Operand):
        shape = joined_shape(left, right)
        made = classes.infix[len(shape), symbol]()
        made.pair = (left, right)
        return made
    if isinstance(left, classes.Operand) and may_answer(right, _REFLECTED[symbol]):
        return NotImplemented
    for one, other in ((left, right), (right, left)):
        if isinstance(one, classes.Operand):
            raise DomainMismatch(
                f"x {symbol} y: expected a matrix or vector, got {described(other)}"
            )
    return _scalar(symbol, _as_scalar(symbol, left), _as_scalar(symbol, right))


def matmul(left: Operand, right: Any) -> Any:
    """``left @ right``: a search makes one a level."""
    if not isinstance(right, classes.Operand):
        if may_answer(right, "__rmatmul__"):
            return NotImplemented
        raise DomainMismatch(f"right of @: expected a matrix or vector, got {described(right)}")
    rows, columns = left.shape, right.shape
    if rows[-1] != columns[0]:
        raise DimensionMismatch(
            f"right of @: expected {rows[-1]} rows to match the left operand's shape {rows}, "
            f"got shape {columns}"
        )
    made: Any
    if left.ndim != right.ndim:
        made = classes.VectorMatMulExpr()
    elif left.ndim == 2:
        made = classes.infix[2, "@"]()
    else:
        return _scalar("@", left, right)
    made.pair = (left, right)
    return made


def fill(infix: Any, name: str) -> Any:
    """What an infix expression has beside its pair, once somebody asks.

    Most are called by an operator at once, and a search makes one a level.
    """
    if name not in _FILLED:
        raise AttributeError(f"{type(infix).__name__!r} object has no attribute {name!r}")
    infix.operands = left, right = infix.pair
    rows, columns = left.shape, right.shape
    infix.shape = rows[:-1] + columns[1:] if infix.symbol == "@" else joined_shape(left, right)
    infix._run = infix._semiring = infix._result = None
    return getattr(infix, name)


def _scalar(symbol: str, left: Any, right: Any) -> Any:
    made = object.__new__(classes.infix[0, symbol])
    made.pair = (left, right)
    made.operand = left
    made._run = made._default = made.comparison = made._extracted = None
    return made


def _as_scalar(symbol: str, value: Any) -> Any:
    if isinstance(value, classes.ScalarArithmetic):
        return value
    if is_scalar(value):
        return classes.Scalar.from_value(value)
    found = type(value).__name__
    raise DomainMismatch(
        f"x {symbol} y: expected two matrices or vectors, or Scalars and numbers, got {found}"
    )


def settle(infix: Any) -> None:
    """Make an infix expression the operation with the default operator, which it then is."""
    left, right = infix.pair
    symbol = infix.symbol
    boolean = left.dtype.is_bool and right.dtype.is_bool
    if not boolean and symbol != "@":
        raise DomainMismatch(
            f"x {symbol} y: needs an operator for operands of {left.dtype} and {right.dtype}, "
            f"such as monoid.plus(x {symbol} y)"
        )
    made = with_operator(infix, _BOOLEAN[symbol] if boolean else "plus_times")
    if made.ndim and made.shape != infix.shape:
        raise resized(f"x {symbol} y", infix.shape, infix.pair)
    for name in infix.SETTLED:
        setattr(infix, name, getattr(made, name, None))


def with_operator(infix: Any, op: Any, **defaults: Any) -> Any:
    """The delayed operation that an operator called on an infix expression stands for.

    `defaults` are ``left_default`` and ``right_default`` of ``x | y``: see `Matrix.ewise_union`.
    """
    symbol = infix.symbol
    if any(x.symbol == symbol for x in infix.pair):
        op = _over_all(infix, op)
    left, right = (
        with_operator(x, op, **defaults) if x.symbol == symbol else x for x in infix.pair
    )
    if symbol == "@":
        return multiply(left, right, lookup.as_semiring(op))
    if defaults:
        if symbol == "&" or set(defaults) != {"left_default", "right_default"}:
            raise DomainMismatch("x | y takes both left_default and right_default, x & y none")
        return left.ewise_union(right, op, **defaults)
    return getattr(left, _EWISE[symbol])(right, op)


def multiply(left: Any, right: Any, op: Any) -> Any:
    """``mxm``, ``mxv``, ``vxm`` or the inner product, by what the operands are."""
    if left.ndim == 2:
        return left.mxm(right, op) if right.ndim == 2 else left.mxv(right, op)
    return left.vxm(right, op) if right.ndim == 2 else left.inner(right, op)


def _over_all(infix: Any, op: Any) -> Any:
    """An operator for a chain of operands of several types: for the one that holds them all."""
    first, *others = _types(infix, infix.symbol)
    together = first
    for dtype in others:
        together = unify(together, dtype)
    if all(dtype == together for dtype in (first, *others)):
        return op
    if isinstance(op, str):
        op = lookup.as_semiring(op) if infix.symbol == "@" else lookup.as_binary(op)
    return op[together] if hasattr(op, "__getitem__") else op  # else it is for one type already


def _types(infix: Any, symbol: str) -> Iterator[DType]:
    for x in infix.pair:
        if x.symbol == symbol:
            yield from _types(x, symbol)
        else:
            yield x.dtype
