"""Checks of triangles, core numbers and trusses name what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import DimensionMismatch, DomainMismatch, VerificationError

#: A complete graph of four vertices, a path from it, somebody alone.
EDGES = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (3, 4), (4, 5)]
A = sb.Matrix.from_edgelist(EDGES, nrows=7, ncols=7, directed=False)
TRIANGLES, CORES = [3, 3, 3, 3, 0, 0, 0], [3, 3, 3, 3, 1, 1, 0]


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([3, 3, 3, 3, 0, 2, 0], "vertex 5 has 2 triangles and 1 neighbours"),
        ([3, 3, 3, -1, 0, 0, 0], "vertex 3 has -1 triangles"),
        ([3, 3, 3, 2, 0, 0, 0], "11 in all, expected a multiple of 3"),
        ([3, 3, 3, 2, 1, 0, 0], "vertex 3 has 2 triangles, expected 3"),
    ],
)
def test_wrong_triangles(counts: list[int], message: str) -> None:
    with pytest.raises(VerificationError, match=f"counts: {message}"):
        sb.verify.triangles(A, counts)


def test_triangles_of_no_sample_are_only_bounded() -> None:
    sb.verify.triangles(A, TRIANGLES)
    sb.verify.triangles(A, [3, 3, 3, 2, 1, 0, 0], samples=0)
    with pytest.raises(VerificationError):
        sb.verify.triangles(A, [3, 3, 3, 2, 1, 0, 0], samples=None)


@pytest.mark.parametrize("by", [-1, 1])
@pytest.mark.parametrize("v", range(7))
def test_wrong_core_numbers(v: int, by: int) -> None:
    cores = np.array(CORES)
    sb.verify.core_numbers(A, cores)
    cores[v] += by
    with pytest.raises(VerificationError, match="cores: vertex"):
        sb.verify.core_numbers(A, cores)


def test_core_numbers_that_support_each_other_are_not_too_small() -> None:
    with pytest.raises(VerificationError, match="cores: vertex 0 has 2, expected more"):
        sb.verify.core_numbers(A, [2, 2, 2, 2, 1, 1, 0])


def truss(*dropped: tuple[int, int], also: Any = ()) -> sb.Matrix:
    edges = [(u, v) for u, v in EDGES[:6] if (u, v) not in dropped] + list(also)
    return sb.Matrix.from_edgelist(edges, nrows=7, ncols=7, directed=False)


def test_wrong_trusses() -> None:
    sb.verify.k_truss(A, 4, truss())
    sb.verify.k_truss(A, 3, truss())
    with pytest.raises(VerificationError, match=r"edge \(3, 4\) is in 0 triangles, expected 2"):
        sb.verify.k_truss(A, 4, truss(also=[(3, 4)]))
    with pytest.raises(VerificationError, match=r"truss: \(5, 6\) is no edge of A"):
        sb.verify.k_truss(A, 2, truss(also=[(5, 6)]))
    with pytest.raises(VerificationError, match=r"edge \(0, 1\) is missing"):
        sb.verify.k_truss(A, 3, truss((0, 1)))
    one_way = sb.Matrix.from_coo([0], [1], True, nrows=7, ncols=7)
    with pytest.raises(VerificationError, match=r"\(1, 0\) is there in one direction only"):
        sb.verify.k_truss(A, 2, one_way)


def test_bad_input() -> None:
    with pytest.raises(DimensionMismatch, match="counts"):
        sb.verify.triangles(A, [1, 2])
    with pytest.raises(DomainMismatch, match="cores"):
        sb.verify.core_numbers(A, np.ones(7))
    with pytest.raises(DimensionMismatch, match=r"truss: expected shape \(7, 7\)"):
        sb.verify.k_truss(A, 3, sb.Matrix(bool, 3, 3))
