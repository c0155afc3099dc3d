"""Eigenvector centrality: everybody is worth what those who point there are, up to a factor.

Bonacich: Power and centrality: a family of measures (1987).
"""

from __future__ import annotations

from typing import Any

from spbfs import binary, monoid, unary
from spbfs.algorithms.graphs import square
from spbfs.algorithms.rank.arguments import limits, normalised, product, rounds, started
from spbfs.base.memory import typed_refusals
from spbfs.base.progress import Progress, Report
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector

__all__ = ["eigenvector"]


@typed_refusals
def eigenvector(
    A: Any,
    *,
    weighted: bool = False,
    start: Any = None,
    tolerance: float | None = 1e-6,
    iterations: int = 100,
    progress: bool | Progress | None = None,
) -> Vector:
    """The left eigenvector of the largest eigenvalue, by the power method.

    A round is ``x = x + x plus.first A``, scaled to Euclidean length 1: the matrix with a loop
    more at every vertex has the same eigenvectors, and no second eigenvalue that is as large in
    absolute value, as bipartite graphs have.  With weights w a loop weighs what they are on
    average, each counted as often as it says, ``sum(w * w) / sum(w)``: rounds do not depend on the
    unit of the weights.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix, entry (u, v) for the edge from u to v; loops are edges.
    weighted : bool, optional
        Take the values, which must be finite and not below 0.  By default all edges are alike.
    start : Vector, array_like or mapping, optional
        What to begin with, not below 0 and not all 0; by default everybody alike.
    tolerance : float or None, optional
        Rounds end with one whose changes are no more than this share of all values, both summed.
        None: `iterations` rounds are made.
    iterations : int, optional
        Rounds that may be made.
    progress : bool or callable, optional
        True shows a bar of rounds; a function is called with rounds made, how many may be, and the
        edges followed so far.

    Returns
    -------
    Vector of float64
        n values of at least 0, on the device of `A`; of Euclidean length 1.

    Raises
    ------
    ConvergenceFailure
        When so many iterations do not suffice: a directed graph without cycles has no positive
        eigenvalue, and where two are nearly as large it takes long.
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        When an argument is not of the kind described.

    Notes
    -----
    A round takes work of the number of edges and one of vertices.  Where a graph has several parts
    with the same largest eigenvalue, all of them without edges too, the result depends on `start`.
    Equal to ``networkx.eigenvector_centrality`` (with ``weight=None`` unless `weighted`), which
    has the same length and makes the same rounds, with weights those of loops of weight 1.

    Memory is some numbers a vertex, and the transpose of `A`.  Without `weighted` values do not
    matter, zero, negative and NaN neither; with it a NaN is refused.  Of a graph without edges all
    have the same share.  The result is the same on every run of one engine, up to rounding on
    another.

    References
    ----------
    Bonacich: Power and centrality: a family of measures (1987).

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.eigenvector(sb.generate.star(5)).to_dense().round(3)
    array([0.707, 0.354, 0.354, 0.354, 0.354])
    """
    matrix = square(A)
    ends = limits(tolerance, iterations)
    step = product(matrix, weighted)
    loop = _mean_weight(matrix) if weighted else 1.0
    x = normalised(started(start, matrix.nrows, matrix.device))
    with Report(progress, ends[1], "eigenvector", "round") as report:
        for _ in report.rounds(rounds(x, *ends), matrix.nvals):
            along = step(x @ matrix).new()
            if loop != 1.0:
                x << x.apply(binary.times, right=loop)
            x(binary.plus) << along
            x << normalised(x)
    return x


def _mean_weight(A: MatrixOperand) -> float:
    """The mean of the weights, each counted as often as it says; 1 where all are 0."""
    largest = A.reduce_scalar("max").new().value
    if not largest:
        return 1.0
    # Of the largest, so that no square overflows.
    shares = A.apply(unary.identity["FP64"]).new().apply(binary.truediv, right=float(largest)).new()
    squares: Any = shares.ewise_mult(shares, binary.times).new()
    total = monoid.plus["FP64"]
    mean = squares.reduce_scalar(total).new().value / shares.reduce_scalar(total).new().value
    return float(largest) * float(mean)
