"""What calling an operator means: ``min_plus(A @ v)``, ``plus(x | y)``, ``plus(v, 1)``, ``abs(v)``.

Operators ask the first of their operands that knows (``_called_by``); all of them answer by this.
"""

from __future__ import annotations

from typing import Any

from spbfs.exceptions import DomainMismatch
from spbfs.objects.checks import is_scalar
from spbfs.objects.classes import classes
from spbfs.objects.infix import with_operator
from spbfs.operators.definitions import IndexUnaryOp, Semiring, UnaryOp

__all__ = ["call"]


def call(op: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The delayed operation that `op` called on matrices, vectors, scalars and numbers means."""
    if isinstance(op, UnaryOp):
        (x,) = _given(op, args, options, "x")
        return _operand(op, x).apply(op)
    if isinstance(op, IndexUnaryOp):
        x, thunk = _given(op, args, options, "x", "thunk")
        if not _is_operand(x) and _is_operand(thunk):
            x, thunk = thunk, x  # as of binary operators, the number may come first
        x = _operand(op, x)
        return x.select(op, thunk) if op.is_select else x.apply(op, thunk)
    if isinstance(op, Semiring):
        (product,) = _given(op, args, options, "product")
        if getattr(product, "symbol", None) != "@":
            raise DomainMismatch(f"{op!r}: expected {op.expects}, got {args!r}")
        return with_operator(product, op)
    left, right = _given(op, args, options, "left", "right")
    return _call_binary(op, left, right, options)


def _call_binary(op: Any, left: Any, right: Any, options: dict[str, Any]) -> Any:
    defaults = {k: options[k] for k in ("left_default", "right_default") if k in options}
    if right is None:
        if getattr(left, "symbol", None) not in ("|", "&"):
            raise DomainMismatch(f"{op!r}: expected {op.expects}, got {left!r}")
        return with_operator(left, op, **defaults)
    if defaults:
        raise DomainMismatch(f"{op!r}: left_default and right_default are for x | y")
    both = [isinstance(x, classes.Operand) for x in (left, right)]
    if all(both):
        raise DomainMismatch(
            f"{op!r}: two operands need x | y (union) or x & y (intersection), not a comma"
        )
    # A number beside a matrix or vector is bound to it, and so is a Scalar.
    if both[1] or not (both[0] or _is_operand(left)):
        return _operand(op, right).apply(op, left=left)
    return left.apply(op, right=right)


def _given(op: Any, args: tuple[Any, ...], options: dict[str, Any], *names: str) -> tuple[Any, ...]:
    """The arguments of those names, by position or by name; the first one is needed."""
    known = {*names, "left_default", "right_default"} if names[0] == "left" else {*names}
    by_position = names[: len(args)]
    if len(args) > len(names) or not {*options} <= known - {*by_position}:
        raise DomainMismatch(f"{op!r}: expected {op.expects}, got {(*args, *options.items())!r}")
    found = dict(zip(names, args, strict=False)) | options
    if found.get(names[0]) is None:
        raise DomainMismatch(f"{op!r}: expected {op.expects}, got {(*args, *options.items())!r}")
    return tuple(found.get(name) for name in names)


def _is_operand(x: Any) -> bool:
    return isinstance(x, classes.Operand | classes.ScalarArithmetic)


def _operand(op: Any, x: Any) -> Any:
    """A matrix, vector or Scalar; a number becomes one."""
    if _is_operand(x):
        return x
    if is_scalar(x):
        return classes.Scalar.from_value(x)
    raise DomainMismatch(f"{op!r}: expected {op.expects}, got {type(x).__name__}")
