"""Operations on stored values: the same for matrices and vectors, stored, viewed or delayed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.objects.calls import call_on_operand
from spbfs.objects.checks import as_thunk, to_scalar
from spbfs.objects.mask import Mask, as_mask, mask_of
from spbfs.objects.operand import Operand, scalar_operand
from spbfs.operators import lookup
from spbfs.operators.builtin import MONOID, UNARY
from spbfs.operators.definitions import (
    BinaryOp,
    IndexUnaryOp,
    Monoid,
    TypedBinary,
    TypedIndexUnary,
    TypedMonoid,
    UnaryOp,
)
from spbfs.operators.dtypes import INT64, DType, scalar_dtype, unify

if TYPE_CHECKING:
    from spbfs.objects.expression import Expression

__all__ = ["ElementWise"]


class ElementWise(Operand):
    """An operand with the operations that combine, change or choose its stored values."""

    __slots__ = ()

    def _called_by(self, op: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        return call_on_operand(op, args, options)

    @staticmethod
    def _typed(op: Any, left: DType, right: DType) -> TypedBinary:
        if isinstance(op, Monoid):
            t = op.resolve(unify(left, right)).dtype
            return TypedBinary(op.binaryop, t, t)
        return lookup.as_binary(op).resolve(left, right)

    def _binary(self, op: Any, other: Operand) -> TypedBinary:
        return self._typed(op, self.dtype, other.dtype)

    def _expression(
        self, operation: str, operands: tuple[Operand, ...], dtype: DType, run: Any
    ) -> Expression:
        from spbfs.objects.expression import delayed

        return delayed(operation, operands, self.shape, dtype, run)

    def ewise_add(self, other: Any, op: Any = "plus") -> Expression:
        """Union: `op` where both have an entry, the one there is elsewhere.

        Parameters
        ----------
        other : Matrix or Vector
            Of the same shape.
        op : binary operator, monoid or name, optional
            ``plus`` by default.

        Returns
        -------
        Expression
            Computed when assigned or by ``.new()``.

        Examples
        --------
        >>> import spbfs as sb
        >>> u, v = sb.Vector.from_coo([0, 1], [1, 2], size=3), sb.Vector.from_coo([1, 2], [10, 20])
        >>> u.ewise_add(v).new().to_dict()
        {0: 1, 1: 12, 2: 20}
        """
        self._same_shape(other)
        typed = self._binary(op, other)
        return self._expression(
            f"ewise_add {typed.op.name}",
            (self, other),
            typed.out_type,
            lambda b, mask, hints: b.ewise_add(self._ready(), other._ready(), typed),
        )

    def ewise_mult(self, other: Any, op: Any = "times") -> Expression:
        """Intersection: `op` where both have an entry, nothing elsewhere.

        Parameters
        ----------
        other : Matrix or Vector
            Of the same shape.
        op : binary operator, monoid or name, optional
            ``times`` by default.

        Returns
        -------
        Expression
            Computed when assigned or by ``.new()``.

        Examples
        --------
        >>> import spbfs as sb
        >>> u, v = sb.Vector.from_coo([0, 1], [1, 2], size=3), sb.Vector.from_coo([1, 2], [10, 20])
        >>> u.ewise_mult(v).new().to_dict()
        {1: 20}
        """
        self._same_shape(other)
        typed = self._binary(op, other)
        return self._expression(
            f"ewise_mult {typed.op.name}",
            (self, other),
            typed.out_type,
            lambda b, mask, hints: b.ewise_mult(self._ready(), other._ready(), typed),
        )

    def ewise_union(self, other: Any, op: Any, left_default: Any, right_default: Any) -> Expression:
        """Union in which an absent operand is replaced by its default.

        Parameters
        ----------
        other : Matrix or Vector
            Of the same shape.
        op : binary operator, monoid or name
        left_default, right_default : scalar
            Stand for the absent entries of this operand and of `other`.

        Returns
        -------
        Expression
            Computed when assigned or by ``.new()``.

        Examples
        --------
        >>> import spbfs as sb
        >>> u, v = sb.Vector.from_coo([0, 1], [1, 2], size=3), sb.Vector.from_coo([1, 2], [10, 20])
        >>> u.ewise_union(v, "minus", 0, 0).new().to_dict()
        {0: 1, 1: -8, 2: -20}
        """
        self._same_shape(other)
        left = scalar_operand(left_default, "left_default")
        right = scalar_operand(right_default, "right_default")
        # The defaults are operands, too: a default of 0.5 makes the operator one of floats.
        x_type = unify(self.dtype, scalar_dtype(left, "left_default"))
        y_type = unify(other.dtype, scalar_dtype(right, "right_default"))
        typed = self._typed(op, x_type, y_type)
        x_default = to_scalar(left, typed.in_type, "left_default")
        y_default = to_scalar(right, typed.in_type, "right_default")
        return self._expression(
            f"ewise_union {typed.op.name}",
            (self, other),
            typed.out_type,
            lambda b, mask, hints: b.ewise_union(
                self._ready(), x_default, other._ready(), y_default, typed
            ),
        )

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Expression:
        """`op` of every stored value.

        Parameters
        ----------
        op : operator, name or function
            A unary operator; or a binary one with one operand bound by `left` or `right`; or an
            index-unary one whose thunk is `right`.
        right, left : scalar, optional
            The bound operand.

        Returns
        -------
        Expression
            Computed when assigned or by ``.new()``.

        Raises
        ------
        InvalidValue
            When both `left` and `right` are given, or neither and `op` is binary.

        Examples
        --------
        >>> import spbfs as sb
        >>> v = sb.Vector.from_coo([0, 2], [-4, 6])
        >>> v.apply("abs").new().to_dict(), v.apply("minus", left=1).new().to_dict()
        ({0: 4, 2: 6}, {0: 5, 2: -5})
        >>> v.apply("rowindex", 10).new().to_dict(), v.apply(lambda x: x * x + 1).new().to_dict()
        ({0: 10, 2: 12}, {0: 17, 2: 37})
        """
        if left is not None and right is not None:
            raise InvalidValue("left, right: only one operand can be bound, got both")
        op = self._apply_operator(op, bound=left is not None or right is not None)
        if isinstance(op, IndexUnaryOp):
            return self._index_expression(op, right, "apply")
        if isinstance(op, BinaryOp):
            return self._apply_bound(op, left, right)
        if left is not None or right is not None:
            raise DomainMismatch(f"op: {op!r} takes one operand, but another was bound")
        typed = op.resolve(self.dtype)
        return self._expression(
            f"apply {op.name}",
            (self,),
            typed.out_type,
            lambda b, mask, hints: b.apply(self._ready(), typed),
        )

    @staticmethod
    def _apply_operator(op: Any, bound: bool) -> Any:
        if isinstance(op, UnaryOp | BinaryOp | IndexUnaryOp):
            return op
        if isinstance(op, Monoid):
            return op.binaryop
        if isinstance(op, str):
            if not bound and op in UNARY:
                return UNARY[op]
            if op in lookup.REGISTRIES["indexunary"]:
                return lookup.REGISTRIES["indexunary"][op]
            return lookup.as_binary(op) if bound else lookup.as_unary(op)
        return lookup.as_binary(op) if bound else lookup.as_unary(op)

    def _apply_bound(self, op: BinaryOp, left: Any, right: Any) -> Expression:
        if left is None and right is None:
            raise InvalidValue(f"right: {op!r} needs a bound operand; give left= or right=")
        name = "left" if right is None else "right"
        value = scalar_operand(left if right is None else right, name)
        dtype = scalar_dtype(value, name)
        typed = op.resolve(dtype, self.dtype) if right is None else op.resolve(self.dtype, dtype)
        bound = to_scalar(value, typed.in_type, name)
        expression = self._expression(
            f"apply {op.name}",
            (self,),
            typed.out_type,
            lambda b, mask, hints: b.apply_bind(
                self._ready(),
                typed,
                left=bound if right is None else None,
                right=None if right is None else bound,
            ),
        )
        if right is not None and op.name in ("eq", "ne", "lt", "le", "gt", "ge"):
            expression.comparison = (self, op.name, value)
        return expression

    def select(self, op: Any, thunk: Any = None) -> Expression:
        """The stored entries for which `op` is true.

        Parameters
        ----------
        op : select operator, name or symbol, Mask, BOOL Matrix or Vector
            By value (``"valuegt"`` or ``">"``), by position (``"tril"``, ``"rowle"`` ...), or where
            a mask admits; a BOOL operand is its own valued mask.
        thunk : scalar, optional
            What the operator compares with; 0 by default.

        Returns
        -------
        Expression
            Of the same shape and dtype.

        Examples
        --------
        >>> import spbfs as sb
        >>> v = sb.Vector.from_coo([0, 1, 3], [5, 2, 7], size=4)
        >>> v.select(">", 4).new().to_dict()
        {0: 5, 3: 7}
        >>> q = sb.Vector.from_coo([0, 2], True, size=4)
        >>> v.select(~q.S).new().to_dict(), v.select(v < 6).new().to_dict()
        ({1: 2, 3: 7}, {0: 5, 1: 2})
        """
        if isinstance(op, Operand | Mask | np.ndarray):
            return self._select_mask(op, thunk)
        return self._index_expression(lookup.as_indexunary(op, "select"), thunk, "select")

    def _select_mask(self, op: Any, thunk: Any) -> Expression:
        if thunk is not None:
            raise InvalidValue("thunk: a mask compares with nothing; give no thunk")
        if isinstance(op, Operand):
            if not op.dtype.is_bool:
                raise DomainMismatch(f"op: expected a select operator or a mask, got a {op.dtype}")
            op = mask_of(op, structural=False)
        mask = as_mask(op, self.ndim)
        self._same_shape(mask.parent, "op")

        def run(b: Any, _: Any, hints: Any) -> Any:
            data = self._ready()
            return b.write(b.copy(data), data, mask, None, True)

        return self._expression("select mask", (self, mask.parent), self.dtype, run)

    def _index_expression(self, op: IndexUnaryOp, thunk: Any, operation: str) -> Expression:
        typed = op.resolve(self.dtype)
        if self.ndim == 1 and op.name in ("tril", "triu", "diag", "offdiag", "colle", "colgt"):
            raise DomainMismatch(f"op: {op!r} selects by column, and a vector has none")
        value = 0 if thunk is None else scalar_operand(thunk, "thunk")
        if op.by_value:
            # Compare in a type that holds both, so that a thunk of 2.5 is not cut to 2.
            t = typed.in_type if thunk is None else unify(typed.in_type, scalar_dtype(value))
            typed = TypedIndexUnary(op, t, typed.out_type)
            bound = to_scalar(value, t, "thunk")
        else:
            bound = as_thunk(value)
        run = self._backend_method(operation, typed, bound)
        dtype = self.dtype if operation == "select" else typed.out_type
        return self._expression(f"{operation} {op.name}", (self,), dtype, run)

    def _backend_method(self, operation: str, typed: TypedIndexUnary, bound: Any) -> Any:
        if operation == "select":
            return lambda b, mask, hints: b.select(self._ready(), typed, bound)
        return lambda b, mask, hints: b.apply_index(self._ready(), typed, bound)

    def _reduction(self, op: Any) -> tuple[str, TypedMonoid, Any]:
        """Name, monoid and the values to reduce, as a function of (engine, storage).

        ``"count"`` is no monoid but what programs ask for most: the sum of a one an entry.
        """
        if op != "count":
            monoid = lookup.as_monoid(op).resolve(self.dtype)
            return monoid.op.name, monoid, lambda b, data: data
        one = UNARY["one"].resolve(self.dtype)
        plus = MONOID["plus"].resolve(INT64)
        return "count", plus, lambda b, data: b.cast(b.apply(data, one), INT64)

    def _reduce_scalar(self, op: Any, allow_empty: bool) -> Any:
        from spbfs.objects.scalar_expression import ScalarExpression

        name, monoid, values = self._reduction(op)
        return ScalarExpression(
            f"reduce {name}",
            self,
            monoid.dtype,
            lambda b: b.reduce(values(b, self._ready()), monoid),
            None if allow_empty else monoid.identity,
        )
