"""Every rule of `verify.sssp` is broken once, and found; what is right passes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue, VerificationError

# 0 -2-> 1 -3-> 2 -0-> 3 -0-> 2, 0 -9-> 3; 4 -0-> 5 -0-> 4 apart; 6 alone.
ROWS, COLUMNS = [0, 1, 2, 3, 0, 4, 5], [1, 2, 3, 2, 3, 5, 4]
LENGTHS = [2, 3, 0, 0, 9, 0, 0]
NONE = np.iinfo(np.int64).max
DISTANCES, PARENTS = [0, 2, 5, 5, NONE, NONE, NONE], [0, 0, 1, 2, -1, -1, -1]


def graph(dtype: Any = np.int64, **changes: Any) -> sb.Matrix:
    lengths = list(LENGTHS)
    for k, length in changes.items():
        lengths[int(k[1:])] = length
    return sb.Matrix.from_coo(ROWS, COLUMNS, np.array(lengths, dtype), nrows=7, ncols=7)


def changed(values: list[int], changes: dict[int, int]) -> list[int]:
    return [changes.get(v, value) for v, value in enumerate(values)]


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.float32, np.float64])
def test_right_answers_pass(dtype: Any) -> None:
    A = graph(dtype)
    floats = np.where(np.array(DISTANCES) == NONE, np.inf, DISTANCES)
    for distances in (DISTANCES, floats, sb.sssp(A, 0).distances):
        sb.verify.sssp(A, 0, distances)
        sb.verify.sssp(A, 0, distances, PARENTS)
    for source in (0, 4, 6, [0, 4], [0, 1]):
        sb.verify.sssp(A, source, sb.sssp(A, source))
        sb.verify.sssp(A, source, sb.sssp(A, source, parents=False))
    sb.verify.sssp(A, 0, sb.sssp(A, 0, limit=4), limit=4)
    sb.verify.sssp(A, [0, 1], [0, 0, 3, 3] + [NONE] * 3, [0, 1, 1, 2] + [-1] * 3)


def test_lengths_below_0_and_without_end_pass() -> None:
    A = graph(_1=-4)
    sb.verify.sssp(A, [0, 2], sb.sssp(A, [0, 2]))
    with pytest.raises(VerificationError, match="source 2 has 1, expected 0"):
        sb.verify.sssp(A, [0, 2], [0, 2, 1, 1, NONE, NONE, NONE])
    with pytest.raises(VerificationError, match="no source has 0"):
        sb.verify.sssp(A, [2, 3], [-4, -2, -2, -2, NONE, NONE, NONE])
    with pytest.raises(InvalidValue, match="limit: expected None"):
        sb.verify.sssp(A, 0, DISTANCES, limit=3)
    B = graph(float, _1=np.inf)
    sb.verify.sssp(B, 0, sb.sssp(B, 0))


BROKEN = [
    ({0: 1}, {}, "source 0 has 1, expected 0"),
    ({0: -1}, {}, "source 0 has -1, expected 0"),
    ({0: NONE}, {}, "source 0 is not reached"),
    ({1: 3}, {}, "vertex 1 has 3, but 2 by the edge from 0"),
    ({1: NONE}, {1: -1}, "vertex 1 is not reached, but 2 by the edge from 0"),
    ({}, {1: -1}, "vertex 1 has no parent"),
    ({}, {4: 5}, "vertex 4 has parent 5 and no distance"),
    ({}, {0: 1}, "source 0 has parent 1"),
    ({}, {2: 0}, r"A has no entry \(0, 2\)"),
    ({}, {3: 7}, "parent 7, not below 7"),
    ({}, {3: 0}, "vertex 3 has distance 5, its parent 0 has 0, and the edge .* length 9"),
    ({1: 1, 2: 4, 3: 4}, {}, "vertex 1 has distance 1, its parent 0 has 0"),
    ({2: 4, 3: 4}, {2: 3, 3: 2}, "parents lead to no source"),
    ({4: 1, 5: 1}, {4: 5, 5: 4}, "parents lead to no source"),
]


@pytest.mark.parametrize(("distance", "parent", "message"), BROKEN)
def test_every_broken_rule_is_named(
    distance: dict[int, int], parent: dict[int, int], message: str
) -> None:
    distances, parents = changed(DISTANCES, distance), changed(PARENTS, parent)
    with pytest.raises(VerificationError, match=message):
        sb.verify.sssp(graph(), 0, distances, parents)
    if distance:
        with pytest.raises(VerificationError):
            sb.verify.sssp(graph(), 0, distances)


def test_without_parents_paths_lead_to_a_source() -> None:
    """A cycle of length 0 supports itself."""
    for wrong in ({2: 4, 3: 4}, {4: 1, 5: 1}):
        with pytest.raises(VerificationError, match="which no path from a source has"):
            sb.verify.sssp(graph(), 0, changed(DISTANCES, wrong))


def test_a_limit() -> None:
    cut = changed(DISTANCES, {2: NONE, 3: NONE})
    sb.verify.sssp(graph(), 0, cut, limit=4)
    with pytest.raises(VerificationError, match="vertex 2 is not reached"):
        sb.verify.sssp(graph(), 0, cut, limit=5)
    with pytest.raises(VerificationError, match="vertex 2 has 5, beyond the limit"):
        sb.verify.sssp(graph(), 0, DISTANCES, limit=4)


def test_rounding() -> None:
    off = np.where(np.array(DISTANCES) == NONE, np.inf, DISTANCES) * (1 + 1e-7)
    with pytest.raises(VerificationError):
        sb.verify.sssp(graph(), 0, off)
    sb.verify.sssp(graph(), 0, off, rtol=1e-6)
    with pytest.raises(VerificationError, match="vertex 1 has nan"):
        sb.verify.sssp(graph(), 0, [0, np.nan, 5, 5, np.inf, np.inf, np.inf])


def test_bad_input() -> None:
    with pytest.raises(DimensionMismatch, match="distances"):
        sb.verify.sssp(graph(), 0, [0, 1])
    with pytest.raises(DomainMismatch, match="distances"):
        sb.verify.sssp(graph(), 0, ["far"] * 7)
    with pytest.raises(InvalidValue, match="parents: expected None"):
        sb.verify.sssp(graph(), 0, sb.sssp(graph(), 0), PARENTS)
    with pytest.raises(InvalidValue, match="rtol"):
        sb.verify.sssp(graph(), 0, DISTANCES, rtol=-1)
