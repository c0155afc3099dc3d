"""Scores of a random walk checked by the equation that they solve."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.algorithms.bfs.arguments import square
from spbfs.algorithms.numbers import real
from spbfs.algorithms.rank.arguments import shares
from spbfs.base.memory import require_bytes, typed_refusals
from spbfs.exceptions import DimensionMismatch, DomainMismatch, VerificationError
from spbfs.objects.checks import as_array, as_flag
from spbfs.objects.operands.vector_operand import VectorOperand
from spbfs.operators.casts import cast
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module, bincount
from spbfs.verify.arrays import edges_in_parts, first_of, moved

__all__ = ["all_numbers", "pagerank", "weighted_parts"]

Array = Any  # of the module that holds the matrix: NumPy's, or CuPy's for one on the GPU


@typed_refusals
def pagerank(
    A: Any,
    scores: Any,
    *,
    damping: float = 0.85,
    personalization: Any = None,
    weighted: bool = False,
    tolerance: float = 1e-6,
) -> None:
    """Check that `scores` are those of `sb.pagerank`, by the residual of their equation.

    The rules:

    1. scores are finite, not below 0, and sum to 1;
    2. one step more of the walk, in double precision, changes them by no more than
       ``2 * tolerance`` in the L1 norm, and what rounding in their type does.

    Scores that keep both are within ``2 * tolerance / (1 - damping)`` of the right ones.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; entry (u, v) is the edge from u to v.
    scores : Vector or array_like
        n numbers; an absent entry of a Vector is 0.
    damping, personalization, weighted, tolerance : optional
        As they were given to `sb.pagerank`.

    Raises
    ------
    VerificationError
        At the first rule that is broken; the message names vertex or residual.
    DimensionMismatch, DomainMismatch, InvalidValue
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.generate.path(4)
    >>> pagerank(A, sb.pagerank(A))
    >>> pagerank(A, [0.25, 0.25, 0.25, 0.25])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: scores: a step changes them by 0.425, expected 2e-06 at most
    """
    matrix = square(A)
    data: MatrixData = matrix._ready()
    n, xp = data.nrows, array_module(data.indices)
    damping = real(damping, "damping", 0.0, 1.0)
    tolerance = real(tolerance, "tolerance", 0.0)
    weighted = as_flag(weighted, "weighted")
    x, exact = all_numbers(xp, scores, n, "scores")
    restart = xp.full(n, 1 / max(n, 1))
    if personalization is not None:
        restart = moved(xp, shares(personalization, "personalization", n, "cpu").to_dense())
    if n == 0:
        return
    v = first_of(~(xp.isfinite(x) & (x >= 0)))
    if v is not None:
        raise VerificationError(
            f"scores: vertex {{}} has {x[v]}, expected a number of at least 0", v
        )
    most = 2 * tolerance + 16 * exact
    total = float(x.sum())
    if abs(total - 1) > most:
        raise VerificationError(f"scores: their sum is {total}, expected 1")
    residual = float(abs(_stepped(data, x, restart, damping, weighted) - x).sum())
    if residual > most:
        raise VerificationError(
            f"scores: a step changes them by {residual:.3g}, expected {most:.3g} at most"
        )


def all_numbers(xp: Any, given: Any, n: int, name: str) -> tuple[Array, float]:
    """Numbers of all vertices in double precision, and the precision that they came in."""
    require_bytes(8 * n, f"{name}: a number a vertex")
    host = given.to_dense(0.0) if isinstance(given, VectorOperand) else given
    array = as_array(moved(np, host), name)
    if array.shape != (n,):
        raise DimensionMismatch(f"{name}: expected shape ({n},), got {array.shape}")
    if n and array.dtype.kind not in "iuf":
        raise DomainMismatch(f"{name}: expected numbers, got dtype {array.dtype}")
    exact = np.finfo(array.dtype).eps if array.dtype.kind == "f" else np.finfo(np.float64).eps
    return xp.asarray(array.astype(np.float64)), float(exact)


def _stepped(data: MatrixData, x: Array, restart: Array, damping: float, weighted: bool) -> Array:
    """Where the walk is a step later."""
    xp, n = array_module(data.indices), data.nrows
    out, came = xp.zeros(n), xp.zeros(n)
    for rows, _, weights in weighted_parts(data, weighted):
        out += bincount(rows, n, weights)
    stuck = x[out <= 0].sum()
    out = xp.where(out > 0, out, 1)
    for rows, columns, weights in weighted_parts(data, weighted):
        # First the part of the row, which no sizes of weights make overflow.
        came += bincount(columns, n, weights / out[rows] * x[rows])
    return damping * came + (damping * stuck + 1 - damping) * restart


def weighted_parts(data: MatrixData, weighted: bool) -> Any:
    """Edges and their weights, some millions at a time."""
    begin = 0
    for rows, columns in edges_in_parts(data):
        end = begin + rows.shape[0]
        xp = array_module(rows)
        if not weighted:
            yield rows, columns, xp.ones(end - begin)
            continue
        # Subnormal weights of single precision too, which CuPy's own cast takes for zero.
        yield rows, columns, cast(xp, data.values[begin:end], np.dtype(np.float64))
        begin = end
