"""Checks of what is computed of distances: right values pass, and each wrong one is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import DimensionMismatch, DomainMismatch, VerificationError
from tests.backend.algorithm_cases import pattern
from tests.graphs import SQUARE

#: What is computed, and its check: of a matrix, of a matrix and values.
PAIRS: dict[str, tuple[Any, Any]] = {
    "closeness": (sb.closeness, sb.verify.closeness),
    "harmonic": (sb.harmonic, sb.verify.harmonic),
    "eccentricity": (sb.eccentricity, sb.verify.eccentricity),
    "khop_sizes": (
        lambda A, *of: sb.khop_sizes(A, 2, *of),
        lambda A, values, *of, **more: sb.verify.khop_sizes(A, 2, values, *of, **more),
    ),
}


@pytest.mark.parametrize("name", SQUARE)
def test_right_values_of_awkward_graphs_pass(name: str) -> None:
    A = sb.Matrix.from_scipy(pattern(SQUARE[name]))
    for find, check in PAIRS.values():
        check(A, find(A), samples=None)
        if A.nrows:
            last = [A.nrows - 1, 0]
            check(A, find(A, last), last)


@pytest.mark.parametrize("name", PAIRS)
def test_every_wrong_value_is_named(name: str) -> None:
    find, check = PAIRS[name]
    A = sb.Matrix.from_coo([0, 1, 2, 0], [1, 2, 3, 4], True, nrows=7, ncols=7)
    right = find(A)
    for v in range(7):
        for by in (-1, 1, 1e-3):
            wrong = right.astype(float)
            wrong[v] += by
            with pytest.raises(VerificationError, match=f"values: vertex {v} has"):
                check(A, wrong)
    wrong = right.astype(float)
    wrong[3] = np.nan
    with pytest.raises(VerificationError, match="values: vertex 3 has nan"):
        check(A, wrong)
    check(A, wrong, samples=0)
    with pytest.raises(VerificationError, match="values: vertex 5 has"):
        check(A, [right[2], right[5] + 1], [2, 5])


def test_directions_are_told_apart() -> None:
    A = sb.Matrix.from_coo([0, 1], [1, 2], True, nrows=3, ncols=3)
    for name in ("closeness", "harmonic"):
        find, check = PAIRS[name]
        with pytest.raises(VerificationError, match="values: vertex 0 has"):
            check(A, find(A.T.new()))


@pytest.mark.parametrize("name", PAIRS)
def test_bad_input(name: str) -> None:
    A, check = sb.generate.path(3), PAIRS[name][1]
    with pytest.raises(DimensionMismatch, match=r"values: expected shape \(3,\)"):
        check(A, [1, 2])
    with pytest.raises(DomainMismatch, match="values: expected numbers"):
        check(A, ["a", "b", "c"])
