"""Lattices of one, two and three dimensions."""

from __future__ import annotations

import math
from contextlib import nullcontext

import numpy as np
from numpy.typing import NDArray

from spbfs.base.memory import require_bytes
from spbfs.base.progress import progress_bar
from spbfs.generate._arguments import integer, vertices
from spbfs.generate._csr import offsets, pattern
from spbfs.objects.matrix import Matrix

__all__ = ["grid2d", "grid3d", "path"]

#: Vertices of a lattice that are looked at together.
_AT_ONCE = 1 << 20


def grid2d(nrows: int, ncols: int | None = None, *, progress: bool | None = None) -> Matrix:
    """A two-dimensional lattice, the 5-point stencil: vertex ``i * ncols + j`` at row i, column j.

    Parameters
    ----------
    nrows : int
        Number of lattice rows.
    ncols : int, optional
        Number of lattice columns; as many as rows by default.
    progress : bool, optional
        Whether to show progress: True, False, or where there is a terminal.

    Returns
    -------
    Matrix
        BOOL, ``nrows * ncols`` square, symmetric.

    Raises
    ------
    InvalidValue
        A side is negative or there are more than ``2**31 - 1`` vertices.
    OutOfMemory
        The graph does not fit.

    Examples
    --------
    >>> import spbfs
    >>> spbfs.generate.grid2d(3, 2).nvals
    14
    """
    nrows = integer("nrows", nrows, 0)
    ncols = nrows if ncols is None else integer("ncols", ncols, 0)
    return _lattice((nrows, ncols), f"grid2d({nrows}, {ncols})", progress)


def grid3d(
    nx: int, ny: int | None = None, nz: int | None = None, *, progress: bool | None = None
) -> Matrix:
    """A three-dimensional lattice, the 7-point stencil: vertex ``(x * ny + y) * nz + z``.

    Parameters
    ----------
    nx : int
        Number of lattice points along the first axis.
    ny, nz : int, optional
        Along the second and third; `nx` by default.
    progress : bool, optional
        Whether to show progress: True, False, or where there is a terminal.

    Returns
    -------
    Matrix
        BOOL, ``nx * ny * nz`` square, symmetric.

    Raises
    ------
    InvalidValue
        A side is negative or there are more than ``2**31 - 1`` vertices.
    OutOfMemory
        The graph does not fit.

    Examples
    --------
    >>> import spbfs
    >>> spbfs.generate.grid3d(2).nvals
    24
    """
    nx = integer("nx", nx, 0)
    ny = nx if ny is None else integer("ny", ny, 0)
    nz = nx if nz is None else integer("nz", nz, 0)
    return _lattice((nx, ny, nz), f"grid3d({nx}, {ny}, {nz})", progress)


def path(n: int, *, progress: bool | None = None) -> Matrix:
    """A path: vertex i joined to i + 1, the deepest graph there is.

    Parameters
    ----------
    n : int
        Number of vertices.
    progress : bool, optional
        Whether to show progress: True, False, or where there is a terminal.

    Returns
    -------
    Matrix
        BOOL, `n` square, symmetric.

    Raises
    ------
    InvalidValue
        `n` is negative or above ``2**31 - 1``.
    OutOfMemory
        The graph does not fit.

    Examples
    --------
    >>> import spbfs
    >>> spbfs.generate.path(4).nvals
    6
    """
    n = integer("n", n, 0)
    return _lattice((n,), f"path({n})", progress)


def _lattice(sides: tuple[int, ...], what: str, progress: bool | None) -> Matrix:
    """The nearest-neighbour lattice with these sides, last coordinate fastest."""
    n = vertices(what, math.prod(sides))
    entries = sum(2 * (side - 1) * (n // side) for side in sides) if n else 0
    require_bytes(4 * entries + 17 * n, what)
    counts, indices = np.empty(n, np.int8), np.empty(entries, np.int32)
    made, bar = 0, progress_bar(entries, "entries", "making", progress)
    with bar or nullcontext():
        for begin in range(0, n, _AT_ONCE):
            vertex = np.arange(begin, min(begin + _AT_ONCE, n), dtype=np.int32)
            columns, inside = _neighbours(vertex, sides)
            counts[begin : begin + vertex.size] = inside.sum(axis=1)
            found = columns[inside]
            indices[made : made + found.size] = found
            made += found.size
            if bar is not None:
                bar.update(found.size)
    return pattern(n, offsets(counts), indices)


def _neighbours(
    vertex: NDArray[np.int32], sides: tuple[int, ...]
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Before and behind every vertex on each axis, in rising order, and which of them there are."""
    columns = np.empty((vertex.size, 2 * len(sides)), dtype=np.int32)
    inside = np.empty(columns.shape, dtype=np.bool_)
    for axis, side in enumerate(sides):
        stride = math.prod(sides[axis + 1 :])
        coordinate = vertex // stride % side
        # The first axis reaches furthest back and furthest ahead.
        for column, step, there in (
            (axis, -stride, coordinate > 0),
            (-1 - axis, stride, coordinate < side - 1),
        ):
            np.add(vertex, step, out=columns[:, column], casting="unsafe")
            inside[:, column] = there
    return columns, inside
