"""How a delayed operation is made: `expression` says what one is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spbfs.exceptions import DomainMismatch
from spbfs.objects.classes import classes

if TYPE_CHECKING:
    from spbfs.objects.assignment.statement import IndexedOutput
    from spbfs.objects.operands.operand import Operand
    from spbfs.operators.dtypes import DType

__all__ = ["delayed", "extracted_by", "written_by"]


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
    made._run = run
    made._semiring = made._result = None
    return made


def extracted_by(expression: Any) -> IndexedOutput:
    """The rows and columns, in what an expression is extracted from, by their indices."""
    found = getattr(expression, "_extracted", None)
    if found is None:
        raise AttributeError("resolved_indexes: only what is extracted has indices")
    return classes.IndexedOutput(*found)


def written_by(expression: Any) -> IndexedOutput:
    """The rows and columns of a stored object that ``expression << x`` writes into."""
    found = getattr(expression, "_extracted", None)
    if found is None or found[0]._data is None:
        raise DomainMismatch(f"{expression!r} cannot be written: only C[index] of a stored C can")
    return classes.IndexedOutput(*found)
