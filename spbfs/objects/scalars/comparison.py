"""Whether two scalars are equal, or nearly so; two empty ones are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch
from spbfs.objects.checks import is_scalar
from spbfs.objects.classes import classes
from spbfs.operators.dtypes import scalar_dtype

if TYPE_CHECKING:
    from spbfs.objects.scalars.arithmetic import ScalarArithmetic

__all__ = ["check_tolerances", "isclose", "isequal"]


def check_tolerances(rel_tol: Any, abs_tol: Any) -> None:
    """Refuse what is no number."""
    for name, tolerance in (("rel_tol", rel_tol), ("abs_tol", abs_tol)):
        try:
            real = is_scalar(tolerance) and not np.iscomplexobj(tolerance)
            number = float(tolerance) if real else None
        except (TypeError, ValueError, OverflowError):  # of a date, a name, beyond all
            number = None
        if number is None:
            raise DomainMismatch(f"{name}: expected a number, got {brief(tolerance)}")


def isequal(self: ScalarArithmetic, other: Any, *, check_dtype: bool = False) -> bool:
    """Whether another has the same value; two empty ones are equal.

    Parameters
    ----------
    other : Scalar, number or None
    check_dtype : bool, optional
        Also require equal dtypes of two Scalars; a plain number fits any.

    Returns
    -------
    bool

    Examples
    --------
    >>> from spbfs import Scalar
    >>> s, t = Scalar.from_value(3), Scalar.from_value(3.0)
    >>> s.isequal(t), s.isequal(t, check_dtype=True), Scalar(int).isequal(None)
    (True, False, True)
    """
    return _compare(self, other, check_dtype, lambda x, y: bool(x == y))


def isclose(
    self: ScalarArithmetic,
    other: Any,
    *,
    rel_tol: float = 1e-7,
    abs_tol: float = 0.0,
    check_dtype: bool = False,
) -> bool:
    """Whether another is as close as ``math.isclose`` asks; two empty ones are.

    Parameters
    ----------
    other : Scalar, number or None
    rel_tol, abs_tol : float, optional
        As of ``math.isclose``.
    check_dtype : bool, optional
        Also require equal dtypes of two Scalars; a plain number fits any.

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
    check_tolerances(rel_tol, abs_tol)
    return _compare(
        self,
        other,
        check_dtype,
        lambda x, y: math.isclose(x, y, rel_tol=rel_tol, abs_tol=abs_tol),
    )


def _compare(self: ScalarArithmetic, other: Any, check_dtype: bool, same: Any) -> bool:
    mine = self.value
    if other is None:
        return mine is None
    if isinstance(other, classes.ScalarArithmetic):
        if check_dtype and self.dtype != other.dtype:
            return False
        theirs = other.value
    else:
        scalar_dtype(other, "other")  # refuses what is no number
        theirs = other
    if mine is None or theirs is None:
        return mine is None and theirs is None
    return bool(same(mine, theirs))
