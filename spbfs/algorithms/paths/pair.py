"""One shortest path between two vertices, sought from both ends where edges are only counted.

Pohl: Bi-directional search (1971).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spbfs import binary, semiring
from spbfs.algorithms.bfs.arguments import Vertex
from spbfs.algorithms.bfs.tree import path_to
from spbfs.algorithms.graphs import Method, run_fused, square
from spbfs.algorithms.paths.arguments import way_along
from spbfs.algorithms.paths.single_source import sssp
from spbfs.algorithms.paths.weights import check_weights
from spbfs.base.memory import typed_refusals
from spbfs.objects.assignment.statement import replace
from spbfs.objects.checks import as_flag, as_index
from spbfs.objects.display.formatting import format_result, path_of_names, result_html
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.parts import whole
from spbfs.objects.vector import Vector
from spbfs.objects.waiting import as_it_is

__all__ = ["ShortestPath", "shortest_path"]

Ints = npt.NDArray[np.int64]

_NOWHERE = np.zeros(0, np.int64)


class ShortestPath(NamedTuple):
    """The vertices of a path, both ends included, and its length; none, and infinity.

    Vertices are names where the graph has labels.
    """

    vertices: npt.NDArray[Any]
    length: int | float

    def __repr__(self) -> str:
        return format_result(self)

    def _repr_html_(self) -> str:
        facts = [("length", f"{self.length:,}"), ("path", path_of_names(self.vertices))]
        return result_html("Shortest path", facts, {"vertices": self.vertices})


@typed_refusals
def shortest_path(
    A: Any,
    source: Vertex,
    target: Vertex,
    *,
    weighted: bool = True,
    method: Method = "auto",
) -> ShortestPath:
    """A shortest path from one vertex to another.

    Where edges are counted, two searches go level by level, one along the edges from `source` and
    one against them from `target`, whichever has the smaller frontier ``q(~parents.S, replace) <<
    min_secondi(q @ A)`` next, until a vertex has a parent in both; the fused call makes both on the
    CPU, and the one from `source` on a GPU.  Where lengths are added up it is `sssp` with this
    target.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; entry (u, v) is the edge from u to v, its value the edge's length, as for `sssp`.
    source, target : int
        The ends; they may be the same vertex.
    weighted : bool, optional
        Whether lengths count, or only how many edges a path has, whatever their values.
    method : {"auto", "composed", "fused"}, optional
        As the program of products, as one call of the engine, or as that call where the engine has
        it.

    Returns
    -------
    ShortestPath
        Unpacks as ``vertices, length``.  Where no path leads to the target there are no vertices,
        and the length is infinite.

    Raises
    ------
    NegativeCycle, InvalidValue
        As for `sssp`, of lengths.
    DimensionMismatch, DomainMismatch, IndexOutOfBound, OutOfMemory
        As for `bfs`.

    Notes
    -----
    Work is O(n + m) at most where edges are counted, else that of `sssp`; memory some numbers a
    vertex, and the transpose of a directed graph.  Edges are followed along their direction.  Loops
    are on no shortest path; zero and negative lengths are allowed, NaN is refused.  A graph of no
    vertices has no source.  The length is the same on every run.

    References
    ----------
    Pohl: Bi-directional search (1971).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 3, 1], [9, 2, 1, 3], nrows=5, ncols=5)
    >>> sb.shortest_path(A, 0, 3)
    ShortestPath(vertices=array([0, 2, 1, 3]), length=6)
    >>> sb.shortest_path(A, 0, 3, weighted=False)
    ShortestPath(vertices=array([0, 1, 3]), length=2)
    >>> sb.shortest_path(A, 0, 4).length
    inf
    """
    matrix = as_it_is(square(A))
    s, t = as_index(source, matrix.nrows, "source"), as_index(target, matrix.nrows, "target")
    if not as_flag(weighted, "weighted"):
        vertices = _fewest_edges(matrix, s, t, method)
        return ShortestPath(vertices, len(vertices) - 1 if len(vertices) else math.inf)
    # Where lengths are negative, vertices on the way may be farther than the target.
    goal = None if check_weights(matrix).negative else t
    found = sssp(matrix, s, target=goal, method=method)
    length = found.distances[t].new().value
    if length is None:
        return ShortestPath(_NOWHERE, math.inf)
    return ShortestPath(found.path_to(t), length)


def _fewest_edges(A: MatrixOperand, s: int, t: int, method: Method) -> Ints:
    """The vertices of a path; none where there is none."""
    fused = way_along(A, A._engine.fused.path_between, method)
    return _composed(A, s, t) if fused is None else run_fused("path_between", A, fused, s, t)


def _composed(A: MatrixOperand, s: int, t: int) -> Ints:
    """Both searches, a product a level, until one meets the other."""
    ends = _Search(A, s), _Search(A.T, t)
    if s == t:
        return np.array([s])
    while ends[0].q.nvals and ends[1].q.nvals:
        fewer, more = sorted(ends, key=lambda end: int(end.q.nvals))
        fewer.advance()
        met = fewer.q.ewise_mult(more.parents, binary.pair).new()
        if met.nvals:
            v = int(whole(met).to_coo()[0][0])
            there, back = (path_to(end.parents, v) for end in ends)
            return np.concatenate([there, back[-2::-1]])
    return _NOWHERE


class _Search:
    """A breadth-first search, a level at a time: the frontier, and parents of all it has seen."""

    def __init__(self, A: MatrixOperand, root: int) -> None:
        self._A = A
        self.q = Vector.from_coo([root], [root], size=A.nrows, device=A.device)
        self.parents = self.q.dup()

    def advance(self) -> None:
        """To the next level."""
        self.q(~self.parents.S, replace) << semiring.min_secondi(self.q @ self._A)
        self.parents(self.q.S) << self.q
