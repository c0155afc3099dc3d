"""Core numbers checked by degrees among vertices of as large a number, and an order to leave in."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.algorithms.graphs import square, undirected
from spbfs.base.memory import typed_refusals
from spbfs.exceptions import VerificationError
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module, bincount
from spbfs.verify.arrays import edges_in_parts, entries_of_rows, first_of, vertex_integers

__all__ = ["core_numbers"]

Array = Any  # of the module that holds the matrix: NumPy's, or CuPy's for one on the GPU


@typed_refusals
def core_numbers(A: Any, cores: Any) -> None:
    """Check that `cores` are the core numbers of a graph.

    1. every vertex v has at least cores[v] neighbours whose core number is as large or larger, so
       none is too large;
    2. vertices can be taken away one after another, each when at most cores[v] of its neighbours
       are of larger core number, or of its own and there yet, so none is too small: of the
       vertices of a k-core that have the least number claimed, the first to go would see k others.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; directions, loops and values do not matter.
    cores : Vector or array_like of int
        What `core_numbers` returned.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertex and the values.
    DimensionMismatch, DomainMismatch
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.generate.path(3)
    >>> sb.verify.core_numbers(A, sb.core_numbers(A))
    >>> sb.verify.core_numbers(A, [1, 1, 0])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: cores: vertex 2 has 0, expected more
    """
    data: MatrixData = undirected(square(A))._ready()
    n, xp = data.nrows, array_module(data.indices)
    core = vertex_integers(xp, cores, n, "cores")
    v = first_of(core < 0)
    if v is not None:
        raise VerificationError("cores: vertex {} has no core number", v)
    # Neighbours of larger number, and of the same.
    larger, equal = xp.zeros(n, np.int64), xp.zeros(n, np.int64)
    for rows, cols in edges_in_parts(data):
        larger += bincount(rows[core[cols] > core[rows]], n)
        equal += bincount(rows[core[cols] == core[rows]], n)
    v = first_of(larger + equal < core)
    if v is not None:
        raise VerificationError(
            f"cores: vertex {{}} has {core[v]}, but {larger[v] + equal[v]} neighbours of as much", v
        )
    left = larger + equal
    there = xp.ones(n, np.bool_)
    going = xp.flatnonzero(left <= core)
    while going.shape[0]:
        there[going] = False
        place, cols = entries_of_rows(data, going)
        lost = cols[(core[cols] == core[going[place]]) & there[cols]]
        lost, times = _counted(xp, lost)
        left[lost] -= times
        going = lost[left[lost] <= core[lost]]
    v = first_of(there)
    if v is not None:
        raise VerificationError(f"cores: vertex {{}} has {core[v]}, expected more", v)


def _counted(xp: Any, values: Array) -> tuple[Array, Array]:
    """The distinct of some integers, and how often each comes."""
    values = xp.sort(values)
    begins = xp.ones(values.shape[0], np.bool_)
    begins[1:] = values[1:] != values[:-1]
    first = xp.flatnonzero(begins)
    return values[first], xp.diff(first, append=values.shape[0])
