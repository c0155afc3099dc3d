"""What everything that stands for a matrix or a vector has in common.

An operand is stored (`Matrix`, `Vector`), a view (`A.T`) or delayed (an expression).  All of them
have a shape, a dtype and a device, give their storage when asked, and take part in the same
operations, which are written once here and in `MatrixOperand` / `VectorOperand`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.core.checks import as_thunk, is_scalar, scalar_dtype, to_scalar
from spbfs.core.dtypes import INT64, DType, unify
from spbfs.core.operators import lookup
from spbfs.core.operators.builtin import BINARY, MONOID, UNARY
from spbfs.core.operators.definitions import (
    BinaryOp,
    IndexUnaryOp,
    Monoid,
    TypedBinary,
    TypedIndexUnary,
    TypedMonoid,
    UnaryOp,
)
from spbfs.exceptions import DeviceMismatch, DimensionMismatch, DomainMismatch, InvalidValue

if TYPE_CHECKING:
    from spbfs.backends.protocol import Backend
    from spbfs.core.expression import Expression
    from spbfs.core.infix import Infix

__all__ = ["Operand", "common_backend", "scalar_operand"]


def scalar_operand(value: Any, name: str) -> Any:
    """The number behind a scalar argument: a Python or NumPy number, or a non-empty `Scalar`."""
    from spbfs.core.scalar import Scalar

    if isinstance(value, Scalar):
        if value.is_empty:
            raise InvalidValue(f"{name}: expected a number, got an empty Scalar")
        return value.value
    if is_scalar(value):
        return value
    raise DomainMismatch(f"{name}: expected a number or Scalar, got {type(value).__name__}")


def common_backend(*operands: Operand | None) -> Backend:
    """The engine of all operands; those not yet bound to a device move to the others' device."""
    from spbfs.backends import get_backend

    known = [o for o in operands if o is not None]
    devices = {o.device for o in known if o._bound}
    if len(devices) > 1:
        raise DeviceMismatch(
            f"operands live on different devices: {', '.join(sorted(devices))}; "
            "move them with .to(device) first"
        )
    device = devices.pop() if devices else known[0].device
    for operand in known:
        if operand.device != device:
            operand._move(device)
    return get_backend(device)


class Operand:
    """Base of everything that stands for a matrix or a vector."""

    __slots__ = ()

    ndim: int
    dtype: DType
    shape: tuple[int, ...]
    device: str
    #: Whether the device was chosen, by the user or by an operation; an empty vector made without
    #: one follows the operands it meets, so that only ``A.to("cuda")`` need be written.
    _bound: bool
    # NumPy must leave `array @ A` and `np.int64(3) * v` to the methods below.
    __array_ufunc__ = None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        # Without it NumPy would iterate, and take the indices for the values.
        raise DomainMismatch(
            f"a {type(self).__name__} is no dense array; use .to_dense(fill_value) or .to_coo()"
        )

    def _ready(self) -> Any:
        """The storage, everything pending applied."""
        raise NotImplementedError

    def _move(self, device: str) -> None:
        """Bring an operand that is bound to no device to one."""
        raise NotImplementedError

    @property
    def _backend(self) -> Backend:
        from spbfs.backends import get_backend

        return get_backend(self.device)

    @property
    def nvals(self) -> int:
        """Number of stored entries."""
        data = self._ready()
        return self._backend.nvals(data)

    # -- element-wise operations -------------------------------------------------------------
    def _same_shape(self, other: Any, name: str = "other") -> None:
        if not isinstance(other, Operand) or other.ndim != self.ndim:
            kind = "vector" if self.ndim == 1 else "matrix"
            raise DomainMismatch(f"{name}: expected a {kind}, got {type(other).__name__}")
        if other.shape != self.shape:
            raise DimensionMismatch(f"{name}: expected shape {self.shape}, got {other.shape}")

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
        from spbfs.core.expression import delayed

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
        """Intersection: `op` where both have an entry (``times`` by default)."""
        self._same_shape(other)
        typed = self._binary(op, other)
        return self._expression(
            f"ewise_mult {typed.op.name}",
            (self, other),
            typed.out_type,
            lambda b, mask, hints: b.ewise_mult(self._ready(), other._ready(), typed),
        )

    def ewise_union(self, other: Any, op: Any, left_default: Any, right_default: Any) -> Expression:
        """Union in which an absent operand is replaced by its default."""
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

    # -- operations on stored values -----------------------------------------------------------
    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Expression:
        """`op` of every stored value.

        Parameters
        ----------
        op : operator, name or function
            A unary operator; or a binary one with one operand bound by `left` or `right`; or an
            index-unary one whose thunk is `right`.
        left, right : scalar, optional
            The bound operand.

        Raises
        ------
        InvalidValue
            When both `left` and `right` are given, or neither and `op` is binary.
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
        op : select operator, name or symbol
            By value (``"valuegt"`` or ``">"``) or by position (``"tril"``, ``"rowle"`` ...).
        thunk : scalar, optional
            What the operator compares with; 0 by default.
        """
        if isinstance(op, Operand):
            raise DomainMismatch(f"op: expected a select operator, got {type(op).__name__}")
        return self._index_expression(lookup.as_indexunary(op, "select"), thunk, "select")

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
        from spbfs.core.scalar import ScalarExpression

        name, monoid, values = self._reduction(op)
        return ScalarExpression(
            f"reduce {name}",
            self,
            monoid.dtype,
            lambda b: b.reduce(values(b, self._ready()), monoid),
            None if allow_empty else monoid.identity,
        )

    # -- comparison of whole objects -----------------------------------------------------------
    def isequal(self, other: Any, *, check_dtype: bool = False) -> bool:
        """Whether `other` has the same shape, pattern and values (NaN differs from NaN).

        Parameters
        ----------
        other : Matrix or Vector
        check_dtype : bool, optional
            Also require equal dtypes.
        """
        return self._compare(other, check_dtype, lambda x, y: x == y)

    def isclose(
        self,
        other: Any,
        *,
        rel_tol: float = 1e-7,
        abs_tol: float = 0.0,
        check_dtype: bool = False,
    ) -> bool:
        """Whether `other` has the same pattern, and values as close as ``math.isclose`` asks."""

        for name, tolerance in (("rel_tol", rel_tol), ("abs_tol", abs_tol)):
            if not is_scalar(tolerance):
                raise DomainMismatch(f"{name}: expected a number, got {tolerance!r}")

        def close(x: Any, y: Any) -> Any:
            x, y = x.astype(np.float64), y.astype(np.float64)
            with np.errstate(all="ignore"):
                bound = np.maximum(rel_tol * np.maximum(abs(x), abs(y)), abs_tol)
                return (x == y) | (np.isfinite(x) & np.isfinite(y) & (abs(x - y) <= bound))

        return self._compare(other, check_dtype, close)

    def _compare(self, other: Any, check_dtype: bool, same: Any) -> bool:
        if not isinstance(other, Operand) or other.ndim != self.ndim:
            kind = "vector" if self.ndim == 1 else "matrix"
            raise DomainMismatch(f"other: expected a {kind}, got {type(other).__name__}")
        if self.shape != other.shape or (check_dtype and self.dtype != other.dtype):
            return False
        backend = common_backend(self, other)
        if self.nvals != other.nvals:
            return False
        *mine, x = self._entries(backend)
        *theirs, y = other._entries(backend)
        if not all(bool((a == b).all()) for a, b in zip(mine, theirs, strict=True)):
            return False
        return bool(same(x, y).all())

    def _entries(self, backend: Backend) -> tuple[Any, ...]:
        """Indices and values of the stored entries in order, on the device."""
        raise NotImplementedError

    # -- infix ---------------------------------------------------------------------------------
    def _infix(self, symbol: str, left: Any, right: Any) -> Infix:
        from spbfs.core.infix import Infix

        return Infix(symbol, left, right)

    def __or__(self, other: Any) -> Any:
        return self._infix("|", self, other)

    def __and__(self, other: Any) -> Any:
        return self._infix("&", self, other)

    def __matmul__(self, other: Any) -> Any:
        return self._infix("@", self, other)

    def _arithmetic(self, other: Any, name: str, how: str, reflected: bool = False) -> Any:
        op = BINARY[name]
        if isinstance(other, Operand):
            left, right = (other, self) if reflected else (self, other)
            if how == "union":
                return left.ewise_union(right, op, False, False)
            return left.ewise_add(right, op) if how == "add" else left.ewise_mult(right, op)
        from spbfs.core.scalar import Scalar

        if not (is_scalar(other) or isinstance(other, Scalar)):
            return NotImplemented
        return self.apply(op, left=other) if reflected else self.apply(op, right=other)

    def __add__(self, other: Any) -> Any:
        return self._arithmetic(other, "plus", "add")

    def __radd__(self, other: Any) -> Any:
        return self._arithmetic(other, "plus", "add", reflected=True)

    def __sub__(self, other: Any) -> Any:
        return self._arithmetic(other, "minus", "union")

    def __rsub__(self, other: Any) -> Any:
        return self._arithmetic(other, "minus", "union", reflected=True)

    def __mul__(self, other: Any) -> Any:
        return self._arithmetic(other, "times", "mult")

    def __rmul__(self, other: Any) -> Any:
        return self._arithmetic(other, "times", "mult", reflected=True)

    def __truediv__(self, other: Any) -> Any:
        return self._arithmetic(other, "truediv", "mult")

    def __rtruediv__(self, other: Any) -> Any:
        return self._arithmetic(other, "truediv", "mult", reflected=True)

    def __floordiv__(self, other: Any) -> Any:
        return self._arithmetic(other, "floordiv", "mult")

    def __mod__(self, other: Any) -> Any:
        return self._arithmetic(other, "remainder", "mult")

    def __pow__(self, other: Any) -> Any:
        return self._arithmetic(other, "pow", "mult")

    def __lt__(self, other: Any) -> Any:
        return self._arithmetic(other, "lt", "mult")

    def __le__(self, other: Any) -> Any:
        return self._arithmetic(other, "le", "mult")

    def __gt__(self, other: Any) -> Any:
        return self._arithmetic(other, "gt", "mult")

    def __ge__(self, other: Any) -> Any:
        return self._arithmetic(other, "ge", "mult")

    def __eq__(self, other: Any) -> Any:
        return self._arithmetic(other, "eq", "mult")

    def __ne__(self, other: Any) -> Any:
        return self._arithmetic(other, "ne", "mult")

    __hash__ = None  # type: ignore[assignment]

    def __abs__(self) -> Any:
        return self.apply(UNARY["abs"])

    def __neg__(self) -> Any:
        return self.apply(UNARY["ainv"])

    def __invert__(self) -> Any:
        if not self.dtype.is_bool:
            raise DomainMismatch(f"~: expected a BOOL operand, got {self.dtype}")
        return self.apply(UNARY["lnot"])

    def __bool__(self) -> bool:
        raise DomainMismatch(
            f"the truth of a {type(self).__name__} is ambiguous; use .nvals, .isequal or .reduce"
        )
