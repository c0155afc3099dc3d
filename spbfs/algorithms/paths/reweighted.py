"""Edges as long as Johnson's algorithm makes them: none negative, and the same paths shortest.

Johnson: Efficient algorithms for shortest paths in sparse networks (1977).
"""

from __future__ import annotations

import math
from typing import Any

from spbfs import binary, monoid, unary
from spbfs.algorithms.paths.single_source import sssp
from spbfs.algorithms.paths.tight import slack
from spbfs.algorithms.paths.weights import Weights
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector
from spbfs.operators.dtypes import FP64, INT64

__all__ = ["reweighted", "reweights_exactly"]

#: The least number of FP64 above 0, of which all others are multiples; bits that they have.
_LEAST, _BITS = 5e-324, 53


def reweighted(A: MatrixOperand, sources: Any) -> tuple[Matrix, Vector]:
    """The matrix of ``A[u, v] + h[u] - h[v]`` and h, the distances from the nearest of the sources.

    Edges that no source reaches are left out.  Unless lengths reweight exactly other paths may be
    the shortest ones.

    Raises
    ------
    NegativeCycle
        When a source reaches a cycle of negative length.
    """
    h = sssp(A, sources, parents=False).distances
    return slack(A, h), h


def reweights_exactly(A: MatrixOperand, weights: Weights) -> bool:
    """Whether all sums of lengths as Johnson makes them are within the type, and none is rounded.

    Beside a large potential a short length would be lost, and with it which path is the shortest.
    """
    n = A.nrows
    if weights.dtype is INT64:
        return bool(2 * n * weights.longest * n < 1 << 63)
    # A path is as long as n edges, an edge then twice as much and its own, and of edges as long as
    # that one more is looked at than the shortest paths have, which are three times as long.
    longest = 8.0 * n * weights.longest
    if longest == math.inf:
        return False
    # FP64 has all multiples of this up to there.
    unit = max(_LEAST, math.ldexp(1.0, math.frexp(longest)[1] - _BITS))
    units = A.apply(unary.identity[FP64]).new().apply(binary.truediv, right=unit).new()
    cut = units.ewise_mult(units.apply(unary.floor).new(), binary.ne).new()
    return not cut.reduce_scalar(monoid.lor).new().value
