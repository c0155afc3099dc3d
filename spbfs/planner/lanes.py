"""What the lanes of warps do while rows are walked: the measures of Cheng et al. (2014).

A step of a warp is 32 lane-steps.  In some a lane has an edge; others are lost within a group of
lanes that walks a row and has come to its end, or between groups, one of which waits for the
longest row of its warp.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import astuple, dataclass

__all__ = ["WARP", "LaneUse", "total_use"]

#: Lanes of a warp.
WARP = 32


@dataclass(frozen=True, slots=True)
class LaneUse:
    """Counts over warps, which may be added.

    Parameters
    ----------
    steps : int
        Of warps: each is 32 lane-steps.
    active : int
        Lane-steps with an edge.
    taken : int
        Lane-steps of groups of which a lane has an edge.
    sectors, lines : int
        Pieces of 32 and of 128 bytes of the neighbours that the lanes of a step look at, summed
        over steps.

    Examples
    --------
    A row of 23 edges alone in its warp, walked by 8 lanes: one of them idles in the last of three
    steps, and three other groups of 8 all the while.

    >>> used = LaneUse(steps=3, active=23, taken=24, sectors=3, lines=3)
    >>> round(96 * used.me), round(96 * used.ua), round(96 * used.ur)
    (23, 1, 72)
    """

    steps: int
    active: int
    taken: int
    sectors: int
    lines: int

    def __add__(self, other: LaneUse) -> LaneUse:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return LaneUse(*(mine + theirs for mine, theirs in pairs))

    @property
    def me(self) -> float:
        """Mapping efficiency: the share of lane-steps with an edge; NaN where there is no step."""
        return self._share(self.active)

    @property
    def ua(self) -> float:
        """Intra-group underutilisation: the share lost at the ends of rows."""
        return self._share(self.taken - self.active)

    @property
    def ur(self) -> float:
        """Inter-group underutilisation: the share lost to groups that wait, or have no row."""
        return self._share(WARP * self.steps - self.taken)

    def _share(self, lanes: int) -> float:
        return lanes / (WARP * self.steps) if self.steps else math.nan


def total_use(uses: Iterable[LaneUse | None]) -> LaneUse:
    """The sum of those that were counted.

    Examples
    --------
    >>> total_use([LaneUse(1, 2, 4, 1, 1), None, LaneUse(2, 5, 8, 3, 2)])
    LaneUse(steps=3, active=7, taken=12, sectors=4, lines=3)
    """
    return sum((used for used in uses if used is not None), LaneUse(0, 0, 0, 0, 0))
