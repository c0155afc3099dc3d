"""A single value that may be absent."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.objects.checks import is_scalar, to_scalar
from spbfs.objects.classes import classes
from spbfs.objects.scalar_arithmetic import ScalarArithmetic
from spbfs.operators import lookup
from spbfs.operators.dtypes import DType, lookup_dtype, scalar_dtype

__all__ = ["Scalar"]


class Scalar(ScalarArithmetic):
    """One value of one dtype, or none.

    Parameters
    ----------
    dtype : dtype-like
        As for `Matrix`.

    Examples
    --------
    >>> from spbfs import Scalar
    >>> s = Scalar(int)
    >>> s.is_empty
    True
    >>> s << 7
    >>> s.value, s == 7
    (7, True)

    Scalars take part in formulas, and so do delayed ones.

    >>> (s + 1).value, (s / 2).value, bool(s < 10)
    (8, 3.5, True)
    """

    __slots__ = ("_value", "dtype")

    def __init__(self, dtype: Any = "FP64") -> None:
        self.dtype: DType = lookup_dtype(dtype)
        self._value: np.generic | None = None

    @classmethod
    def from_value(cls, value: Any, dtype: Any = None) -> Scalar:
        """A Scalar that holds a number.

        Parameters
        ----------
        value : number
        dtype : dtype-like, optional
            That of `value` by default.

        Returns
        -------
        Scalar

        Examples
        --------
        >>> from spbfs import Scalar
        >>> Scalar.from_value(3), Scalar.from_value(3, float)
        (Scalar(3, dtype=INT64), Scalar(3.0, dtype=FP64))
        """
        scalar = cls(scalar_dtype(value) if dtype is None else dtype)
        scalar.value = value
        return scalar

    @property
    def value(self) -> Any:
        """The value as a Python number, or None when there is none."""
        return None if self._value is None else self._value.item()

    @value.setter
    def value(self, value: Any) -> None:
        if isinstance(value, Scalar):
            value = value.value
        if value is None:
            self._value = None
        elif is_scalar(value):
            self._value = to_scalar(value, self.dtype)
        else:
            raise DomainMismatch(f"value: expected a number, got {type(value).__name__}")

    @property
    def is_empty(self) -> bool:
        """Whether there is no value."""
        return self._value is None

    @property
    def nvals(self) -> int:
        """1 with a value, 0 without."""
        return 0 if self._value is None else 1

    def clear(self) -> None:
        """Remove the value."""
        self._value = None

    def dup(self, dtype: Any = None) -> Scalar:
        """A copy, perhaps of another dtype.

        Parameters
        ----------
        dtype : dtype-like, optional
            The Scalar's own by default.

        Returns
        -------
        Scalar

        Examples
        --------
        >>> from spbfs import Scalar
        >>> Scalar.from_value(3).dup(float)
        Scalar(3.0, dtype=FP64)
        """
        out = Scalar(self.dtype if dtype is None else dtype)
        out.value = self.value
        return out

    new = dup

    def _vector(self) -> Any:
        """The vector of one element, stored where there is a value."""
        v = classes.Vector(self.dtype, 1)
        if self._value is not None:
            v[0] = self._value
        return v

    def get(self, default: Any = None) -> Any:
        """The value as a Python number.

        Parameters
        ----------
        default : optional
            What to return where there is none.

        Returns
        -------
        number

        Examples
        --------
        >>> from spbfs import Scalar
        >>> Scalar.from_value(3).get(), Scalar(int).get(default=0)
        (3, 0)
        """
        return default if self._value is None else self.value

    def isequal(self, other: Any, *, check_dtype: bool = False) -> bool:
        """Whether another has the same value; two empty ones are equal.

        Parameters
        ----------
        other : Scalar, number or None
        check_dtype : bool, optional
            Also require equal dtypes.

        Returns
        -------
        bool

        Examples
        --------
        >>> from spbfs import Scalar
        >>> s = Scalar.from_value(3)
        >>> s.isequal(3.0), s.isequal(3.0, check_dtype=True), Scalar(int).isequal(None)
        (True, False, True)
        """
        if not isinstance(other, Scalar):
            if other is None:
                return self.is_empty
            other = Scalar.from_value(other)
        if check_dtype and self.dtype != other.dtype:
            return False
        return bool(self.value == other.value)

    def isclose(
        self, other: Any, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False
    ) -> bool:
        """Whether another is as close as ``math.isclose`` asks.

        Parameters
        ----------
        other : Scalar or number
        rel_tol, abs_tol : float, optional
            As of ``math.isclose``.
        check_dtype : bool, optional
            Also require equal dtypes.

        Returns
        -------
        bool

        Examples
        --------
        >>> from spbfs import Scalar
        >>> s = Scalar.from_value(3.0)
        >>> s.isclose(3.0 + 1e-9), s.isclose(3.1), s.isclose(3.1, abs_tol=0.2)
        (True, False, True)
        """
        other = other if isinstance(other, Scalar) else Scalar.from_value(other)
        if check_dtype and self.dtype != other.dtype:
            return False
        if self.is_empty or other.is_empty:
            return self.is_empty and other.is_empty
        return math.isclose(self.value, other.value, rel_tol=rel_tol, abs_tol=abs_tol)

    def update(self, value: Any, accum: Any = None) -> None:
        """Set the value: ``s << value`` and ``s(accum) << value``.

        Parameters
        ----------
        value : number, Scalar or delayed scalar
            An empty one clears this Scalar, unless `accum` is given.
        accum : binary operator or name, optional
            Combines the old value and the new one.

        Examples
        --------
        >>> from spbfs import Scalar, Vector
        >>> s = Scalar(int)
        >>> s.update(Vector.from_dense([1, 2]).reduce())
        >>> s.update(4, accum="times")
        >>> s.value
        12
        """
        if isinstance(value, ScalarArithmetic):
            value = value.new()._value
        if accum is not None:
            accum = lookup.as_binary(accum)
        if accum is not None and value is not None and self._value is not None:
            value = self._vector().apply(accum, right=value)[0].new()
        elif accum is not None and value is None:
            return
        self.value = value

    def __lshift__(self, value: Any) -> None:
        self.update(value)

    def __call__(self, accum: Any = None) -> _ScalarUpdater:
        return _ScalarUpdater(self, accum)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Scalar) or other is None or is_scalar(other):
            return self.isequal(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def _require(self) -> Any:
        if self._value is None:
            raise InvalidValue("an empty Scalar has no value")
        return self._value

    def __bool__(self) -> bool:
        return bool(self._require())

    def __int__(self) -> int:
        return int(self._require())

    def __float__(self) -> float:
        return float(self._require())

    def __index__(self) -> int:
        value = self._require()
        if self.dtype.is_float or self.dtype.is_bool:
            raise DomainMismatch(f"a {self.dtype} Scalar is no index")
        return int(value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.asarray(self._require(), dtype)

    def __repr__(self) -> str:
        return f"Scalar({'empty' if self.is_empty else self.value}, dtype={self.dtype})"


class _ScalarUpdater:
    """``s(accum) << value``."""

    def __init__(self, scalar: Scalar, accum: Any) -> None:
        self._scalar = scalar
        self._accum = accum

    def __lshift__(self, value: Any) -> None:
        self._scalar.update(value, self._accum)
