"""Two models of what a level takes, fitted to measured levels: the paper's averages and ours.

The paper's: a push takes its edges at one speed, a pull a share alpha of the edges left at
another.  Ours: the level, and a price for every kind of thing that is looked at, where what a pull
looks at is asked of a sample of those that would pull; non-negative least squares of the relative
error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.optimize

from spbfs.calibration.levels import Level, Measured
from spbfs.planner.calibrated import Fit, PaperRates

__all__ = ["fit_of", "nonnegative", "paper_of", "paper_times"]

Floats = npt.NDArray[np.float64]

#: A level that takes less is fitted as if it took as much: clocks do not tell it.
LEAST_NS = 500.0
#: Levels that took so many times more or less than the first fit says had company on the machine.
OUTLIER = 4.0
#: No price is less: nothing is free, and the planner divides by some.
LEAST_RATE = 0.001


def nonnegative(features: Sequence[Sequence[float]], seconds: Sequence[float]) -> list[float]:
    """The prices, in nanoseconds, of the features of levels that took so long.

    Examples
    --------
    >>> [round(price, 3) for price in nonnegative([(1, 1000), (1, 9000)], [3e-6, 19e-6])]
    [1000.0, 2.0]
    """
    A = np.asarray(features, float)
    took = np.maximum(np.asarray(seconds, float) * 1e9, LEAST_NS)
    kept = np.ones(took.size, bool)
    prices = np.zeros(A.shape[1])
    for _ in range(2):
        prices, _ = scipy.optimize.nnls(A[kept] / took[kept, None], np.ones(int(kept.sum())))
        ratio = np.maximum(A @ prices, LEAST_NS) / took
        kept = (ratio < OUTLIER) & (ratio > 1 / OUTLIER)
        if kept.sum() < A.shape[1]:
            break
    return [max(float(price), LEAST_RATE) for price in prices]


def paper_of(searches: Sequence[Measured]) -> PaperRates:
    """The paper's averages over all levels, and alpha."""
    levels = [level for search in searches for level in search.levels]
    pushed = [level.edges / level.push_seconds for level in levels if level.push_seconds > 0]
    looked = [level.probes + level.at_hub for level in levels]
    pulled = [
        look / level.pull_seconds
        for look, level in zip(looked, levels, strict=True)
        if level.pull_seconds > 0
    ]
    left = sum(level.open_entries for level in levels)
    alpha = sum(looked) / left if left else 1.0
    return PaperRates(float(np.mean(pushed)), float(np.mean(pulled)), min(alpha, 1.0))


def paper_times(paper: PaperRates, level: Level) -> tuple[float, float]:
    """t_TopDown and t_BottomUp in seconds: equations 2 and 4."""
    return level.edges / paper.top_down, paper.alpha * level.open_entries / paper.bottom_up


def fit_of(searches: Sequence[Measured], times: Callable[[Level], tuple[float, float]]) -> Fit:
    """How well a model, which gives the seconds of a push and of a pull, tells and chooses."""
    errors: list[float] = []
    regrets: list[float] = []
    for search in searches:
        chosen = best = 0.0
        for level in search.levels:
            push, pull = times(level)
            took = level.push_seconds, level.pull_seconds
            errors += [_factor(push, took[0]), _factor(pull, took[1])]
            chosen += took[0] if push <= pull else took[1]
            best += min(took)
        if best > 0:
            regrets.append(chosen / best)
    return Fit(float(np.median(errors)), float(np.median(regrets)), float(max(regrets)))


def _factor(told: float, took: float) -> float:
    """By which factor two times differ, the longer over the shorter."""
    least: Any = LEAST_NS * 1e-9
    a, b = max(told, least), max(took, least)
    return max(a / b, b / a)
