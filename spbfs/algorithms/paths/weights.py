"""The values of a matrix as lengths of edges: what they may be, and the type that adds them up."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from spbfs import monoid, select, unary
from spbfs.base.flags import any_true
from spbfs.exceptions import InvalidEntry, InvalidValue
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.operators.dtypes import FP64, INT64, DType
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import keeping
from spbfs.storage.entries import array_module

__all__ = [
    "Weights",
    "check_weights",
    "refuse_first",
    "usable_edges",
    "value_range",
    "weights_of",
]

#: What a length of INT64 is less than.
_NO_PATH = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Weights:
    """The least of a graph's weights, the greatest, the mean, and the type of distances."""

    least: Any
    greatest: Any
    mean: float
    dtype: DType

    @property
    def negative(self) -> bool:
        """Whether an edge may make a path shorter."""
        return bool(self.least < 0)

    @property
    def longest(self) -> Any:
        """The greatest length of an edge, whatever its sign."""
        return max(-self.least, self.greatest)

    def of(self, A: MatrixOperand) -> MatrixOperand:
        """The matrix in the type of distances, without the edges that nobody can use."""
        weighted = A if A.dtype == self.dtype else A.apply(unary.identity[self.dtype]).new()
        return select.valuelt(weighted, math.inf).new() if self.greatest == math.inf else weighted


def check_weights(A: MatrixOperand) -> Weights:
    """The weights of a square matrix, refused where paths over them have no length."""
    found = weights_of(A)
    if found.greatest < math.inf and not _within(found, _most_edges(A, found.negative)):
        instead = "infinity where there is no edge" if found.dtype is FP64 else "FP64"
        raise InvalidValue(
            f"A: paths over weights from {found.least} to {found.greatest} may be longer than "
            f"{found.dtype.name} holds; expected smaller ones, or {instead}"
        )
    return found


def weights_of(A: MatrixOperand) -> Weights:
    """The weights of a matrix, whatever the length of paths over them; refused where one is no
    length of an edge."""
    least, greatest, mean = value_range(A)
    if not A.dtype.is_float:
        return Weights(int(least), int(greatest), mean, INT64)
    if math.isnan(least) or least == -math.inf:
        refuse_first(A, lambda x: (x != x) | (x == -math.inf), "the length of an edge")
    return Weights(float(least), float(greatest), mean, FP64)


def usable_edges(A: MatrixOperand) -> tuple[MatrixOperand, Weights]:
    """The matrix without edges of length infinity, which are none, and the weights of others."""
    weights = check_weights(A)
    if weights.greatest < math.inf:
        return A, weights
    A = weights.of(A)
    return A, check_weights(A)


def _most_edges(A: MatrixOperand, negative: bool) -> int:
    """The most edges of a walk whose length is found: of a path, but where lengths are negative a
    cycle is gone round for as many edges as there are vertices before it is named."""
    path = min(A.nrows - 1, A._ready().nvals)
    return max(1, 2 * A.nrows if negative else path)


def _within(weights: Weights, edges: int) -> bool:
    """Whether sums of so many lengths are numbers of the type that stand for nothing else: the
    greatest integer is that of no path."""
    if weights.dtype is INT64:
        return bool(edges * weights.longest < _NO_PATH)
    # Every addition may round up.
    return bool(edges * (1 + (edges - 1) * sys.float_info.epsilon) * weights.longest < math.inf)


def value_range(A: MatrixOperand) -> tuple[Any, Any, float]:
    """The least, the greatest and the mean value, NaN where one is; found once, then kept."""
    data = A._ready()
    known = data.derived.value_range
    if known is None:
        known = 0, 0, 0.0
        if data.nvals:
            find = _of_array if A._engine.spread is None else _of_reductions
            known = find(A)
        with keeping:
            data.derived.value_range = known
    return known


def _of_array(A: MatrixOperand) -> tuple[Any, Any, float]:
    values = A._ready().values
    if values.strides == (0,):
        values = values[:1]
    with np.errstate(all="ignore"):  # of numbers whose sum is none
        mean = float(values.mean(dtype=np.float64))
    return values.min().item(), values.max().item(), mean


def _of_reductions(A: MatrixOperand) -> tuple[Any, Any, float]:
    """The same where no array has all values."""
    if A.dtype.is_float and unary.isnan(A).new().reduce_scalar(monoid.lor).new().value:
        return math.nan, math.nan, math.nan
    least, greatest = (A.reduce_scalar(op).new().value for op in (monoid.min, monoid.max))
    total = A.apply(unary.identity[FP64]).new().reduce_scalar(monoid.plus).new().value
    return least, greatest, float(total or 0.0) / A._ready().nvals


def refuse_first(A: MatrixOperand, wrong: Callable[[Any], Any], expected: str) -> NoReturn:
    """Raise for the first value that is wrong, by its row and column; over ranks for the first of
    the first rank that has one."""
    spread = A._engine.spread
    if spread is None:
        _refuse_first(A._ready(), wrong, expected)
    else:
        here = A.new().local._ready()
        spread.settle(lambda: _refuse_first(here, wrong, expected))
    raise AssertionError("one of the values is wrong")


def _refuse_first(data: MatrixData, wrong: Callable[[Any], Any], expected: str) -> None:
    """Raise for the first value here that is wrong, where there is one."""
    flags = wrong(data.values)
    if not any_true(flags):
        return
    xp = array_module(data.values)
    at = int(flags.argmax())
    row = int(xp.searchsorted(data.indptr, xp.asarray([at], data.indptr.dtype), side="right")[0])
    value = data.values[at].item()
    message = f"A: entry ({{}}, {{}}) is {value}; expected {expected}"
    raise InvalidEntry(message, row - 1, data.indices[at])
