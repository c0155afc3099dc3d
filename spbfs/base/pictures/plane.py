"""Values of vertices that have a place: dots and lines of a small graph, averages of a large one.

Averages are over the pixels of an image, so that millions of vertices take no longer than they take
to be counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.base.pictures.canvas import AS_IT_IS, canvas

__all__ = ["DOTS", "draw_plane"]

Array = npt.NDArray[Any]

#: Graphs of more vertices are drawn as averages, without their edges.
DOTS = 3000
#: Most pixels of the longer side.
PIXELS = 400
#: Dots up to this many bear the vertex's number.
NUMBERED = 60
#: Points that a dot with a number is wide, where there is room.
WIDEST = 15.0
_MARGIN = 0.06


def draw_plane(
    places: Array,
    values: Array,
    edges: tuple[Array, Array],
    label: str | None,
    figure: Any = None,
    names: Sequence[str] | None = None,
) -> Any:
    """Draw vertices at their places, the brighter the higher the value; the figure.

    Parameters
    ----------
    places : array, n x 2
    values : array of n
        NaN where a vertex has none: a hollow dot, or nothing where vertices are averaged.
    edges : pair of int arrays
    label : str or None
        What the values are; None draws no scale of them.
    figure : matplotlib.figure.Figure, optional
    names : n texts, optional
        What stands beside the dots of a small graph; the numbers of its vertices by default.
    """
    figure = canvas(figure, "plot_levels", (6.0, 5.0))
    from matplotlib.ticker import MaxNLocator

    axes = figure.subplots()
    many = len(values) > DOTS
    drawn = _averages(axes, places, values) if many else _dots(axes, places, values, edges, names)
    known = values[np.isfinite(values)]
    if known.size and label is not None:
        bar = figure.colorbar(drawn, ax=axes, shrink=0.8)
        bar.set_label(label, **AS_IT_IS)
        if (known == known[0]).all():
            # Numbers beside the only one would mean nothing.
            bar.set_ticks(known[:1], labels=[f"{known[0]:g}"])
        elif not (known % 1).any():
            bar.locator = MaxNLocator(integer=True)
    if len(values) <= NUMBERED and names is None:
        # The bar of a single value moves the scale of the colours.
        _number(axes, places, drawn.to_rgba(np.ma.masked_invalid(values)))
    return figure


def _dots(
    axes: Any,
    places: Array,
    values: Array,
    edges: tuple[Array, Array],
    names: Sequence[str] | None,
) -> Any:
    from matplotlib.collections import LineCollection

    ends = np.stack([places[edges[0]], places[edges[1]]], axis=1)
    axes.add_collection(LineCollection(list(ends), colors="0.6", linewidths=0.7, zorder=1))
    numbered = len(values) <= NUMBERED
    size = float(np.clip(20000 / max(1, len(values)), 4, 60))
    wide = _room(axes, places) if numbered else size**0.5
    if numbered:
        size = wide**2 if names is None else min(size, wide**2)
    none = ~np.isfinite(values)
    look = {"s": size, "edgecolors": "black", "linewidths": 0.7 if numbered else 0.2}
    axes.scatter(*places[none].T, facecolors="white", zorder=2, **look)
    drawn = axes.scatter(*places[~none].T, c=values[~none], cmap="viridis", zorder=2, **look)
    if numbered and names is not None:
        # White behind the letters, where they lie on edges.
        behind = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.3}
        for name, place in zip(names, places, strict=True):
            below = {"xytext": (0, -6), "textcoords": "offset points", "va": "top", "ha": "center"}
            axes.annotate(name, place, fontsize=7, zorder=3, bbox=behind, **below, **AS_IT_IS)
    axes.margins(_MARGIN)
    axes.set_axis_off()
    return drawn


def _room(axes: Any, places: Array) -> float:
    """How wide dots are that do not touch, in points, and no wider than what bears a number."""
    if len(places) < 2:
        return WIDEST
    box, figure = axes.get_window_extent(), axes.figure
    span = np.ptp(places, axis=0)
    scale = np.divide((box.width, box.height), span, out=np.zeros(2), where=span > 0)
    apart = (places[:, None] - places[None]) * scale * 72 / figure.dpi / (1 + 2 * _MARGIN)
    distances = np.hypot(*apart.transpose(2, 0, 1))
    return float(np.clip(0.9 * distances[distances > 0].min(initial=np.inf), 3, WIDEST))


def _number(axes: Any, places: Array, colours: Array) -> None:
    """The vertices' numbers in their dots, black or white, whichever stands out more."""
    # Relative luminance; what has no value is hollow, and its colour transparent.
    bright = colours[:, :3] ** 2.2 @ (0.2126, 0.7152, 0.0722)
    dark = (bright < 0.18) & (colours[:, 3] > 0)
    size = min(7.0, _room(axes, places) / 2)
    for vertex, place in enumerate(places):
        colour = "white" if dark[vertex] else "black"
        axes.annotate(
            str(vertex), place, ha="center", va="center", fontsize=size, color=colour, zorder=3
        )


def _averages(axes: Any, places: Array, values: Array) -> Any:
    low, high = places.min(axis=0), places.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    # Two vertices a pixel, were they spread evenly: of a grid none stays empty.
    side = min(PIXELS, (len(values) / 2 * span.max() ** 2 / span.prod()) ** 0.5)
    width, height = np.maximum(1, side * span / span.max()).astype(np.int64)
    cells = ((places - low) / span * (width - 1e-9, height - 1e-9)).astype(np.int64)
    at = cells[:, 1] * width + cells[:, 0]
    has = np.isfinite(values)
    sums = np.bincount(at[has], values[has], width * height)
    counts = np.bincount(at[has], minlength=width * height)
    with np.errstate(invalid="ignore"):
        image = np.ma.masked_invalid(sums / counts)
    axes.set_xlabel("x")
    axes.set_ylabel("y")
    return axes.imshow(
        image.reshape(height, width),
        origin="lower",
        extent=(low[0], high[0], low[1], high[1]),
        interpolation="nearest",
        cmap="viridis",
        aspect="equal",
    )
