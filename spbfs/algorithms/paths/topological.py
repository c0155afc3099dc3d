"""Levels of a graph without cycles: how many edges the longest path to a vertex has.

Kahn: Topological sorting of large networks (1962); the composed program takes a level at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs import binary, select, semiring, unary
from spbfs.algorithms.graphs import Method, run_fused, square, way
from spbfs.base.memory import typed_refusals
from spbfs.exceptions import GraphCyclic
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector
from spbfs.objects.waiting import as_it_is

__all__ = ["topological_levels"]


@typed_refusals
def topological_levels(A: Any, *, method: Method = "auto") -> Vector:
    """The level of every vertex of a directed graph without cycles, so that edges lead to greater.

    Vertices that no edge enters are level 0.  The edges of a level are taken away, ``left -=
    plus_pair(q @ A)``, and those that no other edge enters are the next.  The fused call has one
    queue for all of them.  Sorted by level the vertices are in a topological order.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; values do not matter.  An edge of a vertex to itself is a cycle, and
        so are two that lead there and back.
    method : {"auto", "composed", "fused"}, optional
        As the program of products, as one call of the engine, or as that call where the engine has
        it.

    Returns
    -------
    Vector of INT64
        n values, the same on every run.

    Raises
    ------
    GraphCyclic
        When there is a cycle; its attribute `vertex` is on one.
    InvalidValue
        When "fused" was asked for where it has no way.
    DimensionMismatch, DomainMismatch, OutOfMemory
        As for `bfs`.

    Notes
    -----
    Work is O(n + m), and of the composed program O(n) for each level; memory some numbers a vertex,
    and there a copy of the pattern.
    Edges are directed, so an undirected graph has cycles, and a loop is one.  Values, zero,
    negative and NaN too, do not matter; without edges all levels are 0.

    References
    ----------
    Kahn: Topological sorting of large networks (1962).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1, 3], [1, 2, 2, 2], True, nrows=4, ncols=4)
    >>> sb.topological_levels(A).to_dense()
    array([0, 1, 2, 0])
    """
    matrix = as_it_is(square(A))
    fused = way(matrix._engine.fused.topological_levels, method, matrix.device)
    if fused is None:
        levels = _composed(matrix)
    else:
        found = run_fused("topological_levels", matrix, fused)
        levels = Vector._from_data(found, matrix.device)
    if levels.nvals < matrix.nrows:
        vertex = _on_a_cycle(matrix, levels)
        raise GraphCyclic("A: vertex {} is on a cycle; expected a graph without", vertex)
    return levels


def _composed(A: MatrixOperand) -> Vector:
    """A level of products at a time; who is on a cycle or behind one has none."""
    pattern = A.apply(unary.one[int]).new()
    entering = pattern.reduce_columnwise().new()
    levels = Vector(int, A.nrows).to(A.device)
    levels(~entering.S) << 0
    q, depth = levels.dup(), 0
    while q.nvals:
        gone = semiring.plus_pair(q @ pattern).new()
        left = entering.ewise_mult(gone, binary.minus).new()
        entering(left.S) << left
        q = select.valueeq(left, 0).new()
        depth += 1
        levels(q.S) << depth
    return levels


def _on_a_cycle(A: MatrixOperand, levels: Vector) -> int:
    """A vertex that is met again on the way back from one without a level."""
    rest = np.ones(A.nrows, np.bool_)
    rest[levels.to_coo()[0]] = False
    rows, cols, _ = A.to_coo()
    kept = rest[rows]
    # An edge enters each of the rest from one of the rest.
    before = np.zeros(A.nrows, np.int64)
    before[cols[kept]] = rows[kept]
    at = int(rest.argmax())
    for _ in range(A.nrows):
        at = int(before[at])
    return at
