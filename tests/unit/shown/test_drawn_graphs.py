"""Graphs drawn with names and weights of any kind."""

from __future__ import annotations

import numpy as np
import pytest

import spbfs as sb

pyplot = pytest.importorskip("matplotlib.pyplot", reason="Matplotlib is not installed")
pytest.importorskip("networkx", reason="NetworkX is not installed")


def test_names_are_no_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["US$ 5-10$", "$\\frac$", "$a$"]
    A = sb.generate.path(3)
    A.labels = names
    levels = sb.bfs(A, "$a$").levels
    levels.name = "$\\frac$"
    picture = sb.viz.plot_levels(A, levels, figure=pyplot.Figure())
    picture.draw_without_rendering()
    drawn = pyplot.figure()
    monkeypatch.setattr(pyplot, "show", drawn.draw_without_rendering)
    sb.viz.draw(A)
    shown = [picture.axes[0].texts, drawn.axes[0].texts, [picture.axes[1].yaxis.label]]
    pyplot.close(drawn)
    for texts in shown:
        chosen = [text for text in texts if text.get_text() in names]
        assert chosen and not any(text.get_parse_math() for text in chosen)


@pytest.mark.parametrize("weight", [np.nan, np.inf, -np.inf, 1e300])
def test_weights_that_no_spring_has_are_drawn(
    weight: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = pyplot.figure()
    monkeypatch.setattr(pyplot, "show", drawn.draw_without_rendering)
    sb.viz.draw(sb.Matrix.from_coo([0, 1], [1, 2], [1.0, weight], nrows=3, ncols=3))
    texts = {text.get_text() for text in drawn.axes[0].texts}
    pyplot.close(drawn)
    assert {"0", "1", "2", "1.0", str(weight)} <= texts
