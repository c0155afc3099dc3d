"""How degrees are distributed: the share of vertices that have so many neighbours or more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spbfs.base.pictures.canvas import DARK, MIDDLE, canvas, logarithmic

__all__ = ["Distribution", "distribution", "draw_degrees"]

Ints = npt.NDArray[np.int64]

LOOKS = (("o", "-", DARK), ("x", "--", MIDDLE))


class Distribution(NamedTuple):
    """Degrees above 0, rising, and the share of all vertices that have such or a higher one."""

    degrees: Ints
    shares: npt.NDArray[np.float64]


def distribution(degrees: npt.NDArray[Any], n: int) -> Distribution:
    """The distribution of the degrees of `n` vertices, those that are not listed being 0.

    Examples
    --------
    >>> import numpy as np
    >>> found = distribution(np.array([1, 0, 3, 1]), 5)
    >>> found.degrees.tolist(), found.shares.tolist()
    ([1, 3], [0.6, 0.2])
    """
    rising = np.sort(degrees[degrees > 0])
    first = np.flatnonzero(np.diff(rising, prepend=0))
    return Distribution(rising[first].astype(np.int64), (rising.size - first) / max(1, n))


def draw_degrees(series: Mapping[str, Distribution], figure: Any = None) -> Any:
    """Draw one or two distributions, the names being those of the legend; the figure."""
    figure = canvas(figure, "degree_plot", (5.5, 4.0))
    axes = figure.subplots()
    for (name, found), (marker, dash, colour) in zip(series.items(), LOOKS, strict=False):
        none = 1.0 - float(found.shares.max(initial=0.0))
        label = f"{name} ({none:.1%} of the vertices have none)" if none else name
        look = {"marker": marker, "markersize": 4, "color": colour, "label": label}
        axes.plot(found.degrees, found.shares, dash, **look)
    if not any(found.degrees.size for found in series.values()):
        # A logarithmic axis without any point has no limits of its own.
        axes.set_xlim(1, 10)
        axes.set_ylim(0.1, 1)
    drawn = series.values()
    logarithmic(axes.xaxis, np.concatenate([found.degrees for found in drawn]))
    logarithmic(axes.yaxis, np.concatenate([found.shares for found in drawn]))
    axes.set_xlabel("degree")
    axes.set_ylabel("share of vertices with this degree or higher")
    axes.grid(alpha=0.3)
    axes.legend()
    return figure
