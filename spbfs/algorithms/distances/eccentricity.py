"""Eccentricities, and bounds of the diameter from few searches.

Takes, Kosters: Computing the eccentricity distribution of large graphs (Algorithms 2013).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs.arguments import Vertex, Vertices, chosen_vertices
from spbfs.algorithms.bfs_many import bfs_many
from spbfs.algorithms.bfs_many.arguments import count, square
from spbfs.algorithms.bfs_many.result import level_rows
from spbfs.algorithms.graphs import both_ways
from spbfs.base.progress import Report
from spbfs.base.wording import said_of
from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.exceptions import InvalidValue
from spbfs.objects.checks import as_index
from spbfs.objects.placement.parts import whole
from spbfs.storage.entries import on_host

if TYPE_CHECKING:
    from spbfs.base.progress import Progress

__all__ = ["diameter_bounds", "eccentricity"]

#: Searches between two updates of the bounds.
_AT_ONCE = 64


def eccentricity(
    A: Any,
    vertices: Vertices | None = None,
    *,
    threads: int | None = None,
    progress: bool | Progress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    scheduler: Any = None,
    devices: Sequence[str | int] | None = None,
) -> npt.NDArray[np.int64]:
    """The distance from each vertex to the farthest vertex that it reaches.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix, entry (u, v) for the edge from u to v; values do not matter, be they
        zero, negative or NaN, nor do loops.
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
        0 of a vertex that reaches nobody else.

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue, OutOfMemory
        As for `bfs_many`.

    Notes
    -----
    Work is about that of a search a vertex at most, n looks at m edges; searches of a batch share
    looks, and there is memory for a batch beside the result.  Of a graph without edges all are 0.
    The result is the same on every run.

    References
    ----------
    Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo: The more the merrier: efficient
    multi-source graph traversal (VLDB 2014).

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.eccentricity(sb.generate.path(5))
    array([4, 3, 2, 3, 4])
    """
    matrix = square(A)
    n = matrix.nrows
    chosen = chosen_vertices(vertices, "vertices", n)
    with said_of(sources="vertices"):
        return bfs_many(
            matrix,
            chosen,
            outputs="eccentricity",
            threads=threads,
            progress=progress,
            checkpoint=checkpoint,
            scheduler=scheduler,
            devices=devices,
        ).eccentricity


def diameter_bounds(
    A: Any,
    source: Vertex | None = None,
    *,
    searches: int = 512,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> tuple[int, int]:
    """Between what the largest distance within a component lies.

    A search from s bounds the eccentricity of every vertex v at distance d of it: it is at least d
    and ecc(s) - d, at most ecc(s) + d.  Searches go where the bounds are farthest out, until the
    diameter's meet.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix of an undirected graph: its pattern must be symmetric.
    source : int, optional
        A vertex of the component; by default the one of most entries.
    searches : int, optional
        Give up after so many.
    threads, progress : optional
        As for `bfs_many`.

    Returns
    -------
    lower, upper : int
        Equal where the diameter was found.

    Raises
    ------
    InvalidValue
        When the pattern is not symmetric, there is no vertex or no search.
    DimensionMismatch, DomainMismatch, IndexOutOfBound, OutOfMemory
        As for `bfs_many`.

    Notes
    -----
    Work is that of as many searches as it takes; memory is that of the levels of 64 of them at a
    time, one to three hundred bytes a vertex, most where the diameter is beyond 254.  Loops and
    values, zero, negative and NaN too, do not matter.  Of a graph without edges both bounds are 0.
    The result is the same on every run.

    References
    ----------
    Takes, Kosters: Computing the eccentricity distribution of large graphs (Algorithms 2013).

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.diameter_bounds(sb.generate.grid2d(30))
    (58, 58)
    """
    matrix = square(A)
    most = count(searches, "searches", 1)
    if matrix.nrows == 0:
        raise InvalidValue("A: expected at least one vertex, got 0 x 0")
    first = None if source is None else as_index(source, matrix.nrows, "source")
    if both_ways(matrix) is not matrix:
        raise InvalidValue("A: expected a symmetric pattern, an undirected graph")
    if first is None:
        first = int(on_host(whole(matrix.reduce_rowwise("count").new()).to_dense(0)).argmax())
    with said_of(sources="source", outputs="source"):
        found = bfs_many(matrix, [first], threads=threads)
    levels = level_rows(found.levels)
    members = np.flatnonzero(levels[0] <= found.depth)
    low: npt.NDArray[np.int64] = np.zeros(members.shape[0], np.int64)
    high = np.full(members.shape[0], 2 * found.depth, np.int64)
    done = edges = 0
    with Report(progress, most, "diameter_bounds") as report:
        while True:
            # One by one: of all of them in numbers that can be added there would be a kilobyte a
            # vertex.
            for row, deepest in zip(levels, found.eccentricity.tolist(), strict=True):
                distance = row[members].astype(np.int64)
                low = np.maximum(low, np.maximum(distance, deepest - distance))
                high = np.minimum(high, deepest + distance)
            done += levels.shape[0]
            edges += found.edges
            report(done, edges)
            lower, upper = int(low.max()), int(high.max())
            # Who may still be farther than anybody known.
            open_ = np.flatnonzero((high > lower) & (low < high))
            if lower == upper or open_.shape[0] == 0 or done >= most:
                return lower, upper if open_.shape[0] else lower
            take = min(_AT_ONCE, most - done, open_.shape[0])
            far = open_[np.argsort(-high[open_], kind="stable")[: (take + 1) // 2]]
            near = open_[np.argsort(low[open_], kind="stable")[: take // 2]]
            sources = members[set_of(np, np.concatenate((far, near)))]
            with said_of(sources="searches", outputs="searches"):
                found = bfs_many(matrix, sources, threads=threads)
            levels = level_rows(found.levels)
