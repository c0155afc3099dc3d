"""The frontiers of a breadth-first search, one by one, for those who write their own searches."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from spbfs import select, unary
from spbfs.algorithms.bfs.arguments import Vertex, Vertices
from spbfs.algorithms.bfs.search import bfs
from spbfs.algorithms.named import labels_of
from spbfs.objects.labels import Labels
from spbfs.objects.vector import Vector
from spbfs.planner.search import NeighbourOrder, Relabelling
from spbfs.storage.data import VectorData, iso_array
from spbfs.storage.entries import vector_entries

__all__ = ["levels"]


def levels(
    A: Any,
    source: Vertices,
    *,
    max_depth: int | None = None,
    target: Vertex | None = None,
    direction: Literal["auto", "push", "pull"] = "auto",
    threads: int | None = None,
    relabel: Relabelling = "auto",
    neighbours: NeighbourOrder = "auto",
) -> Iterator[tuple[int, Vector]]:
    """The frontiers of a breadth-first search: ``for depth, q in sb.levels(A, source)``.

    What the loop ``q(~levels.S, replace) << semiring.any_pair(q @ A)`` computes level by level, out
    of one fused search: the explicit form of what loops on CUDA are given ahead of time.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; stored entry A[u, v] is the edge from u to v.
    source : int or iterable of int
        Where to start.  Several sources give the distance to the nearest one.
    max_depth, target, direction, threads, relabel, neighbours : optional
        As for `bfs`.

    Yields
    ------
    depth : int
        0 for the sources, then 1, 2, ... as long as there are vertices.
    q : Vector
        BOOL, on the device of A, with its labels: true at the vertices `depth` steps from the
        source.  Each is made when the loop comes to it, and is the caller's own.

    Raises
    ------
    DimensionMismatch, IndexOutOfBound, DomainMismatch, InvalidValue, OutOfMemory
        As `bfs`, at the call.

    Notes
    -----
    Work is that of `bfs`, memory its outputs and a frontier.  Loops and values, zero, negative and
    NaN too, do not matter.  A graph of no vertices has no source to begin at; from a source without
    edges nobody else is reached.  Frontiers are the same on every run and engine.

    References
    ----------
    Beamer, Asanovic, Patterson: Direction-optimizing breadth-first search (SC 2012).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1], True)
    >>> [(depth, q.to_coo()[0].tolist()) for depth, q in sb.levels(A, 0)]
    [(0, [0]), (1, [1]), (2, [2])]
    """
    result = bfs(
        A,
        source,
        parents=False,
        max_depth=max_depth,
        target=target,
        direction=direction,
        threads=threads,
        relabel=relabel,
        neighbours=neighbours,
    )
    # Reading the depth waits for the search, which says that a source on the GPU is out of range.
    return _frontiers(result.levels, result.depth, labels_of(A))


def _frontiers(found: Vector, deepest: int, labels: Labels | None) -> Iterator[tuple[int, Vector]]:
    for depth, frontier in _each(found, deepest):
        frontier.labels = labels
        yield depth, frontier


def _each(found: Vector, deepest: int) -> Iterator[tuple[int, Vector]]:
    """Every level as a vector; vertices are sorted by level once, when the first is asked for."""
    engine, n = found._engine, found.size
    if engine.spread is not None:
        yield from _selected(found, deepest)
        return
    vertices, level = vector_entries(found._ready())
    true = iso_array(engine.asarray(np.ones(1, np.bool_)), level.shape[0])
    by_level = engine.build_matrix(deepest + 1, n, level.astype(np.int64), vertices, true, None)
    begin = engine.to_numpy(by_level.indptr).tolist()
    for depth, (first, last) in enumerate(pairwise(begin)):
        indices = by_level.indices[first:last].astype(np.int64)
        frontier = VectorData(n, true[first:last], indices)
        yield depth, Vector._from_data(frontier, found.device)


def _selected(found: Vector, deepest: int) -> Iterator[tuple[int, Vector]]:
    """Every level of a vector over ranks, which all of them ask for."""
    for depth in range(deepest + 1):
        yield depth, unary.one[bool](select.valueeq(found, depth).new()).new()
