"""What the searches over ranks find, whichever of them ran."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spbfs.engines.bfs import LevelTrace

__all__ = ["ByLevels", "FoundOverRanks", "level_type"]

Array = Any


class FoundOverRanks(NamedTuple):
    """What a search found: arrays of this rank's elements, -1 where not reached; numbers of all."""

    arrays: dict[str, Array | None]
    depth: int
    reached: int
    edges: int
    trace: list[LevelTrace]


def level_type(n: int) -> Any:
    """The type of levels and parents of n vertices."""
    return np.int32 if n <= np.iinfo(np.int32).max else np.int64


class ByLevels:
    """What a rank knows in a search, where the levels of its own vertices are there at any time."""

    levels: Array

    def has(self, vertex: int) -> bool:
        """Whether an own vertex was found."""
        return bool(self.levels[vertex] >= 0)
