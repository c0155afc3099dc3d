"""Products with a vector that has every element, and sums of rows: every row whole, by NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb

SUMS = {"min": np.fmin, "max": np.fmax, "plus": np.add}
SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -2.5]


def _rows(dtype: Any, seed: int) -> tuple[Any, Any, Any]:
    """Rows of 0 to 90 entries, with special values in any place, a row of each alone among them."""
    rng = np.random.default_rng(seed)
    lengths = np.concatenate([np.repeat(np.arange(4), 6), [17, 63, 64, 65, 90, 0]])
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    indices = np.concatenate([np.sort(rng.choice(100, k, replace=False)) for k in lengths])
    values = rng.integers(-9, 9, indices.shape[0]).astype(dtype)
    if np.dtype(dtype).kind == "f":
        at = rng.choice(values.shape[0], values.shape[0] // 3, replace=False)
        values[at] = rng.choice(SPECIAL, at.shape[0])
        values[indptr[6] : indptr[7]] = values[indptr[24] : indptr[25]] = np.nan
    return indptr, indices, values


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64, np.int8])
@pytest.mark.parametrize("monoid", sorted(SUMS))
def test_rows_are_summed_whole(monoid: str, dtype: Any, device: str) -> None:
    indptr, indices, values = _rows(dtype, 3)
    n = indptr.shape[0] - 1
    x = np.random.default_rng(4).integers(-9, 9, 100).astype(dtype)
    A = sb.Matrix.from_csr(indptr, indices, values, nrows=n, ncols=100, device=device)
    v = sb.Vector.from_dense(x, device=device)
    combine = {"plus": "times", "min": "plus", "max": "plus"}[monoid]
    with np.errstate(all="ignore"):
        products = values * x[indices] if combine == "times" else values + x[indices]
        for made, found in (
            (products, getattr(sb.semiring, f"{monoid}_{combine}")(A @ v).new()),
            (values, A.reduce_rowwise(monoid).new()),
            (x[indices], getattr(sb.semiring, f"{monoid}_second")(A @ v).new()),
            (values, getattr(sb.semiring, f"{monoid}_first")(A @ v).new()),
        ):
            rows = [made[indptr[i] : indptr[i + 1]] for i in range(n)]
            expected = {
                i: SUMS[monoid].reduce(r, dtype=dtype) for i, r in enumerate(rows) if len(r)
            }
            at, sums = found.to("cpu").to_coo()
            assert found.dtype == sb.dtypes.lookup_dtype(dtype) and at.tolist() == list(expected)
            np.testing.assert_allclose(sums, list(expected.values()), rtol=1e-5)


@pytest.mark.parametrize("threads", [1, 2])
def test_short_rows_of_many_lengths(threads: int, device: str) -> None:
    """Some thousands, so that they are read in another order than they are stored in."""
    rng = np.random.default_rng(6)
    lengths = np.concatenate([rng.integers(0, 8, 2500), np.full(1100, 4), rng.integers(0, 3, 77)])
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    values, x = rng.integers(-9, 9, indptr[-1]), rng.integers(-9, 9, 50)
    indices = np.concatenate([np.sort(rng.choice(50, k, replace=False)) for k in lengths])
    n = lengths.shape[0]
    A = sb.Matrix.from_csr(indptr, indices, values, nrows=n, ncols=50, device=device)
    expected = np.add.reduceat(np.append(values * x[indices], 0), indptr[:-1])[lengths > 0]
    before = sb.get_threads()
    sb.set_threads(threads)
    try:
        found = sb.semiring.plus_times(A @ sb.Vector.from_dense(x, device=device)).new()
    finally:
        sb.set_threads(before)
    at, sums = found.to("cpu").to_coo()
    np.testing.assert_array_equal(at, np.flatnonzero(lengths))
    np.testing.assert_array_equal(sums, expected)


def test_entries_are_counted(device: str) -> None:
    indptr, indices, values = _rows(np.float64, 5)
    n, lengths = indptr.shape[0] - 1, np.diff(indptr).tolist()
    A = sb.Matrix.from_csr(indptr, indices, values, nrows=n, ncols=100, device=device)
    for dtype in ("INT64", "FP32"):
        v = sb.Vector.from_dense(np.ones(100), device=device).dup(dtype)
        counts = sb.semiring.plus_pair[dtype](A @ v).new().to("cpu")
        assert counts.to_dense(0).tolist() == lengths
    assert A.reduce_rowwise("count").new().to("cpu").to_dense(0).tolist() == lengths
