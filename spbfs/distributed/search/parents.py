"""Parents, once a search over ranks has ended: owners ask the ranks that they heard from.

Of a search that lists its frontier, in host memory; `flagged` has that of flags.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.distributed.exchange.wire import Subset, padded
from spbfs.distributed.search.found import level_type
from spbfs.distributed.search.steps import Step

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["parents_of"]

Array = Any


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
    parents = np.full(engine.own, -1, level_type(engine.partition.n))
    for number, step in enumerate(steps):
        assert step.via is not None
        base, names = number * ranks.size, engine.names(step.source)
        asked = [np.flatnonzero(finders == base + r) for r in range(ranks.size)]
        mine = asked[ranks.rank]
        parents[mine] = names[step.via[mine]]
        if step.target.between:
            asked[ranks.rank] = mine[:0]
            for vertices, told in zip(asked, _told(step, names, asked), strict=True):
                parents[vertices] = told
    parents[engine.own_elements(np.array([source]))[1]] = source
    return parents


def _told(step: Step, names: Array, asked: list[Array]) -> list[Array]:
    """The parents, as each rank has them, of the vertices that it was asked about."""
    side = step.target
    subsets = [
        Subset(np.searchsorted(listed, vertices), None)
        for listed, vertices in zip(side.lent, asked, strict=True)
    ]
    via: Any = step.via
    answers = [padded(np, names[via[numbers]]) for numbers, _ in side.lend(subsets, None).wait()]
    arrived = side.ranks.begin(answers).wait()
    return [
        answer.view(names.dtype)[: vertices.shape[0]]
        for vertices, answer in zip(asked, arrived, strict=True)
    ]
