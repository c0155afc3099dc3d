"""Level-synchronous breadth-first search on the GPU by pushing alone, a kernel a phase.

What `spbfs.planner.expansion` names, as the papers have it: nothing is fused beyond what a name
says.  The host reads a level's counts once and decides the next launch by them; `cuda.bfs` has the
search that decides on the device.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.engines.cuda.expansion.frontiers import Frontiers, Step
from spbfs.exceptions import InvalidValue
from spbfs.planner import expansion
from spbfs.planner.expansion import Expansion

__all__ = ["LevelSynchronousBFS", "Traversed"]

Array = Any


@dataclass(frozen=True, slots=True)
class Traversed:
    """What a search went through.

    Parameters
    ----------
    depth : int
        Levels below the sources.
    vertices, edges : int
        Expanded, duplicates included: `edges` over the out-edges of the vertices reached is the
        redundant expansion factor.
    steps : tuple of Step
    """

    depth: int
    vertices: int
    edges: int
    steps: tuple[Step, ...]


class LevelSynchronousBFS:
    """Searches of one graph in one of the published ways, with the queues they share.

    Parameters
    ----------
    n : int
        Vertices.
    indptr, indices : cupy.ndarray
        Rows of out-edges: n + 1 offsets, int32 or int64, and int32 neighbours.
    how : Expansion, optional
    """

    def __init__(self, n: int, indptr: Array, indices: Array, how: Expansion | None = None) -> None:
        self.how = how or Expansion()
        self._n = n
        self.frontiers = Frontiers(n, indptr, indices, self.how)

    @property
    def nbytes(self) -> int:
        """Bytes of queues and workspace; the graph and the outputs are the caller's."""
        return self.frontiers.nbytes

    def run(
        self,
        source: int | Array,
        levels: Array,
        parents: Array | None,
        *,
        max_depth: int = 2**31 - 2,
        timed: bool = False,
    ) -> Traversed:
        """Search on the current stream; the last level's count has been read when it returns.

        Parameters
        ----------
        source : int or cupy.ndarray
            A vertex, or distinct int32 vertices on the device; not checked.
        levels, parents : cupy.ndarray
            int32 outputs, one element a vertex, -1 where not reached; `parents` may be None.
        max_depth : int, optional
            Last level to reach.
        timed : bool, optional
            Whether to take the time of every step.

        Raises
        ------
        InvalidValue
            An output has another dtype or shape.
        """
        for name, array in (("levels", levels), ("parents", parents)):
            if array is not None and (array.dtype != np.int32 or array.shape != (self._n,)):
                raise InvalidValue(
                    f"{name}: expected int32 of shape ({self._n},), "
                    f"got {array.dtype} of shape {array.shape}"
                )
        count = self.frontiers.start(source, levels, parents, max_depth, timed)
        if self.how.organisation in ("auto", "expand_contract"):
            self.frontiers.contract(0, count)
            depth = self._vertex_levels(max_depth)
        else:
            depth = self._edge_levels(count, max_depth)
        steps = self.frontiers.steps()
        return Traversed(
            depth, sum(step.vertices for step in steps), sum(step.edges for step in steps), steps
        )

    def _vertex_levels(self, max_depth: int) -> int:
        """expand_contract: one vertex queue makes the next.  auto does the same, with levels of few
        edges in one launch."""
        queues, few = self.frontiers, self.how.organisation == "auto"
        d, frontier = queues.few(0) if few else (0, queues.frontier(0))
        while frontier.edges and d < max_depth:
            if few and expansion.is_few(frontier):
                d, frontier = queues.few(d)
            else:
                queues.expand("expand_contract", d, frontier)
                d += 1
                frontier = queues.frontier(d)
        return d if frontier.vertices else d - 1

    def _edge_levels(self, edges: int, max_depth: int) -> int:
        """The organisations that keep an edge queue, of `edges` entries, from level to level."""
        queues, d, fused = self.frontiers, 0, self.how.organisation == "contract_expand"
        while True:
            small = self.how.organisation == "hybrid" and edges <= expansion.SMALL_EDGES
            if fused or small:
                d, edges, end = queues.fused(d, edges, small)
                if end is not None:
                    return end
                if edges <= queues.edge_capacity:
                    continue
                d -= 1
                queues.again(d)
            else:
                queues.contract(d, edges)
            frontier = queues.frontier(d)
            if frontier.vertices == 0:
                return d - 1
            if d == max_depth or frontier.edges == 0:
                return d
            queues.expand("expand", d, frontier)
            d, edges = d + 1, frontier.edges
