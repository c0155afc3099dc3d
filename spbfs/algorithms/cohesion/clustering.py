"""How many of the pairs of a vertex's neighbours are neighbours of each other.

Watts, Strogatz: Collective dynamics of small-world networks (1998); Fagiolo: Clustering in complex
directed networks (2007).
"""

from __future__ import annotations

from typing import Any

from spbfs import binary, select, semiring, unary
from spbfs.algorithms.cohesion.triangles import triangles
from spbfs.algorithms.graphs import (
    Method,
    both_ways,
    degrees,
    filled,
    square,
    way,
)
from spbfs.base.memory import typed_refusals
from spbfs.base.progress import Progress, Report
from spbfs.base.threads import resolve_threads
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector

__all__ = ["clustering", "transitivity"]


@typed_refusals
def clustering(
    A: Any,
    *,
    method: Method = "auto",
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> Vector:
    """The share of the pairs of each vertex's neighbours that an edge connects.

    Of an undirected graph, ``2 t / (d (d - 1))`` with `triangles` t and degrees d.  Of a directed
    one, as Fagiolo defines it: with ``M = A + A.T`` of the pattern, ``C(M.S) << plus_times(M @ M)``
    and t the rows of C times M summed, it is ``t / (2 (d (d - 1) - 2 b))``, where d counts edges
    out and in and b those that go both ways.  Where all edges do, the two are the same.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; an undirected graph is one whose pattern is symmetric.  Loops are
        dropped; values do not matter.
    method, threads, progress : optional
        As for `triangles`, of an undirected graph; of a directed one it is always composed.

    Returns
    -------
    Vector of float64
        n values, 0 where a vertex has fewer than two neighbours.  Their mean is the average
        clustering coefficient.

    Raises
    ------
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        As for `bfs`.

    Notes
    -----
    Work and memory are those of `triangles`; of a directed graph, of a product of M with itself
    where M has entries.  Counts are whole numbers, so that results are the same whatever the way
    and the threads.

    Zero, negative and NaN values are edges like others.  A graph without edges has 0 everywhere.

    References
    ----------
    Watts, Strogatz: Collective dynamics of small-world networks (1998); Fagiolo: Clustering in
    complex directed networks (2007).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 3], True, nrows=4, ncols=4)
    >>> sb.clustering(A | A.T).to_dense()
    array([1.        , 1.        , 0.33333333, 0.        ])
    >>> sb.clustering(A).to_dense()
    array([0.5       , 0.5       , 0.16666667, 0.        ])
    """
    matrix = square(A)
    if both_ways(matrix) is not matrix:
        way(None, method, matrix.device)
        if threads is not None:
            resolve_threads(threads)
        with Report(progress, matrix.nrows, "clustering", "row") as report:
            shares = _directed(matrix)
            report(matrix.nrows, matrix.nvals)
            return shares
    counts = triangles(matrix, method=method, threads=threads, progress=progress)
    return _shares(2 * counts, _pairs(degrees(matrix)))


@typed_refusals
def transitivity(
    A: Any,
    *,
    method: Method = "auto",
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> float:
    """The share of all paths of two edges whose ends are neighbours: three a triangle.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix.  Directions are ignored, loops are dropped, values do not matter.
    method, threads, progress : optional
        As for `triangles`.

    Returns
    -------
    float
        0.0 where no vertex has two neighbours.

    Raises
    ------
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        As for `bfs`.

    Notes
    -----
    Work and memory are those of `triangles`.  Directions, loops and values, zero, negative and NaN
    too, do not matter.  A graph without edges has 0.0; the result is the same whatever the method
    and the threads.

    References
    ----------
    Watts, Strogatz: Collective dynamics of small-world networks (1998); Fagiolo: Clustering in
    complex directed networks (2007).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 3], 1.0, nrows=4, ncols=4)
    >>> sb.transitivity(A)
    0.6
    """
    graph = both_ways(square(A))
    counts = triangles(graph, method=method, threads=threads, progress=progress)
    closed: Any = (2 * counts).new().reduce().value
    pairs: Any = _pairs(degrees(graph)).reduce().value
    return float(closed) / float(pairs) if pairs else 0.0


def _directed(A: MatrixOperand) -> Vector:
    """Triangles whatever their directions, over those that a vertex's edges could be part of."""
    n = A.nrows
    edges = select.offdiag(A).apply(unary.one["INT64"]).new()
    M = edges.ewise_add(edges.T, binary.plus).new()
    C = Matrix(int, n, n, device=A.device)
    # M is symmetric; of M.T the transpose is known, and dots do not multiply a hub's row by others.
    C(M.S) << semiring.plus_times(M @ M.T)
    counts = filled(C.ewise_mult(M, binary.times).new().reduce_rowwise().new())
    total = filled(M.reduce_rowwise().new())
    mutual = filled(select.valueeq(M, 2).reduce_rowwise("count").new())
    return _shares(counts, 2 * (_pairs(total) - 2 * mutual))


def _pairs(d: Vector) -> Vector:
    """Ordered pairs of d things each."""
    return (d * (d - 1)).new()


def _shares(counts: Any, whole: Any) -> Vector:
    """Counts over wholes, 0 where there is nothing that they could be a share of."""
    some = select.valuegt(whole.new(), 0).new()
    return filled(counts.new().ewise_mult(some, binary.truediv).new())
