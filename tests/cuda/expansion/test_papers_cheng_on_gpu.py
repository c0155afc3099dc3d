"""The figures of Cheng et al. that a GPU is needed for, on graphs of a few hundred vertices."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from gpu import cp

import spbfs as sb

cheng = pytest.importorskip("benchmarks.papers.cheng", reason="benchmarks are in the checkout only")

from benchmarks.papers import cheng_graphs, cheng_survey  # noqa: E402
from benchmarks.papers.cheng_survey import WIDTHS  # noqa: E402
from benchmarks.papers.figure import Setting  # noqa: E402


def test_figures_of_a_gpu_are_made(monkeypatch: Any) -> None:
    matrices = {
        "random3": partial(sb.generate.uniform, 200, 8, seed=1),
        "kron2": partial(sb.generate.kronecker, 7, 12, seed=1),
    }
    small = {name: partial(cheng_graphs._arrays, make) for name, make in matrices.items()}
    monkeypatch.setattr(cheng_graphs, "QUICK", tuple(matrices))
    monkeypatch.setattr(cheng_graphs, "_small", lambda quick: small)
    monkeypatch.setattr(cheng_survey, "_surveyed", {})
    assert cp.cuda.Device().id >= 0
    found = {
        figure.name: figure.run(Setting("cuda", True, lambda text: None))
        for figure in cheng.FIGURES
        if figure.name in ("fig-5", "fig-6", "best-width")
    }
    assert [row[0] for row in found["fig-5"].rows] == list(matrices)
    assert all(rate > 0 for row in found["fig-5"].rows for rate in row[1:7])
    uses = found["fig-6"].rows
    assert [row[1] for row in uses] == [*WIDTHS, *WIDTHS]
    for row in uses:
        computed, counted = row[2:5], row[5:8]
        assert sum(counted) == pytest.approx(1) == sum(computed)
        # The order of the queue differs, and with it which rows share a warp.
        assert counted[0] == pytest.approx(computed[0], rel=0.35)
    assert all(regret >= 1 for row in found["best-width"].rows for regret in row[4::2])
