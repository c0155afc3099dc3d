"""Products with rows so short that a GPU leaves each to one lane of a warp, and of matrices some of
whose rows are not: warps of 32 rows of any lengths beside each other in every order."""

from __future__ import annotations

import numpy as np
import pytest

import spbfs as sb

SEMIRINGS = ["plus_times", "min_plus", "plus_pair", "max_first", "plus_second", "min_firsti"]

#: Lengths of 32 rows each: a lane asks for four entries at once, and a matrix whose rows have four
#: on average and sixteen at most has short ones.
WARPS = {
    "none": [0] * 32,
    "one entry in all": [0] * 31 + [1],
    "four at most": [4, 0, 3, 1] * 8,
    "some of eight": [8, 2, 1, 4] * 8,
    "too many of five": [5, 5, 1, 0] * 8,
    "one of sixteen": [2] * 17 + [16] + [3] * 14,
    "one of seventeen": [2] * 17 + [17] + [3] * 14,
    "one of a thousand": [3] * 5 + [1500] + [0] * 26,
    "all of eight": [8] * 32,
}


def matrix(order: list[str], last: int, dtype: str) -> sb.Matrix:
    """These warps of rows one after the other, and `last` more rows of two entries."""
    rng = np.random.default_rng(len(order) + last)
    lengths = [*(length for name in order for length in WARPS[name]), *[2] * last]
    columns = [np.sort(rng.choice(2000, length, replace=False)) for length in lengths]
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    values = rng.integers(1, 9, indptr[-1])
    return sb.Matrix.from_csr(indptr, np.concatenate(columns), values, dtype, ncols=2000)


@pytest.mark.parametrize("turn", range(6))
@pytest.mark.parametrize(("kinds", "dtype"), [(6, "FP32"), (6, "INT64"), (len(WARPS), "FP32")])
def test_short_rows_are_summed_as_the_reference_does(
    kinds: int, turn: int, dtype: str, device: str
) -> None:
    """The first six kinds make a matrix of short rows, whose sums of four bytes lanes make."""
    if device == "reference":
        pytest.skip("the reference judges")
    names = [*WARPS][:kinds]
    given = matrix([*names[turn:], *names[:turn]], (0, 1, 31)[turn % 3], dtype)
    rng = np.random.default_rng(turn)
    u = sb.Vector.from_dense(rng.integers(-9, 9, 2000), dtype=dtype)
    few = u.select(">", 0).new()
    rows = sb.Vector.from_dense(rng.integers(0, 2, given.nrows), missing_value=0)
    for name in SEMIRINGS:
        semiring = getattr(sb.semiring, name)
        for mask in ("none", "of some rows", "of all others"):
            found = []
            for where in (device, "reference"):
                A, x, y, m = (operand.to(where) for operand in (given, u, few, rows))
                chosen = {"none": None, "of some rows": m.S, "of all others": ~m.S}[mask]
                results = [semiring(A @ v).new(mask=chosen).to("reference") for v in (x, y)]
                found.append([*results, A.reduce_rowwise(sb.monoid.plus).new().to("reference")])
            for got, wanted in zip(*found, strict=True):
                assert got.isequal(wanted, check_dtype=True), (name, mask)
