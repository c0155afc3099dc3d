"""What calling an operator means: ``min_plus(A @ v)``, ``plus(x | y)``, ``abs(v)``.

Operators ask the first operand they are called on (``_called_by``); operands answer by these.
"""

from __future__ import annotations

from typing import Any

from spbfs.exceptions import DomainMismatch
from spbfs.objects.classes import classes
from spbfs.operators.definitions import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp

__all__ = ["call_on_infix", "call_on_operand", "multiply"]


def call_on_operand(op: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The delayed operation that `op` called on matrices, vectors and numbers stands for."""
    if isinstance(op, Semiring):
        if len(args) == 2 and all(isinstance(x, classes.Operand) for x in args):
            return multiply(*args, op)
        raise DomainMismatch(f"{op!r}: expected a product such as A @ B, got {args!r}")
    if isinstance(op, UnaryOp):
        return _operand(op, args).apply(op)
    if isinstance(op, IndexUnaryOp):
        thunk = args[1] if len(args) > 1 else options.get("thunk")
        operand = _operand(op, args[:1])
        return operand.select(op, thunk) if op.is_select else operand.apply(op, thunk)
    return _call_binary(op, args)


def call_on_infix(op: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The delayed operation that `op` called on ``x @ y``, ``x | y`` or ``x & y`` stands for."""
    infix = args[0]
    symbol = getattr(infix, "symbol", None)
    wanted = Semiring if symbol == "@" else (BinaryOp, Monoid)
    if symbol and isinstance(op, UnaryOp) and len(args) == 1:
        return infix.expression().apply(op)
    if not (symbol and isinstance(op, wanted)) or len(args) != 1:
        raise DomainMismatch(f"{op!r}: expected {op.expects}, got {args!r}")
    return infix.with_operator(op, **options)


def multiply(left: Any, right: Any, op: Any) -> Any:
    """``mxm``, ``mxv``, ``vxm`` or the inner product, by what the operands are."""
    if left.ndim == 2:
        return left.mxm(right, op) if right.ndim == 2 else left.mxv(right, op)
    return left.vxm(right, op) if right.ndim == 2 else left.inner(right, op)


def _operand(op: Any, args: tuple[Any, ...]) -> Any:
    if len(args) != 1 or not isinstance(args[0], classes.Operand):
        raise DomainMismatch(f"{op!r}: expected a matrix or vector, got {args!r}")
    return args[0]


def _call_binary(op: BinaryOp | Monoid, args: tuple[Any, ...]) -> Any:
    if len(args) != 2:
        raise DomainMismatch(f"{op!r}: expected {op.expects}, got {args!r}")
    left, right = args
    if isinstance(left, classes.Operand) and isinstance(right, classes.Operand):
        raise DomainMismatch(
            f"{op!r}: two operands need x | y (union) or x & y (intersection), not a comma"
        )
    if isinstance(left, classes.Operand):
        return left.apply(op, right=right)
    return _operand(op, (right,)).apply(op, left=left)
