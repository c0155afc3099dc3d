"""Who reaches whom: the transitive closure, by the frontiers of many searches in packed bits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from spbfs import binary, select, semiring, unary
from spbfs.algorithms.connectivity.components import components
from spbfs.algorithms.connectivity.strong_components import strong_components
from spbfs.algorithms.graphs import square
from spbfs.base.memory import require_bytes, typed_refusals
from spbfs.base.progress import Progress, Report
from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.exceptions import NotImplementedException
from spbfs.objects.assignment.statement import replace
from spbfs.objects.checks import as_flag
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module, on_host

__all__ = ["transitive_closure"]

#: Searches at a time: a frontier of so many columns is a word or more of bits a vertex.
_SOURCES = 512
#: Bytes that a pair takes while rows are put together: its column three times.
_PAIR_BYTES = 12


@typed_refusals
def transitive_closure(
    A: Any, *, reflexive: bool = False, progress: bool | Progress | None = None
) -> Matrix:
    """Entry (u, v) wherever a path of one edge or more leads from u to v.

    A strong component is as one vertex: all in it reach the same.  By searches from some hundred
    of these at once, their frontiers the columns of a Boolean matrix F that begins with the rows of
    A: ``F(~R.S, replace) << any_pair(A.T @ F)`` and R gains F, until F is empty.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; entry (u, v) is the edge from u to v, whatever its value.  A loop is
        a path of one edge.
    reflexive : bool, optional
        Whether everybody reaches himself; without, only those on a cycle or with a loop do.
    progress : bool or callable, optional
        True shows a bar of searches; a function is called with searches ended, how many there are,
        and the pairs found so far.

    Returns
    -------
    Matrix of bool
        n x n, all stored values True.

    Raises
    ------
    OutOfMemory
        Before it begins, when a result that connects all vertices of every weak component would not
        fit: for graphs of some ten thousand vertices, or of many small components.
    DimensionMismatch, DomainMismatch, InvalidValue
        As for `bfs`.

    Notes
    -----
    Work is at most that of a search from every strong component, each a look at m edges, some
    hundred sharing theirs, and that of writing the result; memory is that of the result, which may
    have n * n entries.  Values, zero, negative and NaN too, do not matter; of a graph without edges
    the closure is empty.  The result is the same on every run.

    References
    ----------
    Purdom: A transitive closure algorithm (BIT 1970), for the components.
    Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo: The more the merrier: efficient
    multi-source graph traversal (VLDB 2014).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1, 3], [1, 2, 3], 1.0, nrows=4, ncols=4)
    >>> sb.transitive_closure(A).to_edgelist()[0].tolist()
    [[0, 1], [0, 2], [1, 2], [3, 3]]
    """
    matrix, whole = square(A), as_flag(reflexive, "reflexive")
    n = matrix.nrows
    if matrix._engine.spread is not None:
        raise NotImplementedException("A: a closure is of a matrix in one place, not over ranks")
    sizes = np.bincount(components(matrix).to("cpu").to_dense())
    most = int(sizes.astype(np.float64) @ sizes)
    require_bytes(_PAIR_BYTES * most, f"A: a closure of up to {most:,} pairs")
    labels = strong_components(matrix).to("cpu").to_dense()
    component = np.searchsorted(set_of(np, labels), labels)
    sizes = np.bincount(component)
    found = _between(matrix, component, sizes, whole, progress)
    # Everybody of a component reaches the same.
    return found if sizes.shape[0] == n else found[component, :].new()


def _between(
    A: MatrixOperand, component: Any, sizes: Any, whole: bool, progress: bool | Progress | None
) -> Matrix:
    """Entry (c, v) wherever a path of one edge or more leads from strong component c to v."""
    n, count, device = A.nrows, sizes.shape[0], A.device
    edges, among = A.apply(unary.one[bool]).new(), None
    if count < n:
        among = Matrix.from_csr(np.arange(n + 1), component, True, ncols=count, device=device)
        edges = _any_pair(_any_pair(among.T, edges), among)
    reached_by = _searches(edges, whole)
    starts, rows, pairs = range(0, count, _SOURCES), [], 0
    with Report(progress, n, "transitive_closure") as report:
        for first in starts:
            last = min(first + _SOURCES, count)
            reached = reached_by(first, last).T.new()
            if among is not None:
                reached = _any_pair(reached, among.T)
            rows.append(reached._ready())
            pairs += int(np.diff(on_host(rows[-1].indptr)) @ sizes[first:last])
            report(int(sizes[:last].sum()), pairs)
    if not rows:
        return Matrix(bool, n, n, device=device)
    xp = array_module(rows[0].indptr)
    indptr = xp.zeros(count + 1, np.int64)
    for first, part in zip(starts, rows, strict=True):
        indptr[first + 1 : first + part.nrows + 1] = indptr[first] + part.indptr[1:]
    indices = xp.concatenate([part.indices for part in rows])
    return Matrix.from_csr(
        indptr, indices, True, nrows=count, ncols=n, sorted_cols=True, device=device
    )


def _any_pair(A: MatrixOperand, B: MatrixOperand) -> Matrix:
    made: Matrix = semiring.any_pair(A @ B).new(bool)
    return made


def _searches(edges: Matrix, whole: bool) -> Callable[[int, int], Matrix]:
    """A function of vertices `first` to `last`, without it, that finds who is reached from them:
    columns of the closure's transpose.  The edges are those of a graph without cycles but loops."""
    fused = edges._engine.fused.acyclic_reach
    if fused is None or type(edges._ready()) is not MatrixData:
        return partial(_reached, edges, whole)
    loops = edges.diag().to_dense(False) if not whole else np.ones(edges.nrows, np.bool_)
    reached = fused(select.offdiag(edges).new()._ready(), loops)
    return lambda first, last: Matrix._from_data(reached(first, last), edges.device)


def _reached(edges: Matrix, whole: bool, first: int, last: int) -> Matrix:
    """The same by products."""
    n, k = edges.nrows, last - first
    F = edges[first:last, :].new().T.new()
    R = F.dup()
    if whole:
        R(binary.any) << Matrix.from_coo(
            range(first, last), range(k), True, nrows=n, ncols=k, device=edges.device
        )
    while F.nvals:
        F(~R.S, replace) << semiring.any_pair(edges.T @ F)
        R(binary.any) << F
    return R
