"""The measures of a warp's use: the example of their paper, and a warp worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

efficiency = pytest.importorskip(
    "benchmarks.cuda.simd_efficiency", reason="benchmarks are in the checkout only"
).efficiency


@pytest.mark.parametrize(("width", "idle"), [(32, 9), (16, 9), (8, 1), (4, 1), (2, 1), (1, 0)])
def test_lanes_idle_in_the_last_step_of_a_row_of_23(width: int, idle: int) -> None:
    found = efficiency(np, np.array([0]), np.array([23]), width)
    slots = 32 * -(-23 // width)
    assert found.useful * slots == pytest.approx(23)
    assert found.within * slots == pytest.approx(idle)
    assert found.useful + found.within + found.between == pytest.approx(1)


def test_levels_do_not_share_a_warp_and_the_unreached_are_in_none() -> None:
    levels, degrees = np.array([1, 0, 1, -1, 1]), np.array([5, 8, 1, 100, 2])
    found = efficiency(np, levels, degrees, 16)
    # Level 0: one row of 8, a step.  Level 1: rows of 5 and 1, a step; a row of 2 alone, a step.
    assert found.useful == pytest.approx(16 / 96)
    assert found.within == pytest.approx((8 + 11 + 15 + 14) / 96)
    assert found.between == pytest.approx((16 + 16) / 96)
