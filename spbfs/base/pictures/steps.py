"""The steps of a search: vertices and edges of every level, who found the next, and its time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spbfs.base.pictures.canvas import DARK, LIGHT, MIDDLE, canvas, clock, logarithmic
from spbfs.exceptions import InvalidValue

__all__ = ["Drawn", "draw_steps"]

#: Colour and hatch of a direction; any other is drawn as the last.
LOOKS = {"push": (LIGHT, "///"), "pull": (DARK, ""), "other": (MIDDLE, "...")}
#: Steps up to this many are bars; more are areas with their outline, on a logarithmic axis, where
#: one step during which the machine was busy otherwise does not hide all others.
BARS = 80
#: Lines of more points have no marker at each.
MARKED = 80


class Drawn(NamedTuple):
    """One step: entries of the frontier, their edges where known, direction and seconds."""

    frontier: int
    edges: int | None
    direction: str
    seconds: float


def draw_steps(steps: Sequence[Drawn], figure: Any = None) -> Any:
    """Draw steps from left to right, work above time; the figure.

    Raises
    ------
    InvalidValue
        There is no step.
    """
    if not steps:
        raise InvalidValue(
            "trace: no step with a frontier was recorded; expected a product of a vector and a "
            "matrix, or a search"
        )
    figure = canvas(figure, "plot", (7.0, 4.5))
    work, time = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    _draw_work(work, steps)
    _draw_time(time, steps)
    time.set_xlabel("step")
    time.xaxis.get_major_locator().set_params(integer=True)
    return figure


def _draw_work(axes: Any, steps: Sequence[Drawn]) -> None:
    at = np.arange(len(steps))
    marked = len(steps) <= MARKED
    # Of nothing there is no place on a logarithmic axis.
    frontier = np.array([s.frontier or np.nan for s in steps], float)
    axes.plot(at, frontier, "-", color="black", marker="o" if marked else "", label="vertices")
    edges = np.empty(0)
    if any(s.edges for s in steps):
        edges = np.array([s.edges or np.nan for s in steps], float)
        axes.plot(at, edges, "--", color=MIDDLE, marker="s" if marked else "", label="edges")
    logarithmic(axes.yaxis, np.concatenate([frontier, edges]))
    axes.set_ylabel("in the frontier")
    axes.grid(alpha=0.3)
    axes.legend()


def _draw_time(axes: Any, steps: Sequence[Drawn]) -> None:
    at = np.arange(len(steps))
    seconds = np.array([s.seconds for s in steps])
    factor, unit = clock(float(np.nanmax(seconds, initial=0.0)))
    few = len(steps) <= BARS
    if not few:
        axes.set_yscale("log")
    for direction, (colour, hatch) in LOOKS.items():
        chosen = np.array([_look(s.direction) == direction for s in steps])
        if not chosen.any():
            continue
        look = {"facecolor": colour, "hatch": hatch, "edgecolor": "black", "linewidth": 0.6}
        heights = np.where(chosen, np.nan_to_num(seconds), 0.0) * factor
        if few:
            axes.bar(at[chosen], heights[chosen], label=direction, **look)
        else:
            least = np.min(heights, where=heights > 0, initial=1.0)
            axes.fill_between(at, heights, least / 2, chosen, step="mid", label=direction, **look)
    axes.set_ylabel(f"time, {unit}")
    if axes.get_legend_handles_labels()[0]:
        axes.legend(ncols=len(LOOKS))


def _look(direction: str) -> str:
    # A level that was not expanded, "none", took no time.
    return direction if direction in (*LOOKS, "none") else "other"
