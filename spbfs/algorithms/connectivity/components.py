"""Connected components: everybody learns the least vertex that can be reached without directions.

Zhang, Azad, Hu: FastSV: a distributed-memory connected component algorithm with fast convergence
(2020), the composed program.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs import binary, semiring
from spbfs.algorithms.graphs import Method, full_vector, run_fused, square, way
from spbfs.base.memory import typed_refusals
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.parts import whole
from spbfs.objects.vector import Vector
from spbfs.storage.entries import on_host

__all__ = ["components"]


@typed_refusals
def components(A: Any, *, method: Method = "auto", threads: int | None = None) -> Vector:
    """The least vertex of everybody's component, edges taken without direction.

    The composed program is FastSV: everybody has a parent, and a round lets parents hook to the
    least grandparent next door, over ``min_second`` and ``min_first`` products, and then shortens
    the way up, until nothing moves.  The fused call is Afforest: sets of vertices are joined along
    a few edges of each, and then along the edges of those that are not in the largest set.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; edges are taken without direction.  Values do not matter, be they
        zero, negative or NaN, nor do loops.
    method : {"auto", "composed", "fused"}, optional
        As the program of products below, as one call of the engine, or as that call where the
        engine has it.
    threads : int, optional
        Of the fused call on the CPU.

    Returns
    -------
    Vector of int64
        n values: vertices are connected where theirs are equal, and a vertex without edges has its
        own.  The same whatever the method, engine and number of threads.

    Raises
    ------
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        As for `bfs`.

    Notes
    -----
    The fused call looks once, the first time, whether the pattern is symmetric, which the matrix
    keeps.  Where it is, or its transpose is at hand, and one component has nearly all vertices,
    a few entries a row are read; else all entries, once.  No transpose is made, and
    the work is done in the memory of the result, beside which indices of 64 bits take one number a
    vertex.

    Work of the fused call is next to O(n + m).  A graph without edges has a component a vertex.

    References
    ----------
    Zhang, Azad, Hu: FastSV: a distributed-memory connected component algorithm with fast
    convergence (2020); Sutton, Ben-Nun, Barak: Optimizing parallel graph connectivity computation
    via subgraph sampling (2018).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 3], [1, 2], 1.0, nrows=5, ncols=5)
    >>> sb.components(A).to_dense()
    array([0, 0, 2, 2, 4])
    """
    matrix = square(A)
    fused = way(matrix._engine.fused.components, method, matrix.device)
    if fused is None:
        return _fastsv(matrix)
    return full_vector(matrix, run_fused("components", matrix, fused, threads))


def _fastsv(A: MatrixOperand) -> Vector:
    """Hook grandparents to the least grandparent next door, then shorten, until nothing moves.

    Everybody's parent is an array in host memory, also of every rank where there are such: who
    hooks to whom is known by looking parents up.
    """
    f = np.arange(A.nrows)
    while True:
        parent, grand = f.copy(), Vector.from_dense(f[f], device=A.device)
        least = semiring.min_second(A @ grand).new()
        least(binary.min) << semiring.min_first(grand @ A)
        at, low = (on_host(array) for array in whole(least).to_coo())
        np.minimum.at(f, parent[at], low)
        f[at] = np.minimum(f[at], low)
        f = np.minimum(f, parent[parent])
        if np.array_equal(f, parent):
            return Vector.from_dense(f, device=A.device)
