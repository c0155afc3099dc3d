"""The figure that is drawn into, and what all pictures share."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from spbfs.base.packages import package
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch

__all__ = ["AS_IT_IS", "DARK", "LIGHT", "MIDDLE", "canvas", "check_part", "clock", "logarithmic"]

#: Of Okabe and Ito's colours three that differ in lightness, and so in grey as well.
DARK, MIDDLE, LIGHT = "#0072b2", "#d55e00", "#f0e442"

#: Of a text that users choose, in which ``$`` begins no formula.
AS_IT_IS = {"parse_math": False}


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
    if figure is None:
        pyplot = package("matplotlib.pyplot", what)
        return pyplot.figure(figsize=size, layout="constrained", FigureClass=_shown_once())
    check_part(figure, "figure", package("matplotlib.figure", what).FigureBase)
    return figure


def check_part(part: Any, name: str, kind: type[Any]) -> None:
    """Raise unless `part`, which is a user's argument `name`, is such a part of Matplotlib's."""
    if not isinstance(part, kind):
        raise DomainMismatch(f"{name}: expected {name} of Matplotlib's, got {brief(part)}")


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


def logarithmic(axis: Any, values: Any) -> None:
    """Make an axis logarithmic, with plain numbers where `values` span less than a decade."""
    from matplotlib.ticker import MaxNLocator, NullFormatter, ScalarFormatter

    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    known = values[np.isfinite(values)]
    if known.size and known.max() < 10 * known.min():
        # Powers of ten would be none or one of the ticks, and all others products with it.
        whole = not (known % 1).any()
        axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10], integer=whole))
        axis.set_major_formatter(ScalarFormatter())
        axis.set_minor_formatter(NullFormatter())


def clock(longest: float) -> tuple[float, str]:
    """The factor from seconds to the unit in which `longest` is 1 or more, and the unit's name."""
    for factor, unit in ((1.0, "s"), (1e3, "ms")):
        if longest * factor >= 1:
            return factor, unit
    return 1e6, "µs"
