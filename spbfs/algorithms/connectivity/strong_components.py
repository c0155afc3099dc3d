"""Strong components: everybody learns the least vertex that it reaches and that reaches it.

Fleischer, Hendrickson, Pinar: On identifying strongly connected components in parallel (2000),
forward and backward searches from a pivot of every part at once; McLendon, Hendrickson, Plimpton,
Rauchwerger: Finding strongly connected components in distributed graphs (2005), for the trimming.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs import binary, monoid, select, semiring, unary
from spbfs.algorithms.connectivity.components import components
from spbfs.algorithms.graphs import Method, full_vector, run_fused, square, way
from spbfs.base.memory import typed_refusals
from spbfs.objects.assignment.statement import replace
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.parts import whole
from spbfs.objects.vector import Vector

__all__ = ["strong_components"]


@typed_refusals
def strong_components(A: Any, *, method: Method = "auto", threads: int | None = None) -> Vector:
    """The least vertex of everybody's strong component: those that reach each other.

    The composed program takes edges away that join no strong component.  A round trims vertices
    that have no edge in or none out, each a component of its own; searches from one pivot of every
    weak component of what is left, along the edges and against them; keeps who was reached both
    ways, which is the pivot's strong component; and takes the edges away between those reached one
    way, the other, both and neither: that parts the weak components of the next round.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; entry (u, v) is the edge from u to v.  Values do not matter, be they
        zero, negative or NaN, nor do loops.  Of an undirected graph these are its `components`.
    method : {"auto", "composed", "fused"}, optional
        As the program of products below, as one call of the engine, or as that call where the
        engine has it.
    threads : int, optional
        Of the fused call on the CPU.

    Returns
    -------
    Vector of int64
        n values: vertices are strongly connected where theirs are equal.  The same whatever the
        method, engine and number of threads.

    Raises
    ------
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        As for `bfs`.

    Notes
    -----
    Pivots are those that come first in one random order of the vertices, so that what is left is
    halved in the mean: rounds are logarithmic in n, each `components` and two searches of the edges
    that are left.  The fused call is one depth-first search by one thread (Pearce: A
    space-efficient algorithm for finding strongly connected components, 2016), or `components`
    where the pattern is known to be symmetric.

    Work is O(n + m) of the fused call; memory is some numbers a vertex, and a copy of the edges
    that are left.  A graph without edges has a component a vertex.

    References
    ----------
    Fleischer, Hendrickson, Pinar: On identifying strongly connected components in parallel (2000),
    forward and backward searches from a pivot of every part at once; McLendon, Hendrickson,
    Plimpton, Rauchwerger: Finding strongly connected components in distributed graphs (2005), for
    the trimming.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1, 2, 2], [1, 2, 1, 3], 1.0, nrows=4, ncols=4)
    >>> sb.strong_components(A).to_dense()
    array([0, 1, 1, 3])
    """
    matrix = square(A)
    fused = way(matrix._engine.fused.strong_components, method, matrix.device)
    if fused is None:
        return _forward_backward(matrix)
    return full_vector(matrix, run_fused("strong_components", matrix, fused, threads))


def _forward_backward(A: MatrixOperand) -> Vector:
    n, device = A.nrows, A.device
    least = Vector.from_dense(np.arange(n), device=device)
    order = np.random.default_rng(0).permutation(n)
    G = select.offdiag(A.apply(unary.one[bool])).new()
    while True:
        # Trim: what stays has an edge in and an edge out.
        out, into = G.reduce_rowwise(monoid.any).new(), G.reduce_columnwise(monoid.any).new()
        both = out.ewise_mult(into, binary.pair).new()
        if not both.nvals:
            return least
        classes = components(G).dup(mask=both.S)
        G << _within(G, classes)
        pivots = _first_of_each(classes, order)
        forward, backward = _reached(G, pivots), _reached(G.T, pivots)
        found = forward.ewise_mult(backward, binary.pair).new()
        least(found.S) << _least_of_each(classes.dup(mask=found.S))
        # A class and two bits of who was reached; what was found is done.
        classes << classes.apply(binary.times, 4)
        classes(forward.S, binary.plus) << 1
        classes(backward.S, binary.plus) << 2
        classes << classes.dup(mask=~found.S)
        G << _within(G, classes)


def _within(G: MatrixOperand, classes: Vector) -> Any:
    """The edges between vertices of the same class, those without one left out."""
    C = classes.diag()
    same = binary.eq(semiring.any_first(C @ G).new() & semiring.any_second(G @ C).new()).new()
    return select.valueeq(same, True)


def _first_of_each(classes: Vector, order: Any) -> Vector:
    """Of every class the vertex that is first in `order`."""
    at, name = whole(classes).to_coo()
    first = Vector.from_coo(name, order[at], size=classes.size, dup_op="min", device=classes.device)
    chosen = at[order[at] == whole(first).to_dense(-1)[name]]
    return Vector.from_coo(chosen, True, size=classes.size, device=classes.device)


def _least_of_each(classes: Vector) -> Vector:
    """Everybody's class, named after its least vertex here."""
    at, name = whole(classes).to_coo()
    least = Vector.from_coo(name, at, size=classes.size, dup_op="min", device=classes.device)
    return Vector.from_coo(
        at, whole(least).to_dense(-1)[name], size=classes.size, device=classes.device
    )


def _reached(G: MatrixOperand, sources: Vector) -> Vector:
    """Everybody along the edges, the sources included."""
    seen, q = sources.dup(), sources.dup()
    while q.nvals:
        q(~seen.S, replace) << semiring.any_pair(q @ G)
        seen(q.S) << True
    return seen
