"""What everything that stands for a matrix or a vector has in common.

An operand is stored (`Matrix`, `Vector`), a view (`A.T`) or delayed (an expression).  All of them
have a shape, a dtype and a device, and give their storage when asked; `elementwise` adds the
operations that they share, `arithmetic` the symbols for these, `matrix_operand` and
`vector_operand` what differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines import get_engine
from spbfs.exceptions import DeviceMismatch, DimensionMismatch, DomainMismatch, InvalidValue
from spbfs.objects.checks import is_scalar
from spbfs.objects.scalar_arithmetic import ScalarArithmetic
from spbfs.operators.dtypes import DType

if TYPE_CHECKING:
    from spbfs.engines.protocol import Engine, Hints, MaskData

__all__ = ["Operand", "common_engine", "scalar_operand"]


def scalar_operand(value: Any, name: str) -> Any:
    """The number behind a scalar argument: of Python or NumPy, or in a Scalar, perhaps delayed."""
    if isinstance(value, ScalarArithmetic):
        scalar = value.new()
        if scalar.is_empty:
            raise InvalidValue(f"{name}: expected a number, got an empty Scalar")
        return scalar.value
    if is_scalar(value):
        return value
    raise DomainMismatch(f"{name}: expected a number or Scalar, got {type(value).__name__}")


def common_engine(first: Operand, *others: Operand) -> Engine:
    """The engine of all operands; those not yet bound to a device move to the others' device."""
    device = first.device
    for operand in others:
        if operand.device != device:
            device = _brought_together((first, *others))
            break
    return get_engine(device)


def _brought_together(operands: tuple[Operand, ...]) -> str:
    """Where operands of several devices are from now on."""
    device = None
    for operand in operands:
        if operand._bound:
            if device is None:
                device = operand.device
            elif operand.device != device:
                raise DeviceMismatch(
                    "operands live on different devices: "
                    f"{', '.join(sorted((device, operand.device)))}; "
                    "move them with .to(device) first"
                )
    if device is None:
        device = operands[0].device
    for operand in operands:
        if operand.device != device:
            operand._move(device)
    return device


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
    #: What it is computed from, where it is.
    operands: Any = ()
    #: Whether `compute` leaves out what a mask does not admit, in storage that is nobody else's
    #: but for what was computed before (`_result`).
    applies_mask = False
    _result: Any = None
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

    def compute(self, engine: Engine, mask: MaskData | None, hints: Hints) -> Any:
        """The storage on an engine; outside of the mask it may have entries or not.

        Parameters
        ----------
        engine : Engine
        mask : MaskData or None
        hints : Hints

        Returns
        -------
        VectorData or MatrixData
        """
        return self._ready()

    def _lives_on(self, device: str) -> bool:
        """Whether it, or all that it is computed from, is on a device."""
        return self.device == device

    def _move(self, device: str) -> None:
        """Bring an operand that is bound to no device to one."""
        raise NotImplementedError

    @property
    def _engine(self) -> Engine:
        return get_engine(self.device)

    @property
    def nvals(self) -> int:
        """Number of stored entries."""
        data = self._ready()
        return self._engine.nvals(data)

    def __bool__(self) -> bool:
        raise DomainMismatch(
            f"the truth of a {type(self).__name__} is ambiguous; use .nvals, .isequal or .reduce"
        )

    def _same_shape(self, other: Any, name: str = "other") -> None:
        if not isinstance(other, Operand) or other.ndim != self.ndim:
            kind = "vector" if self.ndim == 1 else "matrix"
            raise DomainMismatch(f"{name}: expected a {kind}, got {type(other).__name__}")
        if other.shape != self.shape:
            raise DimensionMismatch(f"{name}: expected shape {self.shape}, got {other.shape}")

    # -- comparison of whole objects -----------------------------------------------------------
    def isequal(self, other: Any, *, check_dtype: bool = False) -> bool:
        """Whether another has the same shape, pattern and values (NaN differs from NaN).

        Parameters
        ----------
        other : Matrix or Vector
        check_dtype : bool, optional
            Also require equal dtypes.

        Returns
        -------
        bool

        Examples
        --------
        >>> import spbfs as sb
        >>> v = sb.Vector.from_dense([1, 2])
        >>> v.isequal(v.dup(float)), v.isequal(v.dup(float), check_dtype=True)
        (True, False)
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
        """Whether another has the same pattern, and values as close as ``math.isclose`` asks.

        Parameters
        ----------
        other : Matrix or Vector
        rel_tol, abs_tol : float, optional
            As of ``math.isclose``.
        check_dtype : bool, optional
            Also require equal dtypes.

        Returns
        -------
        bool

        Examples
        --------
        >>> import spbfs as sb
        >>> v = sb.Vector.from_dense([1.0, 2.0])
        >>> v.isclose(v + 1e-9), v.isclose(v + 0.1), v.isclose(v + 0.1, abs_tol=0.2)
        (True, False, True)
        """

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
        engine = common_engine(self, other)
        if self.nvals != other.nvals:
            return False
        *mine, x = self._entries(engine)
        *theirs, y = other._entries(engine)
        if not all(bool((a == b).all()) for a, b in zip(mine, theirs, strict=True)):
            return False
        return bool(same(x, y).all())

    def _entries(self, engine: Engine) -> tuple[Any, ...]:
        """Indices and values of the stored entries in order, on the device."""
        raise NotImplementedError
