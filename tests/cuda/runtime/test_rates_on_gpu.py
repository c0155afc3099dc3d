"""A calibration of the GPU is written, read on the same one, and tunes searches made after it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from gpu import cp

import spbfs as sb
from spbfs.calibration import cuda, levels, rates, switch
from spbfs.planner import rates as planner
from spbfs.planner.calibrated import Training

assert cp is not None


def test_a_gpu_is_calibrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = [
        ("uniform 300 6", partial(sb.generate.uniform, 300, 6)),
        ("rmat 8", partial(sb.generate.kronecker, 8)),
    ]
    monkeypatch.setattr(rates, "training_set", lambda device: graphs)
    for module, name, small in (
        *((levels, "SOURCES", 1), (levels, "TIMES", 2), (cuda, "_TIMES", 2)),
        *((cuda, "_EXPANDED_SCALE", 6), (cuda, "_TUNED_SCALE", 7), (cuda, "_COSTS", (0.0, 8.0))),
        *((switch, "_SMALL", 64), (switch, "_LARGE", 512), (switch, "_TIMES", 2)),
    ):
        monkeypatch.setattr(module, name, small)
    path = tmp_path / "rates.json"
    alone = sb.calibrate(device="cuda", seconds=0.1, progress=False)
    assert alone.cpu is None and alone.switch is None
    found = sb.calibrate(path, device="cpu+cuda", seconds=0.1, progress=False)
    assert found.cpu is not None and found.cuda is not None and found.machine.gpu
    assert found.switch is not None and found.switch.switch >= 0 <= found.switch.vertex
    assert planner.current() is planner.BUILT_IN
    A = sb.generate.kronecker(8, seed=2)
    expected = sb.bfs(A.to("reference"), 3).levels.to_dense(-1)
    there = A.to("cuda")
    try:
        sb.set_rates(path)
        assert planner.current().cuda == found.cuda.rates
        assert planner.current().switch == found.switch
        for cost in (0.0, 1e15, 0.01):
            tuned = planner.SearchRates(
                planner.BUILT_IN.cpu,
                replace(found.cuda.rates, push_cost=cost),
                planner.BUILT_IN.switch,
            )
            planner.use(tuned)
            levels_found = sb.bfs(there, 3).levels.to("cpu").to_dense(-1)
            np.testing.assert_array_equal(levels_found, expected)
    finally:
        planner.use(None)


def test_levels_of_one_cta_are_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are pushed in searches that pull throughout, too, and yet have to be told."""
    monkeypatch.setattr(levels, "TIMES", 2)
    for name, none in (("_launch", 0.0), ("_push_cost", 0.0), ("expansions", {})):
        monkeypatch.setattr(cuda, name, lambda none=none: none)
    graphs = {"grid": sb.generate.grid2d(16), "kronecker": sb.generate.kronecker(10)}
    searches = [s for name, A in graphs.items() for s in levels.measured(name, A, "cuda", None)]
    small = [level for search in searches for level in search.pushed]
    assert len(small) > 30 and all(level.small and level.push_seconds > 0 for level in small)

    def at_a_price(level: levels.Level) -> levels.Level:
        took = 1300 + 0.5 * level.edges + 4 * level.frontier
        return replace(level, push_seconds=1e-9 * took, pull_seconds=1e-9)

    priced = [
        levels.Measured(s.graph, [at_a_price(x) for x in s.levels], list(map(at_a_price, s.pushed)))
        for s in searches
    ]
    found = cuda.cuda_calibration(priced, Training(1, 1, len(priced), 0, 0.0, 1)).rates.small_push
    for level in map(at_a_price, small):
        told = found.level + found.edge * level.edges + found.row * level.frontier
        told += found.found * level.found
        assert told == pytest.approx(1e9 * level.push_seconds, rel=0.02)
