"""Trusses checked edge by edge: who is in it has triangles there, and the others can leave."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs import select
from spbfs.algorithms.graphs import square, undirected
from spbfs.base.flags import any_true
from spbfs.base.memory import typed_refusals
from spbfs.exceptions import DeviceMismatch, DimensionMismatch, VerificationError
from spbfs.objects.checks import as_size
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module, bincount, entry_rows
from spbfs.verify.arrays import entries_of_rows, first_of, is_stored

__all__ = ["k_truss"]

Array = Any  # of the module that holds the matrix: NumPy's, or CuPy's for one on the GPU

# Neighbours looked up together.
_LOOKUPS_AT_ONCE = 1 << 22


@typed_refusals
def k_truss(A: Any, k: int, truss: Any) -> None:
    """Check that the entries of `truss` are the k-truss of a graph.

    1. they are entries of A, without loops, in both directions where A has both;
    2. every one of their edges is in at least k - 2 triangles of them;
    3. the other edges of A can be taken away, round after round, each when it is in fewer than
       k - 2 triangles of what is left.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; values do not matter.
    k : int
        As for `k_truss`.
    truss : Matrix, or anything that `Matrix.from_scipy` takes
        What `k_truss` returned.

    Raises
    ------
    VerificationError
        At the first violation; the message names the edge.
    DimensionMismatch, DomainMismatch, InvalidValue
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 3], 1.0, nrows=4, ncols=4)
    >>> sb.verify.k_truss(A, 3, sb.k_truss(A, 3))
    >>> sb.verify.k_truss(A, 3, A)
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: truss: edge (2, 3) is in 0 triangles, expected 1 or more
    """
    whole, part = square(A), square(truss)
    if part.shape != whole.shape:
        raise DimensionMismatch(f"truss: expected shape {whole.shape}, got {part.shape}")
    if part.device != whole.device:
        raise DeviceMismatch(f"truss: expected it on {whole.device!r}, got {part.device!r}")
    least = as_size(k, "k") - 2
    kept = undirected(part)
    _check_entries(whole, part, kept)
    _check_triangles(kept._ready(), least)
    _check_others(undirected(whole)._ready(), kept._ready(), least)


def _check_entries(whole: MatrixOperand, part: MatrixOperand, kept: Matrix) -> None:
    found, expected = part.dup(), select.offdiag(whole).new(mask=kept.S)
    extra, missing = found.dup(mask=~expected.S), expected.dup(mask=~found.S)
    for wrong, why in ((extra, "is no edge of A"), (missing, "is there in one direction only")):
        if wrong.nvals:
            rows, cols, _ = wrong.to_coo()
            raise VerificationError(f"truss: ({{}}, {{}}) {why}", rows[0], cols[0])


def _check_triangles(kept: MatrixData, least: int) -> None:
    rows = entry_rows(kept)
    support = _support(kept, rows)
    e = first_of(support < least)
    if e is not None:
        raise VerificationError(
            f"truss: edge ({{}}, {{}}) is in {support[e]} triangles, expected {least} or more",
            rows[e],
            kept.indices[e],
        )


def _check_others(graph: MatrixData, kept: MatrixData, least: int) -> None:
    while True:
        rows = entry_rows(graph)
        other = ~is_stored(kept, rows, graph.indices)
        leaves = other & (_support(graph, rows) < least)
        if not any_true(leaves):
            break
        graph = _without(graph, rows, leaves)
    e = first_of(other)
    if e is not None:
        raise VerificationError("truss: edge ({}, {}) is missing", rows[e], graph.indices[e])


def _without(data: MatrixData, rows: Array, leaves: Array) -> MatrixData:
    """The entries that stay."""
    xp = array_module(rows)
    indptr = xp.zeros(data.nrows + 1, np.int64)
    xp.cumsum(bincount(rows[~leaves], data.nrows), out=indptr[1:])
    indices = data.indices[~leaves]
    return MatrixData(data.nrows, data.ncols, indptr, indices, data.values[~leaves])


def _support(data: MatrixData, rows: Array) -> Array:
    """Triangles of every entry of an undirected graph: neighbours of one end looked up at the
    other, whichever has fewer."""
    xp = array_module(rows)
    degree, cols = xp.diff(data.indptr).astype(np.int64), data.indices.astype(np.int64)
    fewer = degree[rows] <= degree[cols]
    near, far = xp.where(fewer, rows, cols), xp.where(fewer, cols, rows)
    found = xp.zeros(rows.shape[0], np.int64)
    looked_up = xp.cumsum(degree[near])
    begin = 0
    while begin < rows.shape[0]:
        done = int(looked_up[begin - 1]) if begin else 0
        most = xp.asarray([done + _LOOKUPS_AT_ONCE])
        end = max(begin + 1, int(xp.searchsorted(looked_up, most, side="right")[0]))
        edge, neighbour = entries_of_rows(data, near[begin:end])
        hit = is_stored(data, far[begin:end][edge], neighbour)
        found[begin:end] = bincount(edge[hit], end - begin)
        begin = end
    return found
