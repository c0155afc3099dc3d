"""What calling an operator means: ``min_plus(A @ v)``, ``plus(x | y)``, ``plus(v, 1)``, ``abs(v)``.

Operators ask the first of their operands that knows (``_called_by``); all of them answer by this.
"""

from __future__ import annotations

from typing import Any

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch
from spbfs.objects.checks import is_scalar
from spbfs.objects.classes import classes
from spbfs.objects.symbols.infix import with_operator

__all__ = ["call"]


def call(op: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The delayed operation that `op` called on matrices, vectors, scalars and numbers means."""
    if op.kind == "unary":
        (x,) = _given(op, args, options, "val")
        return _operand(op, x).apply(op)
    if op.kind in ("indexunary", "select"):
        x, thunk = _given(op, args, options, "val", "thunk")
        if not _is_operand(x) and _is_operand(thunk):
            x, thunk = thunk, x  # as of binary operators, the number may come first
        x = _operand(op, x)
        return x.select(op, thunk) if op.kind == "select" else x.apply(op, thunk)
    if op.kind == "semiring":
        (product,) = _given(op, args, options, "left")
        if getattr(product, "symbol", None) != "@":
            raise DomainMismatch(f"{brief(op)}: expected {op.expects}, got {brief(args)}")
        return with_operator(product, op)
    left, right = _given(op, args, options, "left", "right")
    return _call_binary(op, left, right, options)


def _call_binary(op: Any, left: Any, right: Any, options: dict[str, Any]) -> Any:
    defaults = {k: options[k] for k in ("left_default", "right_default") if k in options}
    if right is None:
        if getattr(left, "symbol", None) not in ("|", "&"):
            raise DomainMismatch(f"{brief(op)}: expected {op.expects}, got {brief(left)}")
        return with_operator(left, op, **defaults)
    if defaults:
        raise DomainMismatch(f"{brief(op)}: left_default and right_default are for x | y")
    both = [isinstance(x, classes.Operand) for x in (left, right)]
    if all(both):
        raise DomainMismatch(
            f"{brief(op)}: two operands need x | y (union) or x & y (intersection), not a comma"
        )
    # A number beside a matrix or vector is bound to it, and so is a Scalar.
    if both[1] or not (both[0] or _is_operand(left)):
        return _operand(op, right).apply(op, left=left)
    return left.apply(op, right=right)


def _given(op: Any, args: tuple[Any, ...], options: dict[str, Any], *names: str) -> tuple[Any, ...]:
    """The arguments of those names, by position or by name; the first one is needed."""
    if not options and 0 < len(args) <= len(names) and args[0] is not None:
        return args + (None,) * (len(names) - len(args))
    known = {*names, "left_default", "right_default"} if names[0] == "left" else {*names}
    by_position = names[: len(args)]
    if len(args) > len(names) or not {*options} <= known - {*by_position}:
        raise DomainMismatch(
            f"{brief(op)}: expected {op.expects}, got {brief((*args, *options.items()))}"
        )
    found = dict(zip(names, args, strict=False)) | options
    if found.get(names[0]) is None:
        raise DomainMismatch(
            f"{brief(op)}: expected {op.expects}, got {brief((*args, *options.items()))}"
        )
    return tuple(found.get(name) for name in names)


def _is_operand(x: Any) -> bool:
    return isinstance(x, classes.Operand | classes.ScalarArithmetic)


def _operand(op: Any, x: Any) -> Any:
    """A matrix, vector or Scalar; a number becomes one."""
    if _is_operand(x):
        return x
    if is_scalar(x):
        return classes.Scalar.from_value(x)
    raise DomainMismatch(f"{brief(op)}: expected {op.expects}, got {type(x).__name__}")
