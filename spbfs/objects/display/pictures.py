"""Pictures that a matrix draws of itself: where its entries lie, and how its degrees are spread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import typed_refusals
from spbfs.base.pictures.degrees import distribution, draw_degrees
from spbfs.base.pictures.pattern import cell_shift, draw_pattern
from spbfs.storage.entries import on_host
from spbfs.storage.hypersparse import HypersparseMatrix

if TYPE_CHECKING:
    from spbfs.objects.operands.matrix_operand import MatrixOperand

__all__ = ["degree_plot", "spy"]

Ints = npt.NDArray[np.int64]


@typed_refusals
def spy(self: MatrixOperand, figure: Any = None) -> Any:
    """Draw where the stored entries lie, counted in the cells of a grid of at most 512 x 512.

    One pass over the entries, whatever the size: a cell is the darker the more of them lie in it.
    `spbfs.viz.spy` draws a mark an entry, as python-graphblas does, for matrices of which one would
    see every entry.

    Parameters
    ----------
    figure : matplotlib.figure.Figure, optional
        To draw into; a new one of pyplot's by default.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    PackageMissing
        Matplotlib is not installed.

    Examples
    --------
    >>> import matplotlib.figure
    >>> import spbfs as sb
    >>> figure = sb.generate.grid2d(1000, 1000).spy(matplotlib.figure.Figure())
    >>> figure.get_axes()[1].get_ylabel()
    'entries in 2,048 x 2,048'
    """
    return draw_pattern(_counted(self), (self.nrows, self.ncols), figure)


@typed_refusals
def degree_plot(self: MatrixOperand, figure: Any = None) -> Any:
    """Draw what share of the vertices has so many edges or more, both axes logarithmic.

    The complementary cumulative distribution: a straight line is a power law, a sudden fall a graph
    whose vertices are alike.  Stored entries are counted, a loop once; where the degrees of rows
    and of columns differ, both are drawn.

    Parameters
    ----------
    figure : matplotlib.figure.Figure, optional
        To draw into; a new one of pyplot's by default.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    PackageMissing
        Matplotlib is not installed.

    Examples
    --------
    >>> import matplotlib.figure
    >>> import spbfs as sb
    >>> figure = sb.generate.kronecker(10, seed=1).degree_plot(matplotlib.figure.Figure())
    >>> figure.get_axes()[0].get_xlabel()
    'degree'
    """
    kept = _compressed(self)
    out = distribution(np.diff(kept.indptr), self.nrows)
    into = distribution(np.bincount(kept.indices, minlength=1), self.ncols)
    if all(map(np.array_equal, out, into)):
        return draw_degrees({"degree": out}, figure)
    return draw_degrees({"out-degree": out, "in-degree": into}, figure)


class Compressed(NamedTuple):
    """A matrix in host memory: the rows and columns that are listed, None for all, and a CSR."""

    rows: Ints | None
    columns: Ints | None
    indptr: Ints
    indices: Ints


def _compressed(A: MatrixOperand) -> Compressed:
    data = A._ready()
    if isinstance(data, HypersparseMatrix):
        compact = data.compact
        return Compressed(*map(on_host, (data.rows, data.columns, compact.indptr, compact.indices)))
    return Compressed(None, None, on_host(data.indptr), on_host(data.indices))


def _counted(A: MatrixOperand) -> Ints:
    """How many entries lie in each cell of the grid."""
    rows, columns, indptr, indices = _compressed(A)
    tall, wide = cell_shift(A.nrows), cell_shift(A.ncols)
    # One cell of nothing where there are no rows or columns.
    height, width = (max(0, n - 1 >> s) + 1 for n, s in ((A.nrows, tall), (A.ncols, wide)))
    first = np.minimum(np.arange(height + 1, dtype=np.int64) << tall, A.nrows)
    bounds = indptr[first if rows is None else np.searchsorted(rows, first)]
    counts = np.zeros((height, width), np.int64)
    for cells, begin, end in zip(counts, bounds[:-1], bounds[1:], strict=True):
        within = indices[begin:end] if columns is None else columns[indices[begin:end]]
        cells[:] = np.bincount(within >> wide, minlength=width)
    return counts
