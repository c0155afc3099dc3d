"""Bipartite or not: two sides that every edge joins, or a cycle of odd length."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spbfs import binary, select, semiring
from spbfs.algorithms.connectivity.spanning_forest import search_components
from spbfs.algorithms.graphs import both_ways, square
from spbfs.base.memory import typed_refusals
from spbfs.objects.display.formatting import format_result, path_of_names, result_html
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.parts import whole
from spbfs.objects.vector import Vector

__all__ = ["Bipartition", "bipartite"]


class Bipartition(NamedTuple):
    """What `bipartite` found; true where the graph is bipartite.

    Attributes
    ----------
    is_bipartite : bool
    sides : Vector of BOOL
        n values, False on the side of the least vertex of a component, True on the other one; no
        entry at all where the graph is not bipartite.
    odd_cycle : ndarray of int64, or of names where the graph has labels
        Vertices of a cycle of odd length, each joined to the next one and the last to the first; a
        loop is one of length 1.  Empty where the graph is bipartite.
    """

    is_bipartite: bool
    sides: Vector
    odd_cycle: npt.NDArray[Any]

    def __bool__(self) -> bool:
        return self.is_bipartite

    def __repr__(self) -> str:
        return format_result(self)

    def _repr_html_(self) -> str:
        facts = [("bipartite", "yes" if self.is_bipartite else "no")]
        if not self.is_bipartite:
            facts.append(("odd cycle", path_of_names(self.odd_cycle)))
        parts = {"sides": self.sides, "odd_cycle": self.odd_cycle}
        return result_html("Bipartition", facts, parts)


@typed_refusals
def bipartite(A: Any, *, threads: int | None = None) -> Bipartition:
    """Whether vertices have two sides such that every edge joins one to the other.

    Sides are the parities of the levels of a search from the least vertex of every component.  A
    product of each side with the matrix, masked by the side itself, finds edges within it; of one
    of them, and of the ways up from its ends to where they meet, an odd cycle consists.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; edges are taken without direction.  Values do not matter, be they
        zero, negative or NaN.  A loop is a cycle of length 1.
    threads : int, optional
        Of the CPU.

    Returns
    -------
    Bipartition
        Unpacks as ``is_bipartite, sides, odd_cycle``.  The same on every engine and with any number
        of threads.  A graph without vertices or without edges is bipartite.

    Raises
    ------
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        As for `bfs`.

    Notes
    -----
    The work is that of `components`, of one `bfs` and of two products; of a directed graph also
    that of joining it with its transpose.

    Memory is some numbers a vertex, and of a directed graph the joined one.

    References
    ----------
    Konig: Theorie der endlichen und unendlichen Graphen (1936), for odd cycles; the search is
    Moore's: The shortest path through a maze (1959).

    Examples
    --------
    >>> import spbfs as sb
    >>> is_bipartite, sides, _ = sb.bipartite(sb.generate.path(4))
    >>> is_bipartite, sides.to_dense()
    (True, array([False,  True, False,  True]))
    >>> A = sb.Matrix.from_edgelist([(0, 1), (1, 2), (2, 3), (3, 1)], directed=False)
    >>> sb.bipartite(A).odd_cycle
    array([1, 2, 3])
    """
    matrix = square(A)
    n, device = matrix.nrows, matrix.device
    G = both_ways(matrix)
    found = search_components(G, threads)
    if found is None:
        return Bipartition(True, Vector(bool, n, device=device), np.empty(0, np.int64))
    odd = found.levels.apply(binary.band, 1).new(bool)
    edge = _edge_within_a_side(G, odd)
    if edge is None:
        return Bipartition(True, odd, np.empty(0, np.int64))
    return Bipartition(False, Vector(bool, n, device=device), _cycle(found.parents, *edge))


def _edge_within_a_side(G: MatrixOperand, odd: Vector) -> tuple[int, int] | None:
    """Two neighbours on the same side, the first one the least there is, or None."""
    within = []
    for value in (False, True):
        side = select.valueeq(odd, value).new()
        has_one = semiring.any_pair(G @ side).new(mask=side.S)
        if has_one.nvals:
            u = int(whole(has_one).to_coo()[0][0])
            one = Vector.from_coo([u], True, size=G.nrows, device=G.device)
            row = semiring.any_pair(one @ G).new(mask=side.S)
            within.append((u, int(whole(row).to_coo()[0][0])))
    return min(within, default=None)


def _cycle(parents: Vector, u: int, v: int) -> npt.NDArray[np.int64]:
    """From where the ways up from two neighbours meet, down to the one, and up from the other.

    Both are of the same level, so that the ways are as long and meet at the same step.
    """
    above = whole(parents).to_dense()
    down, up = [u], [v]
    while u != v:
        u, v = int(above[u]), int(above[v])
        down.append(u)
        up.append(v)
    return np.array(down[::-1] + up[:-1], np.int64)
