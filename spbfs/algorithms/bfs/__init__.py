"""Breadth-first search, three ways: composed on the page, fused in one call, and level by level.

Stored entry A[u, v] is the edge from u to v.  The frontier q, a row vector, is multiplied with A
over the any_pair semiring: vertex v is in the product where some u in the frontier has an edge to
it.  The mask admits only vertices that have no level yet::

    while q.nvals:
        levels(q.S) << depth
        q(~levels.S, replace) << semiring.any_pair(q @ A)
        depth += 1

`composed` is this program with parents, on any engine; `search` is the same search fused into one
call of an engine, and judged by it; `plan` makes many of one graph; `frontiers` hands out the
levels of the fused search one by one.
"""

from spbfs.algorithms.bfs.frontiers import levels
from spbfs.algorithms.bfs.plan import BFSPlan
from spbfs.algorithms.bfs.result import BFSResult, LevelTrace
from spbfs.algorithms.bfs.search import bfs

__all__ = ["BFSPlan", "BFSResult", "LevelTrace", "bfs", "levels"]
