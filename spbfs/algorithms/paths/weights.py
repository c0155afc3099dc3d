"""The values of a matrix as lengths of edges: what they may be, and the type that adds them up."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from spbfs import select, unary
from spbfs.exceptions import InvalidValue
from spbfs.objects.checks import MAX_SIZE
from spbfs.objects.matrix_operand import MatrixOperand
from spbfs.operators.dtypes import FP64, INT64, DType
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import keeping
from spbfs.storage.entries import array_module

__all__ = ["Weights", "check_weights", "refuse_first", "value_range"]

_MOST = sys.float_info.max


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
    def most(self) -> float | None:
        """The greatest sum of lengths that is one, where sums may be beyond the type."""
        beyond = self.dtype is FP64 and self.greatest > _MOST / MAX_SIZE
        return _MOST if beyond else None

    def of(self, A: MatrixOperand) -> MatrixOperand:
        """The matrix in the type of distances, without the edges that nobody can use."""
        weighted = A if A.dtype == self.dtype else A.apply(unary.identity[self.dtype]).new()
        return select.valuelt(weighted, math.inf).new() if self.greatest == math.inf else weighted


def check_weights(A: MatrixOperand) -> Weights:
    """The weights of a square matrix, refused where paths over them have no length."""
    data = A._ready()
    least, greatest, mean = value_range(data)
    if data.values.dtype.kind == "f":
        if math.isnan(least) or least == -math.inf:
            xp, nan = array_module(data.values), math.isnan(least)
            wrong = xp.isnan(data.values) if nan else data.values == -math.inf
            refuse_first(data, wrong, "the length of an edge")
        return Weights(float(least), float(greatest), mean, FP64)
    longest = min(max(data.nrows - 1, 0), data.nvals) * max(-int(least), int(greatest))
    if longest >= 1 << 63:
        raise InvalidValue(
            f"A: paths over weights from {least} to {greatest} may be longer than INT64 holds; "
            "expected smaller ones, or FP64"
        )
    return Weights(int(least), int(greatest), mean, INT64)


def value_range(data: MatrixData) -> tuple[Any, Any, float]:
    """The least, the greatest and the mean value, NaN where one is; found once, then kept."""
    known = data.derived.value_range
    if known is None:
        values = data.values[:1] if data.values.strides == (0,) else data.values
        known = 0, 0, 0.0
        if data.nvals:
            with np.errstate(all="ignore"):  # of numbers whose sum is none
                mean = float(values.mean(dtype=np.float64))
            known = values.min().item(), values.max().item(), mean
        with keeping:
            data.derived.value_range = known
    return known


def refuse_first(data: MatrixData, wrong: Any, expected: str) -> NoReturn:
    """Raise for the first of the values that are wrong, by its row and column."""
    xp = array_module(data.values)
    at = int(wrong.argmax())
    row = int(xp.searchsorted(data.indptr, xp.asarray([at], data.indptr.dtype), side="right")[0])
    place, value = (row - 1, int(data.indices[at])), data.values[at].item()
    raise InvalidValue(f"A: entry {place} is {value}; expected {expected}")
