"""The rates of the GPU, from its levels: a tier at a time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from spbfs.algorithms.bfs import BFSPlan
from spbfs.calibration.fit import fit_of, nonnegative, paper_of, paper_times
from spbfs.calibration.levels import Level, Measured
from spbfs.generate import kronecker, path, uniform
from spbfs.planner.calibrated import CudaCalibration, Training
from spbfs.planner.expansion import STRATEGIES
from spbfs.planner.rates import BUILT_IN, CudaSearchRates, LevelRates, current, use

__all__ = ["cuda_calibration"]

#: Fewer levels than these leave a tier's rates what they were.
_FEWEST = 8
#: Searches of which the shortest says what a launch takes, and an expansion's pushes.
_TIMES = 20
_EXPANDED_SCALE = 18
#: Costs of a push that are tried on graphs of so many vertices (a power of two), 0 being the fused
#: search's own; and by how much a search must be shorter with another one.
_COSTS, _TUNED_SCALE, _GAIN = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0), 20, 0.97


def _push(level: Level) -> tuple[float, ...]:
    return 1, level.edges, level.frontier, level.found


def _pull(level: Level) -> tuple[float, ...]:
    return 1, level.probes, level.open, level.found, level.vertices / 64


def cuda_calibration(searches: Sequence[Measured], training: Training) -> CudaCalibration:
    """Both models, fitted to measured searches."""
    levels = [level for search in searches for level in search.levels]
    built_in = BUILT_IN.cuda
    # Most of those that one CTA makes are in no search that pulls throughout.
    small = [s for search in searches for s in (*search.levels, *search.pushed) if s.small]
    grid = [level for level in levels if not level.small]
    pull = _fitted(levels, _pull, lambda level: level.pull_seconds, built_in.pull)
    rates = CudaSearchRates(
        small_push=_fitted(small, _push, lambda level: level.push_seconds, built_in.small_push),
        push=_fitted(grid, _push, lambda level: level.push_seconds, built_in.push),
        pull=pull,
        # The fused pull keeps what fits in shared memory already.
        cached_pull=pull,
        launch=_launch(),
        push_cost=_push_cost(),
    )

    def ours(level: Level) -> tuple[float, float]:
        push = rates.small_push if level.small else rates.push
        return _priced(push, _push(level)) * 1e-9, _priced(rates.pull, _pull(level)) * 1e-9

    paper = paper_of(searches)
    return CudaCalibration(
        rates,
        training,
        fit_of(searches, ours),
        paper,
        fit_of(searches, lambda level: paper_times(paper, level)),
        expansions(),
    )


def _fitted(
    levels: Sequence[Level],
    features: Callable[[Level], tuple[float, ...]],
    seconds: Callable[[Level], float],
    known: LevelRates,
) -> LevelRates:
    if len(levels) < _FEWEST:
        return known
    return LevelRates(*nonnegative(list(map(features, levels)), list(map(seconds, levels))))


def _priced(rates: LevelRates, features: Sequence[float]) -> float:
    prices = rates.level, rates.edge, rates.row, rates.found, rates.word
    return sum(price * feature for price, feature in zip(prices, features, strict=False))


def _launch() -> float:
    """Nanoseconds that a search of next to nothing takes longer than on the CPU, from its call to
    its number on the host."""
    took = {}
    for device in ("cpu", "cuda"):
        plan, turns = BFSPlan(path(2).to(device)), []
        for _ in range(_TIMES):
            started = time.perf_counter()
            _ = plan.run(0).depth
            turns.append(time.perf_counter() - started)
        took[device] = min(turns)
    return max(0.0, took["cuda"] - took["cpu"]) * 1e9


def _push_cost() -> float:
    """What an edge pushed costs in edges pulled, as whole searches are shortest; 0 where no cost
    makes them `_GAIN` shorter than what the fused search takes by itself."""
    plans = [
        BFSPlan(A.to("cuda")) for A in (kronecker(_TUNED_SCALE), uniform(1 << _TUNED_SCALE, 16))
    ]
    before, took = current(), {}
    try:
        for cost in _COSTS:
            use(replace(before, cuda=replace(before.cuda, push_cost=cost)))
            took[cost] = math.prod(
                min(plan.run(1).seconds for _ in range(_TIMES)) for plan in plans
            )
    finally:
        use(before)
    best = min(took, key=took.__getitem__)
    return best if took[best] < took[0.0] * _GAIN ** len(plans) else 0.0


def expansions() -> dict[str, float]:
    """The edges a second of the published ways of pushing, each a whole search."""
    plan = BFSPlan(kronecker(_EXPANDED_SCALE).to("cuda"))
    rates = {}
    for name in STRATEGIES:
        found = [plan.run(1, expansion=name) for _ in range(3)]
        rates[name] = max(result.edges / result.seconds for result in found if result.seconds > 0)
    return rates
