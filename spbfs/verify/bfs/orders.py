"""Orders checked edge by edge: that of a search with one queue, and levels without cycles."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.algorithms.bfs.arguments import Vertices, source_vertices
from spbfs.algorithms.bfs.order import BFSOrder
from spbfs.algorithms.graphs import both_ways, square
from spbfs.base.memory import typed_refusals
from spbfs.engines.bfs import distinct
from spbfs.exceptions import DimensionMismatch, DomainMismatch, VerificationError
from spbfs.objects.checks import as_array, as_flag
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module, bincount
from spbfs.verify.arrays import (
    edges_in_parts,
    first_of,
    is_stored,
    moved,
    parts_of,
    vertex_integers,
)
from spbfs.verify.bfs.search import bfs_tree

__all__ = ["bfs_order", "topological_levels"]

Array = Any  # of the module that holds the matrix: NumPy's, or CuPy's for one on the GPU


@typed_refusals
def bfs_order(
    A: Any,
    source: Vertices,
    found: BFSOrder,
    *,
    directed: bool = True,
    max_depth: int | None = None,
) -> None:
    """Check that vertices are in the order in which a search with one queue meets them.

    The rules leave no other order:

    1. parents and levels are those of a breadth-first search, by the rules of `bfs_tree`;
    2. the order has every vertex with a level once, and nobody else, and begins with the sources;
    3. no vertex has an edge from one that comes before its parent;
    4. whoever follows another has a later parent, or the same one and, in that one's row and then
       in its column, a greater number.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n, as for `sb.bfs_order`.
    source : int or iterable of int
        What the queue began with, in this order.
    found : BFSOrder
        What `sb.bfs_order` returned; or an order, parents and levels, each as `bfs_tree` takes
        them.
    directed, max_depth : optional
        As they were given to `sb.bfs_order`.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertices.
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.generate.star(4)
    >>> sb.verify.bfs_order(A, 0, sb.bfs_order(A, 0))
    >>> sb.verify.bfs_order(A, 0, ([0, 2, 1, 3], [0, 0, 0, 0], [0, 1, 1, 1]))
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: order: vertex 1 comes after 2, expected before
    """
    matrix = square(A)
    n, one_way = matrix.nrows, as_flag(directed, "directed")
    sources, _ = distinct(source_vertices(source, n))
    order, parents, levels = parts_of(found, "order", "parents", "levels")
    searched = matrix if one_way else both_ways(matrix)
    bfs_tree(searched, sources, parents, levels, max_depth=max_depth)
    data, xp = matrix._ready(), array_module(matrix._ready().indices)
    level = vertex_integers(xp, levels, n, "levels")
    parent = vertex_integers(xp, parents, n, "parents")
    queue = _queue(xp, order, n)
    place = _places(xp, queue, level)
    first = xp.asarray(sources)
    k = first_of(queue[: first.shape[0]] != first)
    if k is not None:
        raise VerificationError(
            f"order: place {k} has {{}}, expected source {{}}", queue[k], sources[k]
        )
    _check_first(searched._ready(), place, parent, level)
    later = queue[first.shape[0] :]
    met = parent[later]
    # By the parent's row come before those by its column.
    by_column = ~is_stored(data, met, later)
    before = _before(place[met], by_column, later)
    k = first_of(~before)
    if k is not None:
        raise VerificationError(
            "order: vertex {} comes after {}, expected before", later[k + 1], later[k]
        )


def _queue(xp: Any, order: Any, n: int) -> Array:
    """The order as an array of vertices."""
    queue = as_array(moved(np, order), "order")
    if queue.ndim != 1:
        raise DimensionMismatch(f"order: expected one dimension, got shape {queue.shape}")
    if queue.size and queue.dtype.kind not in "iu":
        raise DomainMismatch(f"order: expected integers, got dtype {queue.dtype}")
    k = first_of((queue < 0) | (queue >= n))
    if k is not None:
        raise VerificationError(f"order: place {k} has {queue[k]}, not a vertex below {n}")
    return xp.asarray(queue.astype(np.int64))


def _places(xp: Any, queue: Array, level: Array) -> Array:
    """Where every vertex stands in the order: rule 2."""
    times = bincount(queue, level.shape[0])
    v = first_of(times != (level >= 0))
    if v is not None:
        raise VerificationError(
            f"order: vertex {{}} has level {level[v]} and comes {times[v]} times"
            if level[v] >= 0
            else "order: vertex {} is there, but has no level",
            v,
        )
    place = xp.full(level.shape[0], -1, np.int64)
    place[queue] = xp.arange(queue.shape[0])
    return place


def _check_first(data: MatrixData, place: Array, parent: Array, level: Array) -> None:
    """Rule 3."""
    for u, v in edges_in_parts(data):
        # An edge into a source, or out of whom the search did not go on from, tells nothing.
        told = (level[v] > 0) & (place[u] >= 0)
        k = first_of(told & (place[u] < place[parent[v]]))
        if k is not None:
            raise VerificationError(
                "parents: vertex {} has parent {}, but {} comes before and has an edge to it",
                v[k],
                parent[v[k]],
                u[k],
            )


def _before(place: Array, by_column: Array, vertex: Array) -> Array:
    """Whether everybody but the last stands before whoever follows."""
    same = place[:-1] == place[1:]
    alike = same & (by_column[:-1] == by_column[1:])
    nearer = same & (by_column[:-1] < by_column[1:])
    return (place[:-1] < place[1:]) | nearer | (alike & (vertex[:-1] < vertex[1:]))


@typed_refusals
def topological_levels(A: Any, levels: Any) -> None:
    """Check that a level is how many edges the longest path to a vertex has.

    1. every vertex has a level of at least 0;
    2. every edge leads to a greater one, so that there is no cycle;
    3. into every vertex above level 0 an edge leads from the level below.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; values do not matter.
    levels : Vector or array_like of int
        What `sb.topological_levels` returned.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertices and the levels.
    DimensionMismatch, DomainMismatch
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1], [1, 2, 2], True, nrows=3, ncols=3)
    >>> sb.verify.topological_levels(A, sb.topological_levels(A))
    >>> sb.verify.topological_levels(A, [0, 1, 3])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: levels: vertex 2 has 3, but no edge from level 2
    """
    data: MatrixData = square(A)._ready()
    xp = array_module(data.indices)
    level = vertex_integers(xp, levels, data.nrows, "levels")
    v = first_of(level < 0)
    if v is not None:
        raise VerificationError("levels: vertex {} has none from 0", v)
    vouched = level == 0
    for rows, columns in edges_in_parts(data):
        k = first_of(level[rows] >= level[columns])
        if k is not None:
            raise VerificationError(
                f"levels: vertex {{}} has {level[columns[k]]}, "
                f"but {{}}, from which an edge leads there, has {level[rows[k]]}",
                columns[k],
                rows[k],
            )
        vouched[columns[level[columns] == level[rows] + 1]] = True
    v = first_of(~vouched)
    if v is not None:
        raise VerificationError(
            f"levels: vertex {{}} has {level[v]}, but no edge from level {level[v] - 1}", v
        )
