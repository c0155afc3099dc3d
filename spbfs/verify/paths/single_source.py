"""Shortest paths checked by what holds of them and of nothing else."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.algorithms.bfs import bfs
from spbfs.algorithms.bfs.arguments import Vertices, square
from spbfs.algorithms.numbers import real
from spbfs.algorithms.paths import SSSPResult
from spbfs.algorithms.paths.arguments import as_limit, as_sources
from spbfs.algorithms.paths.weights import Weights, check_weights
from spbfs.base.memory import require_bytes, typed_refusals
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue, VerificationError
from spbfs.objects.checks import as_array
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.vector_operand import VectorOperand
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module
from spbfs.verify.arrays import edges_in_parts, first_of, moved, places, values_of, vertex_integers
from spbfs.verify.trees import check_parents, levels_of_tree

__all__ = ["sssp"]

Array = Any  # of the module that holds the matrix: NumPy's, or CuPy's for one on the GPU


@typed_refusals
def sssp(
    A: Any,
    source: Vertices,
    distances: Any,
    parents: Any = None,
    *,
    limit: float | None = None,
    rtol: float = 1e-9,
) -> None:
    """Check that `distances` and `parents` are shortest paths in `A` from `source`.

    A matrix on the GPU is checked there.

    The rules leave no other distances than the true ones:

    1. a source has distance 0, or less where edges have negative lengths;
    2. no edge relaxes any further: from a vertex at distance d an edge of length w ends at d + w or
       nearer, unless that is beyond the limit;
    3. a vertex has a parent where it has a distance and nowhere else, and a source at distance 0
       has itself;
    4. of every other one the distance is its parent's and the length of a stored edge between them,
       and parents lead to a source.  Without parents, edges that fit so lead from a source to every
       vertex that has a distance.

    Which of several shortest paths it is, is not checked.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n, as for `sb.sssp`.
    source : int or iterable of int
        Where paths begin.
    distances : SSSPResult, Vector or array_like
        What `sb.sssp` returned; or the distances, n long.  Not reached is an absent entry of a
        Vector; of an array infinity, or the greatest number of its type if that is an integer one.
    parents : Vector or array_like of int, optional
        Not reached is an absent entry of a Vector, or a negative value of an array.
    limit : float, optional
        Vertices that are farther were to be left out.
    rtol : float, optional
        By how much of its size a sum may differ from a distance, where either is no integer.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertices and the values.
    InvalidValue
        When there is a limit and edges have negative lengths: then what is beyond the limit may be
        on the way to what is not.
    DimensionMismatch, DomainMismatch, IndexOutOfBound
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1], [1, 2, 2], [1, 5, 2], nrows=3, ncols=3)
    >>> sssp(A, 0, sb.sssp(A, 0))
    >>> sssp(A, 0, [0, 1, 3], [0, 0, 1])
    >>> sssp(A, 0, [0, 1, 5])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: distances: vertex 2 has 5, but 3 by the edge from 1
    """
    matrix = square(A)
    data: MatrixData = matrix._ready()
    weights, bound = check_weights(matrix), as_limit(limit)
    if bound is not None and weights.negative:
        raise InvalidValue(
            f"limit: expected None where lengths are negative, got {limit} and {weights.least}"
        )
    xp = array_module(data.indices)
    sources = xp.asarray(as_sources(source, data.nrows))
    if isinstance(distances, SSSPResult):
        if parents is not None:
            raise InvalidValue("parents: expected None beside a whole result")
        distances, parents = distances
    found = _taken(xp, distances, data, weights, real(rtol, "rtol", 0.0))
    roots = _check_sources(found, sources, weights)
    _check_edges(found, math.inf if bound is None else bound)
    if parents is None:
        _check_reachable(found, roots)
    else:
        _check_tree(found, roots, vertex_integers(xp, parents, data.nrows, "parents"))


@dataclass(frozen=True, slots=True)
class _Found:
    """The distances of a graph's vertices, 0 where there is none."""

    data: MatrixData
    distance: Array
    reached: Array
    rtol: float

    def edges(self) -> Iterator[tuple[Array, Array, Array]]:
        """Edges out of vertices that have a distance, with their lengths, by millions."""
        begin = 0
        for rows, cols in edges_in_parts(self.data):
            end = begin + rows.shape[0]
            out = self.reached[rows]
            yield rows[out], cols[out], self.lengths(slice(begin, end))[out]
            begin = end

    def lengths(self, at: Any) -> Array:
        """Values of entries in the type that distances have."""
        return self.data.values[at].astype(self.distance.dtype)

    def slack(self, u: Array, v: Array) -> Any:
        """What rounding may do to a sum along edges (u, v)."""
        if self.distance.dtype.kind != "f":
            return 0
        return self.rtol * array_module(u).maximum(abs(self.distance[u]), abs(self.distance[v]))


def _taken(xp: Any, given: Any, data: MatrixData, weights: Weights, rtol: float) -> _Found:
    """Distances as they were handed over: integers where those and all lengths are integers."""
    n = data.nrows
    require_bytes(9 * n, "distances: a number a vertex")
    if isinstance(given, VectorOperand):
        array, present = values_of(xp, given._ready(), "distances")
    else:
        array = xp.asarray(as_array(moved(np, given), "distances"))
        integral = array.dtype.kind in "iu"
        present = array != (np.iinfo(array.dtype).max if integral else math.inf)
    if array.shape != (n,):
        raise DimensionMismatch(f"distances: expected {n} of them, got shape {array.shape}")
    if n and array.dtype.kind not in "iuf":
        raise DomainMismatch(f"distances: expected numbers, got dtype {array.dtype}")
    integral = array.dtype.kind != "f" and not weights.dtype.is_float
    distance = xp.where(present, array, 0).astype(np.int64 if integral else np.float64)
    v = first_of(~xp.isfinite(distance))
    if v is not None:
        raise VerificationError(f"distances: vertex {{}} has {distance[v]}", v)
    return _Found(data, distance, present, rtol)


def _check_sources(found: _Found, sources: Array, weights: Weights) -> Array:
    """Rule 1; returns the sources that paths begin at."""
    for s in sources.tolist():
        if not found.reached[s]:
            raise VerificationError("distances: source {} is not reached", s)
        d = found.distance[s]
        if d > 0 or (d < 0 and not weights.negative):
            raise VerificationError(f"distances: source {{}} has {d}, expected 0", s)
    roots = sources[found.distance[sources] == 0]
    if not roots.shape[0]:
        raise VerificationError("distances: no source has 0, so that no path begins anywhere")
    return roots


def _check_edges(found: _Found, limit: float) -> None:
    """Rule 2."""
    distance, reached = found.distance, found.reached
    xp, integral = array_module(distance), distance.dtype.kind != "f"
    limit = min(limit, np.iinfo(np.int64).max if integral else sys.float_info.max)
    v = first_of(reached & (distance > limit))
    if v is not None:
        raise VerificationError(f"distances: vertex {{}} has {distance[v]}, beyond the limit", v)
    for u, v, length in found.edges():
        with np.errstate(over="ignore"):
            along = distance[u] + length
        nearer = along < distance[v] - found.slack(u, v)
        k = first_of(xp.where(reached[v], nearer, along <= limit))
        if k is not None:
            told = f"has {distance[v[k]]}" if reached[v[k]] else "is not reached"
            raise VerificationError(
                f"distances: vertex {{}} {told}, but {along[k]} by the edge from {{}}", v[k], u[k]
            )


def _is_tight(found: _Found, u: Array, v: Array, length: Array) -> Array:
    """Whether the distances of u and the lengths of edges make the distances of v."""
    with np.errstate(over="ignore"):
        along = found.distance[u] + length
    return abs(along - found.distance[v]) <= found.slack(u, v)


def _check_tree(found: _Found, roots: Array, parent: Array) -> None:
    """Rules 3 and 4."""
    data, distance = found.data, found.distance
    v = first_of((parent >= 0) != found.reached)
    if v is not None:
        if found.reached[v]:
            raise VerificationError("parents: vertex {} has no parent", v)
        raise VerificationError("parents: vertex {} has parent {} and no distance", v, parent[v])
    check_parents(data, roots, parent)
    levels_of_tree(roots, parent)
    tree = parent >= 0
    tree[roots] = False
    child = array_module(parent).flatnonzero(tree)
    above = parent[child]
    length = found.lengths(places(data, above, child)) if child.shape[0] else distance[child]
    k = first_of(~_is_tight(found, above, child, length))
    if k is not None:
        u, v = int(above[k]), int(child[k])
        raise VerificationError(
            f"parents: vertex {{}} has distance {distance[v]}, its parent {{}} has {distance[u]}, "
            f"and the edge between them length {length[k]}",
            v,
            u,
        )


def _check_reachable(found: _Found, roots: Array) -> None:
    """Rule 4 without parents: a search along the edges that may be on shortest paths."""
    xp, n = array_module(roots), found.data.nrows
    rows, cols = [roots], [roots]
    for u, v, length in found.edges():
        tight = found.reached[v] & _is_tight(found, u, v, length)
        rows.append(u[tight])
        cols.append(v[tight])
    edges = xp.concatenate(rows), xp.concatenate(cols)
    graph = Matrix.from_coo(*edges, True, nrows=n, ncols=n)
    level = vertex_integers(xp, bfs(graph, roots, parents=False).levels, n, "levels")
    v = first_of(found.reached & (level < 0))
    if v is not None:
        raise VerificationError(
            f"distances: vertex {{}} has {found.distance[v]}, which no path from a source has", v
        )
