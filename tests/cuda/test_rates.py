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
