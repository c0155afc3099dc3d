"""What warps do when groups of their lanes walk a row each, computed from the degrees.

Cheng et al. (2014) simulate the windows of their warps over the frontiers of a search; so is it
done here, with the same tiles as ``kernels/cuda/expansion/expand.cuh``.  The kernels that count
(`Expansion(count_lanes=True)`) are what it is compared with.
"""

from __future__ import annotations

from typing import Any

from spbfs.planner.lanes import WARP, LaneUse

__all__ = ["greatest", "lane_use", "rising"]


def rising(xp: Any, levels: Any) -> Any:
    """The vertices reached, by level, and in a level by number."""
    reached = xp.flatnonzero(levels >= 0)
    return reached[xp.argsort(levels[reached], kind="stable")]


def lane_use(
    xp: Any,
    indptr: Any,
    levels: Any,
    width: int,
    *,
    order: Any | None = None,
    threads: int = 1 << 62,
) -> LaneUse:
    """Of a search that expands every vertex it reached, level by level.

    Parameters
    ----------
    xp : module
        NumPy or CuPy, whichever the arrays are of.
    indptr : array
        Offsets of the rows, of which the first begins with a line.
    levels : array
        Of every vertex, -1 where not reached.
    width : int
        Lanes of a group: 1, 2, 4, ..., 32.
    order : array, optional
        The vertices in the order of the queues, level after level; `rising` by default.
    threads : int, optional
        Of the grid: a level that has no room for a group a row gives a group several.

    Examples
    --------
    >>> import numpy as np
    >>> lane_use(np, np.array([0, 23]), np.array([0]), 8)
    LaneUse(steps=3, active=23, taken=24, sectors=3, lines=3)
    """
    order = rising(xp, levels) if order is None else order
    level, begin = levels[order].astype(xp.int64), indptr[order].astype(xp.int64)
    degree = indptr[order + 1].astype(xp.int64) - begin
    window = _windows(xp, level, width, threads)
    steps = -(-degree // width)

    # A piece is what a group looks at in a step: neighbours that follow one another.
    ends = xp.cumsum(steps)
    piece = xp.arange(int(steps.sum()))
    row = xp.searchsorted(ends, piece, side="right")  # CuPy repeats a row at a time
    step = piece - (ends - steps)[row]
    first = begin[row] + step * width
    last = xp.minimum(first + width, (begin + degree)[row]) - 1
    at = window[row] * (int(steps.max()) + 1 if steps.size else 1) + step
    by = xp.lexsort(xp.stack([first, at]))
    first, last, at = first[by], last[by], at[by]

    def distinct(entries: int) -> int:
        """Pieces of memory of so many entries, each once a step of a warp."""
        low, high = first // entries, last // entries
        shared = (at[1:] == at[:-1]) & (low[1:] == high[:-1])
        return int((high - low + 1).sum()) - int(shared.sum())

    longest = greatest(xp, steps, window)
    useful, taken = int(degree.sum()), width * int(steps.sum())
    return LaneUse(int(longest.sum()), useful, taken, distinct(8), distinct(32))


def greatest(xp: Any, values: Any, groups: Any) -> Any:
    """The greatest value of every group, groups in the order of their numbers."""
    by = xp.lexsort(xp.stack([values, groups]))
    group = groups[by]
    last = xp.ones(group.shape, dtype=bool)
    last[:-1] = group[1:] != group[:-1]
    return values[by][last]


def _windows(xp: Any, level: Any, width: int, threads: int) -> Any:
    """For every row a number that it shares with those that its warp walks at the same time."""
    sizes = xp.bincount(level)
    spread = xp.full(sizes.shape, width)
    for _ in range(WARP.bit_length()):
        spread = xp.where((spread > 1) & (sizes * spread > threads), spread // 2, spread)
    warps, turns = -(-sizes * spread // WARP), width // spread
    place = xp.arange(level.shape[0]) - (xp.cumsum(sizes) - sizes)[level]
    before = xp.cumsum(warps * turns) - warps * turns
    rows, turns = (WARP // spread)[level], turns[level]
    return before[level] + place // rows * turns + place % rows % turns
