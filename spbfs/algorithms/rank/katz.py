"""Katz centrality: all walks that end at a vertex, longer ones counting less.

Katz: A new status index derived from sociometric analysis (1953).
"""

from __future__ import annotations

from typing import Any

from spbfs import binary
from spbfs.algorithms.graphs import square
from spbfs.algorithms.numbers import real
from spbfs.algorithms.rank.arguments import constant, dense, limits, normalised, product, rounds
from spbfs.base.memory import require_bytes, typed_refusals
from spbfs.base.progress import Progress, Report
from spbfs.objects.checks import as_flag, is_scalar
from spbfs.objects.vector import Vector

__all__ = ["katz"]


@typed_refusals
def katz(
    A: Any,
    *,
    alpha: float = 0.1,
    beta: Any = 1.0,
    weighted: bool = False,
    normalized: bool = True,
    start: Any = None,
    tolerance: float | None = 1e-6,
    iterations: int = 1000,
    progress: bool | Progress | None = None,
) -> Vector:
    """The walks that end at every vertex, one of k edges counted ``alpha**k`` times.

    The solution of ``x = alpha * x plus.first A + beta``, by rounds of just that.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix, entry (u, v) for the edge from u to v; loops are edges.
    alpha : float, optional
        What one edge more makes of a walk; rounds converge where it is less than one over the
        largest absolute eigenvalue of `A`.
    beta : float, Vector or array_like, optional
        What a walk counts that begins at a vertex, for all or for each of them.
    weighted : bool, optional
        Multiply by the values along a walk, which must be finite.  By default all edges are alike.
    normalized : bool, optional
        Scale the result to Euclidean length 1.
    start : Vector, array_like or mapping, optional
        What to begin with, not normalized; by default zeros.
    tolerance : float or None, optional
        Rounds end with one whose changes are no more than this share of all scores, absolute
        values summed.  None: `iterations` rounds are made.
    iterations : int, optional
        Rounds that may be made.
    progress : bool or callable, optional
        True shows a bar of rounds; a function is called with rounds made, how many may be, and the
        edges followed so far.

    Returns
    -------
    Vector of float64
        n values, on the device of `A`.

    Raises
    ------
    ConvergenceFailure
        When so many iterations do not suffice, as where `alpha` is too large.
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        When an argument is not of the kind described.

    Notes
    -----
    A round takes work of the number of edges and one of vertices.  Equal to
    ``networkx.katz_centrality`` (with ``weight=None`` unless `weighted`), whose ``normalized``
    is the Euclidean length as well.  Undirected graphs have every edge in both directions.

    Memory is some numbers a vertex, and the transpose of `A`.  Without `weighted` values do not
    matter, zero, negative and NaN neither; with it a NaN is refused.  Of a graph without edges
    everybody has `beta`, scaled.  The result is the same on every run of one engine, up to rounding
    on another.

    References
    ----------
    Katz: A new status index derived from sociometric analysis (1953).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1], [1, 2], 1.0, nrows=3, ncols=3)
    >>> sb.katz(A, alpha=0.5, normalized=False).to_dense()
    array([1.  , 1.5 , 1.75])
    """
    matrix = square(A)
    n, device = matrix.nrows, matrix.device
    alpha = real(alpha, "alpha")
    ends, scaled = limits(tolerance, iterations), as_flag(normalized, "normalized")
    step = product(matrix, weighted, negative=True)
    if is_scalar(beta):
        require_bytes(8 * n, "A: a number a vertex")
        base = constant(real(beta, "beta"), n, device)
    else:
        base = dense(beta, "beta", n, device, negative=True)
    x = constant(0.0, n, device)
    if start is not None:
        x = dense(start, "start", n, device, negative=True)
    share = Vector(float, n, device=device)
    with Report(progress, ends[1], "katz", "round") as report:
        for _ in report.rounds(rounds(x, *ends), matrix.nvals):
            share << x.apply(binary.times, right=alpha)
            x << base
            x(binary.plus) << step(share @ matrix)
    return normalised(x) if scaled else x
