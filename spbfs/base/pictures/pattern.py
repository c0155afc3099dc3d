"""Where the entries of a matrix lie, counted in the cells of a grid."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.base.pictures.canvas import canvas

__all__ = ["CELLS", "cell_shift", "draw_pattern"]

#: Most rows and columns of the grid.
CELLS = 512


def cell_shift(size: int) -> int:
    """The power of two of how many rows or columns share a cell."""
    return max(0, -(-size // CELLS) - 1).bit_length()


def draw_pattern(counts: npt.NDArray[Any], shape: tuple[int, int], figure: Any = None) -> Any:
    """Draw a matrix of `shape` from the entries in its cells, the darker the more; the figure.

    Parameters
    ----------
    counts : array of int
        Cells of ``2**cell_shift(n)`` rows or columns, the last of fewer.
    shape : (int, int)
    figure : matplotlib.figure.Figure, optional
    """
    figure = canvas(figure, "spy", (5.5, 5.0))
    from matplotlib.colors import LogNorm, Normalize

    axes = figure.subplots()
    nrows, ncols = shape
    places = [side * 2 ** cell_shift(n) for side, n in zip(counts.shape, shape, strict=True)]
    most = int(counts.max(initial=1))
    image = axes.imshow(
        np.ma.masked_equal(counts, 0),
        # White is for no entry at all; the fewest are grey already.
        cmap=_greys(),
        norm=LogNorm(1, most) if most > 1 else Normalize(0, 1),
        extent=(-0.5, places[1] - 0.5, places[0] - 0.5, -0.5),
        aspect="auto" if max(shape) > 4 * max(1, min(shape)) else "equal",
        interpolation="nearest",
    )
    axes.set_xlim(-0.5, max(1, ncols) - 0.5)
    axes.set_ylim(max(1, nrows) - 0.5, -0.5)
    axes.xaxis.tick_top()
    axes.set_xlabel("column")
    axes.xaxis.set_label_position("top")
    axes.set_ylabel("row")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.yaxis.get_major_locator().set_params(integer=True)
    if most > 1:
        rows, columns = (2 ** cell_shift(n) for n in shape)
        figure.colorbar(image, ax=axes, label=f"entries in {rows:,} x {columns:,}", shrink=0.8)
    return figure


def _greys() -> Any:
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    greys = ListedColormap(colormaps["Greys"](np.linspace(0.35, 1.0, 256)))
    return greys.with_extremes(bad="white")
