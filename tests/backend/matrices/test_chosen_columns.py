"""Columns chosen of whole rows, and operators of values that meet, by what NumPy makes of them."""

from __future__ import annotations

import numpy as np
import pytest

import spbfs as sb
from spbfs import Matrix, binary

#: Entries in a row: none at both ends and in between, runs that end within a word of 64 and at it.
LENGTHS = (0, 0, 3, 1, 60, 0, 0, 64, 63, 1, 64, 130, 0, 2, 0)


def rows_of(lengths: tuple[int, ...], device: str, seed: int, *, iso: bool = False) -> Matrix:
    rng = np.random.default_rng(seed)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    cols = np.concatenate([np.sort(rng.choice(200, k, replace=False)) for k in lengths])
    values = 7 if iso else rng.integers(1, 99, rows.size)
    shape = {"nrows": len(lengths), "ncols": 200}
    return Matrix.from_coo(rows, cols, values, "INT16", device=device, **shape)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("iso", [False, True])
def test_rising_columns_of_all_rows(device: str, iso: bool, threads: int) -> None:
    rng = np.random.default_rng(3)
    sb.set_threads(threads)
    try:
        for lengths in (LENGTHS, LENGTHS[::-1], (0,) * 70, (200,) * 9, (1,) * 300, LENGTHS * 40):
            A = rows_of(lengths, device, len(lengths), iso=iso)
            dense = A.to("cpu").to_dense(0)
            for count in (2, 5, 100, 199):
                chosen = np.sort(rng.choice(200, count, replace=False))
                if device == "reference" and len(lengths) > 100:
                    continue
                found = A[:, chosen].new().to("cpu")
                assert found.nvals == np.count_nonzero(dense[:, chosen])
                assert (found.to_dense(0) == dense[:, chosen]).all()
    finally:
        sb.set_threads(None)


@pytest.mark.parametrize("name", ["hypot", "arctan2", "logaddexp"])
def test_values_that_meet_under_functions_of_numpy(device: str, name: str) -> None:
    op = getattr(binary.numpy, name)
    for lengths in (LENGTHS, (0,) * 5):
        A, B = (rows_of(lengths, device, seed) for seed in (1, 2))
        found = A.ewise_mult(B, op).new().to("cpu")
        a, b = (X.to("cpu").to_dense(0).astype(float) for X in (A, B))
        both = (a != 0) & (b != 0)
        assert found.nvals == both.sum()
        wanted = np.where(both, getattr(np, name)(a, b), 0)
        np.testing.assert_allclose(found.to_dense(0.0), wanted, 1e-5)
