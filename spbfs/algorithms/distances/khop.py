"""Who is within k hops of vertices: how many of each, and which of all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs.arguments import Vertices, chosen_vertices
from spbfs.algorithms.bfs_many import bfs_many
from spbfs.algorithms.bfs_many.arguments import count, square

if TYPE_CHECKING:
    from spbfs.base.progress import Progress
from spbfs.base.wording import said_of

__all__ = ["khop", "khop_sizes"]

Array = npt.NDArray[Any]


def khop_sizes(
    A: Any,
    k: int,
    vertices: Vertices | None = None,
    *,
    threads: int | None = None,
    progress: bool | Progress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    scheduler: Any = None,
    devices: Sequence[str | int] | None = None,
) -> npt.NDArray[np.int64]:
    """How many vertices are at most k hops from each vertex, itself included.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; values do not matter.
    k : int
    vertices : int or iterable of int, optional
        All of them by default.
    threads, progress : optional
        As for `bfs_many`.
    checkpoint : str or os.PathLike, optional
        A ``.npz`` file: the same call made again goes on where an earlier one was stopped.
    scheduler, devices : optional
        Who searches, as for `bfs_many`, with its errors.

    Returns
    -------
    ndarray of int64

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue, OutOfMemory
        As for `bfs_many`.

    Notes
    -----
    Work is about that of a search a vertex at most, n looks at m edges; searches of a batch share
    looks, and there is memory for a batch beside the result.  Values do not matter, be they zero,
    negative or NaN, nor do loops; entry (u, v) is the edge from u to v.  Of a graph without edges
    all sizes are 1.  The result is the same on every run.

    References
    ----------
    Cheng, Shang, Cheng, Wang, Yu: K-reach: who is in your small world (VLDB 2012); built by many
    searches at once as in Liu, Huang, Hu: iBFS (SIGMOD 2016).

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.khop_sizes(sb.generate.path(5), 2)
    array([3, 4, 5, 4, 3])
    """
    matrix, hops = square(A), count(k, "k", 0)
    n = matrix.nrows
    chosen = chosen_vertices(vertices, "vertices", n)
    with said_of(sources="vertices"):
        return bfs_many(
            matrix,
            chosen,
            outputs="reached",
            max_depth=hops,
            threads=threads,
            progress=progress,
            checkpoint=checkpoint,
            scheduler=scheduler,
            devices=devices,
        ).reached


def khop(
    A: Any,
    k: int,
    vertices: Vertices | None = None,
    *,
    threads: int | None = None,
    progress: bool | Progress | None = None,
    scheduler: Any = None,
    devices: Sequence[str | int] | None = None,
) -> Array:
    """Which vertices are at most k hops from each vertex, itself included, and how far.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; values do not matter.
    k : int
    vertices : sequence of int, optional
        All of them by default.
    threads, progress : optional
        As for `bfs_many`.
    scheduler, devices : optional
        Who searches, as for `bfs_many`, with its errors.

    Returns
    -------
    structured array of source, vertex, hops
        A row for every pair, by source as given, by hops, by vertex; `pandas.DataFrame` takes it
        as it is.  Vertices are numbers, those with names too: `Labels.names` has these.

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue, OutOfMemory
        As for `bfs_many`.

    Notes
    -----
    Work is about that of a search a vertex at most, n looks at m edges; searches of a batch share
    looks, and there is memory for a batch beside the result.  Values do not matter, be they zero,
    negative or NaN, nor do loops; entry (u, v) is the edge from u to v.  Of a graph without edges
    everybody has himself alone.  The result is the same on every run.

    References
    ----------
    Cheng, Shang, Cheng, Wang, Yu: K-reach: who is in your small world (VLDB 2012); built by many
    searches at once as in Liu, Huang, Hu: iBFS (SIGMOD 2016).

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.khop(sb.generate.path(5), 1, [0, 2]).tolist()
    [(0, 0, 0), (0, 1, 1), (2, 2, 0), (2, 1, 1), (2, 3, 1)]
    """
    matrix, hops = square(A), count(k, "k", 0)
    n = matrix.nrows
    chosen = chosen_vertices(vertices, "vertices", n)
    options: dict[str, Any] = {"threads": threads, "progress": progress}
    options |= {"scheduler": scheduler, "devices": devices}
    with said_of(sources="vertices"):
        rows: Any = bfs_many(matrix, chosen, max_depth=hops, sparse=True, **options).levels
    return np.asarray(rows)
