"""Checking a result against the rules it must keep, without repeating how it was found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs import as_matrix, matrix_data, source_vertices
from spbfs.core.checks import as_array, as_size
from spbfs.core.storage import MatrixData, VectorData
from spbfs.core.vector_operand import VectorOperand
from spbfs.exceptions import DimensionMismatch, DomainMismatch, VerificationError

__all__ = ["bfs_tree"]

Ints = npt.NDArray[np.int64]

# Edges looked at together: bounds the memory of a check, whatever the size of the graph.
_EDGES_AT_ONCE = 1 << 22


def bfs_tree(
    A: Any, source: Any, parents: Any, levels: Any, *, max_depth: int | None = None
) -> None:
    """Check that `parents` and `levels` are a breadth-first search of `A` from `source`.

    The rules are those of the GAP and Graph500 benchmarks; together they leave no other levels
    than the true distances:

    1. a vertex has a level where it has a parent and nowhere else;
    2. sources, and nothing else, have level 0 and themselves as parent;
    3. every other reached vertex v has a stored edge (parent of v, v);
    4. its level is its parent's plus one;
    5. every edge out of a reached vertex ends in a reached vertex, at most one level deeper.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; entry (u, v) is the edge from u to v.
    source : int or sequence of int
        Where the search started.
    parents, levels : Vector or array_like of int, or None
        n long.  An absent entry of a Vector, or a negative value of an array, means not reached.
        One of the two may be None and is then not checked.
    max_depth : int, optional
        The search was told to stop at this level, so edges out of it need not be followed.

    Raises
    ------
    VerificationError
        At the first violation; the message names the rule, the vertices and the values.
    DimensionMismatch, DomainMismatch, IndexOutOfBound
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> A = sp.csr_array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> bfs_tree(A, 0, parents=[0, 0, 1], levels=[0, 1, 2])
    >>> bfs_tree(A, 0, parents=[0, 0, 1], levels=[0, 1, 1])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: levels: vertex 2 has level 1, its parent 1 has level 1
    """
    data = matrix_data(as_matrix(A))
    n = data.nrows
    if n != data.ncols:
        raise DimensionMismatch(f"A: expected a square matrix, got {n} x {data.ncols}")
    if max_depth is not None:
        max_depth = as_size(max_depth, "max_depth")
    sources = np.atleast_1d(source_vertices(source, n))
    level = None if levels is None else _dense(levels, n, "levels")
    parent = None if parents is None else _dense(parents, n, "parents")
    if level is not None:
        _check_source_levels(sources, level)
    if parent is not None:
        _check_parents(data, sources, parent)
        derived = _levels_of_tree(sources, parent)
        if level is not None:
            _check_same_vertices(parent, level)
            _check_tree_levels(parent, level, sources)
        level = derived if level is None else level
    if level is None:
        raise DomainMismatch("parents, levels: both are None; expected at least one")
    _check_edges(data, level, max_depth, supported=parent is not None)


def _dense(values: Any, n: int, name: str) -> Ints:
    """Values of all n vertices, -1 where there is none."""
    if isinstance(values, VectorOperand):
        if values.dtype.is_float or values.dtype.is_bool:
            raise DomainMismatch(f"{name}: expected integers, got dtype {values.dtype}")
        stored: VectorData = values._ready()
        if stored.size != n:
            raise DimensionMismatch(f"{name}: expected size {n}, got {stored.size}")
        if stored.indices is not None:
            dense = np.full(n, -1, np.int64)
            dense[np.asarray(stored.indices)] = np.asarray(stored.values)
            return dense
        dense = np.asarray(stored.values).astype(np.int64)
        if stored.present is not None:
            dense[~np.asarray(stored.present)] = -1
        return dense
    array = as_array(values, name)
    if array.shape != (n,):
        raise DimensionMismatch(f"{name}: expected shape ({n},), got {array.shape}")
    if n and array.dtype.kind not in "iu":
        raise DomainMismatch(f"{name}: expected integers, got dtype {array.dtype}")
    return np.maximum(array.astype(np.int64), -1)


def _first(bad: npt.NDArray[np.bool_]) -> int | None:
    """Index of the first True."""
    return int(np.argmax(bad)) if bad.any() else None


def _check_same_vertices(parent: Ints, level: Ints) -> None:
    v = _first((parent >= 0) != (level >= 0))
    if v is not None:
        has, lacks = ("level", "parent") if level[v] >= 0 else ("parent", "level")
        value = level[v] if has == "level" else parent[v]
        raise VerificationError(f"{lacks}s: vertex {v} has {has} {value} but no {lacks}")


def _check_parents(data: MatrixData, sources: Ints, parent: Ints) -> None:
    n = data.nrows
    for s in sources[parent[sources] != sources]:
        raise VerificationError(f"parents: source {s} has parent {parent[s]}, expected itself")
    v = _first(parent >= n)
    if v is not None:
        raise VerificationError(f"parents: vertex {v} has parent {parent[v]}, not below {n}")
    tree = parent >= 0
    tree[sources] = False
    child = np.flatnonzero(tree)
    missing = ~_stored(data, parent[child], child)
    k = _first(missing | (parent[child] == child))
    if k is not None:
        v = int(child[k])
        why = f"but A has no entry ({parent[v]}, {v})" if missing[k] else "itself, but is no source"
        raise VerificationError(f"parents: vertex {v} has parent {parent[v]}, {why}")


def _stored(data: MatrixData, rows: Ints, cols: Ints) -> npt.NDArray[np.bool_]:
    """Whether (rows[k], cols[k]) is stored, by bisection of all rows at once."""
    low = data.indptr[rows].astype(np.int64)
    high = data.indptr[rows + 1].astype(np.int64)
    row_end = high.copy()
    while True:
        open_ = low < high
        if not open_.any():
            break
        middle = (low + high) // 2
        less = np.zeros(rows.shape[0], np.bool_)
        less[open_] = data.indices[middle[open_]] < cols[open_]
        low = np.where(open_ & less, middle + 1, low)
        high = np.where(open_ & ~less, middle, high)
    found = low < row_end
    found[found] = data.indices[low[found]] == cols[found]
    return np.asarray(found)


def _levels_of_tree(sources: Ints, parent: Ints) -> Ints:
    """Distance to a source along parents, by pointer doubling."""
    tree = parent >= 0
    up = np.where(tree, parent, np.arange(parent.shape[0]))
    level = tree.astype(np.int64)
    level[sources] = 0
    for _ in range(max(1, parent.shape[0].bit_length())):
        level += level[up]
        up = up[up]
    root = np.zeros(parent.shape[0], np.bool_)
    root[sources] = True
    v = _first(tree & ~root[up])
    if v is not None:
        raise VerificationError(
            f"parents: from vertex {v} (parent {parent[v]}) parents lead to no source"
        )
    level[~tree] = -1
    return level


def _check_source_levels(sources: Ints, level: Ints) -> None:
    for s in sources[level[sources] != 0]:
        raise VerificationError(f"levels: source {s} has level {level[s]}, expected 0")
    zero = level == 0
    zero[sources] = False
    v = _first(zero)
    if v is not None:
        raise VerificationError(f"levels: vertex {v} has level 0 but is no source")


def _check_tree_levels(parent: Ints, level: Ints, sources: Ints) -> None:
    tree = parent >= 0
    tree[sources] = False
    child = np.flatnonzero(tree)
    k = _first(level[child] != level[parent[child]] + 1)
    if k is not None:
        v = int(child[k])
        raise VerificationError(
            f"levels: vertex {v} has level {level[v]}, "
            f"its parent {parent[v]} has level {level[parent[v]]}"
        )


def _edges(data: MatrixData) -> Iterator[tuple[Ints, Ints]]:
    """All stored entries as (rows, columns), some millions at a time."""
    indptr = data.indptr.astype(np.int64)
    for begin in range(0, data.nvals, _EDGES_AT_ONCE):
        end = min(begin + _EDGES_AT_ONCE, data.nvals)
        first = int(np.searchsorted(indptr, begin, side="right")) - 1
        last = int(np.searchsorted(indptr, end, side="left"))
        bounds = np.clip(indptr[first : last + 1], begin, end)
        rows = np.repeat(np.arange(first, last), np.diff(bounds))
        yield rows, data.indices[begin:end].astype(np.int64)


def _check_edges(data: MatrixData, level: Ints, max_depth: int | None, *, supported: bool) -> None:
    """Rule 5; and where no parents vouch for the levels, that every level has an edge into it."""
    vouched = level <= 0
    for rows, cols in _edges(data):
        follows = level[rows] >= 0
        if max_depth is not None:
            follows &= level[rows] != max_depth
        u, v = rows[follows], cols[follows]
        k = _first((level[v] < 0) | (level[v] > level[u] + 1))
        if k is not None:
            told = f"has level {level[v[k]]}" if level[v[k]] >= 0 else "is not reached"
            raise VerificationError(
                f"levels: vertex {u[k]} has level {level[u[k]]}, "
                f"but vertex {v[k]} at the end of its edge {told}"
            )
        vouched[v[level[v] == level[u] + 1]] = True
    w = None if supported else _first(~vouched)
    if w is not None:
        raise VerificationError(
            f"levels: vertex {w} has level {level[w]}, but no edge from level {level[w] - 1}"
        )
