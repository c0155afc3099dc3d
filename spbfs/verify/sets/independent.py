"""Independent sets and colourings checked by what they must be, edge by edge."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.algorithms.bfs.arguments import square
from spbfs.base.memory import require_bytes, typed_refusals
from spbfs.exceptions import DimensionMismatch, DomainMismatch, VerificationError
from spbfs.objects.checks import as_array
from spbfs.objects.operands.vector_operand import VectorOperand
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module
from spbfs.verify.arrays import edges_in_parts, first_of, moved, vertex_integers

__all__ = ["colouring", "independent_set"]

Array = Any  # of the module that holds the matrix: NumPy's, or CuPy's for one on the GPU


@typed_refusals
def independent_set(A: Any, chosen: Any) -> None:
    """Check that no two chosen vertices are neighbours, and that no more could be chosen.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; neighbours are taken without direction, loops do not matter.
    chosen : Vector of bool, or array_like of bool
        What `maximal_independent_set` returned, absent entries being False; or n flags.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertices.
    DimensionMismatch, DomainMismatch
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> path = sb.generate.path(4)
    >>> sb.verify.independent_set(path, sb.maximal_independent_set(path))
    >>> sb.verify.independent_set(path, [True, False, False, False])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: chosen: vertex 2 and all of its neighbours are left out
    """
    data: MatrixData = square(A)._ready()
    xp = array_module(data.indices)
    flags = _vertex_flags(xp, chosen, data.nrows)
    beside = flags.copy()
    for rows, columns in edges_in_parts(data):
        k = first_of(flags[rows] & flags[columns] & (rows != columns))
        if k is not None:
            raise VerificationError(
                "chosen: vertices {} and {} are neighbours", int(rows[k]), int(columns[k])
            )
        beside[columns[flags[rows]]] = True
        beside[rows[flags[columns]]] = True
    v = first_of(~beside)
    if v is not None:
        raise VerificationError("chosen: vertex {} and all of its neighbours are left out", v)


@typed_refusals
def colouring(A: Any, colours: Any) -> None:
    """Check that all vertices have colours from 0 and no two neighbours have the same.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; neighbours are taken without direction, loops do not matter.
    colours : Vector or array_like of int
        n colours, as `colouring` returns them.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertices and the colour.
    DimensionMismatch, DomainMismatch
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> path = sb.generate.path(3)
    >>> sb.verify.colouring(path, sb.colouring(path))
    >>> sb.verify.colouring(path, [0, 1, 1])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: colours: neighbours 1 and 2 have colour 1
    """
    data: MatrixData = square(A)._ready()
    xp = array_module(data.indices)
    colour = vertex_integers(xp, colours, data.nrows, "colours")
    v = first_of(colour < 0)
    if v is not None:
        raise VerificationError("colours: vertex {} has none from 0", v)
    for rows, columns in edges_in_parts(data):
        k = first_of((colour[rows] == colour[columns]) & (rows != columns))
        if k is not None:
            u, v = int(rows[k]), int(columns[k])
            raise VerificationError(
                f"colours: neighbours {{}} and {{}} have colour {colour[u]}", u, v
            )


def _vertex_flags(xp: Any, chosen: Any, n: int) -> Array:
    """Of all n vertices whether they are chosen."""
    require_bytes(n, "chosen: a flag a vertex")
    if isinstance(chosen, VectorOperand):
        if not chosen.dtype.is_bool:
            raise DomainMismatch(f"chosen: expected bool, got dtype {chosen.dtype}")
        if chosen.size != n:
            raise DimensionMismatch(f"chosen: expected size {n}, got {chosen.size}")
        return xp.asarray(moved(xp, chosen.to_dense(False)))
    array = as_array(moved(np, chosen), "chosen")
    if array.shape != (n,):
        raise DimensionMismatch(f"chosen: expected shape ({n},), got {array.shape}")
    if n and array.dtype != np.bool_:
        raise DomainMismatch(f"chosen: expected bool, got dtype {array.dtype}")
    return xp.asarray(array.astype(np.bool_))
