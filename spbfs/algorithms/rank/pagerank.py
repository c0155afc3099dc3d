"""PageRank: where a walker is who follows edges at random and now and then starts anew.

Page, Brin, Motwani, Winograd: The PageRank citation ranking: bringing order to the web (1999); Del
Corso, Gulli, Romani: Fast PageRank computation via a sparse linear system (2005), for vertices
without a way out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs import binary, monoid, semiring
from spbfs.algorithms.graphs import Method, full_vector, run_fused, square, way
from spbfs.algorithms.numbers import real
from spbfs.algorithms.rank.arguments import (
    constant,
    limits,
    product,
    rounded,
    rounds,
    score_type,
    shares,
)
from spbfs.base.memory import typed_refusals
from spbfs.base.progress import Progress, Report
from spbfs.base.threads import resolve_threads
from spbfs.engines.fused import Walk
from spbfs.exceptions import ConvergenceFailure
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.parts import whole
from spbfs.objects.vector import Vector
from spbfs.operators.dtypes import DType

__all__ = ["pagerank"]


@typed_refusals
def pagerank(
    A: Any,
    *,
    damping: float = 0.85,
    personalization: Any = None,
    weighted: bool = False,
    start: Any = None,
    tolerance: float | None = 1e-6,
    iterations: int = 100,
    dtype: Any = "FP64",
    method: Method = "auto",
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> Vector:
    """The share of its time that a random walk spends at every vertex.

    At every step the walker follows a random edge with probability `damping`, and otherwise, or
    where there is no edge, begins anew at a vertex drawn by `personalization`.  Scores sum to 1.

    A round is a product, ``r = damping * (r / d) plus.first A + (1 - damping) * t``, where d are
    out-degrees and t is `personalization`.  What is at vertices without a way out would only add
    more of t, and the fixed point with so many times t is so many times the other: it is left out,
    and made up for by scaling the scores at the end.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix, entry (u, v) for the edge from u to v; loops are edges.
    damping : float, optional
        From 0 on and below 1.
    personalization : Vector, array_like or mapping, optional
        How often walks begin at a vertex, not below 0; by default everywhere alike.  A mapping, or
        a pandas Series, has vertices, by name where `A` has labels; at others none begins.
    weighted : bool, optional
        Follow an edge as often as its value says, which must be finite and not below 0; a vertex
        whose edges all have the weight 0 has no way out.  By default all edges are alike.
    start : Vector, array_like or mapping, optional
        Scores to begin with, those of a similar graph, say; by default `personalization`, and less
        of it where no edge leads.
    tolerance : float or None, optional
        Rounds end with one that changes scores by no more than this, in the L1 norm; they are
        then within ``2 * tolerance * damping / (1 - damping)`` of the right ones.
        Of one smaller than `dtype` can tell, all `iterations` are made, and the last may change as
        much as rounding does.  None: `iterations` rounds are made.
    iterations : int, optional
        Rounds that may be made.
    dtype : {"FP64", "FP32"}, optional
        In which scores are kept.
    method : {"auto", "composed", "fused"}, optional
        As the program of products, as one call of the engine, or as that call where the engine has
        it.
    threads : int, optional
        Of the fused call on the CPU.
    progress : bool or callable, optional
        True shows a bar of rounds; a function is called with rounds made, how many may be, and the
        edges followed so far.  The one launch on a GPU is told of at its end.

    Returns
    -------
    Vector of `dtype`
        n scores, on the device of `A`.  They do not depend on the number of threads.

    Raises
    ------
    ConvergenceFailure
        When so many iterations do not suffice.
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        When an argument is not of the kind described.

    Notes
    -----
    A round takes work of the number of edges and one of vertices, and memory of a few numbers a
    vertex beside `A` and its transpose, which is kept with `A`.  The number of rounds is about
    ``log(tolerance) / log(damping)`` at most, 85 by default.

    Equal to ``networkx.pagerank`` (with ``weight=None`` unless `weighted`), which scales scores to
    sum 1 as well and gives what is at vertices without a way out to `personalization`.

    Without `weighted` values do not matter, zero, negative and NaN neither; with it a negative
    weight or a NaN is refused.  A graph without edges has scores by `personalization` alone.  The
    result is the same on every run of one engine, up to rounding on another.

    References
    ----------
    Page, Brin, Motwani, Winograd: The PageRank citation ranking: bringing order to the web (1999);
    Del Corso, Gulli, Romani: Fast PageRank computation via a sparse linear system (2005), for
    vertices without a way out.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1, 2, 3], [1, 2, 1, 1], 1.0, nrows=4, ncols=4)
    >>> sb.pagerank(A).to_dense().round(3)
    array([0.038, 0.48 , 0.445, 0.038])
    >>> sb.pagerank(A, personalization=[1, 0, 0, 0]).to_dense().round(3)
    array([0.15 , 0.459, 0.391, 0.   ])
    """
    matrix = square(A)
    n, device, kind = matrix.nrows, matrix.device, score_type(dtype)
    damping = real(damping, "damping", 0.0, 1.0)
    ends = limits(tolerance, iterations)
    threads = None if threads is None else resolve_threads(threads)
    fused = way(matrix._engine.fused.pagerank, method, device)
    step = product(matrix, weighted, kind)
    given = (personalization, "personalization"), (start, "start")
    restart, first = (
        None if values is None else whole(shares(values, name, n, device)).to_dense()
        for values, name in given
    )
    if n == 0:
        return Vector(kind, 0, device=device)
    weights = None
    if weighted:
        matrix, sums = _within_range(matrix, kind)
        weights = whole(sums).to_dense(0.0)
    walk = Walk(damping, restart, first, weights, *ends, kind.np_type)
    with Report(progress, walk.iterations, "pagerank", "round") as report:
        if fused is None:
            return _products(matrix, step, walk, report)
        found = run_fused("pagerank", matrix, fused, walk, threads, report.told)
    if walk.tolerance is not None and not found.converged:
        change = found.change if found.rounds else None
        if not rounded(change, walk.tolerance, kind, damping):
            raise ConvergenceFailure(found.rounds, found.change, walk.tolerance)
    return full_vector(matrix, found.values)


def _within_range(A: MatrixOperand, kind: DType) -> tuple[MatrixOperand, Vector]:
    """The graph, and what the weights of every vertex sum to, which scores can be divided by.

    Where sums are beyond half of the exponents that `kind` has, up or down, weights are replaced by
    their shares of the sum.
    """
    sums = A.reduce_rowwise(monoid.plus["FP64"]).new()
    positive = sums.select(">", 0).new()
    least, most = (positive.reduce(way).new().value for way in ("min", "max"))
    bound = 2.0 ** (np.finfo(kind.np_type).maxexp // 2)
    if least is None or (least * bound >= 1 and most <= bound):
        return A, sums
    # By the row's sum, in double precision, and only then in the type of scores.
    parts = semiring.any_rtruediv["FP64"](positive.diag() @ A).new(kind)
    return parts, parts.reduce_rowwise(monoid.plus["FP64"]).new()


def _products(A: MatrixOperand, step: Any, walk: Walk, report: Report) -> Vector:
    """The rounds as products on any engine."""
    n, device = A.nrows, A.device

    def vector(values: Any) -> Vector:
        if values is None:
            return constant(1 / n, n, device)
        return Vector.from_dense(values, device=device)

    restart = vector(walk.restart)
    rest = 1 - walk.damping
    if walk.start is None:
        r = restart.dup()
        # Who has no in-edges is where the fixed point has it, other components keep what they have.
        entered = A.reduce_columnwise("count").new()
        r(~entered.S) << r.apply(binary.times, right=rest)
    else:
        r = vector(walk.start)
    weight = A.reduce_rowwise("count").new("FP64")
    if walk.weights is not None:
        weight = vector(walk.weights).select(">", 0).new()
    # By what a vertex's score is multiplied before it goes along its edges.
    flow = weight.apply(binary.truediv, left=walk.damping).new()
    # What the scores of the fixed point sum to where as much of them is stuck.
    begun, stuck = (v.reduce().new().value or 0.0 for v in (r, r.dup(mask=~flow.S)))
    r << r.apply(binary.times, right=rest / (rest * begun + walk.damping * stuck))
    base = restart.apply(binary.times, right=rest).new(walk.dtype)
    r, flow = r.dup(walk.dtype), flow.dup(walk.dtype)
    share = Vector(walk.dtype, n, device=device)
    for _ in report.rounds(rounds(r, walk.tolerance, walk.iterations, walk.damping), A.nvals):
        share << r.ewise_mult(flow, binary.times)
        r << base
        r(binary.plus) << step(share @ A)
    scores: Vector = r.apply(binary.truediv, right=r.reduce().new("FP64").value).new(walk.dtype)
    return scores
