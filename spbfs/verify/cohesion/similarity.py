"""Scores of pairs of vertices, checked by the sets of their neighbours."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from spbfs.algorithms.graphs import square, undirected
from spbfs.algorithms.numbers import real
from spbfs.base.memory import typed_refusals
from spbfs.base.wording import brief
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue, VerificationError
from spbfs.objects.checks import as_array, as_index_array, as_size
from spbfs.objects.operands.vector_operand import VectorOperand

__all__ = ["similarity"]

#: Of the neighbours of either vertex, and the degree of anybody.
Score = Callable[[set[int], set[int], Callable[[int], int]], float]

_SCORES: dict[str, Score] = {
    "adamic_adar": lambda a, b, degree: math.fsum(_by_log(degree(w)) for w in a & b),
    "common_neighbours": lambda a, b, degree: len(a & b),
    "jaccard": lambda a, b, degree: len(a & b) / len(a | b) if a | b else 0.0,
    "preferential_attachment": lambda a, b, degree: len(a) * len(b),
    "resource_allocation": lambda a, b, degree: math.fsum(1 / degree(w) for w in a & b),
}


def _by_log(degree: int) -> float:
    """Of a common neighbour; the only neighbour of a vertex that is paired with itself is 1/0."""
    return 1 / math.log(degree) if degree > 1 else math.inf


@typed_refusals
def similarity(
    A: Any,
    score: str,
    pairs: Any,
    values: Any,
    *,
    samples: int | None = 1000,
    seed: int = 0,
    rtol: float = 1e-9,
) -> None:
    """Check that `values` are a score of pairs of vertices, by its definition.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; directions, loops and values do not matter.
    score : str
        The function that made them: "adamic_adar", "common_neighbours", "jaccard",
        "preferential_attachment" or "resource_allocation".
    pairs : array_like of int, k x 2
        As they were given to it.
    values : Vector or array_like
        What it returned, k numbers.
    samples : int or None, optional
        For how many pairs sets of neighbours are compared; None for all.
    seed : int, optional
        Of the sample.
    rtol : float, optional
        By how much of its size a value may differ.

    Raises
    ------
    VerificationError
        At the first violation; the message names the pair and the values.
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A, pairs = sb.generate.path(4), [(0, 2), (1, 3), (0, 3)]
    >>> sb.verify.similarity(A, "jaccard", pairs, sb.jaccard(A, pairs))
    >>> sb.verify.similarity(A, "jaccard", pairs, [0.5, 1.0, 0.0])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: values: pair (1, 3) has 1.0, expected 0.5
    """
    graph = undirected(square(A)).to("cpu")
    if not isinstance(score, str) or score not in _SCORES:
        raise InvalidValue(f"score: expected one of {', '.join(_SCORES)}, got {brief(score)}")
    ends = np.asarray(pairs)
    if ends.size and (ends.ndim != 2 or ends.shape[1] != 2):
        raise DimensionMismatch(f"pairs: expected shape (k, 2), got {ends.shape}")
    ends = as_index_array(ends.ravel(), "pairs", graph.nrows).reshape(-1, 2)
    given = values.new().to("cpu").to_dense() if isinstance(values, VectorOperand) else values
    numbers = as_array(given, "values")
    if numbers.shape != (ends.shape[0],):
        raise DimensionMismatch(f"values: expected shape ({ends.shape[0]},), got {numbers.shape}")
    if numbers.size and numbers.dtype.kind not in "iuf":
        raise DomainMismatch(f"values: expected numbers, got dtype {numbers.dtype}")
    limit, wanted = real(rtol, "rtol", 0.0), ends.shape[0]
    if samples is not None:
        wanted = min(wanted, as_size(samples, "samples"))
    rng = np.random.default_rng(as_size(seed, "seed"))
    indptr, indices, _ = graph.to_csr()

    def degree(w: int) -> int:
        return int(indptr[w + 1] - indptr[w])

    for k in np.sort(rng.choice(ends.shape[0], wanted, replace=False)).tolist():
        u, v = ends[k].tolist()
        a, b = (set(indices[indptr[w] : indptr[w + 1]].tolist()) for w in (u, v))
        expected = _SCORES[score](a, b, degree)
        if numbers[k] != expected and not abs(numbers[k] - expected) <= limit * expected < math.inf:
            raise VerificationError(
                f"values: pair ({{}}, {{}}) has {numbers[k]}, expected {expected}", u, v
            )
