"""A search over ranks for the least parents, or from several sources: candidates cross as keys.

A key is the number of a source above that of a vertex; of those that reach a vertex the least
stays.  Each level is one product over (min, first), so that all of a vertex's candidates count.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from spbfs.distributed.algebra.transpose import in_edges
from spbfs.distributed.parts.storage import DistributedMatrix, DistributedVector
from spbfs.distributed.search.found import FoundOverRanks, level_type
from spbfs.engines.bfs import LevelTrace, SearchRequest
from spbfs.engines.part_searches import PartKeys
from spbfs.engines.protocol import Hints, MaskData
from spbfs.operators.dtypes import UINT64
from spbfs.operators.tables.builtin import SEMIRING
from spbfs.planner.search import pull_parts_pays
from spbfs.storage.data import VectorData
from spbfs.storage.entries import vector_entries

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["search_by_keys"]

Array = Any
Ints = npt.NDArray[np.int64]
_LEAST = SEMIRING["min_first"].over(UINT64)


def search_by_keys(
    engine: DistributedEngine,
    A: DistributedMatrix,
    request: SearchRequest,
    sources: Ints,
    positions: Ints | None,
) -> FoundOverRanks:
    """Levels, least parents and the nearest of distinct sources; collective.

    Parameters
    ----------
    positions : int64 array or None
        Where each source stood among those given, where some stood there twice.
    """
    directions = {request.direction_at(level) for level in range(len(request.schedule) or 1)}
    if directions != {"push"}:
        in_edges(engine, A)  # a level that is pulled needs it, and products make none
    run = _Keyed(engine, A, sources, positions)
    limit = A.nrows if request.max_depth is None else request.max_depth
    depth, reached, edges, sent = 0, 0, 0, 0
    trace: list[LevelTrace] = []
    target = run.elements(request.target)
    while True:
        frontier, out_edges, hit, exchanged = run.look(target, sent)
        if trace:
            trace[-1] = replace(trace[-1], exchanged=exchanged)
        reached, edges = reached + frontier, edges + out_edges
        if hit or depth >= limit or not frontier or not out_edges:
            break
        began, before = time.perf_counter(), engine.ranks.sent
        direction = request.direction_at(depth)
        depth += 1
        if direction == "auto":
            direction = "pull" if pull_parts_pays(A.nrows, out_edges, A.nvals - edges) else "push"
        run.expand(depth, Hints(direction, request.threads))
        sent = engine.ranks.sent - before
        seconds = time.perf_counter() - began
        trace.append(LevelTrace(frontier, out_edges, direction, seconds, "ranks"))
    return FoundOverRanks(run.outputs(request), depth - (not frontier), reached, edges, trace)


class _Keyed:
    """This rank's arrays of a search."""

    def __init__(
        self,
        engine: DistributedEngine,
        A: DistributedMatrix,
        sources: Ints,
        positions: Ints | None,
    ) -> None:
        self._engine, self._A = engine, A
        self._split = PartKeys.of(A.nrows, sources.shape[0])
        xp, self._degrees = engine.staging.xp, engine.ends(A).degrees
        self._levels = xp.full(engine.own, -1, level_type(A.nrows))
        self._keys = xp.zeros(engine.own, np.uint64)
        mine, at = engine.own_elements(sources)
        numbers = mine if positions is None else positions[mine]
        owners = numbers.astype(np.uint64) << np.uint64(self._split.shift)
        elements = engine.staging.asarray(at)
        self._levels[elements] = 0
        self._keys[elements] = xp.asarray(sources[mine].astype(np.uint64) | owners)
        self._frontier = xp.sort(elements)

    def elements(self, vertex: int | None) -> Array:
        """The element of a vertex where it is this rank's, in a list of one or none."""
        wanted = np.array([] if vertex is None else [vertex], np.int64)
        return self._engine.staging.asarray(self._engine.own_elements(wanted)[1])

    def look(self, target: Array, sent: int) -> list[int]:
        """Of all ranks: the frontier, its out-edges, whether the target is there, bytes sent."""
        at = self._frontier
        hit = int((self._levels[target] >= 0).sum()) if target.shape[0] else 0
        counts = np.array([at.shape[0], int(self._degrees[at].sum()), hit, sent], np.int64)
        return self._engine.ranks.reduce(counts, "sum").tolist()

    def expand(self, depth: int, hints: Hints) -> None:
        """Find the next level, of every vertex the least key."""
        engine, staging, at = self._engine, self._engine.staging, self._frontier
        A: Any = self._A
        owners = self._keys[at] & np.uint64(self._split.mask)
        mine = engine.vertices(at).astype(np.uint64) | owners
        q = VectorData(engine.own, mine, indices=at)
        visited = self._levels >= 0
        ones = staging.constant(True, np.dtype(np.bool_), engine.own)
        flags = VectorData(engine.own, ones, present=visited)
        w = engine.mxv(
            (A, _LEAST, True, True),
            DistributedVector(engine.partition, engine.from_staging(q)),
            MaskData(DistributedVector(engine.partition, engine.from_staging(flags)), True, True),
            hints,
        )
        found, keys = vector_entries(engine.to_staging(w.part))
        self._levels[found] = depth
        self._keys[found] = keys
        self._frontier = found

    def outputs(self, request: SearchRequest) -> dict[str, Array | None]:
        """Levels, parents and owners, -1 where not reached, None where not asked for."""
        parents, owners, xp = None, None, self._engine.staging.xp
        reached = self._levels >= 0
        shift = np.uint64(self._split.shift)
        if request.parents:
            parents = xp.full_like(self._levels, -1)
            parents[reached] = self._keys[reached] & ((np.uint64(1) << shift) - np.uint64(1))
        if request.several:
            owners = xp.full_like(self._levels, -1)
            owners[reached] = self._keys[reached] >> shift
        levels = self._levels if request.levels else None
        return {"levels": levels, "parents": parents, "owners": owners}
