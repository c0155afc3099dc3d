"""A breadth-first search checked by the rules of the GAP and Graph500 benchmarks."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.algorithms.bfs import BFSResult
from spbfs.algorithms.bfs.arguments import source_vertices, square
from spbfs.base.memory import typed_refusals
from spbfs.base.progress import Progress, Report
from spbfs.exceptions import DomainMismatch, InvalidValue, VerificationError
from spbfs.objects.checks import as_size
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module
from spbfs.verify.arrays import edges_in_parts, first_of, moved, vertex_integers
from spbfs.verify.trees import check_parents, levels_of_tree

__all__ = ["bfs_tree"]

Array = Any  # of the module that holds the matrix: NumPy's, or CuPy's for one on the GPU


@typed_refusals
def bfs_tree(
    A: Any,
    source: Any,
    parents: Any = None,
    levels: Any = None,
    *,
    max_depth: int | None = None,
    progress: bool | Progress | None = None,
) -> None:
    """Check that `parents` and `levels` are a breadth-first search of `A` from `source`.

    Searches unpack as ``levels, parents``, the other way round: hand over the whole result, or name
    the two.

    A matrix on the GPU is checked there, one over ranks by all of them together.

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
    progress : bool or callable, optional
        True shows a bar of entries, of which rule 5 takes most of the time; a function is called
        with entries looked at, all of them, and the former again.  Not over ranks.

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
    matrix = square(A)
    data: MatrixData = matrix._ready()
    n = data.nrows
    if max_depth is not None:
        max_depth = as_size(max_depth, "max_depth")
    if matrix._engine.spread is not None:
        _check_over_ranks(matrix, source, parents, levels, max_depth)
        return
    xp = array_module(data.indices)
    sources = xp.asarray(np.atleast_1d(source_vertices(moved(np, source), n)))
    if isinstance(parents, BFSResult):
        if levels is not None:
            raise InvalidValue("levels: expected None beside a whole result")
        parents, levels = parents.parents, parents.levels
    level = None if levels is None else vertex_integers(xp, levels, n, "levels")
    parent = None if parents is None else vertex_integers(xp, parents, n, "parents")
    if level is None and parent is None:
        raise DomainMismatch("parents, levels: both are None; expected at least one")
    try:
        with Report(progress, data.nvals, "bfs_tree", "entry") as report:
            _check(data, sources, parent, level, max_depth, report)
    except VerificationError:
        if _holds(data, sources, level, parent, max_depth, Report(None, None)):
            raise InvalidValue(
                "parents, levels: they are right the other way round; expected parents first, "
                "or a BFSResult, or parents= and levels="
            ) from None
        raise


def _check_over_ranks(A: Any, source: Any, parents: Any, levels: Any, limit: int | None) -> None:
    """The same for a matrix over ranks, which all of them check together."""
    from spbfs.verify.bfs.over_ranks import check_over_ranks

    A._engine.spread.agree({"the function": "bfs_tree", "A": A, "source": source})
    sources = np.atleast_1d(source_vertices(source, A.nrows))
    if isinstance(parents, BFSResult):
        parents, levels = parents.parents, parents.levels
    check_over_ranks(A._engine, A._ready(), sources, parents, levels, limit)


def _check(
    data: MatrixData,
    sources: Array,
    parent: Array,
    level: Array,
    max_depth: int | None,
    report: Report,
) -> None:
    """The rules, one after the other."""
    if level is not None:
        _check_source_levels(sources, level)
    if parent is not None:
        check_parents(data, sources, parent)
        derived = levels_of_tree(sources, parent)
        if level is not None:
            _check_same_vertices(parent, level)
            _check_tree_levels(parent, level, sources)
        level = derived if level is None else level
    _check_edges(data, level, max_depth, report, supported=parent is not None)


def _holds(*checked: Any) -> bool:
    try:
        _check(*checked)
    except VerificationError:
        return False
    return True


def _check_same_vertices(parent: Array, level: Array) -> None:
    v = first_of((parent >= 0) != (level >= 0))
    if v is not None:
        if level[v] >= 0:
            raise VerificationError(f"parents: vertex {{}} has level {level[v]} but no parent", v)
        raise VerificationError("levels: vertex {} has parent {} but no level", v, parent[v])


def _check_source_levels(sources: Array, level: Array) -> None:
    for s in sources[level[sources] != 0].tolist():
        raise VerificationError(f"levels: source {{}} has level {level[s]}, expected 0", s)
    zero = level == 0
    zero[sources] = False
    v = first_of(zero)
    if v is not None:
        raise VerificationError("levels: vertex {} has level 0 but is no source", v)


def _check_tree_levels(parent: Array, level: Array, sources: Array) -> None:
    tree = parent >= 0
    tree[sources] = False
    child = array_module(parent).flatnonzero(tree)
    k = first_of(level[child] != level[parent[child]] + 1)
    if k is not None:
        v = int(child[k])
        raise VerificationError(
            f"levels: vertex {{}} has level {level[v]}, "
            f"its parent {{}} has level {level[parent[v]]}",
            v,
            parent[v],
        )


def _check_edges(
    data: MatrixData, level: Array, max_depth: int | None, report: Report, *, supported: bool
) -> None:
    """Rule 5; and where no parents vouch for the levels, that every level has an edge into it."""
    vouched, looked = level <= 0, 0
    for rows, cols in edges_in_parts(data):
        follows = level[rows] >= 0
        if max_depth is not None:
            follows &= level[rows] != max_depth
        u, v = rows[follows], cols[follows]
        k = first_of((level[v] < 0) | (level[v] > level[u] + 1))
        if k is not None:
            told = f"has level {level[v[k]]}" if level[v[k]] >= 0 else "is not reached"
            raise VerificationError(
                f"levels: vertex {{}} has level {level[u[k]]}, "
                f"but vertex {{}} at the end of its edge {told}",
                u[k],
                v[k],
            )
        vouched[v[level[v] == level[u] + 1]] = True
        looked += rows.shape[0]
        report(looked, looked)
    w = None if supported else first_of(~vouched)
    if w is not None:
        raise VerificationError(
            f"levels: vertex {{}} has level {level[w]}, but no edge from level {level[w] - 1}", w
        )
