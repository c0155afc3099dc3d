"""Pictures of matrices: the graph that one is, and where its entries lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.io.libraries.networkx_graphs import to_networkx
from spbfs.io.libraries.operands import check_operand
from spbfs.io.libraries.packages import package
from spbfs.io.libraries.scipy_arrays import to_scipy_sparse

if TYPE_CHECKING:
    from spbfs.objects.matrix_operand import MatrixOperand

__all__ = ["draw", "spy"]


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
    places = nx.spring_layout(graph)
    values = {(i, j): x for i, j, x in graph.edges(data="weight")}
    nx.draw_networkx(graph, places, node_color="red", node_size=500)
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
