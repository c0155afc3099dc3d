"""One shortest path, and all of them at once, checked by a search and edge by edge."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from spbfs.algorithms.bfs import bfs
from spbfs.algorithms.bfs.arguments import Vertex, Vertices, source_vertices, square
from spbfs.algorithms.named import labels_of, numbers
from spbfs.algorithms.numbers import real
from spbfs.algorithms.paths import sssp as find_distances
from spbfs.base.memory import typed_refusals
from spbfs.engines.bfs import distinct
from spbfs.exceptions import DeviceMismatch, DimensionMismatch, DomainMismatch, VerificationError
from spbfs.objects.checks import as_array, as_flag, as_index
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.operands.vector_operand import VectorOperand
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module, bincount
from spbfs.verify.arrays import (
    edges_in_parts,
    first_of,
    is_stored,
    moved,
    parts_of,
    places,
    values_of,
    vertex_integers,
)
from spbfs.verify.bfs.search import bfs_tree
from spbfs.verify.paths.single_source import sssp

__all__ = ["bfs_dag", "shortest_path"]


@typed_refusals
def shortest_path(
    A: Any, source: Vertex, target: Vertex, found: Any, *, weighted: bool = True, rtol: float = 1e-9
) -> None:
    """Check that a path leads from `source` to `target`, and that none is shorter.

    1. it begins and ends there, along stored edges;
    2. their lengths sum up to its length;
    3. that is the target's distance by `sb.sssp`, or by `sb.bfs` where edges are counted, which
       `sssp` and `bfs_tree` check; infinite where there is none, and the path has no vertex.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n, as for `sb.shortest_path`.
    source, target : int
        The ends.
    found : ShortestPath, or vertices and length
        What `sb.shortest_path` returned; vertices are names where `A` has labels.
    weighted : bool, optional
        As it was given to `sb.shortest_path`.
    rtol : float, optional
        By how much of its size a length may differ, where it is no integer.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertices and the lengths.
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1], [1, 2, 2], [1, 5, 2], nrows=3, ncols=3)
    >>> sb.verify.shortest_path(A, 0, 2, sb.shortest_path(A, 0, 2))
    >>> sb.verify.shortest_path(A, 0, 2, ([0, 2], 5))
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: length: 5, but there is a path of length 3
    """
    matrix, weigh, limit = square(A), as_flag(weighted, "weighted"), real(rtol, "rtol", 0.0)
    data: MatrixData = matrix._ready()
    s, t = (as_index(v, data.nrows, name) for v, name in ((source, "source"), (target, "target")))
    path, length = parts_of(found, "vertices", "length")
    labels = labels_of(A)
    if labels is not None:
        path = numbers(path, labels, "vertices")
    vertices = as_array(moved(np, path), "vertices")
    if vertices.ndim != 1:
        raise DimensionMismatch(f"vertices: expected one dimension, got shape {vertices.shape}")
    if vertices.size and vertices.dtype.kind not in "iu":
        raise DomainMismatch(f"vertices: expected integers, got dtype {vertices.dtype}")
    least = _distance(matrix, s, t, weigh)
    if not vertices.size:
        if least != math.inf or length != math.inf:
            raise VerificationError(f"vertices: none, and length {length}; the distance is {least}")
        return
    if vertices[0] != s or vertices[-1] != t:
        raise VerificationError(
            "vertices: from {} to {}, expected from {} to {}", vertices[0], vertices[-1], s, t
        )
    total = _length(data, vertices.astype(np.int64), weigh)
    if isinstance(total, int):
        limit = 0
    if not abs(total - length) <= limit * abs(total):
        raise VerificationError(f"length: {length}, but its edges sum up to {total}")
    if not abs(length - least) <= limit * abs(least):
        raise VerificationError(f"length: {length}, but there is a path of length {least}")


def _distance(A: MatrixOperand, s: int, t: int, weighted: bool) -> Any:
    """From s to t, by a search that is checked."""
    if weighted:
        found = find_distances(A, s)
        sssp(A, s, found)
        value = found.distances[t].new().value
    else:
        search = bfs(A, s)
        bfs_tree(A, s, search)
        value = search.levels[t].new().value
    return math.inf if value is None else value


def _length(data: MatrixData, path: Any, weighted: bool) -> Any:
    """The sum of the edges of a path, all of which must be stored."""
    xp = array_module(data.indices)
    k = first_of((path < 0) | (path >= data.nrows))
    if k is not None:
        raise VerificationError(f"vertices: {path[k]} is not a vertex below {data.nrows}")
    begins, ends = xp.asarray(path[:-1]), xp.asarray(path[1:])
    at = places(data, begins, ends)
    k = first_of(at < 0)
    if k is not None:
        raise VerificationError("vertices: A has no entry ({}, {})", begins[k], ends[k])
    if not weighted:
        return path.shape[0] - 1
    floating = data.values.dtype.kind == "f"
    lengths = data.values[at].astype(np.float64 if floating else np.int64)
    return lengths.sum().item() if at.shape[0] else 0


@typed_refusals
def bfs_dag(A: Any, source: Vertices, found: Any, *, rtol: float = 1e-9) -> None:
    """Check that all shortest paths from `source` are found, where edges are counted.

    1. levels are those of a search, by the rules of `bfs_tree`;
    2. edges are those of A that lead from a level to the next, and no others;
    3. one path leads to a source, and to any other vertex those that lead to all who are before it.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n, as for `sb.bfs_dag`.
    source : int or iterable of int
        Where paths begin.
    found : BFSDag, or levels, edges and paths
        What `sb.bfs_dag` returned.
    rtol : float, optional
        By how much of its size a number of paths may differ, where it is beyond 2^53.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertices and the values.
    DeviceMismatch, DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 3, 3], True, nrows=4, ncols=4)
    >>> levels, edges, paths = sb.bfs_dag(A, 0)
    >>> sb.verify.bfs_dag(A, 0, (levels, edges, paths))
    >>> paths[3] = 3
    >>> sb.verify.bfs_dag(A, 0, (levels, edges, paths))
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: paths: vertex 3 has 3.0, expected 2.0
    """
    matrix = square(A)
    data: MatrixData = matrix._ready()
    n, xp = data.nrows, array_module(data.indices)
    sources, _ = distinct(source_vertices(source, n))
    levels, edges, paths = parts_of(found, "levels", "edges", "paths")
    bfs_tree(matrix, sources, None, levels)
    level = vertex_integers(xp, levels, n, "levels")
    dag = square(edges)
    if dag.nrows != n:
        raise DimensionMismatch(f"edges: expected shape {(n, n)}, got {dag.shape}")
    if dag.device != matrix.device:
        raise DeviceMismatch(f"edges: expected it on {matrix.device!r}, got {dag.device!r}")
    if not isinstance(paths, VectorOperand) or paths.size != n:
        raise DomainMismatch(f"paths: expected a Vector of size {n}, got {type(paths).__name__}")
    kept: MatrixData = dag._ready()
    counted, present = values_of(xp, paths._ready(), "paths")
    counted = xp.where(present, counted, 0)
    v = first_of(present != (level >= 0))
    if v is not None:
        raise VerificationError(
            f"paths: vertex {{}} has {'no number' if level[v] >= 0 else counted[v]}, "
            f"and {'level ' + str(level[v]) if level[v] >= 0 else 'no level'}",
            v,
        )
    for u, v in edges_in_parts(kept):
        k = first_of(~is_stored(data, u, v) | (level[u] < 0) | (level[v] != level[u] + 1))
        if k is not None:
            raise VerificationError("edges: ({}, {}) leads to no next level along A", u[k], v[k])
    expected = xp.zeros(n)
    expected[xp.asarray(sources)] = 1.0
    for u, v in edges_in_parts(data):
        next_ = (level[u] >= 0) & (level[v] == level[u] + 1)
        k = first_of(next_ & ~is_stored(kept, u, v))
        if k is not None:
            raise VerificationError("edges: ({}, {}) is missing", u[k], v[k])
        expected += bincount(v[next_], n, counted[u[next_]].astype(np.float64))
    with np.errstate(invalid="ignore"):  # of infinities, which are equal
        off = ~((counted == expected) | (abs(counted - expected) <= _slack(expected, rtol)))
    v = first_of(off)
    if v is not None:
        raise VerificationError(f"paths: vertex {{}} has {counted[v]}, expected {expected[v]}", v)


def _slack(expected: Any, rtol: Any) -> Any:
    """What rounding may do to numbers of paths."""
    xp, share = array_module(expected), real(rtol, "rtol", 0.0)
    return xp.where(xp.isfinite(expected) & (expected > 1 << 53), share * expected, 0)
