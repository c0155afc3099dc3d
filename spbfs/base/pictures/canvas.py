"""The figure that is drawn into, and what all pictures share."""

from __future__ import annotations

from functools import cache
from typing import Any

from spbfs.base.packages import package
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch

__all__ = ["DARK", "LIGHT", "MIDDLE", "canvas", "clock"]

#: Of Okabe and Ito's colours three that differ in lightness, and so in grey as well.
DARK, MIDDLE, LIGHT = "#0072b2", "#d55e00", "#f0e442"


def canvas(figure: Any, what: str, size: tuple[float, float]) -> Any:
    """The figure to draw into: the one given, or a new one of pyplot's.

    Parameters
    ----------
    figure : matplotlib.figure.Figure, matplotlib.figure.SubFigure or None
    what : str
        Who asks, for a message.
    size : (float, float)
        Of a new figure, in inches.

    Raises
    ------
    PackageMissing
        Matplotlib is not installed.
    DomainMismatch
        `figure` is not one of Matplotlib's.
    """
    base = package("matplotlib.figure", what).FigureBase
    if figure is None:
        pyplot = package("matplotlib.pyplot", what)
        return pyplot.figure(figsize=size, layout="constrained", FigureClass=_shown_once())
    if not isinstance(figure, base):
        raise DomainMismatch(f"figure: expected a figure of Matplotlib's, got {brief(figure)}")
    return figure


@cache
def _shown_once() -> Any:
    """Matplotlib's Figure, which a notebook shows once: those open at the end of a cell it draws
    by itself, and would draw one again that is the cell's value."""
    from matplotlib import figure, get_backend, pyplot

    class Figure(figure.Figure):  # type: ignore[misc]  # Any to mypy, who looks into no Matplotlib
        def _ipython_display_(self) -> None:
            if "inline" not in get_backend() or not pyplot.fignum_exists(self.number):
                raise NotImplementedError  # which lets IPython show it as it shows all others

    return Figure


def clock(longest: float) -> tuple[float, str]:
    """The factor from seconds to the unit in which `longest` is 1 or more, and the unit's name."""
    for factor, unit in ((1.0, "s"), (1e3, "ms")):
        if longest * factor >= 1:
            return factor, unit
    return 1e6, "µs"
