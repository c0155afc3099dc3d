"""Colours for vertices, different ones for neighbours: independent sets, one after the other.

Jones, Plassmann: A parallel graph coloring heuristic (1993); Welsh, Powell: An upper bound for the
chromatic number of a graph (1967), and Matula, Beck: Smallest-last ordering and clustering and
graph coloring algorithms (1983), for the orders; Alabandi, Powers, Burtscher: Increasing the
parallelism of graph coloring via shortcutting (2020), for the call on CUDA.
"""

from __future__ import annotations

from typing import Any, Literal

from spbfs.algorithms.graphs import Method, both_ways, full_vector, run_fused, square, way
from spbfs.algorithms.sets.independent_set import first_come
from spbfs.algorithms.sets.orders import largest_first, ranks, smallest_last
from spbfs.base.memory import typed_refusals
from spbfs.base.wording import brief
from spbfs.engines.greedy import VertexOrder
from spbfs.exceptions import InvalidValue
from spbfs.objects.assignment.statement import replace
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector

__all__ = ["colouring", "in_order"]

#: Orders by the name that NetworkX has for them.
Order = Literal["largest_first", "smallest_last"]


@typed_refusals
def colouring(
    A: Any,
    *,
    order: Order = "largest_first",
    method: Method = "auto",
    threads: int | None = None,
) -> Vector:
    """Colours 0, 1, 2, ... for vertices, no two neighbours having the same.

    A greedy algorithm takes the vertices in an order and gives each the least colour that no
    neighbour has so far.  Those of colour 0 are the independent set that the same order gives,
    those of colour 1 the one of what is left, and so on: every colour is found by the products of
    `maximal_independent_set`.  The result does not depend on the engine, on the way or on the
    number of threads.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix.  Neighbours are taken without direction; values, be they zero,
        negative or NaN, do not matter, nor do loops, but that a loop adds two to a degree.
    order : {"largest_first", "smallest_last"}, optional
        By falling degree, of vertices of one degree the least first: the colours that NetworkX's
        ``greedy_color`` gives nodes 0, 1, 2, ... by this strategy.  Or so that every vertex has as
        few neighbours as can be before it: removed round by round, always all of the least degree
        that is left or has been, then taken in reverse.  That takes at most one colour more than
        the largest core number.
    method : {"auto", "composed", "fused"}, optional
        As the program of products, as one call of the engine, or as that call where the engine has
        it.
    threads : int, optional
        Of the fused call on the CPU.

    Returns
    -------
    Vector of int64
        n colours.

    Raises
    ------
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        As for `bfs`; also an unknown order.

    Notes
    -----
    Every entry is looked at a few times by the fused call, once a colour and round by the products.
    A round ends for all who wait for an earlier neighbour: along a path whose vertices are numbered
    from end to end there are as many as vertices, in a random graph few.  On CUDA one launch sorts
    by degree and colours without rounds, but the path's vertices wait for each other as well.
    Memory: some numbers a vertex, and on CUDA one an entry; the transpose of a matrix that is not
    symmetric.

    A graph without edges has colour 0 alone.

    References
    ----------
    Jones, Plassmann: A parallel graph coloring heuristic (1993); Welsh, Powell: An upper bound for
    the chromatic number of a graph (1967), and Matula, Beck: Smallest-last ordering and clustering
    and graph coloring algorithms (1983), for the orders; Alabandi, Powers, Burtscher: Increasing
    the parallelism of graph coloring via shortcutting (2020), for the call on CUDA.

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.colouring(sb.generate.path(5)).to_dense()
    array([1, 0, 1, 0, 1])
    """
    matrix = square(A)
    orders = {"largest_first": largest_first, "smallest_last": smallest_last}
    if not isinstance(order, str) or order not in orders:
        raise InvalidValue(f"order: expected {' or '.join(map(repr, orders))}, got {brief(order)}")
    graph = both_ways(matrix)
    return in_order(graph, orders[order](graph), method, threads)


def in_order(A: MatrixOperand, order: VertexOrder, method: Method, threads: int | None) -> Vector:
    """The least colours that neighbours before have not; `A` has a symmetric pattern."""
    fused = way(A._engine.fused.colouring, method, A.device)
    if fused is None:
        return _set_by_set(A, Vector.from_dense(ranks(order.listed()), device=A.device))
    return full_vector(A, run_fused("colouring", A, fused, order, threads))


def _set_by_set(A: MatrixOperand, left: Vector) -> Vector:
    """Independent sets of what is left, each with a colour of its own."""
    colours = Vector(int, left.size, device=A.device)
    colour = 0
    while left.nvals:
        alike = first_come(A, left)
        colours(alike.S) << colour
        left(~alike.S, replace) << left
        colour += 1
    return colours
