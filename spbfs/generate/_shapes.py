"""Graphs without chance: star, complete graph, complete tree."""

from __future__ import annotations

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.generate._arguments import MAX_VERTICES, integer, vertices
from spbfs.generate._csr import offsets, pattern
from spbfs.objects.matrix import Matrix

__all__ = ["complete", "star", "tree"]


def star(n: int) -> Matrix:
    """A star: vertex 0 joined to each of the other ``n - 1``.

    Parameters
    ----------
    n : int
        Number of vertices, the hub included.

    Returns
    -------
    Matrix
        BOOL, `n` square, symmetric.

    Raises
    ------
    InvalidValue
        `n` is negative or above ``2**31 - 1``.
    OutOfMemory
        The graph does not fit.

    Examples
    --------
    >>> import spbfs
    >>> spbfs.generate.star(5).nvals
    8
    """
    n = integer("n", n, 0, MAX_VERTICES)
    require_bytes(24 * n, f"star({n})")
    leaves = max(0, n - 1)
    counts = np.ones(n, dtype=np.int32)
    counts[:1] = leaves
    indices = np.zeros(2 * leaves, dtype=np.int32)
    indices[:leaves] = np.arange(1, leaves + 1, dtype=np.int32)
    return pattern(n, offsets(counts), indices)


def complete(n: int) -> Matrix:
    """The complete graph: every vertex joined to every other.

    Parameters
    ----------
    n : int
        Number of vertices; the matrix has ``n * (n - 1)`` entries.

    Returns
    -------
    Matrix
        BOOL, `n` square, symmetric.

    Raises
    ------
    InvalidValue
        `n` is negative or above ``2**31 - 1``.
    OutOfMemory
        The graph does not fit.

    Examples
    --------
    >>> import spbfs
    >>> spbfs.generate.complete(5).nvals
    20
    """
    n = integer("n", n, 0, MAX_VERTICES)
    require_bytes(4 * n * n + 16 * n, f"complete({n})")
    indptr = offsets(np.full(n, max(0, n - 1), dtype=np.int64))
    # Column j of row i is j, or j + 1 from the diagonal on.
    columns = np.arange(max(0, n - 1), dtype=np.int32)
    indices = np.empty((n, columns.size), dtype=np.int32)
    for row in range(n):
        indices[row, :row] = columns[:row]
        indices[row, row:] = columns[row:] + 1
    return pattern(n, indptr, indices.reshape(-1))


def tree(branching: int, depth: int) -> Matrix:
    """The complete tree: every vertex above the last level has `branching` children.

    The root is vertex 0 and labels run level by level, so the children of vertex v are
    ``branching * v + 1 .. branching * v + branching``.

    Parameters
    ----------
    branching : int
        Children of an inner vertex, at least 1.
    depth : int
        Level of the leaves; 0 is a root alone.

    Returns
    -------
    Matrix
        BOOL, ``1 + branching + ... + branching**depth`` square, symmetric.

    Raises
    ------
    InvalidValue
        An argument is out of range or there are more than ``2**31 - 1`` vertices.
    OutOfMemory
        The graph does not fit.

    Examples
    --------
    >>> import spbfs
    >>> A = spbfs.generate.tree(branching=2, depth=3)
    >>> A.nrows, A.nvals
    (15, 28)
    """
    branching = integer("branching", branching, 1, MAX_VERTICES)
    depth = integer("depth", depth, 0, MAX_VERTICES)
    what = f"tree(branching={branching}, depth={depth})"
    # A taller tree of two branches or more is past the limit anyway: keep the powers small.
    levels = min(depth, 32)
    inner = depth if branching == 1 else (branching**levels - 1) // (branching - 1)
    n = vertices(what, branching * inner + 1)
    require_bytes(24 * n, what)
    counts = np.ones(n, dtype=np.int64)
    counts[:inner] += branching
    counts[0] -= 1
    indptr = offsets(counts)
    indices = np.empty(int(indptr[-1]), dtype=np.int32)
    children = np.arange(1, n, dtype=np.int32)
    indices[indptr[1:-1]] = (children - 1) // branching
    # What the parents leave free is the children, in order.
    free = np.ones(indices.size, dtype=np.bool_)
    free[indptr[1:-1]] = False
    indices[free] = children
    return pattern(n, indptr, indices)
