"""Transitive closures checked: closed under the edges, and row by row by searches."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.algorithms.bfs import bfs
from spbfs.algorithms.graphs import square
from spbfs.base.memory import typed_refusals
from spbfs.exceptions import DeviceMismatch, DimensionMismatch, VerificationError
from spbfs.objects.checks import as_flag, as_size
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module
from spbfs.verify.arrays import edges_in_parts, first_of, is_stored, vertex_integers
from spbfs.verify.bfs.search import bfs_tree

__all__ = ["transitive_closure"]


@typed_refusals
def transitive_closure(
    A: Any,
    closure: Any,
    *,
    reflexive: bool = False,
    samples: int | None = 1000,
    seed: int = 0,
) -> None:
    """Check that `closure` has an entry wherever a path of one edge or more leads.

    1. all edges of A are there, and all of the diagonal where it is `reflexive`;
    2. of sampled vertices, a row has just those that a search meets from the vertex's neighbours;
       `bfs_tree` checks the search.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; values do not matter.
    closure : Matrix, or anything that `Matrix.from_scipy` takes
        What `sb.transitive_closure` returned; values do not matter.
    reflexive : bool, optional
        As it was given to `sb.transitive_closure`.
    samples : int or None, optional
        For how many vertices there are searches; None for all.
    seed : int, optional
        Of the sample.

    Raises
    ------
    VerificationError
        At the first violation; the message names the pair.
    DeviceMismatch, DimensionMismatch, DomainMismatch, InvalidValue
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1], [1, 2], True, nrows=3, ncols=3)
    >>> sb.verify.transitive_closure(A, sb.transitive_closure(A))
    >>> sb.verify.transitive_closure(A, A)
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: closure: (0, 2) is missing, but a path leads there
    """
    matrix, whole, told = square(A), as_flag(reflexive, "reflexive"), square(closure)
    data: MatrixData = matrix._ready()
    n, xp = data.nrows, array_module(data.indices)
    if told.nrows != n:
        raise DimensionMismatch(f"closure: expected shape {(n, n)}, got {told.shape}")
    if told.device != matrix.device:
        raise DeviceMismatch(f"closure: expected it on {matrix.device}, as A is, not {told.device}")
    pairs: MatrixData = told._ready()
    for u, v in edges_in_parts(data):
        k = first_of(~is_stored(pairs, u, v))
        if k is not None:
            raise VerificationError("closure: ({}, {}) is missing, but an edge of A", u[k], v[k])
    everybody = xp.arange(n)
    k = first_of(~is_stored(pairs, everybody, everybody)) if whole else None
    if k is not None:
        raise VerificationError("closure: ({}, {}) is missing, expected all of the diagonal", k, k)
    wanted = n if samples is None else min(n, as_size(samples, "samples"))
    rng = np.random.default_rng(as_size(seed, "seed"))
    for u in np.sort(rng.choice(n, wanted, replace=False)).tolist():
        expected = xp.zeros(n, np.bool_)
        neighbours = data.indices[int(data.indptr[u]) : int(data.indptr[u + 1])]
        if neighbours.shape[0]:
            search = bfs(matrix, neighbours)
            bfs_tree(matrix, neighbours, search)
            expected = vertex_integers(xp, search.levels, n, "levels") >= 0
        expected[u] |= whole
        there = xp.zeros(n, np.bool_)
        there[pairs.indices[int(pairs.indptr[u]) : int(pairs.indptr[u + 1])]] = True
        v = first_of(there != expected)
        if v is not None:
            why = "is missing, but a path leads" if expected[v] else "is there, but no path leads"
            raise VerificationError(f"closure: ({{}}, {{}}) {why} there", u, v)
