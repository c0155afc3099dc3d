"""Pulls that a first entry may end, of vectors with few, many and nearly all of their elements:
rows of every length around the entries that are looked at together, against the reference."""

from __future__ import annotations

import numpy as np
import pytest

import spbfs as sb

SIZE = 60
SEMIRINGS = ["any_pair", "any_first", "any_second", "lor_land", "lor_first", "lor_second"]


def operands(share: float, truth: float, device: str) -> tuple[sb.Matrix, sb.Vector, sb.Vector]:
    """With rows of 0 to 13 entries, each length in several places."""
    rng = np.random.default_rng(int(100 * share))
    rows = np.repeat(np.arange(SIZE), np.arange(SIZE) % 14)
    columns = [np.sort(rng.choice(SIZE, n % 14, replace=False)) for n in range(SIZE)]
    values = rng.random(rows.size) < truth
    A = sb.Matrix.from_coo(
        rows, np.concatenate(columns), values, nrows=SIZE, ncols=SIZE, device=device
    )
    u, m = (
        sb.Vector.from_coo(at, rng.random(at.size) < truth, size=SIZE, device=device)
        for at in (np.flatnonzero(rng.random(SIZE) < x) for x in (share, 0.5))
    )
    return A, u, m


@pytest.mark.parametrize("truth", [0.2, 1.0])
@pytest.mark.parametrize("share", [0.1, 0.4, 0.55, 0.9])
@pytest.mark.parametrize("name", SEMIRINGS)
def test_the_first_entries_decide_as_one_by_one(
    name: str, share: float, truth: float, device: str
) -> None:
    if device == "reference":
        pytest.skip("the reference judges")
    multiply = name.partition("_")[2]
    A, u, m = operands(share, truth, device)
    B, v, n = operands(share, truth, "reference")
    for ours, theirs in ((None, None), (m.S, n.S), (~m.S, ~n.S)):
        w = sb.Vector(bool, SIZE, device=device)
        w(mask=ours, direction="pull") << getattr(sb.semiring, name)(A @ u)
        least, most = (
            getattr(sb.semiring, f"{monoid}_{multiply}")(B @ v).new(mask=theirs).to_dict()
            for monoid in ("land", "lor")
        )
        found = w.to_dict()
        assert found.keys() == most.keys()
        if name.startswith("lor"):
            assert found == most
        assert all(least[i] <= x <= most[i] for i, x in found.items())
