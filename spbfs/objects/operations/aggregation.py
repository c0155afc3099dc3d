"""Aggregators carried out: sums by monoids and semirings, joined, and what looks at positions.

All of it is algebra over operands, so every engine does it.  Results are vectors: one value a row,
or a single one for all of a vector or matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spbfs.exceptions import InvalidValue
from spbfs.objects.classes import classes
from spbfs.operators.tables.builtin import INDEXUNARY, MONOID, SEMIRING

if TYPE_CHECKING:
    from spbfs.operators.kinds.aggregator import TypedAggregator

__all__ = ["aggregated", "check_whole"]

#: What stands for no value of an aggregator: the first operand of what reads one only.
_NO_VALUE = False


def check_whole(op: TypedAggregator, ndim: int) -> None:
    """Refuse an aggregator of positions where there is no one position: for all of a matrix."""
    parts = op.op.composite or ()
    for part in parts:
        check_whole(part.resolve(op.type), ndim)
    if ndim == 2 and op.op.custom in ("argmin", "argmax", "first_index", "last_index"):
        raise InvalidValue(f"op: {op.op!r} gives a position of a row or column, not of a matrix")


def aggregated(x: Any, op: TypedAggregator, whole: bool) -> Any:
    """The vector of an aggregator's results.

    Parameters
    ----------
    x : Vector or Matrix
    op : TypedAggregator
    whole : bool
        One result for all of `x`, not one a row.
    """
    recipe = op.op
    if recipe.composite is not None:
        parts = [aggregated(x, part.resolve(op.type), whole) for part in recipe.composite]
        return recipe.finalize(*parts, {}).new()
    if recipe.custom is not None:
        return _CUSTOM[recipe.custom](x, whole)
    if recipe.monoid is not None:
        return _sum(x, recipe.monoid.typed(op.type), whole)
    product = recipe.product(op.type)
    value = _NO_VALUE if recipe.initval is None else recipe.initval
    bound = {"left" if recipe.switch else "right": value}
    sums = _sum(x.apply(product.binaryop, **bound), product.monoid, whole)
    return sums if recipe.finalize is None else recipe.finalize(sums).new()


def _sum(x: Any, monoid: Any, whole: bool) -> Any:
    if not whole:
        return x.reduce_rowwise(monoid).new()
    total = x.reduce(monoid) if x.ndim == 1 else x.reduce_scalar(monoid)
    return total.new()._vector()


# -- what looks at positions -----------------------------------------------------------------------
def _position(x: Any, whole: bool, monoid: str) -> Any:
    """The least or greatest index of a vector, or column of every row."""
    if whole:
        return _sum(x.apply(INDEXUNARY["rowindex"]), MONOID[monoid], whole)
    ends = x._engine.row_ends(x._ready(), last=monoid == "max")
    return classes.Vector._from_data(ends, x.device)


def _where_equal(x: Any, wanted: Any, whole: bool) -> Any:
    """The entries that have the value wanted of all, or of their row."""
    if whole:
        return x.select("==", wanted[0]) if wanted.nvals else x
    equal = SEMIRING["any_eq"](wanted.diag() @ x).new()
    return x.select(equal.V)


def _of_extreme(monoid: str) -> Callable[[Any, bool], Any]:
    def position(x: Any, whole: bool) -> Any:
        extreme = _sum(x, MONOID[monoid], whole)
        return _position(_where_equal(x, extreme, whole), whole, "min")

    return position


def _of_end(monoid: str) -> Callable[[Any, bool], Any]:
    """The value at the least or greatest position; of a matrix, of the first or last row's."""

    def value(x: Any, whole: bool) -> Any:
        if whole and x.ndim == 2:
            x = value(x, whole=False)
        end = _position(x, whole, monoid)
        if whole:
            return x[[end[0].value]].new() if end.nvals else classes.Vector(x.dtype, 1)
        columns = x.apply(INDEXUNARY["colindex"])
        there = SEMIRING["any_eq"](end.diag() @ columns).new()
        return _sum(x.select(there.V), MONOID["any"], whole)

    return value


_CUSTOM: dict[str, Callable[[Any, bool], Any]] = {
    "argmin": _of_extreme("min"),
    "argmax": _of_extreme("max"),
    "first": _of_end("min"),
    "last": _of_end("max"),
    "first_index": lambda x, whole: _position(x, whole, "min"),
    "last_index": lambda x, whole: _position(x, whole, "max"),
}
