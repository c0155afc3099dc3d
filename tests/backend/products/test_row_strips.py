"""Rows of a matrix product that are summed strip by strip: rows of B of every length around one
strip and one block of products, on few and on many columns, with masks of either kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb

#: Entries of the rows of B: a strip has 8, a block 256.
LENGTHS = [0, *range(1, 18), 31, 32, 33, 247, 248, 249, 255, 256, 257, 0]
SEMIRINGS = ["plus_times", "any_pair", "min_plus", "plus_first", "max_second"]


def matrices(columns: int, dtype: str) -> tuple[sb.Matrix, sb.Matrix, sb.Matrix]:
    """A's rows have none, one, some and all of B's; they come by turns, so that what a row has
    left behind would be seen in the next one."""
    rng = np.random.default_rng(columns)
    inner = len(LENGTHS)
    chosen = [np.sort(rng.choice(min(columns, 300), min(k, columns), False)) for k in LENGTHS]
    some = [rng.choice(inner, count, False) for count in (0, 1, inner, 5, 0, 12, 3, inner, 1) * 4]
    mask = [rng.choice(min(columns, 300), min(k, columns), False) for k in (0, 3, 40, 300, 1) * 8]

    def built(rows: list[Any], ncols: int) -> sb.Matrix:
        at = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        values = rng.integers(1, 100, at.size)
        return sb.Matrix.from_coo(
            at, np.concatenate(rows).astype(np.int64), values, dtype, nrows=len(rows), ncols=ncols
        )

    return built(some, inner), built(chosen, columns), built(mask[: len(some)], columns)


@pytest.mark.parametrize("dtype", ["INT8", "FP64"])
@pytest.mark.parametrize("columns", [1, 8, 300, 40_000_000])
@pytest.mark.parametrize("name", [*SEMIRINGS, "a user's"])
def test_strips_are_summed_as_the_reference_does(
    name: str, columns: int, dtype: str, device: str
) -> None:
    if device == "reference":
        pytest.skip("the reference judges")
    own = sb.binary.register_anonymous(lambda x, y: 3 * x - y)
    semiring = (
        sb.semiring.register_anonymous(sb.monoid.plus, own)
        if name == "a user's"
        else getattr(sb.semiring, name)
    )
    given = matrices(columns, dtype)
    for mask in ("none", "of what is listed", "of all else"):
        found = []
        for where in (device, "reference"):
            A, B, M = (matrix.to(where) for matrix in given)
            chosen = {"none": None, "of what is listed": M.S, "of all else": ~M.S}[mask]
            found.append(semiring(A @ B).new(mask=chosen).to("reference"))
        assert found[0].isequal(found[1], check_dtype=True), mask
