"""What a rank knows of its vertices in a search that lists its frontier: where time is bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.distributed.algebra.products import brought
from spbfs.distributed.parts.sides import Crossing
from spbfs.distributed.search.found import ByLevels, level_type
from spbfs.distributed.search.parents import parents_of
from spbfs.distributed.search.steps import Step
from spbfs.storage.data import VectorData, iso_array
from spbfs.storage.entries import vector_entries

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["Listed"]

Array = Any
_TRUE = np.array([True])


class Listed(ByLevels):
    """Levels, by whom vertices were found, and the frontier as a list; in host memory.

    Parameters
    ----------
    engine : DistributedEngine
    degrees : int64 array
    sources : int64 array
        Elements.
    """

    def __init__(self, engine: DistributedEngine, degrees: Array, sources: Array) -> None:
        self._engine, self._degrees, self.frontier = engine, degrees, sources
        self.levels = np.full(engine.own, -1, level_type(engine.partition.n))
        #: Of every vertex found the step and the rank by which this rank heard of it first.
        self.finders = np.full(engine.own, -1, np.int32)
        self.levels[sources] = 0

    def counts(self) -> tuple[int, int]:
        """Vertices of the frontier, and their out-edges."""
        return self.frontier.shape[0], int(self._degrees[self.frontier].sum())

    def predict(self, step: Step, frontier: int, out_edges: int) -> int | None:
        """Bytes that all ranks will send for a level, where that can be told."""
        return step.predict(frontier, out_edges)

    def show(self, step: Step) -> None:
        """Tell a step that is new which vertices have a level."""
        step.see_nothing()
        step.seen[np.flatnonzero(self.levels >= 0)] = True

    def expand(self, step: Step, others: list[Step], depth: int, code: int) -> None:
        """Find the next level, by one step; `code` is its number times that of ranks."""
        found, crossing = self._found(step)
        # What was found here is written down while the others' messages are under way.
        self._reach(found, depth, code + self._engine.ranks.rank)
        new = [found]
        if crossing is not None:
            for rank, (vertices, _) in enumerate(crossing.wait()):
                unknown = vertices[self.levels[vertices] < 0]
                self._reach(unknown, depth, code + rank)
                new.append(unknown)
        self.frontier = np.sort(np.concatenate(new)) if len(new) > 1 else found
        for other in others:
            other.seen[self.frontier] = True

    def parents(self, steps: list[Step], source: int) -> Array:
        """The parent of each vertex, -1 where not reached; collective."""
        return parents_of(self._engine, steps, self.finders, source)

    def _found(self, step: Step) -> tuple[Array, Crossing | None]:
        """Which of its own vertices this rank finds, rising, and those of it that others have."""
        engine, target, at = self._engine, step.target, self.frontier
        listed = VectorData(engine.own, iso_array(_TRUE, at.shape[0]), indices=at)
        u = engine.host.choose_form(brought(engine, step.source, listed, False), shrink=True)
        found, via = vector_entries(engine.on_host(step.multiply(engine.on_device(u))))
        step.seen[found] = True
        if step.via is not None:
            step.via[found] = via
        if not target.between:
            return found, None
        crossing = target.give(found, None)
        step.named += found.shape[0] - crossing.stay
        return found[: crossing.stay], crossing

    def _reach(self, vertices: Array, depth: int, finder: int) -> None:
        self.levels[vertices] = depth
        self.finders[vertices] = finder
