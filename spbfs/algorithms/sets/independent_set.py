"""A maximal independent set: vertices of which no two are neighbours, and no more fit in.

Luby: A simple parallel algorithm for the maximal independent set problem (1986); Blelloch, Fineman,
Shun: Greedy sequential maximal independent set and matching are parallel on average (2012), for
numbers that are drawn once; Burtscher, Devale, Azimi, Jaiganesh, Powers: A high-quality and fast
maximal independent set implementation for GPUs (2018), for few neighbours first.
"""

from __future__ import annotations

from typing import Any

from spbfs import binary, semiring
from spbfs.algorithms.bfs_many.arguments import count
from spbfs.algorithms.graphs import Method, both_ways, flagged, run_fused, square, way
from spbfs.algorithms.sets.orders import few_neighbours_first, ranks
from spbfs.base.memory import typed_refusals
from spbfs.engines.greedy import VertexOrder
from spbfs.objects.assignment.statement import replace
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector

__all__ = ["chosen_in_order", "first_come", "maximal_independent_set"]


@typed_refusals
def maximal_independent_set(
    A: Any, *, seed: int = 0, method: Method = "auto", threads: int | None = None
) -> Vector:
    """Vertices of which no two are neighbours, and everybody else has a neighbour among them.

    Vertices are put in an order once, few neighbours first, as far as the numbers of these differ
    in bits, and otherwise at random.  Round by round, whoever is before all neighbours that are
    left is chosen and leaves with these, until nobody is left: the earliest neighbour is a product
    over ``min_second``, who leaves one over ``any_pair``.  What is found is what a greedy algorithm
    finds that takes the vertices one after the other, so it does not depend on the engine, on the
    way or on the number of threads.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix.  Neighbours are taken without direction; values, be they zero,
        negative or NaN, do not matter, nor do loops, but that one counts as a neighbour where
        vertices are put in an order.
    seed : int, optional
        Of the order.
    method : {"auto", "composed", "fused"}, optional
        As the program of products, as one call of the engine, or as that call where the engine has
        it.
    threads : int, optional
        Of the fused call on the CPU.

    Returns
    -------
    Vector of bool
        n long, True at the chosen vertices and without other entries.  Vertices without neighbours
        are all chosen.

    Raises
    ------
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        As for `bfs`; also a negative seed.

    Notes
    -----
    Every entry is looked at a few times, in O(log n) rounds for a random order with high
    probability; on CUDA by one launch without rounds, which finds the order, too.  Memory: some
    numbers a vertex; the transpose of a matrix that is not symmetric.

    Of a graph without edges everybody is chosen.

    References
    ----------
    Luby: A simple parallel algorithm for the maximal independent set problem (1986); Blelloch,
    Fineman, Shun: Greedy sequential maximal independent set and matching are parallel on average
    (2012), for numbers that are drawn once; Burtscher, Devale, Azimi, Jaiganesh, Powers: A
    high-quality and fast maximal independent set implementation for GPUs (2018), for few neighbours
    first.

    Examples
    --------
    >>> import spbfs as sb
    >>> star = sb.generate.star(5)
    >>> sb.maximal_independent_set(star).to_coo()[0]
    array([1, 2, 3, 4])
    """
    matrix, drawn = square(A), count(seed, "seed", 0)
    graph = both_ways(matrix)
    return chosen_in_order(graph, few_neighbours_first(graph, drawn), method, threads)


def chosen_in_order(
    A: MatrixOperand, order: VertexOrder, method: Method, threads: int | None
) -> Vector:
    """Whoever is chosen if all are taken in an order; `A` has a symmetric pattern."""
    fused = way(A._engine.fused.maximal_independent_set, method, A.device)
    if fused is None:
        return first_come(A, Vector.from_dense(ranks(order.listed()), device=A.device))
    return flagged(A, run_fused("maximal_independent_set", A, fused, order, threads))


def first_come(A: MatrixOperand, place: Vector) -> Vector:
    """Whoever is chosen if those that have a place take turns; `A` has a symmetric pattern."""
    left = place.dup()
    chosen = Vector(bool, left.size, device=A.device)
    while left.nvals:
        earliest = semiring.min_second(A @ left).new(mask=left.S)
        waiting = earliest.ewise_mult(left, binary.lt).new()
        first = left.dup(mask=~waiting.V)
        chosen(first.S) << True
        left(~first.S, replace) << left
        beside = semiring.any_pair(A @ first).new(mask=left.S)
        left(~beside.S, replace) << left
    return chosen
