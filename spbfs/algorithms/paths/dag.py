"""All shortest paths where edges are counted: which edges they use, and how many they are.

Brandes: A faster algorithm for betweenness centrality (2001), its first half.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spbfs import binary, select, semiring, unary
from spbfs.algorithms.bfs.arguments import Vertices
from spbfs.algorithms.graphs import Method, run_fused, square
from spbfs.algorithms.paths.arguments import as_sources, way_along
from spbfs.base.memory import typed_refusals
from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.objects.assignment.statement import replace
from spbfs.objects.display.formatting import format_result, result_html
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector
from spbfs.objects.waiting import as_it_is
from spbfs.storage.data import MatrixData

__all__ = ["BFSDag", "bfs_dag"]


class BFSDag(NamedTuple):
    """Levels, the edges from one level to the next, and how many shortest paths end at each."""

    levels: Vector
    edges: Matrix
    paths: Vector

    def __repr__(self) -> str:
        return format_result(self)

    def _repr_html_(self) -> str:
        facts = [("vertices", f"{self.levels.size:,}")]
        return result_html("All shortest paths", facts, self._asdict())


@typed_refusals
def bfs_dag(A: Any, source: Vertices, *, method: Method = "auto") -> BFSDag:
    """All shortest paths from a source, or from the nearest of several, as a graph without cycles.

    Level by level, ``q(~levels.S, replace) << plus_first(q @ A)`` adds up how many paths lead to
    every vertex of the next one.  The edges that paths use are those between a level and the next,
    which two products with the diagonal matrix of levels find.  The fused call does all of it in
    one search with a queue.  The result is the same on every run.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix, directed or not; values do not matter.
    source : int or iterable of int
        Where paths begin.
    method : {"auto", "composed", "fused"}, optional
        As the program of products, as one call of the engine, or as that call where the engine has
        it.

    Returns
    -------
    BFSDag
        Unpacks as ``levels, edges, paths``: INT64; BOOL with an entry (u, v) where u is before v on
        a shortest path, so that column v has all of its predecessors; FP64, exact up to 2^53, where
        the ways begin to round otherwise, and infinite beyond 1.8e308.

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue, OutOfMemory
        As for `bfs`.

    Notes
    -----
    Work is O(n + m), and of the composed program O(n) for each level at worst; memory some numbers
    a vertex, one an edge of the result and a byte for every other.  Loops are on no shortest path,
    and values, zero, negative and NaN too, are not looked at.  A graph of no vertices has no source
    to begin at; from a source without edges nobody else is reached.

    References
    ----------
    Brandes: A faster algorithm for betweenness centrality (2001), its first half.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1, 2, 3], [1, 2, 3, 3, 4], True, nrows=6, ncols=6)
    >>> levels, edges, paths = sb.bfs_dag(A, 0)
    >>> paths.to_dict()
    {0: 1.0, 1: 1.0, 2: 1.0, 3: 2.0, 4: 2.0}
    >>> edges[:, 3].new().to_coo()[0]
    array([1, 2])
    """
    matrix = as_it_is(square(A))
    sources = set_of(np, as_sources(source, matrix.nrows))
    fused = way_along(matrix, matrix._engine.fused.bfs_dag, method)
    if fused is None:
        return _composed(matrix, sources)
    levels, ahead, paths = run_fused("bfs_dag", matrix, fused, sources)
    data, device = matrix._ready(), matrix.device
    ends = Matrix._from_data(
        MatrixData(data.nrows, data.ncols, data.indptr, data.indices, ahead), device
    )
    edges = select.valuene(ends, False).new()
    return BFSDag(Vector._from_data(levels, device), edges, Vector._from_data(paths, device))


def _composed(A: MatrixOperand, sources: Any) -> BFSDag:
    """The program of products."""
    n, device = A.nrows, A.device
    q = Vector.from_coo(sources, 1.0, size=n, device=device)
    levels, paths, depth = Vector(int, n).to(device), q.dup(), 0
    while q.nvals:
        levels(q.S) << depth
        q(~levels.S, replace) << semiring.plus_first(q @ A)
        paths(q.S) << q
        depth += 1
    # One more than its level for the beginning of an edge, compared with the level of its end.
    after = levels.apply(binary.plus, right=1).new().diag()
    begun = semiring.any_first(after @ A.apply(unary.one[int]).new()).new()
    ends = semiring.any_eq(begun @ levels.diag()).new()
    return BFSDag(levels, select.valuene(ends, False).new(), paths)
