"""Minimum spanning forests: every component takes the least edge that leaves it, until none does.

Boruvka (1926); Nesetril, Milkova, Nesetrilova: Otakar Boruvka on minimum spanning tree problem
(2001), the two papers in English; components are contracted by products, as in Kepner, Gilbert:
Graph algorithms in the language of linear algebra (2011).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs import binary, monoid, select, semiring, unary
from spbfs.algorithms.connectivity.components import components
from spbfs.algorithms.graphs import Method, run_fused, square, way
from spbfs.base.memory import typed_refusals
from spbfs.exceptions import InvalidEntry
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module

__all__ = ["minimum_spanning_forest"]

Edges = tuple[Any, Any, Any]  # lesser ends, greater ends, weights


@typed_refusals
def minimum_spanning_forest(
    A: Any, *, method: Method = "auto", threads: int | None = None
) -> Matrix:
    """Edges of least weight in all that connect what is connected, and no cycle of them.

    The composed program numbers the edges in the order of their weights.  A round takes the least
    edge of every row, ``monoid.min`` of the row, and contracts what is connected then: with the
    Boolean matrix S of components by vertices, ``min_second(S @ R)`` and ``min_first(R @ S.T)``
    leave the least edge between each two components.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; edges are taken without direction, and where (u, v) and (v, u) are
        both stored the lesser weight counts.  Weights are of any type, also negative, zero or
        infinite, and an entry that is zero is an edge.  Loops do not matter.
    method : {"auto", "composed", "fused"}, optional
        As the program of products below, as one call of the engine, or as that call where the
        engine has it.
    threads : int, optional
        Of the fused call on the CPU.

    Returns
    -------
    Matrix
        n x n, of the type of `A`, symmetric, with two entries an edge: n less the number of
        components edges.  Of edges of the same weight the one is taken whose lesser end is less, or
        else whose greater end is, so that the forest is the same whatever the method, engine and
        number of threads.

    Raises
    ------
    InvalidValue
        When a weight is NaN.
    DimensionMismatch, DomainMismatch, OutOfMemory
        As for `bfs`.

    Notes
    -----
    Every component at least doubles in a round, so that rounds are logarithmic in n, and what is
    left of the matrix is less in each.  The fused call makes its rounds over the light edges first,
    a few a vertex, and then over those others that join two components by then.

    Work of the composed program is O(m log n) at most, the sorting of edges too; memory is a few
    numbers an edge.  Of a graph without edges the forest is empty.  A NaN is refused at a loop,
    too.

    References
    ----------
    Boruvka (1926); Nesetril, Milkova, Nesetrilova: Otakar Boruvka on minimum spanning tree problem
    (2001), the two papers in English; components are contracted by products, as in Kepner, Gilbert:
    Graph algorithms in the language of linear algebra (2011).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1, 2, 3], [1, 2, 0, 0], [5, 1, 3, -2], nrows=4, ncols=4)
    >>> sb.minimum_spanning_forest(A).to_dicts()
    {0: {2: 3, 3: -2}, 1: {2: 1}, 2: {0: 3, 1: 1}, 3: {0: -2}}
    """
    matrix = square(A)
    fused = way(matrix._engine.fused.minimum_spanning_forest, method, matrix.device)
    edges = (
        _boruvka(matrix)
        if fused is None
        else run_fused("minimum_spanning_forest", matrix, fused, threads)
    )
    if edges is None:
        message = "A: expected weights that are numbers, got NaN at ({}, {})"
        raise InvalidEntry(message, *_first_nan(matrix))
    if isinstance(edges, MatrixData):
        made: Matrix = Matrix._from_data(edges, matrix.device)
        return made
    u, v, w = edges[:3]
    n, xp = matrix.nrows, array_module(u)
    return Matrix.from_coo(
        *(xp.concatenate(pair) for pair in ((u, v), (v, u), (w, w))),
        nrows=n,
        ncols=n,
        device=matrix.device,
    )


def _first_nan(A: MatrixOperand) -> tuple[int, int]:
    rows, cols, values = A.to_coo()
    at = int(np.isnan(values).argmax())
    return int(rows[at]), int(cols[at])


def _boruvka(A: MatrixOperand) -> Edges | None:
    """The edges chosen, by products; None where a weight is NaN."""
    if A.dtype.is_float and unary.isnan(A).new().reduce_scalar(monoid.lor).new().value:
        return None
    # Without direction: the lesser of two weights, every edge once.
    once = select.triu(A.ewise_add(A.T, binary.min).new(), 1).new()
    u, v, w = once.to_coo()
    rank = np.empty(w.shape[0], np.int64)
    by_rank = np.argsort(w, kind="stable")  # by weight, then by ends, in whose order they come
    rank[by_rank] = np.arange(w.shape[0])
    chosen = np.zeros(w.shape[0], bool)

    k = A.nrows
    component = np.arange(k)
    R = _matrix(A, (u, v), rank, (k, k))
    R << R.ewise_add(R.T, binary.any)
    while R.nvals:
        least = by_rank[R.reduce_rowwise(monoid.min).new().to_coo()[1]]
        chosen[least] = True
        taken = _matrix(A, (component[u[least]], component[v[least]]), True, (k, k))
        # Contract: S has a row for each of the new components, with the old ones in it.
        label = components(taken, method="composed").to_dense()
        number = np.cumsum(label == np.arange(k)) - 1
        joined, parts = number[label], int(number[-1]) + 1
        S = _matrix(A, (joined, np.arange(k)), True, (parts, k))
        half = semiring.min_second(S @ R).new()
        R = select.offdiag(semiring.min_first(half @ S.T).new()).new()
        component, k = joined[component], parts
    return u[chosen], v[chosen], w[chosen]


def _matrix(A: MatrixOperand, ends: tuple[Any, Any], values: Any, shape: tuple[int, int]) -> Matrix:
    """A matrix where `A` is."""
    return Matrix.from_coo(*ends, values, nrows=shape[0], ncols=shape[1], device=A.device)
