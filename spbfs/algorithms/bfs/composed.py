"""Breadth-first search composed of masked products: the plain one beside the fused `spbfs.bfs`.

Kepner, Gilbert: Graph Algorithms in the Language of Linear Algebra (SIAM 2011).
"""

from __future__ import annotations

import operator
import time
from collections.abc import Sequence
from dataclasses import dataclass

from spbfs import monoid, semiring
from spbfs.algorithms.bfs.arguments import check_square
from spbfs.objects.assignment.statement import replace
from spbfs.objects.matrix import Matrix
from spbfs.objects.vector import Vector

__all__ = ["ComposedBFS", "bfs_composed"]


@dataclass(frozen=True, slots=True)
class ComposedBFS:
    """What the search found, under the names of `BFSResult`."""

    levels: Vector
    parents: Vector
    depth: int
    reached: int
    edges: int
    seconds: float


def bfs_composed(
    A: Matrix, source: int | Sequence[int], *, max_depth: int | None = None
) -> ComposedBFS:
    """Levels and parents by ``any_secondi`` products, on whatever engine `A` is.

    Parameters
    ----------
    A : Matrix
        n x n adjacency matrix; stored entry (u, v) is the edge from u to v.
    source : int or sequence of int
        Where to start.
    max_depth : int, optional
        Visit no vertex deeper than this.

    Returns
    -------
    ComposedBFS
        `levels` and `parents`, INT64; sources are their own parents.

    Raises
    ------
    DimensionMismatch
        `A` is not square.
    IndexOutOfBound
        A source is not a vertex.

    Examples
    --------
    >>> import spbfs
    >>> from spbfs.algorithms.bfs.composed import bfs_composed
    >>> bfs_composed(spbfs.generate.path(4), 0).levels.to_dense().tolist()
    [0, 1, 2, 3]
    """
    check_square(*A.shape)
    sources = list(source) if isinstance(source, Sequence) else [operator.index(source)]
    begin = time.perf_counter()
    levels, parents, q = (Vector(int, A.nrows).to(A.device) for _ in range(3))
    for s in sources:
        q[s] = s
    depth = 0
    while q.nvals:
        levels(q.S) << depth
        parents(q.S) << q
        if depth == max_depth:
            break
        q(~levels.S, replace) << semiring.any_secondi(q @ A)
        depth += 1
    seconds = time.perf_counter() - begin
    degrees = A.reduce_rowwise("count").new(mask=levels.S)
    return ComposedBFS(
        levels=levels,
        parents=parents,
        depth=int(levels.reduce(monoid.max).new().value or 0),
        reached=int(levels.nvals),
        edges=int(degrees.reduce(monoid.plus).new().value or 0),
        seconds=seconds,
    )
