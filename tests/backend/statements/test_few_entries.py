"""Unions of a matrix with one of few entries, and what a mask admits, as the reference has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, binary

N = 40
OPERATORS = ("plus", "minus", "second", "first", "gt", "pow", "truediv")
TYPES = ("BOOL", "INT8", "UINT64", "FP32", "FP64")


def scattered(rng: np.random.Generator, count: int, dtype: str, device: str, iso: bool) -> Matrix:
    rows, cols = np.divmod(rng.choice(N * N, count, replace=False), N)
    values: Any = 3 if iso else rng.integers(1, 9, count)
    return Matrix.from_coo(rows, cols, values, dtype=dtype, nrows=N, ncols=N, device=device)


def same(found: Matrix, wanted: Matrix) -> bool:
    there = found.to("reference")
    return there.dtype == wanted.dtype and there.isclose(wanted, check_dtype=True)


@pytest.mark.parametrize("dtype", TYPES)
def test_unions_with_few_entries(device: str, dtype: str) -> None:
    rng = np.random.default_rng(TYPES.index(dtype))
    for k, (name, iso) in enumerate((o, i) for o in OPERATORS for i in (False, True)):
        many = scattered(rng, 500, dtype, device, iso)
        few = scattered(rng, 1 + k % 9, TYPES[k % 5], device, iso)
        if k % 2:  # places that both have
            few = few.ewise_add(
                many.select("rowle", 1).new().select("colle", 5).new(), "second"
            ).new()
        if few.nvals == 0 or (name == "minus" and "BOOL" in (dtype, few.dtype.name)):
            continue
        op = getattr(binary, name)
        held = many.to("reference"), few.to("reference")
        for x, y in ((0, 1), (1, 0)):
            pair = (many, few)
            found = pair[x].ewise_add(pair[y], op).new()
            assert same(found, held[x].ewise_add(held[y], op).new()), (name, iso, x)
        assert many.isequal(held[0].to(device)) and few.isequal(held[1].to(device))


@pytest.mark.parametrize("dtype", TYPES)
def test_what_a_mask_admits(device: str, dtype: str) -> None:
    rng = np.random.default_rng(50 + TYPES.index(dtype))
    for iso in (False, True):
        A = scattered(rng, 300, dtype, device, iso)
        M = scattered(rng, 300, "INT16", device, not iso)
        M(M.select("rowle", 7).new().S) << 0
        nothing, own = M.apply("times", right=0).new(), A.apply("gt", right=3).new()
        for mask in (M.S, ~M.S, M.V, ~M.V, nothing.V, ~nothing.V, nothing.S, own.V, ~own.V):
            alike = mask.parent.to("reference")
            kept = alike.S if mask.structural else alike.V
            kept = ~kept if mask.complement else kept
            wanted = A.to("reference").dup(mask=kept)
            assert same(A.dup(mask=mask), wanted)
            assert same(A.select(mask).new(), wanted)
            C, R = A.dup(), A.to("reference")
            C(mask, "plus") << M
            R(kept, "plus") << M.to("reference")
            assert same(C, R)
