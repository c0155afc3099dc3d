"""The measures of a warp's use: the example of their paper, warps worked out by hand, and windows
walked one lane after another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import SEARCHABLE, bfs_levels

from spbfs.planner.lanes import LaneUse

lane_use = pytest.importorskip(
    "benchmarks.common.simd_efficiency", reason="benchmarks are in the checkout only"
).lane_use

WIDTHS = (1, 2, 4, 8, 16, 32)


@pytest.mark.parametrize(("width", "idle"), [(32, 9), (16, 9), (8, 1), (4, 1), (2, 1), (1, 0)])
def test_lanes_idle_in_the_last_step_of_a_row_of_23(width: int, idle: int) -> None:
    used = lane_use(np, np.array([0, 23]), np.array([0]), width)
    assert used.steps == -(-23 // width)
    assert (used.active, used.taken) == (23, 23 + idle)
    assert used.me + used.ua + used.ur == pytest.approx(1)


def test_levels_do_not_share_a_warp_and_the_unreached_are_in_none() -> None:
    levels, indptr = np.array([1, 0, 1, -1, 1]), np.array([0, 5, 13, 14, 114, 116])
    used = lane_use(np, indptr, levels, 16)
    # Level 0: one row of 8, a step.  Level 1: rows of 5 and 1, a step; a row of 2 alone, a step.
    assert used == LaneUse(3, 16, 64, sectors=5, lines=3)
    assert (used.ua, used.ur) == (48 / 96, 32 / 96)


def test_nothing_is_used_where_nothing_is_walked() -> None:
    used = lane_use(np, np.array([0, 0]), np.array([0]), 4)
    assert used == LaneUse(0, 0, 0, 0, 0) and np.isnan(used.me)


def _walk(indptr: Any, queues: list[list[int]], width: int, threads: int) -> LaneUse:
    """The windows of every warp, one lane after another."""
    steps = active = taken = sectors = lines = 0
    for queue in queues:
        spread = width
        while spread > 1 and len(queue) * spread > threads:
            spread //= 2
        for first in range(0, len(queue), 32 // spread):
            rows = queue[first : first + 32 // spread]
            for turn in range(width // spread):
                walked = rows[turn :: width // spread]
                ranges = [range(indptr[v], indptr[v + 1]) for v in walked]
                for step in range(max(-(-len(r) // width) for r in ranges) if ranges else 0):
                    seen = [r[step * width : (step + 1) * width] for r in ranges]
                    steps += 1
                    active += sum(map(len, seen))
                    taken += width * sum(map(bool, seen))
                    sectors += len({k // 8 for r in seen for k in r})
                    lines += len({k // 32 for r in seen for k in r})
    return LaneUse(steps, active, taken, sectors, lines)


@pytest.mark.parametrize("name", SEARCHABLE)
def test_windows_are_those_of_warps_walked_by_hand(name: str) -> None:
    graph = SEARCHABLE[name]
    indptr = np.r_[0, np.cumsum(np.bincount(graph.rows, minlength=graph.nrows))]
    levels = np.array(bfs_levels(graph, [graph.nrows // 2]))
    rng = np.random.default_rng(5)
    queues = [rng.permutation(np.flatnonzero(levels == d)) for d in range(levels.max() + 1)]
    for width in WIDTHS:
        for threads in (1, 64, 1 << 20):
            found = lane_use(
                np, indptr, levels, width, order=np.concatenate(queues), threads=threads
            )
            assert found == _walk(indptr, queues, width, threads), (width, threads)
