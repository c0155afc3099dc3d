"""Arithmetic of scalars: that of vectors of one element, whose types and absences they follow."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.exceptions import DomainMismatch, EmptyObject
from spbfs.objects import scalar_comparison
from spbfs.objects.checks import check_wait, is_scalar
from spbfs.operators.dtypes import DType, scalar_dtype

if TYPE_CHECKING:
    from spbfs.objects.scalar import Scalar

__all__ = ["ScalarArithmetic", "as_number", "number_dtype"]


class ScalarArithmetic:
    """What takes part in formulas such as ``s + 1`` or ``r.reduce() / n``: the result is a Scalar.

    An empty Scalar stays empty beside a number; of two Scalars, ``+`` and ``-`` are unions and the
    others intersections, as between vectors.
    """

    __slots__ = ("__weakref__",)

    ndim = 0
    shape = ()
    dtype: DType
    value: Any
    #: That of an expression is what `new` makes.
    _is_cscalar: bool = False

    def _filled(self) -> Scalar:
        """The Scalar itself, or one with the result."""
        raise NotImplementedError

    def new(self, dtype: Any = None) -> Scalar:
        """The value in a Scalar of its own.

        Parameters
        ----------
        dtype : dtype-like, optional
            Its own by default.

        Returns
        -------
        Scalar
        """
        raise NotImplementedError

    # -- what it holds ---------------------------------------------------------------------------
    @property
    def is_empty(self) -> bool:
        """Whether there is no value."""
        return self.value is None

    @property
    def nvals(self) -> int:
        """1 with a value, 0 without."""
        return 0 if self.value is None else 1

    @property
    def is_cscalar(self) -> bool:
        """What was asked for when it was made; nothing depends on it."""
        return self._is_cscalar

    @property
    def is_grbscalar(self) -> bool:
        """The opposite of `is_cscalar`."""
        return not self._is_cscalar

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
        >>> from spbfs import Scalar, Vector
        >>> Scalar.from_value(3).get(), Vector(int, 3).reduce().get(default=0)
        (3, 0)
        """
        value = self.value
        return default if value is None else value

    def wait(self, how: str = "materialize") -> Any:
        """Finish what was put off, of which a scalar has nothing.

        Parameters
        ----------
        how : {"materialize", "complete"}, optional

        Returns
        -------
        Scalar or expression
            The object itself.
        """
        check_wait(how)
        return self

    isequal = scalar_comparison.isequal
    isclose = scalar_comparison.isclose

    def _number(self) -> Any:
        value = self._filled()._value
        if value is None:
            raise DomainMismatch(f"an empty {self.dtype} Scalar is no number; see .is_empty, .get")
        return value

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(self._number())

    def __float__(self) -> float:
        return float(self._number())

    def __complex__(self) -> complex:
        return complex(self._number())

    def __index__(self) -> int:
        if self.dtype.is_float or self.dtype.is_bool:
            raise DomainMismatch(f"a {self.dtype} Scalar is no index")
        return int(self._number())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.asarray(self._number(), self.dtype.np_type if dtype is None else dtype)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ScalarArithmetic) or other is None or is_scalar(other):
            return self.isequal(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    # -- symbols -----------------------------------------------------------------------------------
    def _as_vector(self) -> Any:
        """The vector of one element, by the name that python-graphblas's recipes call."""
        return self.new()._vector()

    def _of(self, function: Callable[..., Any], *others: Any, reflected: bool = False) -> Any:
        if not all(is_scalar(x) or isinstance(x, ScalarArithmetic) for x in others):
            return NotImplemented
        operands = [x.new()._vector() if isinstance(x, ScalarArithmetic) else x for x in others]
        mine = self.new()._vector()
        result = function(*operands, mine) if reflected else function(mine, *operands)
        return result[0].new()

    def __add__(self, other: Any) -> Any:
        return self._of(operator.add, other)

    def __radd__(self, other: Any) -> Any:
        return self._of(operator.add, other, reflected=True)

    def __sub__(self, other: Any) -> Any:
        return self._of(operator.sub, other)

    def __rsub__(self, other: Any) -> Any:
        return self._of(operator.sub, other, reflected=True)

    def __mul__(self, other: Any) -> Any:
        return self._of(operator.mul, other)

    def __rmul__(self, other: Any) -> Any:
        return self._of(operator.mul, other, reflected=True)

    def __truediv__(self, other: Any) -> Any:
        return self._of(operator.truediv, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._of(operator.truediv, other, reflected=True)

    def __floordiv__(self, other: Any) -> Any:
        return self._of(operator.floordiv, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._of(operator.floordiv, other, reflected=True)

    def __mod__(self, other: Any) -> Any:
        return self._of(operator.mod, other)

    def __rmod__(self, other: Any) -> Any:
        return self._of(operator.mod, other, reflected=True)

    def __pow__(self, other: Any) -> Any:
        return self._of(operator.pow, other)

    def __rpow__(self, other: Any) -> Any:
        return self._of(operator.pow, other, reflected=True)

    def __lt__(self, other: Any) -> Any:
        return self._of(operator.lt, other)

    def __le__(self, other: Any) -> Any:
        return self._of(operator.le, other)

    def __gt__(self, other: Any) -> Any:
        return self._of(operator.gt, other)

    def __ge__(self, other: Any) -> Any:
        return self._of(operator.ge, other)

    def __neg__(self) -> Any:
        return self._of(operator.neg)

    def __abs__(self) -> Any:
        return self._of(operator.abs)

    def __invert__(self) -> Any:
        return self._of(operator.invert)


def as_number(value: Any, name: str) -> Any:
    """The number behind a scalar argument: of Python or NumPy, or in a Scalar, perhaps delayed.

    That of a Scalar is NumPy's, so that its type takes part as the Scalar's.
    """
    if isinstance(value, ScalarArithmetic):
        scalar = value.new()
        if scalar.is_empty:
            raise EmptyObject(f"{name}: expected a number, got an empty Scalar")
        return scalar._value
    if is_scalar(value):
        return value
    raise DomainMismatch(f"{name}: expected a number or Scalar, got {type(value).__name__}")


def number_dtype(value: Any, name: str) -> DType:
    """The type of a scalar argument: a Scalar's own, a number's as `scalar_dtype` has it."""
    if isinstance(value, ScalarArithmetic):
        made: DType = value.new().dtype
        return made
    return scalar_dtype(value, name)
