"""``C<mask> accum= T`` for lists and dense vectors of all types, beside the reference engine's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from spbfs import Vector

N = 200
DTYPES = ["BOOL", "INT8", "UINT16", "INT64", "FP32", "FP64"]
OPERATORS = "plus min max times second first any minus lor land pair eq".split()
MASKS = {
    "none": lambda C, M: None,
    "structural": lambda C, M: M.S,
    "complement": lambda C, M: ~M.S,
    "valued": lambda C, M: M.V,
    "own complement": lambda C, M: ~C.S,
    "own": lambda C, M: C.V,
}


def vector(rng: np.random.Generator, entries: int, device: str, dtype: str) -> Vector:
    where, values = rng.integers(0, N, entries), rng.integers(0, 5, entries)
    return Vector.from_coo(where, values, size=N, dup_op="second", device=device).dup(dtype)


def accumulated(device: str, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    into, of = rng.choice(DTYPES, 2)
    op, mask = rng.choice(OPERATORS), rng.choice(list(MASKS))
    C = vector(rng, int(rng.choice([3, 400])), device, into)
    if rng.integers(0, 3) == 0:
        C = Vector.from_dense(rng.integers(0, 4, N), device=device).dup(into)
    T = vector(rng, int(rng.choice([3, 150])), device, of)
    M = vector(rng, int(rng.choice([3, 150])), device, "INT64")
    C.update(
        T, mask=MASKS[mask](C, M), accum=op, replace=bool(rng.integers(0, 2)) and mask != "none"
    )
    C.update(T, accum=op)
    return (into, of, op, mask), C.nvals, [a.tolist() for a in C.to_coo()]


@pytest.mark.parametrize("part", range(8))
def test_random_accumulations(device: str, part: int) -> None:
    for seed in range(part, 240, 8):
        assert accumulated(device, seed) == accumulated("reference", seed), f"seed {seed}"
