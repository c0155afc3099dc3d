"""Triangles: how many each vertex is a corner of, by products that the edges themselves mask.

Azad, Buluc, Gilbert: Parallel triangle counting and enumeration using matrix algebra (2015); Wolf,
Deveci, Berry, Hammond, Rajamanickam: Fast linear algebra-based triangle counting with KokkosKernels
(2017), for the form ``C(L.S) << plus_pair(L @ L.T)``.
"""

from __future__ import annotations

from typing import Any

from spbfs import binary, select, semiring
from spbfs.algorithms.graphs import (
    Method,
    both_ways,
    full_vector,
    run_fused,
    square,
    undirected,
    way,
)
from spbfs.base.memory import typed_refusals
from spbfs.base.progress import Progress, Report
from spbfs.base.threads import resolve_threads
from spbfs.objects.matrix import Matrix
from spbfs.objects.vector import Vector

__all__ = ["triangles"]


@typed_refusals
def triangles(
    A: Any,
    *,
    method: Method = "auto",
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> Vector:
    """How many triangles each vertex is a corner of.

    With L the entries of the graph below its diagonal, ``C(L.S) << plus_pair(L @ L.T)`` has at
    (i, j) the triangles i > j > k: a row of C sums to those whose greatest vertex is i, a column to
    those in whose middle j is.  ``D(L.S) << plus_pair(L @ L)`` has at (i, k) the same triangles,
    and its columns sum to those whose least vertex is k.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix.  Directions are ignored, (u, v) is an edge where it or (v, u) is
        stored; loops are dropped; values, zeros and NaN as well, do not matter.
    method : {"auto", "composed", "fused"}, optional
        As the program of products above, as one call of the engine, or as that call where the
        engine has it.
    threads : int, optional
        Of the fused call on the CPU.
    progress : bool or callable, optional
        True shows a bar of rows; a function is called with rows that were begun, how many there
        are, and their entries.  Products, and the one launch on a GPU, are told of at their end.

    Returns
    -------
    Vector of int64
        n values, 0 where there is none.  All triangles are a third of their sum.

    Raises
    ------
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        As for `bfs`.

    Notes
    -----
    Work is the sum over edges of the shorter of two rows, at most m sqrt(m), where the engine
    numbers vertices by degree; memory is a copy of half of the graph.  The result is the same
    whatever the way and the threads.

    An undirected graph may have its edges in one direction or in both.  Negative values are edges
    like others; a graph without edges has 0 everywhere.

    References
    ----------
    Azad, Buluc, Gilbert: Parallel triangle counting and enumeration using matrix algebra (2015);
    Wolf, Deveci, Berry, Hammond, Rajamanickam: Fast linear algebra-based triangle counting with
    KokkosKernels (2017), for the form ``C(L.S) << plus_pair(L @ L.T)``.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 3], 1.0, nrows=5, ncols=5)
    >>> sb.triangles(A).to_dense()
    array([1, 1, 1, 0, 0])
    """
    matrix = square(A)
    threads = None if threads is None else resolve_threads(threads)
    fused = way(matrix._engine.fused.triangles, method, matrix.device)
    with Report(progress, matrix.nrows, "triangles", "row") as report:
        if fused is None:
            counts = _products(undirected(matrix))
            report(matrix.nrows, matrix.nvals)
            return counts
        both = both_ways(matrix)
        return full_vector(matrix, run_fused("triangles", both, fused, threads, report.told))


def _products(S: Matrix) -> Vector:
    """By the greatest, the middle and the least vertex of every triangle."""
    n = S.nrows
    L = select.tril(S, -1).new()
    upper, lower = Matrix(int, n, n, device=S.device), Matrix(int, n, n, device=S.device)
    upper(L.S) << semiring.plus_pair(L @ L.T)
    lower(L.S) << semiring.plus_pair(L @ L)
    counts = Vector(int, n, device=S.device)
    counts[:] = 0
    counts(binary.plus) << upper.reduce_rowwise()
    counts(binary.plus) << upper.reduce_columnwise()
    counts(binary.plus) << lower.reduce_columnwise()
    return counts
