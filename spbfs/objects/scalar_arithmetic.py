"""Arithmetic of scalars: that of vectors of one element, whose types and absences they follow."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.objects.checks import is_scalar

if TYPE_CHECKING:
    from spbfs.objects.scalar import Scalar

__all__ = ["ScalarArithmetic", "as_number"]


class ScalarArithmetic:
    """What takes part in formulas such as ``s + 1`` or ``r.reduce() / n``: the result is a Scalar.

    An empty Scalar stays empty beside a number; of two Scalars, ``+`` and ``-`` are unions and the
    others intersections, as between vectors.
    """

    __slots__ = ()

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
    """The number behind a scalar argument: of Python or NumPy, or in a Scalar, perhaps delayed."""
    if isinstance(value, ScalarArithmetic):
        scalar = value.new()
        if scalar.is_empty:
            raise InvalidValue(f"{name}: expected a number, got an empty Scalar")
        return scalar.value
    if is_scalar(value):
        return value
    raise DomainMismatch(f"{name}: expected a number or Scalar, got {type(value).__name__}")
