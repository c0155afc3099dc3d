"""Pictures of matrices and of what is found in them.

`draw` and `spy` are python-graphblas's; `plot_levels` draws what a search found.  A matrix draws
itself by `Matrix.spy` and `Matrix.degree_plot`, a trace by its ``plot``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.packages import package
from spbfs.base.pictures.canvas import AS_IT_IS, check_part
from spbfs.base.pictures.columns import columns
from spbfs.base.pictures.plane import DOTS, draw_plane
from spbfs.base.public import listed
from spbfs.base.wording import brief
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue
from spbfs.io.libraries.networkx_graphs import to_networkx
from spbfs.io.libraries.operands import check_operand
from spbfs.io.libraries.scipy_arrays import to_scipy_sparse
from spbfs.objects.operands.operand import Operand
from spbfs.objects.vector import Vector

if TYPE_CHECKING:
    from spbfs.objects.operands.matrix_operand import MatrixOperand

__all__ = ["draw", "plot_levels", "spy"]

#: Most vertices that are given places here; of more nobody would see the edges.
LAID_OUT = 300


def draw(m: MatrixOperand) -> None:
    """Draw a square matrix as a graph whose edges bear their values, and show it.

    Parameters
    ----------
    m : Matrix

    Raises
    ------
    DomainMismatch, DimensionMismatch
    PackageMissing
        NetworkX or Matplotlib is not installed.
    """
    nx = package("networkx", "draw")
    pyplot = package("matplotlib.pyplot", "draw")
    check_operand(m, "m", 2)
    graph = to_networkx(m)
    with np.errstate(all="ignore"):
        places = nx.spring_layout(graph)
    if not np.isfinite(list(places.values())).all():
        # Springs of such a weight lead nowhere.
        places = nx.spring_layout(graph, weight=None)
    values = {(i, j): x for i, j, x in graph.edges(data="weight")}
    nx.draw_networkx(graph, places, node_color="red", node_size=500, with_labels=False)
    names = nx.draw_networkx_labels(graph, places)
    for name in names.values():
        name.set(**AS_IT_IS)
    nx.draw_networkx_edge_labels(graph, places, edge_labels=values)
    pyplot.show()


def spy(
    M: MatrixOperand,
    *,
    centered: bool = False,
    show: bool = True,
    figure: Any = None,
    axes: Any = None,
    figsize: Any = None,
    **kwargs: Any,
) -> Any:
    """Plot where the stored entries lie, each a mark that fills its place.

    Parameters
    ----------
    M : Matrix
    centered : bool, optional
        Whether the numbers of rows and columns stand at the middle of their places instead of the
        edges.
    show : bool, optional
        Whether Matplotlib goes interactive and shows it.
    figure, axes : optional
        Of Matplotlib, to draw into; new ones by default.
    figsize : (float, float), optional
        Of a new figure, in inches.
    **kwargs
        Of ``matplotlib.axes.Axes.spy``.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    DomainMismatch
    PackageMissing
        Matplotlib is not installed.
    """
    pyplot = package("matplotlib.pyplot", "spy")
    check_operand(M, "M", 2)
    if figure is not None:
        check_part(figure, "figure", package("matplotlib.figure", "spy").FigureBase)
    if axes is not None:
        check_part(axes, "axes", pyplot.Axes)
    pattern = to_scipy_sparse(M, "coo")
    if axes is None:
        if figure is None:
            figure = pyplot.figure(figsize=figsize)
        axes = figure.subplots()
    if kwargs.get("markersize") is None:
        # In points, of which an inch has 72.
        width, height = axes.bbox.width / max(1, M.ncols), axes.bbox.height / max(1, M.nrows)
        kwargs["markersize"] = max(0.002, min(width, height) * 72 / axes.figure.dpi)
    axes.spy(pattern, **{"precision": "present", **kwargs})
    if not centered:
        axes.figure.draw_without_rendering()  # makes the labels
        for name in ("x", "y"):
            ticks = getattr(axes, f"get_{name}ticks")()[1:-1]
            labels = getattr(axes, f"get_{name}ticklabels")()[1:-1]
            getattr(axes, f"set_{name}ticks")(ticks - 0.5, labels)
    if show:
        pyplot.ion()
        pyplot.show()
    return axes.figure


def plot_levels(
    A: MatrixOperand, levels: Any, coordinates: Any = None, *, figure: Any = None
) -> Any:
    """Draw the vertices of a graph, each as bright as its level, or any other value, is high.

    With `coordinates` at these places: up to 3,000 vertices as dots with their edges, more as the
    averages over the pixels of an image.  Without, a graph of up to 300 vertices in columns, one a
    level, from the left, and neighbours at about the same height; no forces are simulated.  What
    has no level is hollow, and comes last.  Of a frontier, which is Boolean, there is no scale.
    Up to 60 dots bear the numbers of their vertices, or their names where `A` has labels.

    Parameters
    ----------
    A : Matrix
        Square.
    levels : Vector or numpy.ndarray
        Of as many elements; what `spbfs.bfs` calls levels, a frontier, or any numbers.
    coordinates : array-like of float, n x 2, or mapping, optional
        A place for every vertex: of a grid its column and row, of a road network east and north; or
        by their names or numbers, as NetworkX's layouts have them.
    figure : matplotlib.figure.Figure, optional
        To draw into; a new one of pyplot's by default.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    DimensionMismatch, DomainMismatch
    InvalidValue
        There are too many vertices to be given places, a vertex has none, or a coordinate is not
        finite.
    PackageMissing
        Matplotlib is not installed.

    Examples
    --------
    >>> import matplotlib.figure
    >>> import numpy as np
    >>> import spbfs as sb
    >>> A = sb.generate.grid2d(30, 40)
    >>> places = np.stack(np.divmod(np.arange(1200), 40)[::-1], axis=1)
    >>> levels = sb.bfs(A, 0).levels
    >>> figure = sb.viz.plot_levels(A, levels, places, figure=matplotlib.figure.Figure())
    >>> len(figure.get_axes()[0].collections[-1].get_offsets())
    1200
    """
    check_operand(A, "A", 2)
    if isinstance(levels, np.ndarray):
        levels = Vector.from_dense(levels)
    known: bool = isinstance(levels, Operand)
    if not known:
        raise DomainMismatch(
            "levels: expected a Vector or an array, such as result.levels, got "
            f"{type(levels).__name__}"
        )
    check_operand(levels, "levels", 1)
    n = A.nrows
    if A.ncols != n or levels.size != n:
        raise DimensionMismatch(
            f"A, levels: expected a square matrix and as many levels, got {A.nrows} x {A.ncols} "
            f"and {levels.size}"
        )
    if coordinates is None and n > LAID_OUT:
        raise InvalidValue(
            f"coordinates: expected them of a graph of {n:,} vertices; without, {LAID_OUT} at most"
        )
    if isinstance(coordinates, Mapping):
        coordinates = _in_order(coordinates, range(n) if A.labels is None else A.labels)
    places = None if coordinates is None else _places(coordinates, n)
    values = levels.to_dense(np.nan, "FP64")
    none = np.empty(0, np.int64)
    edges = A.to_coo()[:2] if n <= DOTS else (none, none)
    if places is None:
        places = columns(edges, values)
    names = None if A.labels is None else list(map(str, A.labels))
    label = None if levels.dtype == "BOOL" else levels.name or "level"
    return draw_plane(places, values, edges, label, figure, names)


def _in_order(coordinates: Mapping[Any, Any], vertices: Iterable[Any]) -> list[Any]:
    try:
        return [coordinates[vertex] for vertex in vertices]
    except KeyError as error:
        raise InvalidValue(f"coordinates: expected a place for vertex {error}, got none") from None


def _places(coordinates: Any, n: int) -> Any:
    try:
        places = np.asarray(coordinates, dtype=np.float64)
    except (TypeError, ValueError):
        raise DomainMismatch(f"coordinates: expected numbers, got {brief(coordinates)}") from None
    if places.shape != (n, 2):
        raise DimensionMismatch(f"coordinates: expected shape ({n}, 2), got {places.shape}")
    if not np.isfinite(places).all():
        raise InvalidValue("coordinates: expected finite numbers only")
    return places


listed(__name__)
