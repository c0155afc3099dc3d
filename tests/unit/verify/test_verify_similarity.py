"""The check of scores of pairs: right ones pass, and each wrong one is named."""

from __future__ import annotations

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    IndexOutOfBound,
    InvalidValue,
    VerificationError,
)
from tests.backend.algorithm_cases import pattern
from tests.graphs import SQUARE

SCORES = [
    "adamic_adar",
    "common_neighbours",
    "jaccard",
    "preferential_attachment",
    "resource_allocation",
]


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("name", SQUARE)
def test_right_scores_of_awkward_graphs_pass(name: str, score: str) -> None:
    n, A = SQUARE[name].nrows, sb.Matrix.from_scipy(pattern(SQUARE[name]))
    pairs = np.random.default_rng(5).integers(0, max(n, 1), (50 if n else 0, 2))
    sb.verify.similarity(A, score, pairs, getattr(sb, score)(A, pairs), samples=None)


@pytest.mark.parametrize("score", SCORES)
def test_every_wrong_score_is_named(score: str) -> None:
    A = sb.generate.complete(5)
    pairs = [(0, 1), (1, 3), (4, 2)]
    right = getattr(sb, score)(A, pairs).to_dense().astype(float)
    for k, (u, v) in enumerate(pairs):
        for by in (-1, 1e-3, np.nan):
            wrong = right.copy()
            wrong[k] += by
            with pytest.raises(VerificationError, match=rf"values: pair \({u}, {v}\) has"):
                sb.verify.similarity(A, score, pairs, wrong)
            sb.verify.similarity(A, score, pairs, wrong, samples=0)


def test_bad_input() -> None:
    A = sb.generate.path(3)
    with pytest.raises(InvalidValue, match="score: expected one of adamic_adar, "):
        sb.verify.similarity(A, "cosine", [(0, 1)], [0])
    with pytest.raises(DimensionMismatch, match=r"pairs: expected shape \(k, 2\)"):
        sb.verify.similarity(A, "jaccard", [0, 1, 2], [0])
    with pytest.raises(IndexOutOfBound, match="pairs"):
        sb.verify.similarity(A, "jaccard", [(0, 3)], [0])
    with pytest.raises(DimensionMismatch, match=r"values: expected shape \(1,\)"):
        sb.verify.similarity(A, "jaccard", [(0, 1)], [0, 1])
    with pytest.raises(DomainMismatch, match="values: expected numbers"):
        sb.verify.similarity(A, "jaccard", [(0, 1)], ["one"])


def test_with_itself_by_a_leaf_is_infinite() -> None:
    A = sb.generate.path(2)
    found = sb.adamic_adar(A, [(0, 0)])
    assert found.to_dense().tolist() == [np.inf]
    sb.verify.similarity(A, "adamic_adar", [(0, 0)], found)
    with pytest.raises(VerificationError, match=r"pair \(0, 0\) has 5, expected inf"):
        sb.verify.similarity(A, "adamic_adar", [(0, 0)], [5])
    with pytest.raises(VerificationError, match=r"pair \(0, 1\) has inf, expected 0"):
        sb.verify.similarity(A, "adamic_adar", [(0, 1)], [np.inf])
