"""Rows of a matrix product that are merged: as many rows as are, one more, and as many products."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb

COLUMNS = 40_000  # more than a cache has room for: then up to sixteen rows are merged


def matrices(seed: int, device: str) -> tuple[Any, Any, Any]:
    """Rows of 0 to 18 entries, times rows of 0 to 20, many at the first and the last columns."""
    rng = np.random.default_rng(seed)
    inner = 60
    rows = np.repeat(np.arange(19), np.arange(19))
    columns = np.concatenate([np.sort(rng.choice(inner, n, replace=False)) for n in range(19)])
    A = sb.Matrix.from_coo(
        rows, columns, rng.integers(1, 5, rows.size), nrows=19, ncols=inner, device=device
    )
    at = np.concatenate([np.arange(12), rng.choice(COLUMNS, 8), np.arange(COLUMNS - 12, COLUMNS)])
    lengths = rng.integers(0, 21, inner)
    rows = np.repeat(np.arange(inner), lengths)
    columns = np.concatenate([rng.choice(at, n, replace=False) for n in lengths])
    B = sb.Matrix.from_coo(
        *(rows, columns, rng.integers(1, 5, rows.size)),
        nrows=inner,
        ncols=COLUMNS,
        dup_op=sb.binary.plus,
        device=device,
    )
    places = rng.choice(at, 60)
    C = sb.Matrix.from_coo(
        *(rng.integers(0, 19, 60), places, np.ones(60, np.bool_)),
        nrows=19,
        ncols=COLUMNS,
        dup_op=sb.binary.lor,
        device=device,
    )
    return A, B, C


def semirings() -> dict[str, Any]:
    own = sb.binary.register_anonymous(lambda x, y: 3 * x - y)
    larger = sb.monoid.register_anonymous(
        sb.binary.register_anonymous(lambda x, y: np.maximum(x, y)), -(2**63)
    )
    return {
        **{name: getattr(sb.semiring, name) for name in ("plus_times", "any_pair", "max_min")},
        "a user's multiplication": sb.semiring.register_anonymous(sb.monoid.plus, own),
        "a user's monoid": sb.semiring.register_anonymous(larger, own),
        "the least of a user's": sb.semiring.register_anonymous(sb.monoid.min, own),
    }


@pytest.mark.parametrize("name", semirings())
@pytest.mark.parametrize("seed", range(4))
def test_merged_rows_are_those_of_the_reference(device: str, name: str, seed: int) -> None:
    if device == "reference":
        pytest.skip("the reference judges")
    found = []
    for where in (device, "reference"):
        A, B, C = matrices(seed, where)
        semiring = semirings()[name]
        found += [semiring(A @ B).new(mask=mask).to_coo() for mask in (None, ~C.S, C.S)]
    for ours, theirs in zip(found[:3], found[3:], strict=True):
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(a, b)
