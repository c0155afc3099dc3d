"""Cores: the largest parts of a graph in which everybody has k neighbours or more.

Batagelj, Zaversnik: An O(m) algorithm for cores decomposition of networks (2003); Kabir, Madduri:
Parallel k-core decomposition on multicore platforms (2017), for the rounds of equal degree.
"""

from __future__ import annotations

from typing import Any

from spbfs import binary, select, semiring, unary
from spbfs.algorithms.graphs import (
    Method,
    both_ways,
    degrees,
    full_vector,
    run_fused,
    square,
    undirected,
    way,
)
from spbfs.base.memory import typed_refusals
from spbfs.base.threads import resolve_threads
from spbfs.objects.assignment.statement import replace
from spbfs.objects.checks import as_size
from spbfs.objects.matrix import Matrix
from spbfs.objects.vector import Vector

__all__ = ["core_numbers", "k_core"]


@typed_refusals
def core_numbers(A: Any, *, method: Method = "auto", threads: int | None = None) -> Vector:
    """The greatest k for which each vertex is in the k-core, where all have k neighbours or more.

    By peeling: for k = 0, 1, ... the vertices of degree k or less leave, with that core number, and
    ``degree(minus) << plus_pair(leaving @ A)`` for the neighbours that stay, until none is left.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix.  Directions are ignored, loops are dropped, values do not matter.
    method : {"auto", "composed", "fused"}, optional
        As the program of products above, as one call of the engine, or as that call where the
        engine has it.
    threads : int, optional
        Of the fused call on the CPU.

    Returns
    -------
    Vector of int64
        n values, 0 for a vertex without neighbours.

    Raises
    ------
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        As for `bfs`.

    Notes
    -----
    Every edge is looked at once; the fused call takes 12 bytes a vertex beside the result, 24
    where indices are of 64 bits.  The composed program has as many rounds as vertices leave one
    after another, thousands on a grid.  The result is the same whatever the way and the threads.

    Work is O(n + m) of the fused call.  Zero, negative and NaN values are edges like others; an
    undirected graph may have its edges in one direction or in both.

    References
    ----------
    Batagelj, Zaversnik: An O(m) algorithm for cores decomposition of networks (2003); Kabir,
    Madduri: Parallel k-core decomposition on multicore platforms (2017), for the rounds of equal
    degree.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 3], 1.0, nrows=5, ncols=5)
    >>> sb.core_numbers(A).to_dense()
    array([2, 2, 2, 1, 0])
    """
    matrix = square(A)
    threads = None if threads is None else resolve_threads(threads)
    fused = way(matrix._engine.fused.core_numbers, method, matrix.device)
    if fused is None:
        return _peeled(undirected(matrix))
    return full_vector(matrix, run_fused("core_numbers", both_ways(matrix), fused, threads))


def _peeled(S: Matrix) -> Vector:
    """Whoever has too few neighbours left leaves, and takes a neighbour from each of them."""
    cores = Vector(int, S.nrows, device=S.device)
    left, k = degrees(S), 0
    while left.nvals:
        least: Any = left.reduce("min").new().value
        k = max(k, int(least))
        leaving = select.valuele(left, k).new()
        while leaving.nvals:
            cores(leaving.S) << k
            left(~leaving.S, replace) << left
            left(left.S, binary.minus) << semiring.plus_pair(leaving @ S)
            leaving << select.valuele(left, k)
    return cores


@typed_refusals
def k_core(
    A: Any, k: int | None = None, *, method: Method = "auto", threads: int | None = None
) -> Matrix:
    """The largest part of a graph in which everybody has k neighbours or more.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix.  Whether vertices are neighbours is told without directions, loops
        and values.
    k : int, optional
        The greatest for which there is any, by default.
    method, threads : optional
        As for `core_numbers`.

    Returns
    -------
    Matrix
        n x n, of the type of A: the entries whose row and column are in the k-core, with their
        values; loops are not among them.

    Raises
    ------
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        As for `bfs`.

    Notes
    -----
    Work and memory are those of `core_numbers`, and of the entries that stay.  Zero, negative and
    NaN values stay as they are.  Of a graph without edges the result is empty.  It is the same
    whatever the method, engine and number of threads.

    References
    ----------
    Batagelj, Zaversnik: An O(m) algorithm for cores decomposition of networks (2003); Kabir,
    Madduri: Parallel k-core decomposition on multicore platforms (2017), for the rounds of equal
    degree.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 3], 1.0, nrows=5, ncols=5)
    >>> sb.k_core(A, 2).to_edgelist()[0].tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    matrix = square(A)
    least = None if k is None else as_size(k, "k")
    cores = core_numbers(matrix, method=method, threads=threads)
    if least is None:
        greatest: Any = cores.reduce("max").value
        least = int(greatest or 0)
    # Ones of A's own type: what they select keeps it.
    within = select.valuege(cores, least).new().apply(unary.one[matrix.dtype]).new().diag()
    rows = semiring.any_second(within @ matrix).new()
    return select.offdiag(semiring.any_first(rows @ within)).new()
