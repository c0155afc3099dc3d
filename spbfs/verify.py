"""Checking a result against the rules it must keep, without repeating how it was found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.algorithms.bfs import BFSResult
from spbfs.algorithms.bfs.arguments import source_vertices, square
from spbfs.base.memory import require_bytes, typed_refusals
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue, VerificationError
from spbfs.objects.checks import as_array, as_size
from spbfs.objects.vector_operand import VectorOperand
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.entries import array_module

__all__ = ["bfs_tree"]

Array = Any  # of the module that holds the matrix: NumPy's, or CuPy's for one on the GPU

# Edges looked at together: bounds the memory of a check, whatever the size of the graph.
_EDGES_AT_ONCE = {"numpy": 1 << 22, "cupy": 1 << 25}


@typed_refusals
def bfs_tree(
    A: Any, source: Any, parents: Any = None, levels: Any = None, *, max_depth: int | None = None
) -> None:
    """Check that `parents` and `levels` are a breadth-first search of `A` from `source`.

    Searches unpack as ``levels, parents``, the other way round: hand over the whole result, or name
    the two.

    A matrix on the GPU is checked there.

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
    parents : BFSResult, Vector or array_like of int, optional
        What `bfs` returned; or the parents, n long.  An absent entry of a Vector, or a negative
        value of an array, means not reached.
    levels : Vector or array_like of int, optional
        Likewise.  One of the two may be left out and is then not checked.
    max_depth : int, optional
        The search was told to stop at this level, so edges out of it need not be followed.

    Raises
    ------
    VerificationError
        At the first violation; the message names the rule, the vertices and the values.
    InvalidValue
        When they would be right the other way round.
    DimensionMismatch, DomainMismatch, IndexOutOfBound
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from spbfs import bfs
    >>> A = sp.csr_array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> bfs_tree(A, 0, bfs(A, 0))
    >>> bfs_tree(A, 0, parents=[0, 0, 1], levels=[0, 1, 2])
    >>> bfs_tree(A, 0, parents=[0, 0, 1], levels=[0, 1, 1])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: levels: vertex 2 has level 1, its parent 1 has level 1
    """
    data: MatrixData = square(A)._ready()
    n = data.nrows
    if max_depth is not None:
        max_depth = as_size(max_depth, "max_depth")
    xp = array_module(data.indices)
    sources = xp.asarray(np.atleast_1d(source_vertices(_moved(np, source), n)))
    if isinstance(parents, BFSResult):
        if levels is not None:
            raise InvalidValue("levels: expected None beside a whole result")
        parents, levels = parents.parents, parents.levels
    level = None if levels is None else _dense(xp, levels, n, "levels")
    parent = None if parents is None else _dense(xp, parents, n, "parents")
    if level is None and parent is None:
        raise DomainMismatch("parents, levels: both are None; expected at least one")
    try:
        _check(data, sources, parent, level, max_depth)
    except VerificationError:
        if _holds(data, sources, level, parent, max_depth):
            raise InvalidValue(
                "parents, levels: they are right the other way round; expected parents first, "
                "or a BFSResult, or parents= and levels="
            ) from None
        raise


def _check(
    data: MatrixData, sources: Array, parent: Array, level: Array, max_depth: int | None
) -> None:
    """The rules, one after the other."""
    if level is not None:
        _check_source_levels(sources, level)
    if parent is not None:
        _check_parents(data, sources, parent)
        derived = _levels_of_tree(sources, parent)
        if level is not None:
            _check_same_vertices(parent, level)
            _check_tree_levels(parent, level, sources)
        level = derived if level is None else level
    _check_edges(data, level, max_depth, supported=parent is not None)


def _holds(*checked: Any) -> bool:
    try:
        _check(*checked)
    except VerificationError:
        return False
    return True


def _moved(xp: Any, values: Any) -> Any:
    """Values as an array of a module; what is in host memory stays as it is for NumPy."""
    if xp is np:
        return values.get() if hasattr(values, "__cuda_array_interface__") else values
    return xp.asarray(values)


def _dense(xp: Any, values: Any, n: int, name: str) -> Array:
    """Values of all n vertices, -1 where there is none."""
    if isinstance(values, VectorOperand):
        if values.dtype.is_float or values.dtype.is_bool:
            raise DomainMismatch(f"{name}: expected integers, got dtype {values.dtype}")
        stored: VectorData = values._ready()
        if stored.size != n:
            raise DimensionMismatch(f"{name}: expected size {n}, got {stored.size}")
        if stored.indices is not None:
            # Asked first: a machine may hand out more memory than it has, and end the process.
            if xp is np:
                require_bytes(8 * n, f"{name}: a number a vertex")
            dense = xp.full(n, -1, np.int64)
            dense[_moved(xp, stored.indices)] = _moved(xp, stored.values)
            return dense
        dense = _moved(xp, stored.values).astype(np.int64)
        if stored.present is not None:
            dense[~_moved(xp, stored.present)] = -1
        return dense
    array = as_array(_moved(np, values), name)
    if array.shape != (n,):
        raise DimensionMismatch(f"{name}: expected shape ({n},), got {array.shape}")
    if n and array.dtype.kind not in "iu":
        raise DomainMismatch(f"{name}: expected integers, got dtype {array.dtype}")
    return xp.asarray(np.maximum(array.astype(np.int64), -1))


def _first(bad: Array) -> int | None:
    """Index of the first True."""
    return int(bad.argmax()) if bool(bad.any()) else None


def _check_same_vertices(parent: Array, level: Array) -> None:
    v = _first((parent >= 0) != (level >= 0))
    if v is not None:
        has, lacks = ("level", "parent") if level[v] >= 0 else ("parent", "level")
        value = level[v] if has == "level" else parent[v]
        raise VerificationError(f"{lacks}s: vertex {v} has {has} {value} but no {lacks}")


def _check_parents(data: MatrixData, sources: Array, parent: Array) -> None:
    n = data.nrows
    for s in sources[parent[sources] != sources].tolist():
        raise VerificationError(f"parents: source {s} has parent {parent[s]}, expected itself")
    v = _first(parent >= n)
    if v is not None:
        raise VerificationError(f"parents: vertex {v} has parent {parent[v]}, not below {n}")
    tree = parent >= 0
    tree[sources] = False
    child = array_module(parent).flatnonzero(tree)
    missing = ~_stored(data, parent[child], child)
    k = _first(missing | (parent[child] == child))
    if k is not None:
        v = int(child[k])
        why = f"but A has no entry ({parent[v]}, {v})" if missing[k] else "itself, but is no source"
        raise VerificationError(f"parents: vertex {v} has parent {parent[v]}, {why}")


def _stored(data: MatrixData, rows: Array, cols: Array) -> Array:
    """Whether (rows[k], cols[k]) is stored, by bisection of all rows at once."""
    xp = array_module(rows)
    if data.nvals == 0:
        return xp.zeros(rows.shape[0], np.bool_)
    low = data.indptr[rows].astype(np.int64)
    row_end = data.indptr[rows + 1].astype(np.int64)
    high = row_end
    while bool((low < high).any()):
        open_ = low < high
        middle = (low + high) // 2
        less = data.indices[xp.minimum(middle, data.nvals - 1)] < cols
        low, high = (
            xp.where(open_ & less, middle + 1, low),
            xp.where(open_ & ~less, middle, high),
        )
    return (low < row_end) & (data.indices[xp.minimum(low, data.nvals - 1)] == cols)


def _levels_of_tree(sources: Array, parent: Array) -> Array:
    """Distance to a source along parents, by pointer doubling."""
    xp = array_module(parent)
    tree = parent >= 0
    up = xp.where(tree, parent, xp.arange(parent.shape[0]))
    level = tree.astype(np.int64)
    level[sources] = 0
    for _ in range(max(1, parent.shape[0].bit_length())):
        level += level[up]
        up = up[up]
    root = xp.zeros(parent.shape[0], np.bool_)
    root[sources] = True
    v = _first(tree & ~root[up])
    if v is not None:
        raise VerificationError(
            f"parents: from vertex {v} (parent {parent[v]}) parents lead to no source"
        )
    level[~tree] = -1
    return level


def _check_source_levels(sources: Array, level: Array) -> None:
    for s in sources[level[sources] != 0].tolist():
        raise VerificationError(f"levels: source {s} has level {level[s]}, expected 0")
    zero = level == 0
    zero[sources] = False
    v = _first(zero)
    if v is not None:
        raise VerificationError(f"levels: vertex {v} has level 0 but is no source")


def _check_tree_levels(parent: Array, level: Array, sources: Array) -> None:
    tree = parent >= 0
    tree[sources] = False
    child = array_module(parent).flatnonzero(tree)
    k = _first(level[child] != level[parent[child]] + 1)
    if k is not None:
        v = int(child[k])
        raise VerificationError(
            f"levels: vertex {v} has level {level[v]}, "
            f"its parent {parent[v]} has level {level[parent[v]]}"
        )


def _edges(data: MatrixData) -> Iterator[tuple[Array, Array]]:
    """All stored entries as (rows, columns), some millions at a time."""
    xp = array_module(data.indices)
    step = _EDGES_AT_ONCE[xp.__name__]
    for begin in range(0, data.nvals, step):
        end = min(begin + step, data.nvals)
        bounds = xp.asarray([begin, end], data.indptr.dtype)
        first = int(xp.searchsorted(data.indptr, bounds[:1], side="right")[0]) - 1
        last = int(xp.searchsorted(data.indptr, bounds[1:], side="left")[0])
        # A row's number is how many rows have begun.
        begun = data.indptr[first + 1 : last] - data.indptr.dtype.type(begin)
        rows = first + xp.cumsum(xp.bincount(begun, minlength=end - begin))
        yield rows, data.indices[begin:end].astype(np.int64)


def _check_edges(data: MatrixData, level: Array, max_depth: int | None, *, supported: bool) -> None:
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
