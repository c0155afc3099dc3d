"""Betweenness centrality, many sources at a time: shortest paths counted forward, shares backward.

Brandes: A faster algorithm for betweenness centrality (2001); Buluc, Gilbert: The Combinatorial
BLAS (2011), for the batched form over sparse matrices.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from spbfs import binary, semiring, unary
from spbfs.algorithms.bfs.arguments import Vertices, chosen_vertices
from spbfs.algorithms.bfs_many.arguments import count, sample, square
from spbfs.algorithms.graphs import full_vector
from spbfs.algorithms.workers import Here, Summing, sum_over_sources, workers_for
from spbfs.base import tracing
from spbfs.base.memory import typed_refusals
from spbfs.base.progress import Progress
from spbfs.base.threads import resolve_threads
from spbfs.exceptions import InvalidValue
from spbfs.objects.assignment.statement import replace
from spbfs.objects.checks import as_flag
from spbfs.objects.matrix import Matrix
from spbfs.objects.placement.parts import whole
from spbfs.objects.vector import Vector
from spbfs.storage.entries import on_host

__all__ = ["betweenness"]

Array = Any  # numpy.ndarray or cupy.ndarray
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Sources at a time.
_BATCH = 64


@typed_refusals
def betweenness(
    A: Any,
    sources: Vertices | None = None,
    *,
    samples: int | None = None,
    seed: int = 0,
    normalized: bool = True,
    batch: int | Literal["auto"] = "auto",
    threads: int | None = None,
    progress: bool | Progress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    scheduler: Any = None,
    devices: Sequence[str | int] | None = None,
) -> Vector:
    """Through which vertices shortest paths lead: the share of them, summed over pairs of ends.

    Forward, paths q to a level are counted, ``q(~paths.S, replace) << plus_times(A.T @ q)``, of
    many sources at a time; backward, a vertex gets of every next one on a path the share of its
    paths, times one more than that one got.  At most two looks at every edge a source: on the CPU
    the engine reads, for each step between two levels, the edges of whichever has fewer, and has
    up to 24 bytes a vertex for each search and 8 for each of up to 16 sums.  Sources are searched
    from side by side, by a thread each; where there are more threads, several share a search.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix, entry (u, v) for the edge from u to v; values do not matter, be they
        zero, negative or NaN, nor do loops.  Where its pattern is symmetric a pair of ends counts
        in both directions, as two; a pair that no path joins does not count.
    sources : int or iterable of int, optional
        Where paths begin; anywhere by default.
    samples : int, optional
        Estimate it from so many random sources.
    seed : int, optional
        Of the sample.
    normalized : bool, optional
        Divide by the number of pairs, (n - 1) (n - 2).
    batch : int or "auto", optional
        Sources at a time, between two reports of progress, 64 by default; their sum is a term of
        the whole.
    threads, progress : optional
        As for `bfs_many`.
    checkpoint : str or os.PathLike, optional
        A ``.npz`` file: the same call made again goes on where an earlier one was stopped.
    scheduler, devices : optional
        Who searches, as for `bfs_many`, with its errors.

    Returns
    -------
    Vector of float64
        n values, on the device of `A`, 0 where no path leads through; scaled as if every vertex had
        been a source.  The same whatever the threads; of other batches rounded otherwise.

    Raises
    ------
    InvalidValue
        When there are both sources and samples; where products count the paths, as on the
        reference engine, also when there are more than 1.8e308 between two vertices, as large
        grids have.
    DimensionMismatch, DomainMismatch, IndexOutOfBound, OutOfMemory
        As for `bfs_many`.

    Notes
    -----
    Work from k sources is O(k (n + m)).  Edges are followed along their direction.  Without edges,
    all values are 0.

    References
    ----------
    Brandes: A faster algorithm for betweenness centrality (2001); Buluc, Gilbert: The Combinatorial
    BLAS (2011), for the batched form over sparse matrices.

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.betweenness(sb.generate.path(4), normalized=False).to_dense()
    array([0., 4., 4., 0.])
    """
    matrix = square(A)
    automatic = isinstance(batch, str) and batch == "auto"
    n, at_once = matrix.nrows, _BATCH if automatic else count(batch, "batch", 1)
    if sources is not None and samples is not None:
        raise InvalidValue("sources, samples: expected one of them, got both")
    chosen, drawn = chosen_vertices(sources, "sources", n), sample(n, samples, seed)
    if drawn is not None:
        chosen = drawn
    data, scaled = matrix._ready(), as_flag(normalized, "normalized")
    threads = None if threads is None else resolve_threads(threads)
    workers = workers_for(data, matrix.device, scheduler, devices)
    # What is scaled as it is made needs no pass over all vertices afterwards; a sum in a checkpoint
    # is of one scale.
    scale = n / max(1, chosen.shape[0])
    if scaled:
        scale /= max(1, (n - 1) * (n - 2))
    what = "normalized betweenness" if scaled else "betweenness"
    summing = Summing(what, at_once, threads, progress, checkpoint)
    work = _dependencies if isinstance(workers, Here) else _sent
    begun = time.perf_counter()
    total = sum_over_sources(workers, partial(work, scale), data, chosen, summing)
    if matrix._engine.fused.dependencies is not None:  # products say themselves what they do
        tracing.record(kernel="betweenness", frontier=chosen.shape[0])
        tracing.finish("betweenness", matrix.device, time.perf_counter() - begun, n)
    if matrix._engine.spread is not None:
        return Vector.from_dense(total, device=matrix.device)
    return full_vector(matrix, matrix._engine.asarray(total))


def _sent(scale: float, matrix: Matrix, sources: Ints, threads: int | None) -> tuple[Floats, int]:
    """The same in host memory; see `Work`."""
    total, edges = _dependencies(scale, matrix, sources, threads)
    return on_host(total), edges


def _dependencies(
    scale: float, matrix: Matrix, sources: Ints, threads: int | None
) -> tuple[Array, int]:
    """Those of some sources on every vertex, in Brandes's words, times `scale`, and the edges from
    what the sources reach."""
    fused = matrix._engine.fused.dependencies
    if matrix._engine.spread is not None:
        found = _one_by_one(matrix, sources, scale)
    elif fused is None:
        found = _by_products(matrix, sources, scale)
    else:
        found = fused(matrix._ready(), sources, scale, threads)
    if found is None:
        raise InvalidValue("A: has more shortest paths between two vertices than a float64 counts")
    return found


def _by_products(matrix: Matrix, sources: Ints, scale: float) -> tuple[Floats, int] | None:
    """The same by products, on any engine; see `Dependencies`."""
    # Paths are counted in doubles, so that a product's values are.
    A, n, k = matrix.apply(unary.one["FP64"]).new(), matrix.nrows, sources.shape[0]
    # Forward: how many shortest paths lead from every source to every vertex, level by level.
    frontier = Matrix.from_coo(sources, range(k), 1.0, nrows=n, ncols=k, device=A.device)
    paths = frontier.dup()
    levels = []
    while frontier.nvals:
        levels.append(frontier.dup())
        frontier(~paths.S, replace) << semiring.plus_times(A.T @ frontier)
        paths(binary.plus) << frontier
    if not np.isfinite(paths.reduce_scalar("max").new().value or 0.0):
        return None
    # Backward: a vertex gets of every next one on a path the share of its paths, and of what
    # that one got.
    gained = Matrix(float, n, k, device=A.device)
    for depth in range(len(levels) - 1, 1, -1):
        level, before = levels[depth], levels[depth - 1]
        got = gained.dup(mask=level.S)
        none = level.apply(binary.times, 0.0).new()
        share = got.ewise_union(none, binary.plus, 0.0, 0.0).new()
        share << share.apply(binary.plus, 1.0)
        share << share.ewise_mult(level, binary.truediv)
        back = semiring.plus_times(A @ share).new(mask=before.S)
        gained(binary.plus) << back.ewise_mult(before, binary.times)
    sums: Any = gained.reduce_rowwise().new()
    searches: Any = paths.reduce_rowwise("count").new()
    degrees = np.asarray(matrix.reduce_rowwise("count").new().to_dense(0))
    edges = int(np.asarray(searches.to_dense(0)) @ degrees)
    return np.asarray(sums.to_dense(0.0)) * scale, edges


def _one_by_one(matrix: Matrix, sources: Ints, scale: float) -> tuple[Floats, int] | None:
    """The same by products with vectors, a source after the other: over ranks there is no matrix
    with a column a source."""
    A, n, device = matrix.apply(unary.one["FP64"]).new(), matrix.nrows, matrix.device
    degrees = matrix.reduce_rowwise("count").new(dtype="INT64")
    total = Vector(float, n, device=device)
    total[:] = 0.0
    edges = 0
    for source in sources.tolist():
        frontier = Vector.from_coo([source], 1.0, size=n, device=device)
        paths, levels = frontier.dup(), []
        while frontier.nvals:
            levels.append(frontier)
            frontier = semiring.plus_times(frontier @ A).new(mask=~paths.S)
            paths(binary.plus) << frontier
        if not np.isfinite(paths.reduce("max").new().value):
            return None
        gained = Vector(float, n, device=device)
        gained[:] = 0.0
        for level, before in zip(levels[:1:-1], levels[-2:0:-1], strict=True):
            share = gained.apply(binary.plus, 1.0).new().ewise_mult(level, binary.truediv).new()
            back = semiring.plus_times(A @ share).new(mask=before.S)
            gained(binary.plus) << back.ewise_mult(before, binary.times)
        total(binary.plus) << gained
        followed = degrees.ewise_mult(paths, binary.first).new().reduce("plus").new().value
        edges += int(followed or 0)
    return np.asarray(whole(total).to_dense()) * scale, edges
