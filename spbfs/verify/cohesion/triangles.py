"""Triangles checked vertex by vertex, by looking up every two neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.algorithms.graphs import square, undirected
from spbfs.base.memory import typed_refusals
from spbfs.exceptions import VerificationError
from spbfs.objects.checks import as_size
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module
from spbfs.verify.arrays import first_of, is_stored, vertex_integers

__all__ = ["triangles"]

Array = Any  # of the module that holds the matrix: NumPy's, or CuPy's for one on the GPU

# Pairs of neighbours looked up together.
_PAIRS_AT_ONCE = 1 << 22


@typed_refusals
def triangles(A: Any, counts: Any, *, samples: int | None = 1000, seed: int = 0) -> None:
    """Check that `counts` are the triangles of every vertex.

    1. no vertex has more than it has pairs of neighbours;
    2. all together are a multiple of three;
    3. of sampled vertices, every two neighbours are looked up in the graph.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; directions, loops and values do not matter.
    counts : Vector or array_like of int
        What `triangles` returned.
    samples : int or None, optional
        For how many vertices pairs are looked up; None for all.
    seed : int, optional
        Of the sample.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertex and the values.
    DimensionMismatch, DomainMismatch, InvalidValue
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.generate.complete(4)
    >>> sb.verify.triangles(A, sb.triangles(A))
    >>> sb.verify.triangles(A, [3, 3, 3, 0])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: counts: vertex 3 has 0 triangles, expected 3
    """
    data: MatrixData = undirected(square(A))._ready()
    n, xp = data.nrows, array_module(data.indices)
    given = vertex_integers(xp, counts, n, "counts")
    degree = xp.diff(data.indptr).astype(np.int64)
    v = first_of((given < 0) | (given > degree * (degree - 1) // 2))
    if v is not None:
        raise VerificationError(
            f"counts: vertex {{}} has {given[v]} triangles and {degree[v]} neighbours", v
        )
    if int(given.sum()) % 3:
        raise VerificationError(f"counts: {given.sum()} in all, expected a multiple of 3")
    wanted = n if samples is None else min(n, as_size(samples, "samples"))
    rng = np.random.default_rng(as_size(seed, "seed"))
    for u in np.sort(rng.choice(n, wanted, replace=False)).tolist():
        row = data.indices[int(data.indptr[u]) : int(data.indptr[u + 1])].astype(np.int64)
        found = _edges_among(data, row)
        if found != int(given[u]):
            raise VerificationError(
                f"counts: vertex {{}} has {given[u]} triangles, expected {found}", u
            )


def _edges_among(data: MatrixData, row: Array) -> int:
    """Edges of an undirected graph between vertices of a list, each counted once."""
    xp, degree = array_module(row), row.shape[0]
    found = 0
    step = max(1, _PAIRS_AT_ONCE // max(1, degree))
    for begin in range(0, degree, step):
        part = row[begin : begin + step]
        left, right = xp.repeat(part, degree), xp.tile(row, part.shape[0])
        later = left < right
        found += int(is_stored(data, left[later], right[later]).sum())
    return found
