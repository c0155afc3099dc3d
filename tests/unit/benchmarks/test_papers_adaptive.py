"""Figures of Zhang et al.: a limit of time holds within a graph, and what was found is kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import spbfs as sb

adaptive = pytest.importorskip(
    "benchmarks.papers.adaptive", reason="benchmarks are in the checkout only"
)

from benchmarks.papers import (  # noqa: E402
    adaptive_layouts,
    adaptive_model,
    adaptive_regret,
    adaptive_runs,
    figure,
)
from benchmarks.papers.figure import OVER, Setting  # noqa: E402


def _quick(ends: float = math.inf) -> Setting:
    return Setting("cpu", True, lambda text: None, ends)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Setting]:
    """Makes a setting whose time is over after so many looks at the clock."""
    clock = count()
    monkeypatch.setattr(figure, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    return lambda number: _quick(next(clock) + number + 0.5)


def test_a_regret_that_there_is_no_time_for_is_left_out_and_the_others_are_kept(
    looks: Callable[[int], Setting],
) -> None:
    first, second = "Kronecker 12, 8 edges a vertex", "small world 10000"
    # One look before a graph or a search, but for the first, and one before every sequence.
    for number, left in ((0, second), (1, f"{second} from "), (3, f"{second} from ")):
        setting = looks(number)
        found = adaptive_regret.REGRET.run(setting)
        assert [row[0] for row in found.rows] == [first] and "of 1 searches" in found.gives
        (name,) = setting.left_out[OVER]
        assert name.startswith(left)
    setting = looks(10**6)
    found = adaptive_regret.REGRET.run(setting)
    assert [row[0] for row in found.rows] == [first, second] and not setting.left_out


def _second(plan: sb.BFSPlan, source: int, strategy: Any) -> float:
    return 1.0


def test_regret_looks_at_the_clock_before_every_sequence() -> None:
    A, looked = sb.generate.kronecker(9, 8, seed=1), []

    def over() -> bool:
        looked.append(True)
        return len(looked) > 3

    assert adaptive_regret.measure(A, 0, ("TC", "BC"), _second, None, over) is None
    assert 4 <= len(looked) <= 7  # three sequences; then each of three starts, and the end


def _searches(seconds: dict[tuple[str, ...], float]) -> tuple[Callable[[Any], float], list[Any]]:
    ran: list[Any] = []

    def run(sequence: tuple[str, ...]) -> float:
        ran.append(sequence)
        return seconds[sequence]

    return run, ran


def test_a_hopeless_change_is_given_up_and_an_impossible_one_is_not_tried() -> None:
    table = np.array([[1.0, 9.0, 1.0], [40.0, 2.0, 4.0]])  # TC and BC, by level
    seconds = {
        ("TC", "TC", "TC"): 11.0,
        ("TC", "BC", "TC"): 4.0,
        ("TC", "BC", "BC"): 12.0,
        ("TC", "TC", "BC"): 14.0,
    }
    run, ran = _searches(seconds)
    never: Callable[[], bool] = lambda: False  # noqa: E731
    best = adaptive_regret._improved(run, ("TC", "TC", "TC"), table, ("TC", "BC"), never)
    assert best == ("TC", "BC", "TC")
    # Level 0 takes 40 s in BC, longer than all of the search without; level 2 as long as all of it.
    assert {s[0] for s in ran} == {"TC"} and ("TC", "BC", "BC") not in ran
    run, ran = _searches(seconds)
    assert adaptive_regret._race(run, ("TC", "BC", "TC"), ("TC", "BC", "BC")) == (4.0, 12.0)
    assert len(ran) == 4  # two turns of six
    run, ran = _searches(seconds)
    adaptive_regret._race(run, ("TC", "TC", "TC"), ("TC", "TC", "BC"))
    assert len(ran) == 2 * (1 + adaptive_regret.TIMES)


def test_a_deep_search_is_measured_in_a_bounded_number_of_sequences(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(adaptive_regret, "FINAL_TIMES", 1)
    ran: list[Any] = []

    def clock(plan: sb.BFSPlan, source: int, strategy: Any) -> float:
        ran.append(strategy)
        return 1.0

    found = adaptive_regret.measure(sb.generate.path(300), 0, ("TC", "BC"), clock, None)
    assert found is not None and len(found.choice) == len(found.sequence) >= 299
    most = 3 * (1 + adaptive_regret.MOST_SEQUENCES * 2 * (1 + adaptive_regret.TIMES))
    assert 0 < len(ran) <= most + 2 * 4


def test_energy_leaves_out_the_ways_there_is_no_time_for(
    looks: Callable[[int], Setting], monkeypatch: pytest.MonkeyPatch
) -> None:
    used = sb.Energy(joules=2.0, seconds=1.0, idle_watts=1.0, runs=5, steps=5)
    monkeypatch.setattr(adaptive_runs, "_measured", lambda *_: (used, 4e9, "cpu"))
    ways = ["fixed parameters", "CPU alone", "TC", "BC"]
    for number in (0, 1, 3, 5):
        setting = looks(number)
        found = adaptive_runs.energy(setting)
        # A look before each way but the first, then one before a scale and one before each way.
        assert [row[0] for row in found.rows][:4] == [10] * min(4, 1 + number)
        measured = [f"scale {row[0]}: {row[1]}" for row in found.rows]
        left = setting.left_out[OVER]
        assert left[-1] == "scale 12" and not set(left) & set(measured)
        if number < 4:
            assert [row[1] for row in found.rows] + [x[10:] for x in left[:-2]] == ways
        assert found.gives == "most: fixed parameters, 2 GTEPS/W at scale 10"


def test_a_scale_that_there_is_no_memory_for_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    made = adaptive_runs._graph

    def graph(setting: Setting, scale: int) -> sb.Matrix:
        if scale == 12:
            raise MemoryError("of the GPU")
        return made(setting, scale)

    monkeypatch.setattr(adaptive_runs, "_graph", graph)
    setting = _quick()
    found = adaptive_runs.rates(setting)
    assert [row[0] for row in found.rows] == [10, 11]
    assert setting.left_out == {"no memory for it": ["scale 12"]}


def test_rates_are_of_the_sources_there_is_time_for(looks: Callable[[int], Setting]) -> None:
    setting = looks(0)
    found = adaptive_runs.rates(setting)
    assert [row[0] for row in found.rows] == [10] and all(rate > 0 for rate in found.rows[0][1:])
    names = setting.left_out[OVER]
    assert names[0].startswith("scale 10 from ") and names[1:] == ["scale 11", "scale 12"]


def test_layouts_are_compared_on_matrices_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(adaptive_layouts.SCALES, "quick", (8,))
    asked: list[Any] = []
    run = sb.BFSPlan.run

    def seen(plan: sb.BFSPlan, source: int, **options: Any) -> sb.BFSResult:
        asked.append((id(plan), options))
        return run(plan, source, **options)

    monkeypatch.setattr(sb.BFSPlan, "run", seen)
    found = adaptive_layouts.layouts(_quick())
    assert [row[1] for row in found.rows] == list(adaptive_layouts.LAYOUTS)
    assert found.rows[0][4] == 1 and all(row[2] > 0 and row[3] > 0 for row in found.rows)
    kept = {row[1]: row[5] for row in found.rows}
    assert kept["as given"] == kept["as chosen"] < min(kept["both"], kept["neighbours by degree"])
    # A plan is asked for one layout alone, whatever it is asked for first or later.
    by_plan = {plan: [options for other, options in asked if other == plan] for plan, _ in asked}
    assert all(options == every[0] for every in by_plan.values() for options in every)


def test_parts_of_edges_are_those_of_the_table() -> None:
    found = adaptive_layouts.parts(_quick())
    assert [row[0] for row in found.rows] == list(adaptive_layouts.PARTS)
    entries = {row[2] + row[3] for row in found.rows}  # the last one ends where all do
    assert len(entries) == 1 and f"{entries.pop()} entries" in found.about
    assert all(row[3] <= row[1] for row in found.rows)
    # Every edge is looked at once or more, from whichever part it is in.
    assert all(row[6] >= 1 for row in found.rows)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_both_models_are_told_of_one_calibration(
    device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fits = [SimpleNamespace(error=e, median_regret=1.0, worst_regret=w)
            for e, w in ((1.2, 1.5), (3.0, 6.0))]  # fmt: skip
    mine = SimpleNamespace(
        training=SimpleNamespace(levels=7, searches=3, graphs=2, asked=98, seconds=4.0),
        fit=fits[0], paper_fit=fits[1],
        paper=SimpleNamespace(top_down=2e9, bottom_up=3e9, alpha=0.5),
    )  # fmt: skip
    given: dict[str, Any] = {}

    def calibrate(**options: Any) -> Any:
        given.update(options)
        return SimpleNamespace(**{"cpu": None, "cuda": None} | {device: mine})

    monkeypatch.setattr(sb, "calibrate", calibrate)
    setting = Setting(device, False, lambda text: None)
    found = adaptive_model.models(setting)
    assert given["device"] == device and given["seconds"] == adaptive_model.SECONDS[False]
    assert [row[1:4] for row in found.rows] == [(3.0, 1.0, 6.0), (1.2, 1.0, 1.5)]
    assert found.rows[0][4:] == (2000.0, 3000.0, 0.5)
