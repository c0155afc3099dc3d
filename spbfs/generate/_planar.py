"""Planar graphs over random points: the Delaunay mesh and a road network thinned out of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spbfs.base.memory import require_bytes
from spbfs.generate._arguments import MAX_VERTICES, integer, real, rng_of
from spbfs.generate._csr import symmetric_pattern
from spbfs.objects.matrix import Matrix

__all__ = ["delaunay", "road"]

Seed = int | np.random.Generator

#: Peak of a triangulation of a million points, measured, rounded up.
QHULL_BYTES_PER_POINT = 800


def delaunay(n: int, *, seed: Seed = 0) -> Matrix:
    """The Delaunay triangulation of `n` random points in the unit square: a mesh of mean degree 6.

    Points are numbered along a Z-order curve, so that near points tend to have near labels, as
    meshes that come from a mesher do.

    Parameters
    ----------
    n : int
        Number of points.
    seed : int or numpy.random.Generator, default 0
        Same seed, same graph.

    Returns
    -------
    Matrix
        BOOL, `n` square, symmetric, planar and connected.

    Raises
    ------
    InvalidValue
        `n` is negative or above ``2**31 - 1``.
    OutOfMemory
        The graph does not fit; raised before anything is drawn.

    Examples
    --------
    >>> import spbfs
    >>> A = spbfs.generate.delaunay(500, seed=7)
    >>> 5.5 < A.nvals / A.nrows < 6
    True
    """
    n = integer("n", n, 0, MAX_VERTICES)
    what = f"delaunay(n={n})"
    u, v = _triangulation(_points(n, rng_of(seed), what))
    return symmetric_pattern(n, [(u, v)], u.size, what)


def road(n: int, degree: float = 2.8, *, seed: Seed = 0) -> Matrix:
    """A road-like network: planar, connected, thousands of levels deep.

    Of the Delaunay edges of random points the minimum spanning tree is kept, and beside it the
    shortest others until the mean degree is reached.  Labels follow space as in `delaunay`.

    Parameters
    ----------
    n : int
        Number of junctions.
    degree : float, default 2.8
        Mean degree, between 2 (the tree alone) and 6 (the whole mesh, where it has so many).
    seed : int or numpy.random.Generator, default 0
        Same seed, same graph.

    Returns
    -------
    Matrix
        BOOL, `n` square, symmetric.

    Raises
    ------
    InvalidValue
        `n` is negative or above ``2**31 - 1``, or `degree` is not between 2 and 6.
    OutOfMemory
        The graph does not fit; raised before anything is drawn.

    Examples
    --------
    >>> import spbfs
    >>> A = spbfs.generate.road(1000, seed=7)
    >>> A.nvals / A.nrows
    2.8
    """
    n = integer("n", n, 0, MAX_VERTICES)
    degree = real("degree", degree, 2, 6)
    what = f"road(n={n})"
    points = _points(n, rng_of(seed), what)
    u, v = _triangulation(points)
    length = np.hypot(*(points[u] - points[v]).T)
    kept = _spanning_tree(n, u, v, length)
    others = np.flatnonzero(~kept)
    wanted = min(others.size, max(0, round(n * degree / 2) - int(kept.sum())))
    if wanted:
        kept[others[np.argpartition(length[others], wanted - 1)[:wanted]]] = True
    return symmetric_pattern(n, [(u[kept], v[kept])], int(kept.sum()), what)


def _points(n: int, rng: np.random.Generator, what: str) -> NDArray[np.float64]:
    """Random points of the unit square in Z order: interleaved bits of a 65536 x 65536 grid."""
    require_bytes(QHULL_BYTES_PER_POINT * n, what)
    points = rng.random((n, 2))
    code = np.zeros(n, dtype=np.uint64)
    cells = (points * 65536).astype(np.uint64)
    for bit in range(16):
        for axis in range(2):
            code |= ((cells[:, axis] >> np.uint64(bit)) & np.uint64(1)) << np.uint64(2 * bit + axis)
    return points[np.argsort(code, kind="stable")]


def _triangulation(points: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Each Delaunay edge once, as (lesser, greater) labels."""
    if len(points) < 3:
        # Qhull wants a triangle.
        u = np.arange(len(points) - 1, dtype=np.int32)
        return u, u + 1
    from scipy.spatial import Delaunay  # Half of SciPy comes with it: only when asked for.

    indptr, indices = Delaunay(points).vertex_neighbor_vertices
    tails = np.repeat(np.arange(len(points), dtype=np.int32), np.diff(indptr))
    once = tails < indices
    return tails[once], indices[once]


def _spanning_tree(
    n: int, u: NDArray[Any], v: NDArray[Any], length: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Which of the edges make up the minimum spanning tree."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    # Ranks by length as weights: none is zero or equal to another, and each names its edge.
    by_length = np.argsort(length)
    rank = np.empty(length.size, dtype=np.float64)
    rank[by_length] = np.arange(1, length.size + 1)
    in_tree = minimum_spanning_tree(csr_array((rank, (u, v)), shape=(n, n))).data
    kept = np.zeros(length.size, dtype=np.bool_)
    kept[by_length[in_tree.astype(np.int64) - 1]] = True
    return kept
