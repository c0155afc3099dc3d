"""Zhang et al., section 3.2: the model, learned from a training set, beside one of ours."""

from __future__ import annotations

from typing import Any

import spbfs as sb
from benchmarks.papers.figure import Found, Setting

__all__ = ["models"]

#: What a calibration may take, in quick runs and others.
SECONDS = {True: 3.0, False: 60.0}


def models(setting: Setting) -> Found:
    """Both models, fitted to the same levels: how well they tell a level's time, and choose."""
    setting.say(f"spbfs.calibrate, {SECONDS[setting.quick]:.0f} s")
    device: Any = setting.device
    found = sb.calibrate(
        device=device, seconds=setting.at_most(SECONDS[setting.quick]), progress=False
    )
    mine = found.cuda if setting.device == "cuda" else found.cpu
    assert mine is not None
    training, averages = mine.training, mine.paper
    rows = [
        (name, fit.error, fit.median_regret, fit.worst_regret, *speeds)
        for name, fit, speeds in (
            ("averages of all levels, as in the paper", mine.paper_fit,
             (averages.top_down / 1e6, averages.bottom_up / 1e6, averages.alpha)),
            ("prices, by which is planned", mine.fit, (None, None, None)),
        )
    ]  # fmt: skip
    return Found(
        ("model", "half of the levels within a factor", "regret, median", "regret, worst",
         "top-down, M edges/s", "bottom-up, M edges/s", "alpha"),
        rows,
        about=f"`sb.calibrate`: {training.levels} levels of {training.searches} searches, each in "
        f"both directions, of {training.graphs} of the {training.asked} graphs of the training set "
        "(the paper's R-MAT graphs, grids, roads, uniform and small-world ones), as many as "
        f"{training.seconds:.0f} s were enough for. Averages: edges of the frontier at one speed, "
        "alpha of the edges left at another. Prices: what a level, an edge, a row, a probe and a "
        "find cost. Regret: time of searches in the directions that a model chooses over the "
        "better one at every level, on the training set; Regret below is of other graphs.",
        gives=f"half of the levels are told within a factor of {rows[1][1]:.2f} by prices, "
        f"{rows[0][1]:.2f} by averages; worst regret {rows[1][3]:.2f} and {rows[0][3]:.2f}",
    )  # fmt: skip
