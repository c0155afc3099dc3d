"""Whether two whole objects are equal, or nearly so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base import tracing
from spbfs.base.flags import all_true
from spbfs.objects.checks import as_flag, check_ndim
from spbfs.objects.placement.devices import common_engine
from spbfs.objects.scalars.comparison import check_tolerances
from spbfs.objects.waiting import as_it_is

if TYPE_CHECKING:
    from spbfs.objects.operands.operand import Operand

__all__ = ["isclose", "isequal"]


def isequal(self: Operand, other: Any, *, check_dtype: bool = False) -> bool:
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
    return _compare("isequal", self, other, check_dtype, lambda x, y: x == y)


def isclose(
    self: Operand,
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
    check_tolerances(rel_tol, abs_tol)

    def close(x: Any, y: Any) -> Any:
        x, y = x.astype(np.float64), y.astype(np.float64)
        with np.errstate(all="ignore"):
            bound = np.maximum(rel_tol * np.maximum(abs(x), abs(y)), abs_tol)
            return (x == y) | (np.isfinite(x) & np.isfinite(y) & (abs(x - y) <= bound))

    return _compare("isclose", self, other, check_dtype, close)


def _compare(operation: str, self: Operand, other: Any, check_dtype: bool, same: Any) -> bool:
    check_ndim(other, self.ndim)
    start = tracing.clock()
    answer = _same(self, other, as_flag(check_dtype, "check_dtype"), same)
    if start:
        tracing.finish(operation, self.device, tracing.clock() - start, None)
    return answer


def _same(self: Operand, other: Any, typed: bool, same: Any) -> bool:
    if self.shape != other.shape or (typed and self.dtype != other.dtype):
        return False
    engine = common_engine(self, other)
    left = as_it_is(self)
    right = left if other is self else as_it_is(other)
    if left.nvals != right.nvals:
        return False
    if engine.spread is not None:
        return engine.spread.compare(left._ready(), right._ready(), same)
    *mine, x = left._entries(engine)
    *theirs, y = right._entries(engine)
    if not all(all_true(a == b) for a, b in zip(mine, theirs, strict=True)):
        return False
    return all_true(same(x, y))
