"""Modularity: how much more weight is within communities than chance would bring there.

Newman, Girvan: Finding and evaluating community structure in networks (2004); Reichardt, Bornholdt:
Statistical mechanics of community detection (2006), for the resolution.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs import binary, semiring
from spbfs.algorithms.communities.weights import between, sums_of_rows, within
from spbfs.algorithms.graphs import square
from spbfs.algorithms.numbers import real
from spbfs.base.memory import typed_refusals
from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue
from spbfs.objects.checks import as_array
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.vector_operand import VectorOperand
from spbfs.objects.placement.parts import whole
from spbfs.objects.vector import Vector
from spbfs.storage.entries import on_host

__all__ = ["as_resolution", "labels_of", "modularity", "worth"]


@typed_refusals
def modularity(A: Any, communities: Any, *, resolution: float = 1.0) -> float:
    """The share of weight within communities, less what chance would bring there.

    With W the weights between vertices, of a loop twice its own, k the sums of its rows, 2m the sum
    of all, and S the matrix with a 1 where a vertex is in a community: what the diagonal of
    ``S.T @ W @ S`` sums to over 2m, less `resolution` times the squares of ``S.T @ k`` over
    (2m)^2.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix with weights from 0; edges are taken without direction, those of
        weight 0 as none.  Where (u, v) and (v, u) have the same weight everywhere, that is the
        edge's; otherwise it is the sum of the two.
    communities : Vector or array_like of int
        n labels; vertices are in one community where theirs are equal.
    resolution : float, optional
        The larger it is, the smaller are the communities of largest modularity.

    Returns
    -------
    float
        0 for a graph without edges.

    Raises
    ------
    InvalidValue
        For weights below 0, infinite or NaN, and such a resolution.
    DimensionMismatch, DomainMismatch, OutOfMemory
        When an argument is not of the shape or kind described, or memory is short.

    Notes
    -----
    Work is one look at every entry, memory a number an entry and some a vertex.  A loop counts as
    twice its weight; zero weights are no edges, negative ones and NaN are refused.  The result is
    the same on every run.

    References
    ----------
    Newman, Girvan: Finding and evaluating community structure in networks (2004); Reichardt,
    Bornholdt: Statistical mechanics of community detection (2006), for the resolution.

    Examples
    --------
    >>> import spbfs as sb
    >>> two = sb.Matrix.from_edgelist([(0, 1), (1, 2), (3, 4)], nrows=5, ncols=5)
    >>> round(sb.modularity(two, [0, 0, 0, 3, 3]), 4)
    0.4444
    """
    matrix = square(A)
    gamma = as_resolution(resolution)
    labels = labels_of(communities, matrix.nrows)
    if matrix._engine.spread is not None:
        return _over_ranks(between(matrix), labels, gamma)
    names = set_of(np, labels)
    return worth(within(between(matrix), np.searchsorted(names, labels), names.shape[0]), gamma)


def worth(B: Matrix, resolution: float) -> float:
    """Modularity of a graph whose vertices are communities."""
    volumes = sums_of_rows(B)
    total = float(volumes.sum())
    if total == 0.0:
        return 0.0
    inside = float(B.diag().reduce().new().value or 0.0)
    return inside / total - resolution * float(np.square(volumes / total).sum())


def _over_ranks(B: Matrix, labels: npt.NDArray[Any], resolution: float) -> float:
    """The same where no matrix has a column a community: by the edges that stay within one."""
    volumes = sums_of_rows(B)
    total = float(volumes.sum())
    if total == 0.0:
        return 0.0
    names = set_of(np, labels)
    number = np.searchsorted(names, labels)
    C = Vector.from_dense(number, device=B.device).diag()
    here, there = semiring.any_first(C @ B).new(), semiring.any_second(B @ C).new()
    inside = B.dup(mask=here.ewise_mult(there, binary.eq).new().V).reduce_scalar().new().value
    shares = np.bincount(number, volumes / total, names.shape[0])
    return float(inside or 0.0) / total - resolution * float(np.square(shares).sum())


def as_resolution(value: Any) -> float:
    """A finite number from 0."""
    return real(value, "resolution", 0.0)


def labels_of(communities: Any, n: int) -> npt.NDArray[Any]:
    """The communities of n vertices, as an array in host memory."""
    if isinstance(communities, VectorOperand):
        if communities.nvals != communities.size:
            missing = communities.size - communities.nvals
            raise InvalidValue(f"communities: expected one a vertex, {missing} have none")
        communities = on_host(whole(communities).to_dense())
    labels: npt.NDArray[Any] = on_host(as_array(communities, "communities", gpu=True))
    if labels.shape != (n,):
        raise DimensionMismatch(f"communities: expected shape ({n},), got {labels.shape}")
    if n and labels.dtype.kind not in "iu":
        raise DomainMismatch(f"communities: expected integers, got dtype {labels.dtype}")
    return labels
