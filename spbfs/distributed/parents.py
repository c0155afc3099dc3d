"""Parents, once a search over ranks has ended: owners ask the ranks that they heard from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from spbfs.distributed.found import level_type
from spbfs.distributed.steps import Step
from spbfs.distributed.wire import Subset

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["parents_of"]

Array = Any
Ints = npt.NDArray[np.int64]


def parents_of(
    engine: DistributedEngine, steps: Sequence[Step], finders: Array, source: int
) -> Array:
    """The parent of each of this rank's vertices, -1 where not reached; collective.

    Parameters
    ----------
    steps : sequence of Step
    finders : int32 array
        Of each vertex that was found the number of the step times that of ranks, plus the rank.
    source : int
        Its own parent.
    """
    ranks = engine.ranks
    places = np.full(engine.own, -1, np.int64)
    for number, step in enumerate(steps):
        assert step.via is not None
        base = number * ranks.size
        mine = np.flatnonzero(finders == base + ranks.rank)
        places[mine] = step.source.places(step.via[mine])
        if step.target.between:
            asked = [np.flatnonzero(finders == base + r) for r in range(ranks.size)]
            asked[ranks.rank] = asked[ranks.rank][:0]
            for vertices, told in zip(asked, _told(step, asked), strict=True):
                places[vertices] = told
    parents = np.full(engine.own, -1, level_type(engine.partition.n))
    found = np.flatnonzero(places >= 0)
    parents[found] = engine.partition.numbering.vertices(places[found])
    parents[engine.own_elements(np.array([source]))[1]] = source
    return parents


def _told(step: Step, asked: list[Ints]) -> list[Ints]:
    """What each rank says of the vertices that it was asked about, as places."""
    side = step.target
    subsets = [
        Subset(np.searchsorted(listed, vertices), None)
        for listed, vertices in zip(side.lent, asked, strict=True)
    ]
    via: Any = step.via
    answers = [
        step.source.places(via[numbers]).view(np.uint8)
        for numbers, _ in side.lend(subsets, None).wait()
    ]
    return [answer.view(np.int64) for answer in side.ranks.begin(answers).wait()]
