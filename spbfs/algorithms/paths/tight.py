"""The edges that shortest paths consist of, and a tree of them.

An edge (u, v) is tight where the distance of u and its length make the distance of v.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spbfs import select, semiring
from spbfs.algorithms.bfs import bfs
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.parts import whole
from spbfs.objects.vector import Vector

__all__ = ["Tree", "tight_edges", "tree_of_tight"]


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


def tree_of_tight(tight: Matrix, sources: npt.NDArray[np.int64], d: Vector, start: Any) -> Tree:
    """The least parents of a breadth-first search along tight edges.

    So that, of several paths of the same length, those of fewest edges count.  Only a source whose
    distance is still `start` begins a tree: to others a path from another one is
    shorter.
    """
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
