"""What is written with an accumulator into vectors of every form, and into matrices under masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb

SIZE = 700
#: Shares of the elements that are stored: lists, bitmaps of few and of many, full.
SHARES = [0.01, 0.1, 0.6, 1.0]
OPERATORS = ["plus", "min", "first", "second", "minus"]


def vector(share: float, dtype: str, seed: int, size: int = SIZE) -> sb.Vector:
    rng = np.random.default_rng(seed)
    at = np.flatnonzero(rng.random(size) < share)
    return sb.Vector.from_coo(at, rng.integers(1, 9, at.size), dtype, size=size)


def both(work: Any, *operands: Any) -> None:
    """The same by the reference, nothing but the output having changed."""
    here = [x.dup() for x in operands]
    there = [x.dup().to("reference") for x in operands]
    work(*here)
    work(*there)
    for mine, judged in zip(here, there, strict=True):
        assert mine.isequal(judged.to("cpu"), check_dtype=True)
        assert mine.nvals == judged.nvals


@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("held", SHARES)
@pytest.mark.parametrize("given", SHARES)
def test_vectors_are_summed_into_vectors(op: str, held: float, given: float) -> None:
    chosen = np.random.default_rng(4).permutation(SIZE)[:90]

    def whole(w: Any, u: Any) -> None:
        w(op) << u

    def masked(w: Any, u: Any, m: Any) -> None:
        w(m.S, op) << u

    def indexed(w: Any, p: Any) -> None:
        w[chosen](op) << p

    mask = vector(0.5, "BOOL", 3)
    for dtypes in (("FP64", "FP64"), ("INT8", "INT8"), ("FP32", "INT64")):
        w, u = vector(held, dtypes[0], 1), vector(given, dtypes[1], 2)
        part = vector(given, dtypes[1], 5, 90)
        both(whole, w, u)
        both(masked, w, u, mask)
        both(indexed, w, part)


@pytest.mark.parametrize("held", SHARES)
@pytest.mark.parametrize("given", SHARES)
def test_vectors_are_written_to_some_elements(held: float, given: float) -> None:
    chosen = np.random.default_rng(4).permutation(SIZE)[:90]
    w, part, mask = vector(held, "FP64", 1), vector(given, "FP64", 5, 90), vector(0.5, "BOOL", 6)

    def indexed(w: Any, p: Any) -> None:
        w[chosen] << p

    def within(w: Any, p: Any, m: Any) -> None:
        w(m.S)[chosen] << p

    def of_part(w: Any, p: Any, m: Any) -> None:
        w[chosen](m[chosen].new().S) << p

    both(indexed, w, part)
    both(within, w, part, mask)
    both(of_part, w, part, mask)


@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("complement", [False, True])
@pytest.mark.parametrize("replace", [False, True])
def test_matrices_are_summed_under_masks(op: str, complement: bool, replace: bool) -> None:
    rng = np.random.default_rng(7)
    A, B, M = (
        sb.Matrix.from_coo(
            *np.divmod(np.unique(rng.integers(0, 900, n)), 30), 3, nrows=30, ncols=30
        )
        for n in (200, 250, 300)
    )

    def work(C: Any, T: Any, M: Any) -> None:
        C(~M.S if complement else M.S, op, replace=replace) << T

    both(work, A, B, M)
