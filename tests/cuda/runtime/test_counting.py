"""What is counted, cut and asked on a GPU by kernels of our own, against NumPy."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from gpu import cp

from spbfs.base.flags import all_true, any_true
from spbfs.engines.cuda.bfs_many.layout import cut_rows
from spbfs.engines.cuda.runtime.counting import count_reached, count_true, sum_levels
from spbfs.storage.entries import bincount

SIZES = 0, 1, 15, 16, 17, 31, 257, 5000, 70_001


def _flags(size: int, share: float) -> Any:
    return np.random.default_rng(size).random(size) < share


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("size", SIZES)
def test_flags_are_counted_wherever_they_begin(size: int, share: float) -> None:
    flags = _flags(size, share)
    on_gpu = cp.asarray(flags)
    for first in (0, 1, 7, 13):
        assert count_true(on_gpu[first:]) == flags[first:].sum()
    assert count_true(on_gpu[::3]) == flags[::3].sum()


@pytest.mark.parametrize("width", [np.int32, np.int64])
@pytest.mark.parametrize("size", SIZES)
def test_edges_of_what_was_reached(size: int, width: Any) -> None:
    rng = np.random.default_rng(size)
    numbers = rng.integers(-1, 3, size).astype(np.int32)
    lengths = rng.integers(0, 50, size)
    indptr = np.concatenate(([0], np.cumsum(lengths))).astype(width)
    expected = int((numbers >= 0).sum()), int(lengths[numbers >= 0].sum())
    assert count_reached(cp.asarray(numbers), cp.asarray(indptr)) == expected


@pytest.mark.parametrize("size", SIZES)
def test_sum_of_levels(size: int) -> None:
    levels = np.random.default_rng(size).integers(-1, 1 << 30, size).astype(np.int32)
    reached = levels[levels >= 0]
    expected = reached.shape[0], int(reached.sum(dtype=np.int64))
    assert sum_levels(cp.asarray(levels)) == expected


@pytest.mark.parametrize("kind", [np.uint8, np.int32, np.int64])
@pytest.mark.parametrize("size", SIZES)
def test_numbers_are_counted(size: int, kind: Any) -> None:
    rng = np.random.default_rng(size)
    numbers, weights = rng.integers(0, 200, size).astype(kind), rng.integers(0, 9, size)
    counts = bincount(cp.asarray(numbers), 250)
    assert counts.dtype == np.int64
    assert np.array_equal(counts.get(), np.bincount(numbers, minlength=250))
    sums = bincount(cp.asarray(numbers), 250, cp.asarray(weights))
    assert np.array_equal(sums.get(), np.bincount(numbers, weights, minlength=250))


@pytest.mark.parametrize("flags", [[], [True], [False], [True] * 40, [False] * 39 + [True]])
def test_any_and_all(flags: list[bool]) -> None:
    for array in (np.array(flags, bool), cp.asarray(np.array(flags, bool))):
        assert (any_true(array), all_true(array)) == (any(flags), all(flags))


@pytest.mark.parametrize("width", [np.int32, np.int64])
@pytest.mark.parametrize("n", [1, 31, 32, 33, 64, 1000])
@pytest.mark.parametrize("limits", [(40, 16, 3), (1, 1, 0), (10_000, 7, 10_000)])
def test_rows_are_cut_once_each(n: int, width: Any, limits: tuple[int, int, int]) -> None:
    longer, piece, short = limits
    rng = np.random.default_rng(n)
    lengths = (rng.random(n) ** 8 * 300).astype(np.int64)
    indptr = np.concatenate(([0], np.cumsum(lengths)))
    share = 0.6 * indptr[-1]
    work = cut_rows(cp.asarray(indptr.astype(width)), n, longer, piece, short, share)

    is_long = lengths > longer
    assert work.rows.get().tolist() == np.flatnonzero(is_long).tolist()
    bits = np.unpackbits(work.mask.get().view(np.uint8), bitorder="little")
    assert bits[:n].tolist() == is_long.tolist() and not bits[n:].any()
    assert work.covered == np.searchsorted(np.cumsum(lengths), share)

    padded = np.full(-(-n // 32) * 32, -1)
    padded[:n] = np.where(is_long, -1, lengths)
    of_all, of_eight = padded.reshape(-1, 32).max(axis=1), padded.reshape(-1, 8).max(axis=1)
    expected = {32 * b + 1: most for b, most in enumerate(of_all) if 0 <= most <= short}
    expected |= {
        8 * b: most for b, most in enumerate(of_eight) if most >= 0 and of_all[b // 4] > short
    }
    units = work.units.get().tolist()
    assert sorted(units) == sorted(expected)
    assert all(expected[a] >= expected[b] for a, b in pairwise(units))

    pieces = [
        (number, row, indptr[row] + number * piece, min(piece, lengths[row] - number * piece))
        for row in np.flatnonzero(is_long)
        for number in range(-(-lengths[row] // piece))
    ]
    begin, word = work.pieces.get().reshape(-1, 2).T
    cut = list(zip(begin, word & 0xFFFFFFFF, word >> 32, strict=True))
    assert cut == [(first, row, length) for _, row, first, length in sorted(pieces)]
