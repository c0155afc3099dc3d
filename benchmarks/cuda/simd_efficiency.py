"""How much of a warp works when groups of its lanes walk a row each: the measures of Cheng et al.

Lane-steps of a warp are its 32 lanes times the steps of its longest row.  `useful` (ME) is the
share in which a lane has an edge, `within` (UA) the share lost in the last step of a group's own
row, `between` (UR) the share in which a group waits for the longest row of its warp, lanes without
any row included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Efficiency", "efficiency"]


@dataclass(frozen=True)
class Efficiency:
    """Shares of all lane-steps; their sum is 1."""

    useful: float
    within: float
    between: float


def efficiency(xp: Any, levels: Any, degrees: Any, width: int) -> Efficiency:
    """Of a search that expands every level's vertices in rising order.

    Parameters
    ----------
    xp : module
        NumPy or CuPy, whichever the arrays are of.
    levels, degrees : array
        Of every vertex; level -1 where not reached.
    width : int
        Lanes of a group: 1, 2, 4, ..., 32.

    Examples
    --------
    A row of 23 edges alone in its warp, walked by 8 lanes: 3 steps, 1 lane idle in the last, and
    three groups of 8 idle throughout.

    >>> import numpy as np
    >>> e = efficiency(np, np.array([0]), np.array([23]), 8)
    >>> round(96 * e.useful), round(96 * e.within), round(96 * e.between)
    (23, 1, 72)
    """
    groups = 32 // width
    reached = xp.flatnonzero(levels >= 0)
    frontier = reached[xp.argsort(levels[reached], kind="stable")]
    level, degree = levels[frontier].astype(xp.int64), degrees[frontier].astype(xp.int64)
    sizes = xp.bincount(level)
    warps = -(-sizes // groups)
    first_warp, first_place = xp.cumsum(warps) - warps, xp.cumsum(sizes) - sizes
    place = xp.arange(frontier.shape[0]) - first_place[level]
    warp = first_warp[level] + place // groups
    steps = -(-degree // width)
    longest = xp.zeros(int(warps.sum()), dtype=xp.int32)
    xp.maximum.at(longest, warp, steps.astype(xp.int32))
    slots = 32 * float(longest.sum(dtype=xp.int64))
    useful, taken = float(degree.sum()), width * float(steps.sum())
    return Efficiency(useful / slots, (taken - useful) / slots, (slots - taken) / slots)
