"""A search from one source over ranks, direction-optimising.

A level is a push along out-edges or a pull along in-edges, and either is three steps: the frontier
is brought to whoever has edges of it, every rank multiplies its part of the matrix by it, and what
was found of others' vertices is returned to its owners.  Cut by rows, a push returns only and a
pull brings only.  What crosses is who, not from whom: a rank remembers which of its edges it was
that found a vertex, an owner which rank it heard of it first, and parents are asked for once, at
the end.  Nobody names a vertex to its owner twice.

Beamer, Buluc, Asanovic, Patterson: Distributed memory breadth-first search revisited: enabling
bottom-up search (2013).  Buluc, Madduri: Parallel breadth-first search on distributed memory
systems (SC 2011).
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.distributed.algebra.transpose import in_edges
from spbfs.distributed.parts.storage import DistributedMatrix
from spbfs.distributed.search.flagged import Flagged
from spbfs.distributed.search.found import FoundOverRanks
from spbfs.distributed.search.listed import Listed
from spbfs.distributed.search.steps import Step
from spbfs.engines.bfs import LevelTrace, SearchRequest
from spbfs.planner.search import pull_parts_pays

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine
    from spbfs.distributed.search.compiled import Compiled

__all__ = ["search"]

Array = Any


def search(
    engine: DistributedEngine, A: DistributedMatrix, request: SearchRequest, source: int
) -> FoundOverRanks:
    """Levels and any tree from one source; collective."""
    if engine.on_cpus:
        # Loads compiled code, which importing the package does not.
        from spbfs.distributed.search.one_host import in_one_host, search_one_host

        if in_one_host(engine, A):
            return search_one_host(engine, A, request, source)
    run = _Search(engine, A, request, source)
    limit = A.nrows if request.max_depth is None else request.max_depth
    target = _own(engine, request.target)
    while True:
        frontier, out_edges = run.look(target)
        if run.ended or run.depth >= limit or not frontier or not out_edges:
            break
        step = run.step(run.pulls(request.direction_at(run.depth), out_edges))
        run.expand(step, frontier, out_edges)
    known = run.known
    parents = known.parents(run.steps, source) if request.parents else None
    levels = known.levels if request.levels else None
    arrays = {"levels": levels, "parents": parents, "owners": None}
    return FoundOverRanks(arrays, run.deepest, run.reached, run.edges, run.trace)


def _own(engine: DistributedEngine, vertex: int | None) -> Array:
    """The element of a vertex where it is this rank's, in a list of one or none."""
    wanted = np.array([] if vertex is None else [vertex], np.int64)
    return engine.staging.asarray(engine.own_elements(wanted)[1])


class _Search:
    """A search under way: what all ranks have counted."""

    def __init__(
        self, engine: DistributedEngine, A: DistributedMatrix, request: SearchRequest, source: int
    ) -> None:
        self._engine, self._A, self._request = engine, A, request
        known = engine.ends(A).degrees, _own(engine, source)
        #: What this rank knows of its vertices.
        self.known: Compiled | Listed | Flagged
        if engine.staging is not engine.host:
            self.known = Flagged(engine, *known)
        elif engine.local is engine.host:
            from spbfs.distributed.search.compiled import Compiled  # compiled

            self.known = Compiled(engine, A, *known, request.threads)
        else:
            self.known = Listed(engine, *known)
        self.steps: list[Step] = []
        self.depth, self.deepest, self.reached, self.edges = 0, 0, 0, 0
        self.ended = False
        self.trace: list[LevelTrace] = []
        self._sent = 0

    def look(self, target: Array) -> tuple[int, int]:
        """Vertices of the frontier and their out-edges, at all ranks."""
        reached = int(target.shape[0] > 0 and self.known.has(int(target[0])))
        mine = np.array([*self.known.counts(), reached, self._sent], np.int64)
        frontier, edges, hit, sent = self._engine.ranks.reduce(mine, "sum").tolist()
        self.reached, self.edges, self.ended = self.reached + frontier, self.edges + edges, hit > 0
        if frontier:
            self.deepest = self.depth
        if self.trace:
            self.trace[-1] = replace(self.trace[-1], exchanged=sent)
        return frontier, edges

    def pulls(self, direction: str, out_edges: int) -> bool:
        """Whether the level is pulled."""
        if direction != "auto":
            return direction == "pull"
        return pull_parts_pays(self._A.nrows, out_edges, self._A.nvals - self.edges)

    def step(self, pull: bool) -> Step:
        """The step of a direction, made when it is first taken."""
        for known in self.steps:
            if known.pull == pull:
                return known
        matrix = in_edges(self._engine, self._A) if pull else self._A
        made = Step(self._engine, matrix, pull, self._request)
        self.known.show(made)
        self.steps.append(made)
        return made

    def expand(self, step: Step, frontier: int, out_edges: int) -> None:
        """Find the next level."""
        ranks, code = self._engine.ranks, self.steps.index(step) * self._engine.ranks.size
        began, before = time.perf_counter(), ranks.sent
        predicted = self.known.predict(step, frontier, out_edges)
        self.depth += 1
        self.known.expand(step, self.steps, self.depth, code)
        self._sent = ranks.sent - before
        name = "pull" if step.pull else "push"
        seconds = time.perf_counter() - began
        self.trace.append(
            LevelTrace(frontier, out_edges, name, seconds, "ranks", predicted=predicted)
        )
