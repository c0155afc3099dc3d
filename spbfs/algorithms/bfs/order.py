"""Breadth-first order: the vertices as a search with one queue meets them.

Moore: The shortest path through a maze (1959).
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from spbfs import binary, semiring
from spbfs.algorithms.bfs.arguments import Vertices, as_depth, source_vertices
from spbfs.algorithms.graphs import Method, square, way
from spbfs.base import tracing
from spbfs.base.memory import typed_refusals
from spbfs.engines.bfs import distinct
from spbfs.engines.fused import BfsOrder
from spbfs.objects.checks import as_flag
from spbfs.objects.display.formatting import format_result, result_html
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.parts import whole
from spbfs.objects.vector import Vector
from spbfs.storage.entries import array_module
from spbfs.storage.hypersparse import HypersparseMatrix

__all__ = ["BFSOrder", "bfs_order"]


class BFSOrder(NamedTuple):
    """What a search with one queue found."""

    #: Numbers of vertices in the order in which the queue met them, an array where the matrix is.
    order: Any
    #: The vertex that each was met from, a source its own.
    parents: Vector
    #: Distance from the nearest source.
    levels: Vector

    def __repr__(self) -> str:
        return format_result(self)

    def _repr_html_(self) -> str:
        facts = [("reached", f"{self.order.shape[0]:,}"), ("of", f"{self.levels.size:,}")]
        return result_html("Breadth-first order", facts, self._asdict())


@typed_refusals
def bfs_order(
    A: Any,
    source: Vertices,
    *,
    directed: bool = True,
    max_depth: int | None = None,
    method: Method = "auto",
) -> BFSOrder:
    """Vertices in the order in which a breadth-first search with one queue meets them.

    The composed program keeps the place of every frontier vertex in the queue as its value:
    ``min_first(q @ A)`` over who is new is the place of the first that has each for a neighbour,
    its parent, and the next frontier is sorted by these places and then by vertices.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; entry (u, v) is the edge from u to v.  Values do not matter.
    source : int or iterable of int
        What the queue begins with, in this order.
    directed : bool, optional
        Whether edges are followed from row to column alone.  Without directions a vertex's column
        comes after its row.
    max_depth : int, optional
        Meet no vertex farther than this.
    method : {"auto", "composed", "fused"}, optional
        As the program of products below, as one call of the engine, or as that call where the
        engine has it.

    Returns
    -------
    BFSOrder
        ``order``, an array of numbers on A's device, of vertices with names too: of a level's
        vertices those come first whose parents do, and of a parent's children those in its row come
        by their numbers.  ``parents``, the first in the order that has the vertex for a neighbour,
        a source its own, and ``levels`` have no entry where a vertex is not reached.  All is the
        same whatever the method and engine.

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue, OutOfMemory
        As for `bfs`, which is faster where the order does not matter.

    Notes
    -----
    Work is O(n + m), memory some numbers a vertex.  Loops lead nowhere new; zero, negative and NaN
    values are edges like others.  A graph of no vertices has no source to begin at; from a source
    without edges nobody else is reached.

    References
    ----------
    Moore: The shortest path through a maze (1959).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([2, 2, 0, 3], [3, 0, 1, 1], True, nrows=5, ncols=5)
    >>> order, parents, levels = sb.bfs_order(A, 2)
    >>> order
    array([2, 0, 3, 1], dtype=int32)
    >>> parents.to_dict()
    {0: 2, 1: 0, 2: 2, 3: 2}
    """
    matrix = square(A)
    sources, _ = distinct(source_vertices(source, matrix.nrows))
    deepest = None if max_depth is None else as_depth(max_depth)
    followed = as_flag(directed, "directed")
    fused = way(matrix._engine.fused.bfs_order, method, matrix.device)
    # The queue is over the offsets of all rows, which a hypersparse matrix may have no room for.
    listed = method == "auto" and isinstance(matrix._ready(), HypersparseMatrix)
    if fused is None or listed:
        return _composed(matrix, sources, followed, deepest)
    return _by_queue(fused, matrix, sources, followed, deepest)


def _by_queue(
    call: BfsOrder, A: MatrixOperand, sources: Any, directed: bool, max_depth: int | None
) -> BFSOrder:
    began = time.perf_counter()
    data = A._ready()
    back = data if directed else A._engine.in_edges(data)
    columns = None if back is data else (back.indptr, back.indices)
    found = call((data.indptr, data.indices), columns, sources, max_depth, True)
    assert found is not None, "the arrays of a matrix are a CSR"
    order, parents, levels = found
    tracing.record(kernel="bfs_order", frontier=sources.shape[0])
    tracing.finish("bfs_order", A.device, time.perf_counter() - began, order.shape[0])
    reached = (Vector.from_dense(x, missing_value=-1) for x in (parents, levels))
    return BFSOrder(order, *reached)


def _composed(A: MatrixOperand, sources: Any, directed: bool, max_depth: int | None) -> BFSOrder:
    n, device = A.nrows, A.device
    where = "cuda" if device == "cuda" else "cpu"
    q = Vector.from_coo(sources, np.arange(sources.shape[0]) * 2, size=n, device=device)
    frontier = whole(q).to_coo(values=False, device=where)[0]
    xp = array_module(frontier)
    frontier = xp.asarray(sources)
    order, parents, levels = [frontier], [frontier], [xp.zeros_like(frontier)]
    seen = Vector(bool, n, device=device)
    while q.nvals and (max_depth is None or len(order) <= max_depth):
        seen(q.S) << True
        # Twice the place of the first parent, and one more where it is by its column.
        first = semiring.min_first(q @ A).new(mask=~seen.S)
        if not directed:
            back = semiring.min_first(q.apply(binary.plus, 1) @ A.T).new(mask=~seen.S)
            first << first.ewise_add(back, binary.min)
        vertices, places = whole(first).to_coo(device=where)
        queue = xp.argsort(places, kind="stable")
        # `min_first` has the type of both operands, which may be a floating-point one.
        parents.append(frontier[places[queue].astype(np.int64) // 2])
        frontier = vertices[queue]
        order.append(frontier)
        levels.append(xp.full_like(frontier, len(levels)))
        q = Vector.from_coo(frontier, xp.arange(frontier.shape[0]) * 2, size=n, device=device)
    index = np.int32 if n <= np.iinfo(np.int32).max else np.int64
    at, *values = (xp.concatenate(x).astype(index) for x in (order, parents, levels))
    reached = (Vector.from_coo(at, x, size=n, device=device) for x in values)
    return BFSOrder(at, *reached)
