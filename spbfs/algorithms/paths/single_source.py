"""Shortest paths from one source, or from the nearest of several, over edges that have lengths.

Meyer, Sanders: Delta-stepping: a parallelizable shortest path algorithm (2003); Zhang et al.:
Optimizing ordered graph algorithms with GraphIt (CGO 2020), for the fusion of buckets; for the
composed program see `bellman_ford`.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs import binary, select
from spbfs.algorithms.bfs.arguments import Vertex, Vertices
from spbfs.algorithms.graphs import Method, square
from spbfs.algorithms.paths.arguments import as_limit, as_sources, way_along
from spbfs.algorithms.paths.bellman_ford import bellman_ford
from spbfs.algorithms.paths.result import SSSPResult
from spbfs.algorithms.paths.tight import Tree, tight_edges, tree_of_shortest, tree_of_tight
from spbfs.algorithms.paths.weights import Weights, usable_edges
from spbfs.base import tracing
from spbfs.base.memory import typed_refusals
from spbfs.base.threads import resolve_threads
from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.engines.bfs import distinct
from spbfs.engines.paths import FoundPaths, PathRequest
from spbfs.exceptions import NotImplementedException
from spbfs.objects.checks import as_flag, as_index
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector
from spbfs.objects.waiting import as_it_is
from spbfs.storage.data import VectorData

__all__ = ["search", "sssp"]


@typed_refusals
def sssp(
    A: Any,
    source: Vertices,
    *,
    parents: bool = True,
    limit: float | None = None,
    target: Vertex | None = None,
    method: Method = "auto",
    threads: int | None = None,
) -> SSSPResult:
    """Shortest paths in the graph whose edge (u, v) has the length A[u, v].

    The composed program is that of Bellman and Ford, ``d(min) << min_plus(q @ A)`` of the vertices
    q that came nearer in the last round, until nobody does; it takes at most n rounds, of no more
    work than there are edges.

    The fused call is delta-stepping: distances are cut into bins, and the vertices of the nearest
    one relax their edges until it has no more.  An edge is relaxed again when its start came nearer
    within a bin: at worst, where lengths are much shorter than a bin, as often as by Bellman and
    Ford's program.  It asks for 29 bytes a vertex, or 41 with indices of 64 bits,
    and lists those that were reached; where enough edges are longer than a bin, a copy of them all
    is kept with the matrix that has the shorter ones of every row first.  No length may be
    negative.

    A vertex that no path leads to has no entry, and no other unless it is left out for a `limit` or
    a `target`; of a graph without edges only sources have one.  A graph of no vertices has no
    source to begin at.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; of a BOOL matrix True is 1.  An edge of length infinity is none; one to its own
        vertex changes nothing, unless it is negative: that is a cycle.  Lengths may be 0, and
        negative.
    source : int or iterable of int
        Where paths begin.  Several sources give the distance to the nearest one, and `owners`.
    parents : bool, optional
        Whether to find parents, too, and owners.
    limit : float, optional
        Leave out vertices that are farther.
    target : int, optional
        Leave out vertices that are farther than this one, also those on the way to it, which there
        may be where lengths are negative.
    method : {"auto", "composed", "fused"}, optional
        As the program of products, as one call of the engine, or as that call where the engine has
        it and no length is negative.
    threads : int, optional
        Of the fused call on the CPU.

    Returns
    -------
    SSSPResult
        Unpacks as ``distances, parents``.  Distances are INT64 where lengths are integers or BOOL,
        else FP64, sums in the order of the path.  Of several shortest paths the parents' has the
        fewest edges, and of these each vertex the least parent; of sources as near the owner is the
        one to which the path has fewest edges, and of these the first.  All of it is the same
        whatever the threads.

    Raises
    ------
    NegativeCycle
        When a cycle of negative length can be reached; its attribute `vertices` has one.
    InvalidValue
        When a length is NaN or minus infinity; when as many of the longest edges as a path may have
        are longer than INT64 or FP64 holds, or 2^63 - 1, which `apsp` has where there is no path;
        when the limit is negative; when "fused" was asked for where it has no way.
    NotImplementedException
        When a length is negative and `A` is over ranks.
    DimensionMismatch, DomainMismatch, IndexOutOfBound, OutOfMemory
        As for `bfs`.

    Notes
    -----
    Edges are followed along their direction; zero is a length like others, and NaN is refused.
    Loops that are not negative change nothing.  Where lengths of FP64 are negative, rounding may
    make walks along a cycle of length 0 shorter in each round: after 16 n rounds they are taken as
    they are.

    References
    ----------
    Bellman: On a routing problem (1958); Ford: Network flow theory (1956), for the composed
    program.  Meyer, Sanders: Delta-stepping: a parallelizable shortest path algorithm (2003); Zhang
    et al.: Optimizing ordered graph algorithms with GraphIt (CGO 2020), for the fusion of buckets.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 3], [7, 2, 1, 3], nrows=5, ncols=5)
    >>> distances, parents = sb.sssp(A, 0)
    >>> distances.to_dict()
    {0: 0, 1: 7, 2: 2, 3: 5}
    >>> parents.to_dict()
    {0: 0, 1: 0, 2: 0, 3: 2}
    """
    matrix = as_it_is(square(A))
    n = matrix.nrows
    sources, bound = as_sources(source, n), as_limit(limit)
    goal = None if target is None else as_index(target, n, "target")
    tree = as_flag(parents, "parents")
    number = None if threads is None else resolve_threads(threads)
    matrix, weights = usable_edges(matrix)
    return search(matrix, weights, sources, bound, goal, tree=tree, method=method, threads=number)


def search(
    matrix: MatrixOperand,
    weights: Weights,
    sources: npt.NDArray[np.int64],
    bound: float | None = None,
    goal: int | None = None,
    *,
    tree: bool = False,
    method: Method = "auto",
    threads: int | None = None,
) -> SSSPResult:
    """What `sssp` finds over edges whose lengths, `weights`, have been checked: their sums are
    within the type."""
    if weights.negative and matrix._engine.spread is not None:
        raise NotImplementedException(f"A: expected lengths from 0 over ranks, got {weights.least}")
    unfit = f"lengths as {weights.least}" if weights.negative else None
    call = way_along(matrix, matrix._engine.fused.shortest_paths, method, unfit)
    if call is None:
        return _composed(matrix, weights, sources, bound, goal, tree)
    started = time.perf_counter()
    chosen, positions = distinct(sources)
    found = call(
        matrix._ready(),
        PathRequest(chosen, bound, goal, tree, threads, weights.mean, weights.greatest),
    )
    owners = found.owners
    if owners is not None and positions is not None:
        at = owners.values >= 0
        owners.values[at] = positions[owners.values[at]]
    made = _result(found, len(sources) > 1, matrix.device)
    if tree and found.parents is None:
        edges = tight_edges(weights.of(matrix), made.distances)
        made = SSSPResult(made.distances, *tree_of_tight(edges, sources, made.distances, 0))
    if tracing.current() is not None:
        tracing.record(kernel="sssp", frontier=len(chosen), edges=found.edges)
        tracing.finish("sssp", matrix.device, time.perf_counter() - started, made.reached)
    return made


def _result(found: FoundPaths, several: bool, device: str) -> SSSPResult:
    """The vectors of a fused search."""

    def vector(data: VectorData | None) -> Vector | None:
        return None if data is None else Vector._from_data(data, device)

    parents, owners = vector(found.parents), vector(found.owners)
    if several and parents is not None and owners is None:
        # All of them are one vertex.
        owners = parents.apply(binary.times, 0).new(parents.dtype)
    return SSSPResult(Vector._from_data(found.distances, device), parents, owners)


def _composed(
    matrix: MatrixOperand,
    weights: Weights,
    sources: npt.NDArray[np.int64],
    bound: float | None,
    goal: int | None,
    tree: bool,
) -> SSSPResult:
    """The program of products."""
    n = matrix.nrows
    A = weights.of(matrix)
    start = Vector.from_coo(set_of(np, sources), 0, weights.dtype, size=n, device=matrix.device)
    if weights.negative:  # what is far may be a way to what is near
        d = bellman_ford(A, start, negative=True)
    else:
        d = bellman_ford(A, start, limit=bound, target=goal)
    found = tree_of_shortest(A, sources, d) if tree else Tree()
    if goal is not None:
        known = d[goal].new().value
        bound = min(math.inf if bound is None else bound, math.inf if known is None else known)
    if bound is None:
        return SSSPResult(d, *found)
    d = select.valuele(d, bound).new()
    kept = (None if v is None else v.dup(mask=d.S) for v in found)
    return SSSPResult(d, *kept)
