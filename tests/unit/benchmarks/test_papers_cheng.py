"""Figures of Cheng et al.: a profiler's output is read, a width predicted, graphs surveyed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

cheng = pytest.importorskip("benchmarks.papers.cheng", reason="benchmarks are in the checkout only")

from benchmarks.common import ncu  # noqa: E402
from benchmarks.papers import cheng_profiled, cheng_survey, cheng_widths  # noqa: E402
from benchmarks.papers.cheng_graphs import CLASSES, QUICK, suite  # noqa: E402
from benchmarks.papers.cheng_survey import WIDTHS, Surveyed  # noqa: E402
from benchmarks.papers.figure import Setting  # noqa: E402
from spbfs.planner.lanes import LaneUse  # noqa: E402

QUIET = Setting("cpu", True, lambda text: None)


def _printed(*rows: tuple[int, str, str, str]) -> str:
    """What ``ncu --csv`` prints, its own messages and the program's among it."""
    head = (
        '"ID","Process ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value"'
    )
    lines = [
        f'"{i}","99","{kernel}","Command line profiler metrics","{metric}","inst","{value}"'
        for i, kernel, metric, value in rows
    ]
    return "\n".join(["==PROF== Connected to process 99", "a graph", head, *lines, "==PROF== Done"])


def test_counters_are_summed_over_the_launches_of_a_kernel() -> None:
    kernel, other = "void expand<int, Groups<(int)8>>(Traversal)", "void start(Traversal)"
    found = ncu.parse(
        _printed(
            (0, kernel, "a.sum", "1,200"), (0, kernel, "b.sum", "10"), (1, other, "a.sum", "5"),
            (2, kernel, "a.sum", "300.5"), (2, kernel, "b.sum", "n/a"),
        )
    )  # fmt: skip
    assert found == {kernel: {"a.sum": 1500.5, "b.sum": 10.0}, other: {"a.sum": 5.0}}
    assert ncu.parse("==ERROR== ERR_NVGPUCTRPERM\n") == {}


def test_what_ncu_cannot_say_has_a_reason(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ncu.counted(["true"], "expand", ncu.THREADS, tmp_path) == "ncu is not installed"
    tool = tmp_path / "ncu"
    tool.write_text("#!/bin/sh\necho '==ERROR== no permission' >&2\nexit 1\n")
    tool.chmod(0o755)
    assert "no permission" in ncu.counted(["true"], "expand", ncu.THREADS, tmp_path)
    command = ncu.command(["python", "-m", "x"], "^expand$", ["a.sum", "b.sum"])
    assert command[-3:] == ["python", "-m", "x"] and "a.sum,b.sum" in command


def test_kernels_are_told_by_the_width_of_their_groups() -> None:
    values = dict(zip(ncu.THREADS, (100.0, 2400.0, 2000.0, 10.0, 45.0), strict=True))
    counters = {
        "void expand<int, Groups<(int)8>>(Traversal)": values,
        "void expand<long long, Groups<16>>(Traversal)": values,
        "void expand<int, Twc>(Traversal)": values,
    }
    assert cheng_profiled.by_width(counters) == {8: (24.0, 4.5), 16: (24.0, 4.5)}


def _made_up(name: str, steps: Any, lines: Any, longest: Any, prices: Any) -> Surveyed:
    """A graph whose times are what the prices say, and ten times a constant."""
    computed = {
        w: LaneUse(int(s), 1000, 1000, int(k), int(k))
        for w, s, k in zip(WIDTHS, steps, lines, strict=True)
    }
    rows = dict(zip(WIDTHS, map(int, longest), strict=True))
    times = {
        w: float(np.dot(prices, [computed[w].steps, computed[w].lines, rows[w]])) + 10
        for w in WIDTHS
    }
    return Surveyed(name, 1000, computed, {}, rows, times, 1000.0)


def test_prices_are_found_again_and_the_best_width_with_them() -> None:
    rng, prices, terms = np.random.default_rng(2), (0.3, 0.1, 2.0), cheng_widths.PREDICTORS[-1]
    graphs = [
        _made_up(f"g{i}", *(np.sort(rng.integers(10, 1000, 6))[:: rng.choice([-1, 1])]
                            for _ in range(3)), prices)
        for i in range(6)
    ]  # fmt: skip
    found = cheng_widths.fitted(graphs, terms)
    assert found == pytest.approx(prices, rel=1e-6)
    for one in graphs:
        best = min(WIDTHS, key=lambda w: one.milliseconds[w])
        assert cheng_widths.predicted(one, found, terms) == best


def test_a_survey_without_a_gpu_has_what_degrees_say() -> None:
    every = {one.name: one for one in cheng_survey.survey(QUIET)}
    assert set(every) == set(QUICK) <= set(CLASSES)
    for one in every.values():
        ua = [one.computed[w].ua for w in WIDTHS]
        ur = [one.computed[w].ur for w in WIDTHS]
        assert ua[0] == 0 and ur[-1] == 0
        assert {one.computed[w].active for w in WIDTHS} == {one.edges}
        assert not one.counted and not one.milliseconds
    # Rows that differ most profit from a warp each, those of a road map do not.
    me = {name: [one.computed[w].me for w in WIDTHS] for name, one in every.items()}
    assert max(me["kron2"]) == me["kron2"][-1]
    assert min(me["FLA-road"]) == me["FLA-road"][-1]
    for name, (n, indptr, indices) in suite(QUIET, ["audikw"]):
        middle = np.diff(indptr).max()
        assert (name, int(middle)) == ("audikw", 81) and n + 1 == len(indptr)
        assert indices.dtype == np.int32


def test_a_survey_that_was_cut_short_is_so_for_every_figure_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cheng_survey, "_surveyed", {})
    first, second = (Setting("cpu", True, lambda text: None, ends=0.0) for _ in range(2))
    assert len(cheng_survey.survey(first)) == 1 == len(cheng_survey.survey(second))
    assert first.left_out == second.left_out == {"the time was over": list(QUICK[1:])}


def test_only_graphs_that_were_surveyed_are_profiled_while_there_is_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, float]] = []

    def counted(program: Any, *given: Any) -> Any:
        asked.append((program[-1], given[-1]))
        return {}

    monkeypatch.setattr(ncu, "counted", counted)
    kept = ["kron2", "web", "mesh"]
    assert list(cheng_profiled.profiles(QUIET, kept)) == ["web", "kron2"]
    assert {seconds for _, seconds in asked} == {cheng_profiled.LONGEST}
    late = Setting("cpu", True, lambda text: None, ends=0.0)
    assert cheng_profiled.profiles(late, kept) == {}


@pytest.mark.parametrize(
    "figure", [f for f in cheng.FIGURES if "cpu" in f.devices], ids=lambda f: f.name
)
def test_a_quick_run_needs_no_gpu(figure: Any) -> None:
    found = figure.run(QUIET)
    assert found.rows and found.gives
    assert {len(row) for row in found.rows} == {len(found.columns)}
