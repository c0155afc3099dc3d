"""What is computed of distances, checked vertex by vertex by single searches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spbfs.algorithms.bfs import bfs
from spbfs.algorithms.bfs.arguments import Vertices, chosen_vertices, square
from spbfs.algorithms.numbers import real
from spbfs.base.memory import typed_refusals
from spbfs.exceptions import DimensionMismatch, DomainMismatch, VerificationError
from spbfs.objects.checks import as_array, as_size
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.storage.entries import array_module
from spbfs.verify.arrays import moved, vertex_integers
from spbfs.verify.bfs.search import bfs_tree

__all__ = ["closeness", "eccentricity", "harmonic", "khop_sizes"]

Array = Any  # of the module that holds the matrix: NumPy's, or CuPy's for one on the GPU
#: The distances of those who are reached, and how many vertices there are.
Score = Callable[[Array, int], float]


@typed_refusals
def eccentricity(
    A: Any,
    values: Any,
    vertices: Vertices | None = None,
    *,
    samples: int | None = 100,
    seed: int = 0,
) -> None:
    """Check that `values` are how far the farthest vertex is that each one reaches.

    Of sampled ones, by a search from each, which `bfs_tree` checks.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n, as for `sb.eccentricity`.
    values : array_like
        What `sb.eccentricity` returned.
    vertices : int or iterable of int, optional
        As they were given to it; all by default.
    samples : int or None, optional
        For how many of them there are searches; None for all.
    seed : int, optional
        Of the sample.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertex and the values.
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> path = sb.generate.path(3)
    >>> sb.verify.eccentricity(path, sb.eccentricity(path))
    >>> sb.verify.eccentricity(path, [2, 2, 2])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: values: vertex 1 has 2, expected 1
    """
    matrix = square(A)
    _check(matrix, values, vertices, samples, seed, lambda d, n: int(d.max()))


@typed_refusals
def khop_sizes(
    A: Any,
    k: int,
    values: Any,
    vertices: Vertices | None = None,
    *,
    samples: int | None = 100,
    seed: int = 0,
) -> None:
    """Check that `values` are how many vertices are at most k hops from each one.

    Of sampled ones, by a search from each, which `bfs_tree` checks.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n, as for `sb.khop_sizes`.
    k : int
        As for `sb.khop_sizes`.
    values : array_like
        What `sb.khop_sizes` returned.
    vertices, samples, seed : optional
        As for `eccentricity`.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertex and the values.
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> path = sb.generate.path(3)
    >>> sb.verify.khop_sizes(path, 1, sb.khop_sizes(path, 1))
    >>> sb.verify.khop_sizes(path, 1, [2, 3, 3])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: values: vertex 2 has 3, expected 2
    """
    matrix, most = square(A), as_size(k, "k")
    _check(matrix, values, vertices, samples, seed, lambda d, n: int((d <= most).sum()))


@typed_refusals
def closeness(
    A: Any,
    values: Any,
    vertices: Vertices | None = None,
    *,
    samples: int | None = 100,
    seed: int = 0,
    rtol: float = 1e-9,
) -> None:
    """Check that `values` are those of `sb.closeness` without samples, by its definition.

    Of sampled vertices, by a search from each against the edges, which `bfs_tree` checks.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n, as for `sb.closeness`.
    values : array_like
        What `sb.closeness` returned.
    vertices, samples, seed : optional
        As for `eccentricity`.
    rtol : float, optional
        By how much of its size a value may differ.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertex and the values.
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> path = sb.generate.path(3)
    >>> sb.verify.closeness(path, sb.closeness(path))
    >>> sb.verify.closeness(path, [1, 1, 1])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: values: vertex 0 has 1, expected 0.6666666666666666
    """
    matrix = square(A).T

    def score(d: Array, n: int) -> float:
        others, total = d.shape[0] - 1, int(d.sum())
        return others / total * others / (n - 1) if total else 0.0

    _check(matrix, values, vertices, samples, seed, score, real(rtol, "rtol", 0.0))


@typed_refusals
def harmonic(
    A: Any,
    values: Any,
    vertices: Vertices | None = None,
    *,
    samples: int | None = 100,
    seed: int = 0,
    rtol: float = 1e-9,
) -> None:
    """Check that `values` are those of `sb.harmonic` without samples: sums of 1 over distances.

    Of sampled vertices, by a search from each against the edges, which `bfs_tree` checks.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n, as for `sb.harmonic`.
    values : array_like
        What `sb.harmonic` returned.
    vertices, samples, seed, rtol : optional
        As for `closeness`.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertex and the values.
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> path = sb.generate.path(3)
    >>> sb.verify.harmonic(path, sb.harmonic(path))
    >>> sb.verify.harmonic(path, [1.5, 2, 2])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: values: vertex 2 has 2.0, expected 1.5
    """
    matrix = square(A).T
    limit = real(rtol, "rtol", 0.0)
    _check(matrix, values, vertices, samples, seed, lambda d, n: (1 / d[d > 0]).sum(), limit)


def _check(
    A: MatrixOperand,
    values: Any,
    vertices: Vertices | None,
    samples: int | None,
    seed: int,
    score: Score,
    rtol: float = 0.0,
) -> None:
    """Compare sampled values with what a search from their vertex gives."""
    n = A.nrows
    chosen = np.atleast_1d(moved(np, chosen_vertices(vertices, "vertices", n)))
    given = as_array(moved(np, values), "values")
    if given.shape != chosen.shape:
        raise DimensionMismatch(f"values: expected shape {chosen.shape}, got {given.shape}")
    if given.size and given.dtype.kind not in "iuf":
        raise DomainMismatch(f"values: expected numbers, got dtype {given.dtype}")
    wanted = chosen.shape[0]
    if samples is not None:
        wanted = min(wanted, as_size(samples, "samples"))
    rng = np.random.default_rng(as_size(seed, "seed"))
    for k in np.sort(rng.choice(chosen.shape[0], wanted, replace=False)).tolist():
        v = int(chosen[k])
        search = bfs(A, v)
        bfs_tree(A, v, search)
        level = vertex_integers(array_module(A._ready().indices), search.levels, n, "levels")
        expected = score(level[level >= 0], n)
        if not abs(given[k] - expected) <= rtol * abs(expected):
            raise VerificationError(f"values: vertex {{}} has {given[k]}, expected {expected}", v)
