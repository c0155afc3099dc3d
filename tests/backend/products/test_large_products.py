"""Products large enough to run in parallel and to leave the small cases of every kernel behind.

The matrices have a few rows of thousands of entries and many of none; python-graphblas judges.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs

graphblas = pytest.importorskip("graphblas", reason="python-graphblas is not installed")

N, ENTRIES = 20_000, 60_000
SEMIRINGS = (
    "lor_land any_pair plus_times plus_pair plus_first plus_second min_plus min_first min_second "
    "max_plus max_times max_min plus_min lxor_land times_first ss.min_secondi ss.min_firstj "
    "min_times min_max max_first plus_minus times_plus plus_iseq max_islt"
).split()
DTYPES = ("BOOL", "INT8", "UINT16", "INT32", "INT64", "FP32", "FP64")


def skewed(rng: np.random.Generator, count: int) -> np.ndarray:
    """Vertices, low numbers far more often than high ones."""
    return (N * rng.random(count) ** 3).astype(np.int64)


def dtype_of(name: str, seed: int) -> str:
    """A type by the seed, BOOL only where python-graphblas has the semiring for it."""
    dtype = DTYPES[seed % len(DTYPES)]
    return dtype if dtype != "BOOL" or name.startswith(("lor", "any", "lxor")) else "UINT8"


def lookup(module: Any, name: str) -> Any:
    op = module
    for part in name.split("."):
        op = getattr(op, part)
    return op


class Side:
    """The same objects in one of the two libraries."""

    def __init__(self, module: Any, device: str | None) -> None:
        self.module = module
        self.where = {} if device is None else {"device": device}

    def matrix(self, rows: Any, cols: Any, values: Any) -> Any:
        build = self.module.Matrix.from_coo
        return build(rows, cols, values, nrows=N, ncols=N, **self.where)

    def vector(self, indices: Any, values: Any) -> Any:
        return self.module.Vector.from_coo(indices, values, size=N, **self.where)


def values(rng: np.random.Generator, dtype: str, count: int) -> np.ndarray:
    """Small integers in any type, so that sums are exact in all of them."""
    return rng.integers(0, 2 if dtype == "BOOL" else 5, count).astype(
        {"BOOL": "bool", "FP32": "f4", "FP64": "f8"}.get(dtype, dtype.lower())
    )


def entries(seed: int, dtype: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    keys = np.unique(skewed(rng, ENTRIES) * N + rng.permutation(N)[skewed(rng, ENTRIES)])
    iso = seed % 3 == 0
    found = values(rng, dtype, len(keys))
    return keys // N, keys % N, np.full_like(found, 1) if iso else found


def equal(ours: Any, theirs: Any) -> None:
    for mine, wanted in zip(ours.to_coo(), theirs.to_coo(), strict=True):
        np.testing.assert_array_equal(mine, wanted.astype(mine.dtype))


@pytest.fixture
def fast(device: str) -> str:
    if device == "reference":
        pytest.skip("the reference engine takes minutes on sixty thousand entries")
    return device


@pytest.mark.parametrize("name", SEMIRINGS)
@pytest.mark.parametrize("variant", range(2))
def test_vector_products(fast: str, name: str, variant: int) -> None:
    seed = SEMIRINGS.index(name) + 100 * variant
    dtype = dtype_of(name, seed)
    rng = np.random.default_rng(seed)
    graph = entries(seed, dtype)
    chosen = np.flatnonzero(rng.random(N) < rng.choice([0.0005, 0.02, 0.6]))
    frontier = values(rng, dtype, len(chosen))
    visited = np.flatnonzero(rng.random(N) < rng.choice([0.05, 0.9]))
    flags = rng.random(len(visited)) < 0.5
    results = []
    for side in (Side(graphblas, None), Side(spbfs, fast)):
        A = side.matrix(*graph)
        q, m = side.vector(chosen, frontier), side.vector(visited, flags)
        semiring = lookup(side.module.semiring, name)
        runs = [{}]
        if side.module is spbfs:
            runs = [{"direction": d, "threads": t} for d in ("push", "pull") for t in (1, 2)]
        results.append(
            [
                semiring(expression).new(mask=mask, **hints)
                for hints in runs
                for mask in (None, m.S, ~m.S, m.V, ~m.V)
                for expression in (q @ A, A @ q, A.T @ q)
            ]
        )
    theirs, ours = results
    for k, vector in enumerate(ours):
        equal(vector, theirs[k % len(theirs)])


@pytest.mark.parametrize("name", SEMIRINGS)
def test_matrix_products(fast: str, name: str) -> None:
    seed = 1000 + SEMIRINGS.index(name)
    rng = np.random.default_rng(seed)
    dtype = dtype_of(name, seed)
    rows, cols, data = entries(seed, dtype)
    keep = rng.random(len(rows)) < 0.25
    few = (rows[keep], cols[keep], data[keep])
    results = []
    for side in (Side(graphblas, None), Side(spbfs, fast)):
        A, B = side.matrix(rows, cols, data), side.matrix(*few)
        semiring = lookup(side.module.semiring, name)
        results.append(
            [semiring(B @ B).new(mask=mask) for mask in (None, A.S, ~A.S, A.V)]
            + [semiring(A @ A.T).new(mask=B.S), semiring(B.T @ A).new(mask=B.V)]
        )
    for theirs, ours in zip(*results, strict=True):
        equal(ours, theirs)
