"""What an aggregator is: a reduction that is more than a sum by a monoid, as a recipe of what is.

A recipe is one of four: a monoid; a semiring, whose multiplication takes every value together with
`initval` and whose monoid sums the products, and what is done to the sums; several aggregators and
what joins their results; or the name of one that looks at positions
(`spbfs.objects.operations.aggregation` has those, and carries all of them out).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from spbfs.exceptions import DomainMismatch, InvalidValue, OperatorUndefined
from spbfs.operators.dtypes import ALL, DType, lookup_dtype, scalar_dtype
from spbfs.operators.kinds.operator import operator_named

__all__ = ["Aggregator", "TypedAggregator"]


class _Called:
    """An aggregator is called on a vector or matrix."""

    kind = "agg"
    opclass = "Aggregator"

    def __call__(self, val: Any, *, rowwise: bool = False, columnwise: bool = False) -> Any:
        """The reduction of `val`: ``agg.sum(A)`` is ``A.reduce_scalar(agg.sum)``.

        Parameters
        ----------
        val : Vector or Matrix
        rowwise, columnwise : bool, optional
            For every row or column of a matrix, not for all of it.
        """
        ndim = getattr(val, "ndim", None)
        if ndim not in (1, 2) or not hasattr(val, "reduce" if ndim == 1 else "reduce_scalar"):
            found = type(val).__name__
            raise DomainMismatch(f"val: {self!r} is called on a vector or matrix, got {found}")
        if ndim == 1:
            if rowwise or columnwise:
                raise InvalidValue("rowwise, columnwise: a vector has no rows or columns")
            return val.reduce(self)
        if rowwise and columnwise:
            raise InvalidValue("rowwise, columnwise: one at a time, got both")
        if rowwise:
            return val.reduce_rowwise(self)
        return val.reduce_columnwise(self) if columnwise else val.reduce_scalar(self)


class Aggregator(_Called):
    """A reduction of the values of a vector, of a matrix, or of every row or column.

    Parameters
    ----------
    name : str
    monoid : Monoid, optional
        What sums the values.
    semiring : Semiring, optional
        What multiplies every value with `initval` and sums the products.
    initval : number, optional
        False by default.
    switch : bool, optional
        Whether `initval` is the first operand.
    composite : sequence of Aggregator, optional
        The aggregators whose results `finalize` joins.
    finalize : UnaryOp or callable, optional
        What is done to the sums; of `composite`, a function of the vectors of results and of a
        dictionary of options that gives a vector or what computes one.
    custom : str, optional
        The name of a recipe that looks at positions.
    types : sequence of operators, optional
        Whose types, one after the other, are the aggregator's; its parts' by default.
    any_dtype : DType or True, optional
        The type of the result for values of all other types; True for that of the values.
    semiring2 : Semiring, optional
        Of no effect: sums of sums are made by the monoid of `semiring`.

    Examples
    --------
    >>> from spbfs import Vector, agg, binary
    >>> middle = agg.Aggregator(
    ...     "middle",
    ...     composite=[agg.min, agg.max],
    ...     finalize=lambda low, high, opts: binary.plus(low & high) / 2,
    ...     types=[binary.truediv],
    ... )
    >>> Vector.from_dense([1, 7, 2]).reduce(middle).value
    4.0
    """

    def __init__(
        self,
        name: str,
        *,
        monoid: Any = None,
        semiring: Any = None,
        initval: Any = None,
        switch: bool = False,
        composite: Sequence[Any] | None = None,
        finalize: Any = None,
        custom: str | None = None,
        types: Sequence[Any] | None = None,
        any_dtype: Any = None,
        semiring2: Any = None,
    ) -> None:
        if sum(x is not None for x in (monoid, semiring, composite, custom)) != 1:
            raise DomainMismatch("expected exactly one of monoid, semiring, composite and custom")
        if types is None and (composite is not None or custom is not None):
            raise DomainMismatch("types: expected those of a composite or custom aggregator")
        self.name = name
        self.monoid, self.semiring = monoid, semiring
        self.initval, self.switch = initval, switch
        self.composite, self.finalize, self.custom = composite, finalize, custom
        self._chain, self.any_dtype = types, any_dtype
        self._typed: dict[DType, TypedAggregator] = {}

    def product(self, t: DType) -> Any:
        """The semiring for values of a type, which meet `initval` in one type.

        Parameters
        ----------
        t : DType
        """
        if self.initval is None:
            return self.semiring.typed(t)
        return self.semiring.resolve(t, scalar_dtype(self.initval))

    def _result(self, t: DType) -> DType:
        found: DType
        if self._chain is not None:
            for op in self._chain:
                t = op[t].return_type
            return t
        if self.monoid is not None:
            found = self.monoid.typed(t).out_type
            return found
        self.semiring.typed(t)
        found = self.product(t).out_type
        return found if self.finalize is None else self.finalize.typed(found).out_type

    @cached_property
    def types(self) -> dict[DType, DType]:
        """The type of the result by that of the values, for all that it is defined for."""
        found = {}
        for t in ALL:
            try:
                found[t] = self._result(t)
            except OperatorUndefined:
                continue
        return found

    def __getitem__(self, dtype: Any) -> TypedAggregator:
        t = lookup_dtype(dtype)
        made = self._typed.get(t)
        if made is None:
            out = self.types.get(t, t if self.any_dtype is True else self.any_dtype)
            if out is None:
                raise OperatorUndefined(f"dtype: {self!r} does not work with {t}{self._reason(t)}")
            made = self._typed[t] = TypedAggregator(self, t, out)
        return made

    def _reason(self, t: DType) -> str:
        try:
            self._result(t)
        except OperatorUndefined as error:
            return f": {str(error).removeprefix('dtype: ')}"
        return ""

    def __contains__(self, dtype: Any) -> bool:
        t = lookup_dtype(dtype)
        return self.any_dtype is not None or t in self.types

    def resolve(self, *operands: DType) -> TypedAggregator:
        """The aggregator for values of a type.

        Parameters
        ----------
        *operands : DType
            That of the values.
        """
        kept = self.any_dtype is None or self.any_dtype is True
        return self[operands[0] if kept else self.any_dtype]

    def __repr__(self) -> str:
        return f"agg.{self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return operator_named, ("agg", self.name)


class TypedAggregator(_Called):
    """An aggregator for values of one type, to which others are cast."""

    def __init__(self, op: Aggregator, in_type: DType, out_type: DType) -> None:
        self.op = self.parent = op
        self.in_type = self.type = in_type
        self.out_type = self.return_type = out_type
        self.name = op.name

    def resolve(self, *operands: DType) -> TypedAggregator:
        """Itself: what values are cast to has been chosen.

        Parameters
        ----------
        *operands : DType
            That of the values.
        """
        return self

    def __repr__(self) -> str:
        return f"agg.{self.name}[{self.type}]"

    def __reduce__(self) -> tuple[Any, ...]:
        return Aggregator.__getitem__, (self.op, self.in_type)
