"""Pulls whose operators are called for a block of entries: rows that end where blocks do, rows of
several blocks, absent elements, masks and users' operators, against the reference: to the last bit
on the CPU, on CUDA but for the order of sums.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb

#: Around the 256 entries of a block, with rows of none before and behind its end.
LENGTHS = (0, 255, 1, 0, 256, 0, 257, 3, 0, 0, 600, 250, 6, 0, 1030, 17, 0)
SIZE = 1100
SEMIRINGS = (
    *("max_cdiv", "plus_minus", "times_plus", "plus_rminus", "min_rdiv", "plus_isgt", "max_islt"),
    *("times_second", "times_max", "lxor_land", "land_lor", "lxor_lor", "plus_land", "min_iseq"),
    *("plus_max", "min_min", "max_max", "plus_plus"),
)
OF_INTEGERS = ("band_bor", "bor_band", "bxor_band", "bxnor_bor")
#: With loops of their own, but for types other than these.
OF_SMALL_TYPES = ("plus_times", "min_plus", "max_second", "max_min", "min_max", "min_first")
TYPES = ("FP64", "FP32", "INT64", "INT32", "INT8", "UINT16")


def numbers(rng: np.random.Generator, count: int, dtype: str) -> np.ndarray:
    """With what is hard in a type."""
    made = rng.integers(0, 5, count).astype(sb.dtypes.lookup_dtype(dtype).np_type)
    if made.dtype.kind == "f":
        odd = rng.choice([np.nan, np.inf, -np.inf, -0.0, 0.1, 1e-310], count)
        made = np.where(rng.random(count) < 0.2, odd, made).astype(made.dtype)
    return made


def operands(dtype: str, seed: int, device: str) -> tuple[Any, dict[str, Any], Any]:
    """A matrix, vectors of every form, and a vector for masks."""
    rng = np.random.default_rng(seed)
    rows = np.repeat(np.arange(len(LENGTHS)), LENGTHS)
    columns = np.concatenate([np.sort(rng.choice(SIZE, n, replace=False)) for n in LENGTHS])
    shape = {"nrows": len(LENGTHS), "ncols": SIZE, "device": device}
    A = sb.Matrix.from_coo(rows, columns, numbers(rng, rows.size, dtype), **shape)
    vectors = {"full": sb.Vector.from_coo(range(SIZE), numbers(rng, SIZE, dtype), device=device)}
    for form, share in ("bitmap", 0.6), ("list", 0.03):
        some = np.flatnonzero(rng.random(SIZE) < share)
        vectors[form] = sb.Vector.from_coo(
            some, numbers(rng, some.size, dtype), size=SIZE, device=device
        )
    vectors["iso"] = sb.Vector.from_coo(some, vectors["list"].to_coo()[1][0], size=SIZE)
    vectors["iso"] = vectors["iso"].to(device)
    admitted = np.flatnonzero(rng.random(len(LENGTHS)) < 0.6)
    return A, vectors, sb.Vector.from_coo(admitted, True, size=len(LENGTHS), device=device)


def products(semiring: Any, dtype: str, seed: int, device: str) -> list[tuple[Any, Any]]:
    A, vectors, m = operands(dtype, seed, device)
    found = []
    for form, u in vectors.items():
        for product in (A @ u, u @ A.T):
            for mask in (None, m.S, ~m.S):
                for threads in (1, 2):
                    hints = {} if device == "reference" else {"direction": "pull"}
                    w = semiring(product).new(mask=mask, threads=threads, **hints)
                    found.append((form, w.to_coo()))
    return found


def compared(semiring: Any, dtype: str, seed: int, device: str) -> None:
    ours = products(semiring, dtype, seed, device)
    wanted = products(semiring, dtype, seed, "reference")
    for (form, mine), (_, theirs) in zip(ours, wanted, strict=True):
        for a, b in zip(mine, theirs, strict=True):
            assert a.dtype == b.dtype, form
            if device == "cuda" and a.dtype.kind == "f":
                close = 1e3 * np.finfo(a.dtype).eps
                np.testing.assert_allclose(a, b, rtol=close, atol=close, err_msg=form)
            else:
                np.testing.assert_array_equal(a, b, err_msg=form)


@pytest.fixture
def fast(device: str) -> str:
    if device == "reference":
        pytest.skip("the reference judges")
    return device


@pytest.mark.parametrize("name", SEMIRINGS)
def test_built_in_operators(fast: str, name: str) -> None:
    seed = SEMIRINGS.index(name)
    for dtype in TYPES[seed % 3 :: 3]:
        compared(getattr(sb.semiring, name), dtype, seed, fast)


@pytest.mark.parametrize("name", OF_INTEGERS)
def test_operators_of_bits(fast: str, name: str) -> None:
    for dtype in ("INT64", "UINT16", "INT8"):
        compared(getattr(sb.semiring, name), dtype, OF_INTEGERS.index(name), fast)


@pytest.mark.parametrize("name", OF_SMALL_TYPES)
@pytest.mark.parametrize("dtype", TYPES)
def test_operators_that_have_loops_for_some_types(fast: str, name: str, dtype: str) -> None:
    compared(getattr(sb.semiring, name), dtype, 7, fast)


@pytest.mark.parametrize("monoid", ["plus", "any", "own"])
@pytest.mark.parametrize("dtype", ["FP64", "INT32"])
def test_operators_of_users(fast: str, monoid: str, dtype: str) -> None:
    if fast == "cuda" and monoid == "any":
        pytest.skip("any of a row's products, and another one there")
    larger = sb.binary.register_anonymous(lambda x, y: np.maximum(x, y))
    add = (
        sb.monoid.register_anonymous(larger, -(2**31))
        if monoid == "own"
        else getattr(sb.monoid, monoid)
    )
    own = sb.binary.register_anonymous(lambda x, y: 2 * x - y)
    compared(sb.semiring.register_anonymous(add, own), dtype, 11, fast)
