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
    lengths = np.concatenate([np.repeat(np.arange(4), 6), [17, 63, 64, 65, 90, 0], range(31, 42)])
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


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
@pytest.mark.parametrize("monoid", sorted(SUMS))
@pytest.mark.parametrize("masked", [False, True])
def test_rows_of_a_vector_that_has_most_elements(
    masked: bool, monoid: str, dtype: Any, device: str
) -> None:
    """Those it has not are as if they were not: no sum of them, nor a sign of zero, nor a NaN."""
    indptr, indices, values = _rows(dtype, 7)
    n, rng = indptr.shape[0] - 1, np.random.default_rng(8)
    there = rng.random(100) < 0.6
    there[indices[indptr[7] : indptr[8]]] = False
    x = rng.integers(-9, 9, 100).astype(dtype)
    if np.dtype(dtype).kind == "f":
        x[::3] = rng.choice(SPECIAL, 34)
        x[indices[indptr[8] : indptr[9]]] = -0.0
    A = sb.Matrix.from_csr(indptr, indices, values, nrows=n, ncols=100, device=device)
    v = sb.Vector.from_coo(np.flatnonzero(there), x[there], size=100, device=device)
    mask = np.arange(n) % 3 != 1 if masked else np.ones(n, bool)
    given = {"mask": sb.Vector.from_dense(mask, device=device).V} if masked else {}
    row = np.repeat(np.arange(n), np.diff(indptr))
    met = there[indices] & mask[row]
    combine = np.multiply if monoid == "plus" else np.add
    with np.errstate(all="ignore"):
        for name, made in (
            ("times" if monoid == "plus" else "plus", combine(values, x[indices])),
            ("second", x[indices]),
            ("first", values),
        ):
            semiring = getattr(sb.semiring, f"{monoid}_{name}")
            w = sb.Vector(dtype, n, device=device)
            w(direction="pull", **given) << semiring(A @ v)
            at, sums = w.to("cpu").to_coo()
            rows = [made[(row == i) & met] for i in at]
            assert at.tolist() == np.unique(row[met]).tolist()
            expected = np.array([SUMS[monoid].reduce(r, dtype=dtype) for r in rows])
            np.testing.assert_allclose(sums, expected, rtol=1e-5)
            if monoid == "plus" and device != "cuda":  # which begins sums with a positive zero
                alone = np.array([r.shape[0] == 1 and r[0] == 0 for r in rows])
                only = np.array([r[0] for r in rows])
                np.testing.assert_array_equal(np.signbit(sums[alone]), np.signbit(only[alone]))
    counts = sb.semiring.plus_pair["INT64"](A @ v).new(**given).to("cpu")
    np.testing.assert_array_equal(counts.to_coo()[1], np.unique(row[met], return_counts=True)[1])


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


@pytest.mark.parametrize("dtype", [np.float32, np.int64])
@pytest.mark.parametrize("every", [True, False])
@pytest.mark.parametrize("masked", [False, True])
def test_rows_of_any_length(masked: bool, every: bool, dtype: Any, device: str) -> None:
    """Short ones beside those that are cut into pieces, of a vector with all elements or few."""
    rng = np.random.default_rng(9)
    lengths = [8, 9, 0, 130, 1, 257, 1000, 1024, 1025, 0, 5000, 7, 128, 127, 3, 2100, *[2] * 60, 40]
    lengths = rng.permutation(lengths) if every else np.array(lengths)
    n, columns = lengths.shape[0], 6000
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    indices = np.concatenate([np.sort(rng.choice(columns, k, replace=False)) for k in lengths])
    values = rng.integers(1, 5, indices.shape[0]).astype(dtype)
    x = rng.integers(1, 5, columns).astype(dtype)
    there = np.ones(columns, bool) if every else rng.random(columns) < 0.3
    A = sb.Matrix.from_csr(indptr, indices, values, nrows=n, ncols=columns, device=device)
    v = sb.Vector.from_coo(np.flatnonzero(there), x[there], size=columns, device=device)
    mask = np.arange(n) % 3 != 1 if masked else np.ones(n, bool)
    given = {"mask": sb.Vector.from_dense(mask, device=device).V} if masked else {}
    row = np.repeat(np.arange(n), lengths)
    met = there[indices] & mask[row]
    for semiring, combine, sums in (
        (sb.semiring.plus_times, np.multiply, np.add),
        (sb.semiring.max_plus, np.add, np.maximum),
    ):
        expected = np.zeros(n, dtype)
        sums.at(expected, row[met], combine(values[met], x[indices[met]]))
        found = semiring(A @ v).new(**given).to("cpu")
        assert found.to_coo()[0].tolist() == np.unique(row[met]).tolist()
        assert found.to_dense(0).tolist() == expected.tolist()


def test_entries_are_counted(device: str) -> None:
    indptr, indices, values = _rows(np.float64, 5)
    n, lengths = indptr.shape[0] - 1, np.diff(indptr).tolist()
    A = sb.Matrix.from_csr(indptr, indices, values, nrows=n, ncols=100, device=device)
    for dtype in ("INT64", "FP32"):
        v = sb.Vector.from_dense(np.ones(100), device=device).dup(dtype)
        counts = sb.semiring.plus_pair[dtype](A @ v).new().to("cpu")
        assert counts.to_dense(0).tolist() == lengths
    assert A.reduce_rowwise("count").new().to("cpu").to_dense(0).tolist() == lengths
