"""Scores that solve an equation over walks, checked by what one round more does to them."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.algorithms.graphs import square
from spbfs.algorithms.numbers import real
from spbfs.algorithms.rank.arguments import dense
from spbfs.algorithms.rank.hits import HITS
from spbfs.base.memory import typed_refusals
from spbfs.exceptions import VerificationError
from spbfs.objects.checks import as_flag, is_scalar
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module, bincount
from spbfs.verify.arrays import first_of, moved, parts_of
from spbfs.verify.rank.pagerank import all_numbers, weighted_parts

__all__ = ["eigenvector", "hits", "katz"]

Array = Any  # of the module that holds the matrix: NumPy's, or CuPy's for one on the GPU


@typed_refusals
def katz(
    A: Any,
    scores: Any,
    *,
    alpha: float = 0.1,
    beta: Any = 1.0,
    weighted: bool = False,
    normalized: bool = True,
    tolerance: float = 1e-5,
) -> None:
    """Check that `scores` are those of `sb.katz`, by the residual of their equation.

    1. scores are finite; of Euclidean length 1 if they are `normalized`, unless `beta` is 0;
    2. ``alpha * x plus.first A + beta`` differs from them by no more than `tolerance` of all
       scores, absolute values summed; if they are normalized, with `beta` scaled by that number
       which fits best.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; entry (u, v) is the edge from u to v.
    scores : Vector or array_like
        n numbers; an absent entry of a Vector is 0.
    alpha, beta, weighted, normalized : optional
        As they were given to `sb.katz`.
    tolerance : float, optional
        Ten times what the rounds end with by default.

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
    >>> sb.verify.katz(A, sb.katz(A))
    >>> sb.verify.katz(A, [0.5, 0.5, 0.5, 0.5])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: scores: a round changes them by 0.1, expected 2e-05 at most
    """
    data: MatrixData = square(A)._ready()
    n, xp = data.nrows, array_module(data.indices)
    alpha, scaled = real(alpha, "alpha"), as_flag(normalized, "normalized")
    limit, weighted = real(tolerance, "tolerance", 0.0), as_flag(weighted, "weighted")
    x = _scores(xp, scores, n, "scores")
    if is_scalar(beta):
        base = xp.full(n, real(beta, "beta"))
    else:
        base = moved(xp, dense(beta, "beta", n, "cpu", negative=True).to_dense())
    rest = x - alpha * _along(data, x, weighted)
    square_of_base = float(base @ base)
    if scaled and square_of_base:
        _check_length(x, limit)
        scale = float(rest @ base) / square_of_base
        if scale <= 0:
            raise VerificationError("scores: they are opposite to what walks of no edge count")
        base = base * scale
    _check_residual("scores", rest - base, limit * float(abs(x).sum()))


@typed_refusals
def eigenvector(A: Any, scores: Any, *, weighted: bool = False, tolerance: float = 1e-5) -> None:
    """Check that `scores` are those of `sb.eigenvector`.

    1. scores are finite, not below 0, and of Euclidean length 1;
    2. one round more changes them by no more than `tolerance` of all scores, absolute values
       summed.

    An eigenvector without zeros is that of the largest eigenvalue, by Perron and Frobenius.  Where
    vertices have 0, a part of the graph with a larger one could have been left out, which these
    rules do not tell.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; entry (u, v) is the edge from u to v.
    scores : Vector or array_like
        n numbers; an absent entry of a Vector is 0.
    weighted : bool, optional
        As it was given to `sb.eigenvector`.
    tolerance : float, optional
        Ten times what the rounds end with by default.

    Raises
    ------
    VerificationError
        At the first rule that is broken; the message names vertex or residual.
    DimensionMismatch, DomainMismatch, InvalidValue
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.generate.star(5)
    >>> sb.verify.eigenvector(A, sb.eigenvector(A))
    >>> sb.verify.eigenvector(A, [1, 0, 0, 0, 0])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: scores: a round changes them by 2.34, expected 1e-05 at most
    """
    data: MatrixData = square(A)._ready()
    n, xp = data.nrows, array_module(data.indices)
    limit, weighted = real(tolerance, "tolerance", 0.0), as_flag(weighted, "weighted")
    x = _scores(xp, scores, n, "scores", least=0)
    if n == 0:
        return
    _check_length(x, limit)
    y = x + _along(data, x, weighted)
    _check_residual("scores", y / float(xp.linalg.norm(y)) - x, limit * float(x.sum()))


@typed_refusals
def hits(A: Any, found: HITS, *, weighted: bool = False, tolerance: float = 1e-5) -> None:
    """Check that hubs point at the authorities at which the hubs point.

    1. scores are finite, not below 0, and sum to 1 each, or are all 0 where there is no edge;
    2. authorities are ``hubs plus.first A`` scaled to sum 1, and hubs ``A plus.second
       authorities``, up to `tolerance` in the L1 norm.

    That these belong to the largest singular value is not checked.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; entry (u, v) is the edge from u to v.
    found : HITS, or hubs and authorities
        What `sb.hits` returned, or two of Vector or array_like.
    weighted : bool, optional
        As it was given to `sb.hits`.
    tolerance : float, optional
        Ten times what the rounds end with by default.

    Raises
    ------
    VerificationError
        At the first rule that is broken; the message names vertex or residual.
    DimensionMismatch, DomainMismatch, InvalidValue
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1], [2, 2], True, nrows=3, ncols=3)
    >>> sb.verify.hits(A, sb.hits(A))
    >>> sb.verify.hits(A, ([1, 0, 0], [0, 0, 1]))
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: hubs: a round changes them by 1, expected 1e-05 at most
    """
    data: MatrixData = square(A)._ready()
    n, xp = data.nrows, array_module(data.indices)
    limit, weighted = real(tolerance, "tolerance", 0.0), as_flag(weighted, "weighted")
    hubs, authorities = parts_of(found, "hubs", "authorities")
    h = _scores(xp, hubs, n, "hubs", least=0)
    a = _scores(xp, authorities, n, "authorities", least=0)
    for name, x, y in (
        ("authorities", a, _along(data, h, weighted)),
        ("hubs", h, _along(data, a, weighted, back=True)),
    ):
        total = float(y.sum())
        if x.any() and abs(float(x.sum()) - 1) > limit:
            raise VerificationError(f"{name}: their sum is {float(x.sum())}, expected 1")
        if data.nvals and not weighted and not x.any():
            raise VerificationError(f"{name}: all are 0, expected sum 1")
        _check_residual(name, (y / total if total else y) - x, limit)


def _scores(xp: Any, given: Any, n: int, name: str, least: float = -np.inf) -> Array:
    """Scores of all vertices, which are numbers of at least so much."""
    x, _ = all_numbers(xp, given, n, name)
    v = first_of(~(xp.isfinite(x) & (x >= least)))
    if v is not None:
        expected = "a finite number" if least < 0 else f"a number of at least {least}"
        raise VerificationError(f"{name}: vertex {{}} has {x[v]}, expected {expected}", v)
    return x


def _along(data: MatrixData, x: Array, weighted: bool, *, back: bool = False) -> Array:
    """What comes along the edges, or back along them, times their weights if these matter."""
    xp = array_module(x)
    came = xp.zeros(data.nrows)
    for rows, columns, weights in weighted_parts(data, weighted):
        begins, ends = (columns, rows) if back else (rows, columns)
        came += bincount(ends, data.nrows, weights * x[begins])
    return came


def _check_length(x: Array, limit: float) -> None:
    length = float(array_module(x).linalg.norm(x))
    if abs(length - 1) > limit:
        raise VerificationError(f"scores: their Euclidean length is {length}, expected 1")


def _check_residual(name: str, difference: Array, most: float) -> None:
    residual = float(abs(difference).sum())
    if not residual <= most:
        raise VerificationError(
            f"{name}: a round changes them by {residual:.3g}, expected {most:.3g} at most"
        )
