"""What calling an operator means: ``min_plus(A @ v)``, ``plus(x | y)``, ``abs(v)``."""

from __future__ import annotations

from typing import Any

from spbfs.core.elementwise import ElementWise
from spbfs.core.infix import Infix, product
from spbfs.core.operators.definitions import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp
from spbfs.exceptions import DomainMismatch

__all__ = ["call_operator"]


def call_operator(op: Any, *args: Any, **options: Any) -> Any:
    """The delayed operation that `op` called on `args` stands for."""
    if args and isinstance(args[0], Infix):
        return _call_on_infix(op, args, options)
    if isinstance(op, Semiring):
        if len(args) == 2 and all(isinstance(a, ElementWise) for a in args):
            return product(*args, op)
        raise DomainMismatch(f"{op!r}: expected a product such as A @ B, got {args!r}")
    if isinstance(op, UnaryOp):
        return _operand(op, args, 1).apply(op)
    if isinstance(op, IndexUnaryOp):
        thunk = args[1] if len(args) > 1 else options.get("thunk")
        operand = _operand(op, args[:1], 1)
        return operand.select(op, thunk) if op.is_select else operand.apply(op, thunk)
    if isinstance(op, BinaryOp | Monoid):
        return _call_binary(op, args)
    raise DomainMismatch(f"{op!r} cannot be called")


def _call_on_infix(op: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    infix = args[0]
    wanted = Semiring if infix.symbol == "@" else (BinaryOp, Monoid)
    if isinstance(op, UnaryOp) and len(args) == 1:
        return infix.expression().apply(op)
    if not isinstance(op, wanted) or len(args) != 1:
        raise DomainMismatch(f"{op!r}: cannot be called on x {infix.symbol} y")
    return infix.with_operator(op, **options)


def _operand(op: Any, args: tuple[Any, ...], count: int) -> ElementWise:
    if len(args) != count or not isinstance(args[0], ElementWise):
        raise DomainMismatch(f"{op!r}: expected {count} matrix or vector, got {args!r}")
    return args[0]


def _call_binary(op: BinaryOp | Monoid, args: tuple[Any, ...]) -> Any:
    if len(args) != 2:
        raise DomainMismatch(f"{op!r}: expected x | y, x & y or an operand and a scalar")
    left, right = args
    if isinstance(left, ElementWise) and isinstance(right, ElementWise):
        raise DomainMismatch(
            f"{op!r}: two operands need x | y (union) or x & y (intersection), not a comma"
        )
    if isinstance(left, ElementWise):
        return left.apply(op, right=right)
    return _operand(op, (right,), 1).apply(op, left=left)
