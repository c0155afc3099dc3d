"""How a delayed operation is made: `expression` says what one is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spbfs.objects.classes import classes
from spbfs.objects.shapes import SHAPE

if TYPE_CHECKING:
    from spbfs.objects.operands.operand import Operand
    from spbfs.operators.dtypes import DType

__all__ = ["delayed"]


def delayed(
    operation: str,
    operands: tuple[Operand, ...],
    shape: tuple[int, ...],
    dtype: DType,
    run: Callable[..., Any],
) -> Any:
    """A `VectorExpression` or `MatrixExpression`, by the shape.

    `run` is called with the engine and the storage of every operand.  Products, which have a
    semiring instead, are made by `products`.
    """
    made: Any = classes.VectorExpression() if len(shape) == 1 else classes.MatrixExpression()
    made._name = operation
    made.operands = operands
    made.shape = shape
    made._dtype = dtype
    made._shapes = tuple(map(SHAPE, operands))
    made._run = run
    made._semiring = made._result = None
    return made
