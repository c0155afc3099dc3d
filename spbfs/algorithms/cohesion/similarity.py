"""How alike the neighbourhoods of two vertices are, by products that the pairs of them mask.

Liben-Nowell, Kleinberg: The link-prediction problem for social networks (2007); Zhou, Lu, Zhang:
Predicting missing links via local information (2009), for resource allocation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs import binary, semiring, unary
from spbfs.algorithms.graphs import degrees, square, undirected
from spbfs.base.memory import typed_refusals
from spbfs.exceptions import DimensionMismatch
from spbfs.objects.checks import as_array, as_index_array, listed
from spbfs.objects.matrix import Matrix
from spbfs.objects.placement.gpu_arrays import at_host
from spbfs.objects.vector import Vector
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import on_host

__all__ = [
    "adamic_adar",
    "by_log",
    "by_share",
    "common_neighbours",
    "jaccard",
    "preferential_attachment",
    "resource_allocation",
    "scores",
    "summed",
    "weighed",
    "weighted",
]

Ints = npt.NDArray[np.int64]
#: Vertices of which a pair is one number of 64 bits.
_MOST_ROOT = 3_037_000_499
#: What a pair has, where that is not 0: of the graph, and of a matrix whose entries are the pairs.
Score = Callable[[Matrix, Matrix], Matrix]
#: The weights of vertices by their degrees.
Weigh = Callable[[Vector], Any]


@typed_refusals
def jaccard(A: Any, pairs: Any = None) -> Matrix | Vector:
    """Common neighbours of two vertices as a share of all that either has.

    With S the edges and P the pairs, ``C(P.S) << plus_pair(S @ S.T)`` has the common neighbours,
    and ``d(u) + d(v) - C(u, v)`` are those of either.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix.  Directions are ignored, loops are dropped, values do not matter.
    pairs : array_like of int, k x 2, optional
        Which vertices to compare, neighbours or not, in any order, perhaps repeated; all edges by
        default.

    Returns
    -------
    Matrix or Vector of float64
        Of all edges a symmetric n x n matrix with a value for each; of `pairs` k values in their
        order.  0.0 of two vertices without neighbours.

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, OutOfMemory
        As for `bfs`; also where `pairs` are not pairs.

    Notes
    -----
    Work is the sum over pairs of their rows, memory that of the graph and of an entry a pair.  The
    result is the same whatever the threads.

    Zero, negative and NaN values are edges like others.  A graph without edges has 0.0 everywhere.

    References
    ----------
    Jaccard: The distribution of the flora in the alpine zone (1912); Liben-Nowell, Kleinberg: The
    link-prediction problem for social networks (2007).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 3], 1.0, nrows=5, ncols=5)
    >>> sb.jaccard(A, [(0, 1), (0, 3), (3, 4)]).to_dense()
    array([0.33333333, 0.5       , 0.        ])
    >>> sb.jaccard(A)[0, 2].value
    0.25
    """
    return scores(A, pairs, float, _jaccard)


@typed_refusals
def common_neighbours(A: Any, pairs: Any = None) -> Matrix | Vector:
    """How many neighbours two vertices have in common: ``C(P.S) << plus_pair(S @ S.T)``.

    Parameters
    ----------
    A, pairs
        As for `jaccard`.

    Returns
    -------
    Matrix or Vector of int64
        As for `jaccard`.  Of an edge it is the triangles that the edge is part of.

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, OutOfMemory
        As for `jaccard`.

    Notes
    -----
    Work and memory are as for `jaccard`; a graph without edges, or no pairs, is no error.
    Directions, loops and values, be they zero, negative or NaN, do not matter, and the result is
    the same whatever the threads.

    References
    ----------
    Liben-Nowell, Kleinberg: The link-prediction problem for social networks (2007).

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.common_neighbours(sb.generate.complete(5), [(0, 1)]).to_dense()
    array([3])
    """
    return scores(A, pairs, int, lambda S, P: semiring.plus_pair(S @ S.T).new(mask=P.S))


@typed_refusals
def adamic_adar(A: Any, pairs: Any = None) -> Matrix | Vector:
    """Common neighbours of two vertices, each counted as ``1 / log(degree)``.

    With F the diagonal matrix of these, ``C(P.S) << plus_times((S @ F) @ S.T)``.  Adamic, Adar:
    Friends and neighbors on the web (2003).

    Parameters
    ----------
    A, pairs
        As for `jaccard`.

    Returns
    -------
    Matrix or Vector of float64
        As for `jaccard`.  A vertex paired with itself has infinity where a neighbour has no other.

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, OutOfMemory
        As for `jaccard`.

    Notes
    -----
    Work and memory are as for `jaccard`; a graph without edges, or no pairs, is no error.
    Directions, loops and values, be they zero, negative or NaN, do not matter, and the result is
    the same whatever the threads.  A vertex paired with itself has infinity where one of its
    neighbours has no other.

    References
    ----------
    Adamic, Adar: Friends and neighbors on the web (2003).

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.adamic_adar(sb.generate.complete(5), [(0, 1)]).to_dense()
    array([2.16404256])
    """
    return scores(A, pairs, float, weighed(by_log))


@typed_refusals
def resource_allocation(A: Any, pairs: Any = None) -> Matrix | Vector:
    """Common neighbours of two vertices, each counted as ``1 / degree``; else as `adamic_adar`.

    Parameters
    ----------
    A, pairs
        As for `jaccard`.

    Returns
    -------
    Matrix or Vector of float64
        As for `jaccard`.

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, OutOfMemory
        As for `jaccard`.

    Notes
    -----
    Work and memory are as for `jaccard`; a graph without edges, or no pairs, is no error.
    Directions, loops and values, be they zero, negative or NaN, do not matter, and the result is
    the same whatever the threads.

    References
    ----------
    Zhou, Lu, Zhang: Predicting missing links via local information (2009).

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.resource_allocation(sb.generate.complete(5), [(0, 1)]).to_dense()
    array([0.75])
    """
    return scores(A, pairs, float, weighed(by_share))


@typed_refusals
def preferential_attachment(A: Any, pairs: Any = None) -> Matrix | Vector:
    """The degrees of two vertices multiplied.

    Parameters
    ----------
    A, pairs
        As for `jaccard`.

    Returns
    -------
    Matrix or Vector of int64
        As for `jaccard`.

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, OutOfMemory
        As for `jaccard`.

    Notes
    -----
    Work and memory are those of the degrees and of a number a pair; a graph without edges, or no
    pairs, is no error.  Directions, loops and values, be they zero, negative or NaN, do not matter,
    and the result is the same on every run.

    References
    ----------
    Liben-Nowell, Kleinberg: The link-prediction problem for social networks (2007).

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.preferential_attachment(sb.generate.star(4), [(0, 1), (1, 2)]).to_dense()
    array([3, 1])
    """
    return scores(A, pairs, int, lambda S, P: _of_ends(S, P, binary.times))


# -- weights -------------------------------------------------------------------------------------
def by_log(d: Vector) -> Any:
    """``1 / log(degree)``."""
    return d.apply(unary.log).apply(unary.minv)


def by_share(d: Vector) -> Any:
    """``1 / degree``."""
    return d.apply(unary.minv)


# -- scores --------------------------------------------------------------------------------------
def _jaccard(S: Matrix, P: Matrix) -> Matrix:
    common = semiring.plus_pair(S @ S.T).new(mask=P.S)
    either = _of_ends(S, P, binary.plus).ewise_add(common, binary.minus)
    return common.ewise_mult(either, binary.truediv).new()


def _of_ends(S: Matrix, P: Matrix, op: Any) -> Matrix:
    """`op` of the degrees of the two vertices of every pair."""
    D = degrees(S).diag()
    first, second = semiring.any_first(D @ P), semiring.any_second(P @ D)
    return first.new().ewise_mult(second.new(), op).new()


def weighed(weigh: Weigh, known: Vector | None = None) -> Score:
    """Common neighbours summed by a weight that follows from their degrees, or from others."""
    return lambda S, P: summed(weighted(S, weigh, known))(S, P)


def weighted(S: Matrix, weigh: Weigh, known: Vector | None = None) -> Matrix:
    """The edges, each with the weight of the vertex that it leads to."""
    d = S.reduce_rowwise("count").new(float) if known is None else known
    F = weigh(d).new().diag()
    return semiring.any_second(S @ F).new()


def summed(weights: Matrix) -> Score:
    """Common neighbours summed by the weights of `weighted`, which are kept for many pairs."""
    return lambda S, P: semiring.plus_first(weights @ S.T).new(mask=P.S)


# -- pairs ---------------------------------------------------------------------------------------
def scores(A: Any, pairs: Any, dtype: Any, score: Score) -> Matrix | Vector:
    """The score of all edges, or of pairs in their order; 0 where it has none."""
    matrix = square(A)
    n = matrix.nrows
    ends = None if pairs is None else _as_pairs(pairs, n)
    S = undirected(matrix)
    if ends is None:
        return _with_zeros(score(S, S), S, dtype)
    (rows, cols), place = _distinct(*_longer_first(S, *ends), n)
    P = Matrix.from_coo(rows, cols, True, nrows=n, ncols=n, device=matrix.device)
    # Entries come in the order of rows and columns, which is that of the distinct pairs.
    if n <= _MOST_ROOT:
        values = _looked_up(score(S, P), rows * n + cols, dtype)
    else:
        values = _with_zeros(score(S, P), P, dtype).to_coo()[2]
    return Vector.from_dense(values[place], dtype=dtype, device=matrix.device)


def _with_zeros(C: Matrix, P: Matrix, dtype: Any) -> Matrix:
    """C, and 0 where P has entries that it lacks."""
    full = Matrix(dtype, *P.shape, device=P.device)
    full(P.S) << 0
    full(binary.plus) << C
    return full


def _looked_up(C: Matrix, keys: Ints, dtype: Any) -> npt.NDArray[Any]:
    """What C has at some sorted places, which all of its entries are among; 0 where it has none."""
    rows, cols, values = C.to_coo()
    found = np.zeros(keys.shape[0], dtype)
    found[np.searchsorted(keys, rows * C.ncols + cols)] = values
    return found


def _as_pairs(pairs: Any, n: int) -> tuple[Ints, Ints]:
    array = as_array(listed(at_host(pairs)), "pairs")
    if array.size == 0:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    if array.ndim != 2 or array.shape[1] != 2:
        raise DimensionMismatch(f"pairs: expected two vertices each, got shape {array.shape}")
    return as_index_array(array[:, 0], "pairs", n), as_index_array(array[:, 1], "pairs", n)


def _longer_first(S: Matrix, u: Ints, v: Ints) -> tuple[Ints, Ints]:
    """The same pairs, whose scores have no direction: what a product marks is the first one's row,
    and what it looks up, pair by pair, the other's."""
    data = S._ready()
    if type(data) is MatrixData:
        # What lies between two offsets: the other vertices' degrees are not asked for.
        ends = on_host(data.indptr)
        shorter = ends[u + 1] - ends[u] < ends[v + 1] - ends[v]
    else:
        d = on_host(degrees(S).to_dense())
        shorter = d[u] < d[v]
    return np.where(shorter, v, u), np.where(shorter, u, v)


def _distinct(rows: Ints, cols: Ints, n: int) -> tuple[tuple[Ints, Ints], Ints]:
    """The pairs in order, each once, and for every one given its place among them."""
    # One number a pair is sorted in a tenth of the time of two.
    narrow = n <= _MOST_ROOT
    order = np.argsort(rows * n + cols) if narrow else np.lexsort((cols, rows))
    rows, cols = rows[order], cols[order]
    new = np.ones(order.shape[0], bool)
    new[1:] = (rows[1:] != rows[:-1]) | (cols[1:] != cols[:-1])
    place = np.empty_like(order)
    place[order] = np.cumsum(new) - 1
    return (rows[new], cols[new]), place
