"""Closeness and harmonic centrality, exact by a search from every vertex or sampled by a few.

Freeman: Centrality in social networks (1978); Wasserman, Faust: Social network analysis (1994), for
graphs that are not connected; Eppstein, Wang: Fast approximation of centrality (2004).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs.arguments import Vertices, chosen_vertices
from spbfs.algorithms.bfs_many import bfs_many
from spbfs.algorithms.bfs_many.arguments import sample, square
from spbfs.algorithms.bfs_many.result import level_rows, vertex_values
from spbfs.algorithms.workers import Summing, sum_over_sources, workers_for
from spbfs.base.memory import typed_refusals
from spbfs.base.progress import Progress
from spbfs.base.wording import said_of
from spbfs.objects.matrix import Matrix

__all__ = ["closeness", "harmonic"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Searches whose levels are held at once where a sum needs the levels themselves.
_LEVELS_HELD = 64


@typed_refusals
def closeness(
    A: Any,
    vertices: Vertices | None = None,
    *,
    samples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: bool | Progress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    scheduler: Any = None,
    devices: Sequence[str | int] | None = None,
) -> Floats:
    """How near every vertex is to those that reach it, along the edges.

    Of a vertex that r vertices reach (itself included) from a total distance d, out of n, it is
    ``(r - 1) / d * (r - 1) / (n - 1)``, and 0 where nothing else reaches it.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix, entry (u, v) for the edge from u to v; values do not matter, be they
        zero, negative or NaN, nor do loops.
    vertices : int or iterable of int, optional
        Whose closeness; all vertices by default.
    samples : int, optional
        Estimate it from searches from so many random vertices; by default it is exact.
    seed : int, optional
        Of the sample.
    threads, progress : optional
        As for `bfs_many`.
    checkpoint : str or os.PathLike, optional
        A ``.npz`` file: the same call made again goes on where an earlier one was stopped.
    scheduler, devices : optional
        Who searches, as for `bfs_many`, with its errors.

    Returns
    -------
    ndarray of float64
        One value a vertex, 0 where nobody else reaches it.  The same whatever the threads.

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue, OutOfMemory
        As for `bfs_many`.

    Notes
    -----
    Work is about that of a search a vertex at most, n looks at m edges; searches of a batch share
    looks, and there is memory for a batch beside the result.  Of a graph without edges all are 0.

    References
    ----------
    Freeman: Centrality in social networks (1978); Wasserman, Faust: Social network analysis (1994),
    for graphs that are not connected; Eppstein, Wang: Fast approximation of centrality (2004).

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.closeness(sb.generate.path(3)).round(3)
    array([0.667, 1.   , 0.667])
    """
    matrix = square(A)
    n = matrix.nrows
    options: dict[str, Any] = {
        "threads": threads,
        "progress": progress,
        "checkpoint": checkpoint,
        "scheduler": scheduler,
        "devices": devices,
    }
    chosen, pivots = chosen_vertices(vertices, "vertices", n), sample(n, samples, seed)
    if pivots is None:
        # Against the edges: whom a search finds is who reaches its source.
        with said_of(sources="vertices"):
            found = bfs_many(matrix.T, chosen, outputs="reached", **options)
        return _closeness(found.reached, found.sum_levels, n)
    with said_of(sources="samples", outputs="samples"):
        found = bfs_many(matrix, pivots, outputs=["counts", "level_sums"], **options)
    share = n / max(1, len(pivots))
    estimate = _closeness(
        vertex_values(found.counts) * share, vertex_values(found.level_sums) * share, n
    )
    return np.asarray(estimate[chosen])


@typed_refusals
def harmonic(
    A: Any,
    vertices: Vertices | None = None,
    *,
    samples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: bool | Progress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    scheduler: Any = None,
    devices: Sequence[str | int] | None = None,
) -> Floats:
    """The sum of 1 / distance over the vertices that reach a vertex, along the edges.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix, entry (u, v) for the edge from u to v; values do not matter, be they
        zero, negative or NaN, nor do loops.
    vertices : int or iterable of int, optional
        Whose centrality; all vertices by default.
    samples : int, optional
        Estimate it from searches from so many random vertices; by default it is exact.
    seed : int, optional
        Of the sample.
    threads, progress : optional
        As for `bfs_many`.
    checkpoint : str or os.PathLike, optional
        A ``.npz`` file: the same call made again goes on where an earlier one was stopped.
    scheduler, devices : optional
        Who searches, as for `bfs_many`, with its errors.

    Returns
    -------
    ndarray of float64
        One value a vertex, 0 where nobody else reaches it.  The same whatever the threads.

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue, OutOfMemory
        As for `bfs_many`.

    Notes
    -----
    Work is about that of a search a vertex at most, n looks at m edges; searches of a batch share
    looks, and there is memory for a batch beside the result.  Of a graph without edges all are 0.

    References
    ----------
    Freeman: Centrality in social networks (1978); Wasserman, Faust: Social network analysis (1994),
    for graphs that are not connected; Eppstein, Wang: Fast approximation of centrality (2004).

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.harmonic(sb.generate.path(3))
    array([1.5, 2. , 1.5])
    """
    matrix = square(A)
    n = matrix.nrows
    chosen, pivots = chosen_vertices(vertices, "vertices", n), sample(n, samples, seed)
    options: dict[str, Any] = {"threads": threads, "progress": progress, "checkpoint": checkpoint}
    if pivots is None:
        options |= {"scheduler": scheduler, "devices": devices}
        with said_of(sources="vertices"):
            found = bfs_many(matrix.T, chosen, outputs="sum_inverses", **options)
        assert found.sum_inverses is not None
        return found.sum_inverses
    data = matrix._ready()
    workers = workers_for(data, matrix.device, scheduler, devices)
    summing = Summing("harmonic", _LEVELS_HELD, **options)
    total = sum_over_sources(workers, _inverse_distances, data, pivots, summing)
    total *= n / max(1, len(pivots))
    return np.asarray(total[chosen])


def _inverse_distances(matrix: Matrix, sources: Ints, threads: int | None) -> tuple[Floats, int]:
    """Sums over some sources, and the edges that were followed; see `Work`."""
    with said_of(sources="samples", outputs="samples"):
        found = bfs_many(matrix, sources, threads=threads)
    total: Floats = np.zeros(matrix.nrows)
    inverse = _inverses(found.depth + 1)
    for row in level_rows(found.levels):
        reached = row <= found.depth
        total[reached] += inverse[row[reached]]
    return total, found.edges


def _closeness(reached: Any, total: Any, n: int) -> Floats:
    others = np.maximum(np.asarray(reached, np.float64) - 1, 0)
    distance = np.asarray(total, np.float64)
    near = np.divide(others, distance, out=np.zeros_like(others), where=distance > 0)
    return near * (others / max(1, n - 1))


def _inverses(levels: int) -> Floats:
    """1 / level, and nothing for level 0."""
    inverse = np.zeros(levels)
    inverse[1:] = 1 / np.arange(1, levels)
    return inverse
