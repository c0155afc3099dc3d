"""Reductions of stored values: of everything, of every row, of every column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.exceptions import InvalidValue
from spbfs.objects.checks import as_flag
from spbfs.objects.classes import classes
from spbfs.objects.operations.aggregation import aggregated, check_whole
from spbfs.objects.operations.delayed import delayed
from spbfs.objects.scalars.expression import ScalarExpression
from spbfs.objects.waiting import as_it_is
from spbfs.operators import lookup

if TYPE_CHECKING:
    from spbfs.objects.operands.matrix_operand import MatrixOperand
    from spbfs.objects.operands.operand import Operand
    from spbfs.objects.operands.vector_operand import VectorOperand

__all__ = ["reduce", "reduce_columnwise", "reduce_rowwise", "reduce_scalar"]


def reduce(self: VectorOperand, op: Any = "plus", *, allow_empty: bool = True) -> ScalarExpression:
    """All stored values summed by a monoid, or otherwise aggregated, delayed.

    Parameters
    ----------
    op : monoid, aggregator or name, optional
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
    """All stored values summed by a monoid, or otherwise aggregated, delayed.

    Parameters
    ----------
    op : monoid, aggregator or name, optional
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
    """Every row summed by a monoid or aggregated otherwise; empty ones give no entry; delayed.

    Parameters
    ----------
    op : monoid, aggregator or name, optional
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
    """Every column summed by a monoid or aggregated otherwise; empty ones give no entry; delayed.

    Parameters
    ----------
    op : monoid, aggregator or name, optional
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
    chosen = lookup.as_reduction(op).resolve(operand.dtype)
    name = f"{operation} {chosen.op.name}"
    if chosen.kind == "monoid":
        return delayed(
            name,
            (operand,),
            (operand.nrows,),
            chosen.dtype,
            lambda engine, A: engine.reduce_rowwise(A, chosen),
        )

    def run(engine: Any, A: Any) -> Any:
        values = aggregated(classes.Matrix._from_data(A, engine.name), chosen, whole=False)
        return engine.cast(values._ready(), chosen.out_type)

    return delayed(name, (operand,), (operand.nrows,), chosen.out_type, run)


def _reduce_all(operand: Operand, op: Any, allow_empty: bool) -> ScalarExpression:
    chosen = lookup.as_reduction(op).resolve(operand.dtype)
    name, empty = f"reduce {chosen.op.name}", as_flag(allow_empty, "allow_empty")
    if chosen.kind == "agg" and chosen.op.monoid is not None:
        chosen = chosen.op.monoid.typed(chosen.in_type)
    if chosen.kind == "monoid":
        return ScalarExpression(
            name,
            operand,
            chosen.dtype,
            lambda engine: engine.reduce(operand._ready(), chosen),
            None if empty else chosen.identity,
        )
    if not empty:
        raise InvalidValue(f"allow_empty: {chosen.op!r} has no value where there are no entries")
    check_whole(chosen, operand.ndim)

    def run(engine: Any) -> Any:
        found = aggregated(as_it_is(operand), chosen, whole=True)
        return found.dup(chosen.out_type)[0].new()._value

    return ScalarExpression(name, operand, chosen.out_type, run)
