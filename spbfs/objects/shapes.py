"""The shapes of operands: that of two together, and whether they are what they were."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from spbfs.exceptions import DimensionMismatch, DomainMismatch
from spbfs.objects.classes import classes

if TYPE_CHECKING:
    from spbfs.objects.operands.operand import Operand

__all__ = ["SHAPE", "joined_shape", "resized"]

SHAPE = attrgetter("shape")


def joined_shape(left: Operand, right: Any) -> tuple[int, ...]:
    """The shape of an element-wise operation; refused where the operands do not fit together.

    ``A`` and ``v`` fit where v is as long as a row, ``v`` and ``A`` where it is as long as a
    column.
    """
    if not isinstance(right, classes.Operand):
        kind = "vector" if left.ndim == 1 else "matrix"
        raise DomainMismatch(f"other: expected a {kind}, got {type(right).__name__}")
    if left.shape == right.shape:
        return left.shape
    if left.ndim == right.ndim:
        raise DimensionMismatch(f"other: expected shape {left.shape}, got {right.shape}")
    if left.ndim == 2:
        matrix, size, side = left, right.shape[0], left.shape[1]
    else:
        matrix, size, side = right, left.shape[0], right.shape[0]
    if size != side:
        raise DimensionMismatch(
            f"other: a vector of {size} does not fit the "
            f"{'rows' if left.ndim == 2 else 'columns'} of a matrix of shape {matrix.shape}"
        )
    return matrix.shape


def resized(name: str, shape: tuple[int, ...], operands: tuple[Any, ...]) -> DimensionMismatch:
    """The error of what was delayed before an operand got another shape.

    It would be computed from indices that may lie beyond its operands, for a result of a shape
    that is not the one it gives.
    """
    found = " and ".join(str(operand.shape) for operand in operands)
    return DimensionMismatch(
        f"{name}: expected operands that give a result of shape {shape}, as when it was written, "
        f"got {found}; call .new() before one is resized"
    )
