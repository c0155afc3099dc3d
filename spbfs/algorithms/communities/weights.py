"""What of a graph counts for communities: the weights of its edges without direction."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs import binary, monoid, select, semiring, unary
from spbfs.exceptions import InvalidValue
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.parts import whole
from spbfs.objects.vector import Vector
from spbfs.storage.entries import on_host

__all__ = ["between", "least_members", "membership", "numbered", "sums_of_rows", "within"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Weights whose sum is a power of two beyond this, up or down, are scaled: gains are products.
MOST_EXPONENT = 256


def between(A: MatrixOperand) -> Matrix:
    """The weight between any two vertices, in FP64, symmetric; of a loop twice its weight.

    An edge in both directions has the weight that both of its entries have if all have the same,
    or else the sum of the two.  Edges of weight 0 are none.
    """
    kept = _checked(A.apply(unary.identity["FP64"]).new())
    back = kept.T.new()
    if not kept.isequal(back):
        return kept.ewise_add(back, binary.plus).new()
    loops = select.diag(kept).new()
    return kept.ewise_add(loops, binary.plus).new() if loops.nvals else kept


def _checked(weights: Matrix) -> Matrix:
    """Weights other than 0, if all are finite and from 0; in a range where products can be made."""
    bound = None
    for op in (monoid.min, monoid.plus):
        bound = weights.reduce_scalar(op).new().value
        if bound is not None and not (bound >= 0 and math.isfinite(bound)):
            raise InvalidValue(f"A: expected finite weights from 0 with a finite sum, got {bound}")
    exponent = math.frexp(bound or 1.0)[1]
    if abs(exponent) > MOST_EXPONENT:
        # A power of two, which changes what weights are to each other in nothing.
        scale = 2.0 ** max(-1000, min(1000, -exponent))
        weights = weights.apply(binary.times, right=scale).new()
    return select.valuene(weights, 0).new()


def sums_of_rows(W: Matrix) -> Floats:
    """The weight at every vertex."""
    sums: Any = W.reduce_rowwise().new()
    return np.asarray(on_host(whole(sums).to_dense(0.0)))


def membership(labels: Ints, communities: int, device: str) -> Matrix:
    """A row a vertex, with a 1 in the column of its community."""
    n = labels.shape[0]
    return Matrix.from_coo(range(n), labels, 1.0, nrows=n, ncols=communities, device=device)


def within(W: Matrix, labels: Ints, communities: int) -> Matrix:
    """The weight between any two communities: a graph of which they are the vertices."""
    S = membership(labels, communities, W.device)
    return semiring.plus_times(S.T @ semiring.plus_times(W @ S).new()).new()


def numbered(labels: Ints) -> tuple[Ints, int]:
    """Labels below n without gaps between them, in the same order, and how many there are."""
    places = np.cumsum(np.bincount(labels) > 0) - 1
    return places[labels], int(places[-1]) + 1 if labels.shape[0] else 0


def least_members(labels: Ints, device: str) -> Vector:
    """Everybody's community, a label below n, named by its least vertex."""
    n = labels.shape[0]
    least = np.empty(n, np.int64)
    # Of several that are written to one place the last stays.
    least[labels[::-1]] = np.arange(n - 1, -1, -1)
    return Vector.from_dense(least[labels], device=device)
