"""The edges that shortest paths consist of, and a tree of them.

An edge (u, v) is tight where the distance of u and its length make the distance of v; by what they
make more is its slack.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spbfs import binary, select, semiring, unary
from spbfs.algorithms.bfs import bfs
from spbfs.algorithms.paths.bellman_ford import bellman_ford
from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.parts import whole
from spbfs.objects.vector import Vector

__all__ = ["Tree", "slack", "tight_edges", "tree_of_shortest", "tree_of_tight"]


class Tree(NamedTuple):
    """Parents, and of several sources the position of the one that a vertex's tree begins at.

    Neither where they were not asked for.
    """

    parents: Vector | None = None
    owners: Vector | None = None


def tight_edges(A: MatrixOperand, d: Vector, product: Any = semiring.min_plus) -> Matrix:
    """The pattern of the edges (u, v) with ``d[u] + A[u, v] == d[v]``, by two products.

    Another `product` has another way than + to go on.
    """
    D = d.diag()
    along = product(D @ A).new()
    ends = semiring.any_eq(along @ D).new()
    return select.valuene(ends, False).new()


def slack(A: MatrixOperand, d: Vector) -> Matrix:
    """How much longer than nearest, the distance of v, a walk by the edge (u, v) is:
    ``d[u] + A[u, v] - d[v]``.

    Edges from or to who has no distance are left out.
    """
    D = d.diag()
    one = A.apply(unary.one[d.dtype]).new()
    here, there = (D @ one).new(), (one @ D).new()
    along = A.apply(unary.identity[d.dtype]).new().ewise_mult(here, binary.plus).new()
    # Rounding may leave a little less than nothing.
    return along.ewise_mult(there, binary.minus).new().apply(binary.max, 0).new()


def tree_of_shortest(A: MatrixOperand, sources: npt.NDArray[np.int64], d: Vector) -> Tree:
    """A tree of shortest paths from the sources, for everybody who has a distance.

    Where a cycle is of length 0, rounding may bring those on it nearer than any path does, a
    source itself too, so that tight edges lead round it alone.  Then it is a tree of the paths
    that have the least slack in all.
    """
    if (whole(d)[sources].new().to_dense() == 0).any():
        tree = tree_of_tight(tight_edges(A, d), sources, d, 0)
        if tree.parents is not None and tree.parents.nvals == d.nvals:
            return tree
    begins = set_of(np, sources)
    nearer = -whole(d)[begins].new().to_dense()
    start = Vector.from_coo(begins, nearer, d.dtype, size=d.size, device=d.device)
    edges = slack(A, d)
    rest = bellman_ford(edges, start)
    return tree_of_tight(tight_edges(edges, rest), sources, rest, start)


def tree_of_tight(tight: Matrix, sources: npt.NDArray[np.int64], d: Vector, start: Any) -> Tree:
    """The least parents of a breadth-first search along tight edges.

    So that, of several paths of the same length, those of fewest edges count.  Only a source whose
    distance is still `start`, or what this says of it, begins a tree: to others a path from another
    one is shorter.
    """
    if isinstance(start, Vector):
        start = whole(start)[sources].new().to_dense()
    begun = np.flatnonzero(whole(d)[sources].new().to_dense() == start)
    found = bfs(tight, sources[begun], levels=False, parents="min")
    if len(sources) == 1:
        return Tree(found.parents, None)
    owners = found.owners
    if owners is None or len(begun) < len(sources):
        # Positions among all sources again; of one that began there are none.
        at, owner = whole(found.parents if owners is None else owners).to_coo()
        owner = np.zeros_like(owner) if owners is None else owner
        owners = Vector.from_coo(
            at, begun[owner], found.parents.dtype, size=d.size, device=d.device
        )
    return Tree(found.parents, owners)
