"""Sums of stored values by a monoid: of everything, of every row, of every column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.objects.delayed import delayed
from spbfs.objects.scalar_expression import ScalarExpression
from spbfs.operators import lookup
from spbfs.operators.builtin import MONOID, UNARY
from spbfs.operators.definitions import TypedMonoid
from spbfs.operators.dtypes import INT64, DType

if TYPE_CHECKING:
    from spbfs.objects.matrix_operand import MatrixOperand
    from spbfs.objects.operand import Operand
    from spbfs.objects.vector_operand import VectorOperand

__all__ = ["reduce", "reduce_columnwise", "reduce_rowwise", "reduce_scalar"]


def reduce(self: VectorOperand, op: Any = "plus", *, allow_empty: bool = True) -> ScalarExpression:
    """All stored values summed by a monoid, delayed.

    Parameters
    ----------
    op : monoid or name, optional
        ``plus`` by default; ``"count"`` counts the entries.
    allow_empty : bool, optional
        Whether an empty vector gives an empty Scalar (else the monoid's identity).

    Returns
    -------
    ScalarExpression

    Examples
    --------
    >>> import spbfs as sb
    >>> v = sb.Vector.from_coo([0, 2], [4, 6])
    >>> v.reduce().value, v.reduce("max").value
    (10, 6)
    >>> sb.Vector(int, 3).reduce(allow_empty=False).value
    0
    """
    return _reduce_all(self, op, allow_empty)


def reduce_scalar(
    self: MatrixOperand, op: Any = "plus", *, allow_empty: bool = True
) -> ScalarExpression:
    """All stored values summed by a monoid, delayed.

    Parameters
    ----------
    op : monoid or name, optional
        ``plus`` by default; ``"count"`` counts the entries.
    allow_empty : bool, optional
        Whether a matrix without entries gives an empty Scalar (else the monoid's identity).

    Returns
    -------
    ScalarExpression

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 2], [0, 1], [5, 3])
    >>> A.reduce_scalar().value, A.reduce_scalar("min").value
    (8, 3)
    """
    return _reduce_all(self, op, allow_empty)


def reduce_rowwise(self: MatrixOperand, op: Any = "plus") -> Any:
    """Every row summed by a monoid, delayed; empty rows give no entry.

    Parameters
    ----------
    op : monoid or name, optional
        ``plus`` by default; ``"count"`` counts the entries: the out-degrees of a graph.

    Returns
    -------
    VectorExpression
        Of size ``self.nrows``.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 2], [0, 1, 1], [5, 2, 3])
    >>> A.reduce_rowwise("max").new().to_dict(), A.reduce_rowwise("count").new().to_dict()
    ({0: 5, 2: 3}, {0: 2, 2: 1})
    """
    return _reduce_rows(self, "reduce_rowwise", op)


def reduce_columnwise(self: MatrixOperand, op: Any = "plus") -> Any:
    """Every column summed by a monoid, delayed; empty columns give no entry.

    Parameters
    ----------
    op : monoid or name, optional
        ``plus`` by default; ``"count"`` counts the entries: the in-degrees of a graph.

    Returns
    -------
    VectorExpression
        Of size ``self.ncols``.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 2], [0, 1, 1], [5, 2, 3])
    >>> A.reduce_columnwise().new().to_dict()
    {0: 5, 1: 5}
    """
    return _reduce_rows(self.T, "reduce_columnwise", op)


def _reduce_rows(operand: MatrixOperand, operation: str, op: Any) -> Any:
    name, monoid, values = _reduction(op, operand.dtype)
    return delayed(
        f"{operation} {name}",
        (operand,),
        (operand.nrows,),
        monoid.dtype,
        lambda engine, A: engine.reduce_rowwise(values(engine, A), monoid),
    )


def _reduce_all(operand: Operand, op: Any, allow_empty: bool) -> ScalarExpression:
    name, monoid, values = _reduction(op, operand.dtype)
    return ScalarExpression(
        f"reduce {name}",
        operand,
        monoid.dtype,
        lambda engine: engine.reduce(values(engine, operand._ready()), monoid),
        None if allow_empty else monoid.identity,
    )


def _reduction(op: Any, dtype: DType) -> tuple[str, TypedMonoid, Any]:
    """Name, monoid and the values to reduce, as a function of an engine and storage.

    ``"count"`` is no monoid but what programs ask for most: the sum of a one an entry.
    """
    if op != "count":
        monoid = lookup.as_monoid(op).resolve(dtype)
        return monoid.op.name, monoid, lambda engine, data: data
    one = UNARY["one"].resolve(dtype)
    plus = MONOID["plus"].resolve(INT64)
    return "count", plus, lambda engine, data: engine.cast(engine.apply(data, one), INT64)
