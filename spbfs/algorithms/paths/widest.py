"""Widest paths: as wide as their narrowest edge.

Pollack: The maximum capacity through a network (1960); as products, Bellman and Ford's rounds over
(max, min); as one call, Dijkstra's algorithm.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from spbfs import binary, semiring, unary
from spbfs.algorithms.bfs.arguments import Vertices
from spbfs.algorithms.graphs import Method, run_fused, square
from spbfs.algorithms.paths.arguments import as_sources, way_along
from spbfs.algorithms.paths.result import SSSPResult
from spbfs.algorithms.paths.tight import Tree, tight_edges, tree_of_tight
from spbfs.algorithms.paths.weights import refuse_first, value_range
from spbfs.base.memory import typed_refusals
from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.objects.checks import as_flag
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector
from spbfs.objects.waiting import as_it_is
from spbfs.operators.dtypes import FP64, INT64

__all__ = ["widest_path"]


@typed_refusals
def widest_path(
    A: Any, source: Vertices, *, parents: bool = True, method: Method = "auto"
) -> SSSPResult:
    """Paths whose narrowest edge is as wide as can be, to every vertex.

    The composed program is ``w(max) << max_min(q @ A)`` of the vertices q that became wider in the
    last round, until none does: at most n rounds of no more work than there are edges.  The fused
    call is Dijkstra's algorithm, which goes on from whoever the widest path of all has reached:
    O(m log n).

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; A[u, v] is the width of the edge from u to v, of any sign, 0 and infinity too.  Loops
        change nothing, as nothing is wider than no edge at all.
    source : int or iterable of int
        Where paths begin.  Of several sources that count to which the widest path leads.
    parents : bool, optional
        Whether to find parents, too, and owners.
    method : {"auto", "composed", "fused"}, optional
        As the program of products, as one call of the engine, or as that call where the engine has
        it.

    Returns
    -------
    SSSPResult
        Unpacks as ``distances, parents``, widths in the place of distances: INT64 or FP64, of a
        source the greatest number of that type; none where no path leads.  Ties are decided as by
        `sssp`, so that all of it is the same on every run.

    Raises
    ------
    InvalidValue
        When a width is NaN, or an integer beyond INT64; the message names the entry.  When "fused"
        was asked for where it has no way.
    DimensionMismatch, DomainMismatch, IndexOutOfBound, OutOfMemory
        As for `bfs`.

    Notes
    -----
    Memory is some numbers a vertex, and one an edge for parents.  Edges are followed along their
    direction, negative and zero widths are allowed, and NaN is refused.  A graph of no vertices has
    no source to begin at; from a source without edges nobody else is reached.

    References
    ----------
    Pollack: The maximum capacity through a network (1960); as products, Bellman and Ford's rounds
    over (max, min).  Dijkstra: A note on two problems in connexion with graphs (1959), for the
    fused call.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1], [1, 2, 2], [5.0, 2.0, 3.0], nrows=4, ncols=4)
    >>> widths, parents = sb.widest_path(A, 0)
    >>> widths.to_dict(), parents.to_dict()
    ({0: inf, 1: 5.0, 2: 3.0}, {0: 0, 1: 0, 2: 1})
    """
    matrix = as_it_is(square(A))
    n = matrix.nrows
    sources, tree = as_sources(source, n), as_flag(parents, "parents")
    _check_widths(matrix)
    dtype = FP64 if matrix.dtype.is_float else INT64
    edges = matrix if matrix.dtype == dtype else matrix.apply(unary.identity[dtype]).new()
    widest: Any = math.inf if dtype is FP64 else np.iinfo(np.int64).max
    begins = set_of(np, sources)
    fused = way_along(edges, edges._engine.fused.widest_paths, method)
    if fused is None:
        w = _composed(edges, Vector.from_coo(begins, widest, dtype, size=n, device=edges.device))
    else:
        found = run_fused("widest_paths", edges, fused, begins, widest)
        w = Vector._from_data(found, edges.device)
    if not tree:
        return SSSPResult(w, *Tree())
    tight = tight_edges(edges, w, semiring.max_min)
    return SSSPResult(w, *tree_of_tight(tight, sources, w, widest))


def _composed(A: MatrixOperand, start: Vector) -> Vector:
    """The program of products."""
    w, q = start, start.dup()
    while q.nvals:
        step = semiring.max_min(q @ A).new()
        no_wider = step.ewise_mult(w, binary.le).new()
        q = step.dup(mask=~no_wider.V)
        w(binary.max) << q
    return w


def _check_widths(A: MatrixOperand) -> None:
    """Raise for the first width that is no number, or greater than INT64 holds."""
    least, greatest, _ = value_range(A)
    if math.isnan(least):
        refuse_first(A, lambda x: x != x, "the width of an edge")
    if not A.dtype.is_float and greatest >= 1 << 63:
        refuse_first(A, lambda x: x >= np.uint64(1 << 63), "a width below 2**63, or FP64")
