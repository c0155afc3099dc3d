"""Matrix products whose rows have every number of products at which they are made another way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs import Matrix

#: Products of a row: a GPU sorts those of up to 8, 16, .. of them with teams twice as long each.
SIZES = [*(2**k + d for k in range(3, 13) for d in (-1, 0, 1)), 0, 1, 2, 5000, 0]
INNER = max(SIZES)
SUMS = {"plus": np.add, "min": np.minimum, "max": np.maximum}


def factors(
    ncols: int, dtype: str, alike: bool = False, sizes: list[int] = SIZES
) -> tuple[Matrix, Matrix]:
    """Rows of A have `sizes` entries in any columns; rows of B one, in one column where `alike`."""
    rng = np.random.default_rng(ncols)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    inner = np.concatenate([rng.choice(INNER, size, replace=False) for size in sizes])
    values = rng.integers(1, 5, rows.shape[0])
    A = Matrix.from_coo(rows, inner, values, dtype, nrows=len(sizes), ncols=INNER)
    columns = np.zeros(INNER, np.int64) if alike else rng.integers(0, ncols, INNER)
    B = Matrix.from_coo(np.arange(INNER), columns, rng.integers(1, 5, INNER), dtype, ncols=ncols)
    return A, B


def product(A: Matrix, B: Matrix, add: str, multiply: str) -> tuple[Any, Any, Any]:
    """Rows, columns and sums, by sorting all products: B has an entry a row."""
    rows, inner, x = A.to_coo()
    _, columns, y = B.to_coo()
    cols, x, y = columns[inner], x.astype(np.int64), y[inner].astype(np.int64)
    made = {"times": x * y, "plus": x + y, "second": y, "firsti": rows, "firstj": inner}[multiply]
    order = np.lexsort((cols, rows))
    rows, cols, made = rows[order], cols[order], made[order]
    begins = np.flatnonzero(np.diff(rows, prepend=-1) | np.diff(cols, prepend=-1))
    return rows[begins], cols[begins], SUMS[add].reduceat(made, begins)


def agrees(got: Matrix, wanted: tuple[Any, Any, Any]) -> bool:
    found = got.to("reference").to_coo()
    return all(np.array_equal(a, b) for a, b in zip(found, wanted, strict=True))


@pytest.mark.parametrize("ncols", [3, 97, 5000, 1 << 21, 1 << 40])
@pytest.mark.parametrize(
    ("add", "multiply", "dtype"),
    [
        ("plus", "times", "INT64"),
        ("plus", "times", "FP32"),
        ("min", "plus", "FP64"),
        ("max", "second", "INT16"),
        ("min", "firsti", "INT64"),
        ("max", "firstj", "INT64"),
    ],
)
def test_rows_of_every_length(ncols: int, add: str, multiply: str, dtype: str, device: str) -> None:
    A, B = factors(ncols, dtype)
    op = getattr(sb.semiring, f"{add}_{multiply}")
    assert agrees(op(A.to(device) @ B.to(device)).new(), product(A, B, add, multiply))


@pytest.mark.parametrize("dtype", ["UINT8", "INT16", "FP32", "FP64"])
@pytest.mark.parametrize("ncols", [97, 1 << 40])
def test_rows_of_one_length_that_fill_threads(dtype: str, ncols: int, device: str) -> None:
    """Every warp of a CTA has rows, beside others that are at another step; values and indices are
    of different widths."""
    A, B = factors(ncols, dtype, sizes=[size for size in (6, 14, 30, 60, 100) for _ in range(40)])
    for add, multiply in (("plus", "times"), ("min", "plus"), ("max", "second")):
        op = getattr(sb.semiring, f"{add}_{multiply}")
        found = op(A.to(device) @ B.to(device)).new()
        rows, cols, sums = product(A, B, add, multiply)
        assert agrees(found, (rows, cols, sums.astype(A.dtype.np_type)))


@pytest.mark.parametrize("dtype", ["INT64", "FP32", "FP64"])
def test_products_that_are_all_summed_into_one(dtype: str, device: str) -> None:
    A, B = factors(3, dtype, alike=True)
    got = sb.semiring.plus_times(A.to(device) @ B.to(device)).new()
    assert agrees(got, product(A, B, "plus", "times"))


@pytest.mark.parametrize("ncols", [97, 5000, 1 << 21])
@pytest.mark.parametrize("name", ["plus_times", "any_pair", "any_second"])
def test_what_a_mask_has_is_left_out(ncols: int, name: str, device: str) -> None:
    """Of rows of every length; `any` of products that all are alike."""
    A, B = factors(ncols, "INT64")
    if name == "any_second":
        B = B.apply(sb.binary.second, right=7).new()
    op = getattr(sb.semiring, name)
    whole = op(A @ B).new()
    rows, cols, _ = whole.to_coo()
    kept = np.random.default_rng(1).random(rows.shape[0]) < 0.5
    mask = Matrix.from_coo(rows[kept], cols[kept], True, nrows=A.nrows, ncols=ncols)
    got = op(A.to(device) @ B.to(device)).new(mask=~mask.to(device).S).to("reference")
    assert got.isequal(whole.to("reference").dup(mask=~mask.to("reference").S), check_dtype=True)
    nothing = op(A.to(device) @ B.to(device)).new(mask=~whole.to(device).S)
    assert nothing.nvals == 0


@pytest.mark.parametrize("name", ["plus_times", "min_plus", "any_pair", "max_firsti"])
def test_products_without_any_product(name: str, device: str) -> None:
    """Columns of A meet empty rows of B: of one row, and of so many that threads share them."""
    op = getattr(sb.semiring, name)
    B = Matrix.from_coo([0, 2], [1, 0], [3, 4], nrows=5, ncols=4).to(device)
    for nrows in (1, 3, 5000):
        A = Matrix.from_coo(np.arange(nrows), np.full(nrows, 3), 2, nrows=nrows, ncols=5).to(device)
        mask = Matrix.from_coo([0], [1], True, nrows=nrows, ncols=4).to(device)
        for given in (None, ~mask.S, mask.S):
            found = op(A @ B).new(mask=given)
            assert (found.nvals, found.shape, found.device) == (0, (nrows, 4), device)


def test_sums_of_floats_are_made_in_one_order(device: str) -> None:
    """Of rows that are sorted: those of up to 512 products."""
    rng = np.random.default_rng(5)
    A = sb.Matrix.from_dense(rng.random((20, 300)), dtype="FP32").to(device)
    B = sb.Matrix.from_coo(np.arange(300), rng.integers(0, 7, 300), rng.random(300), "FP32")
    first = sb.semiring.plus_times(A @ B.to(device)).new()
    for _ in range(3):
        assert sb.semiring.plus_times(A @ B.to(device)).new().isequal(first)
