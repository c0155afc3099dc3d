"""A matrix written over another, under masks and into regions, as the reference writes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import spbfs as sb

WAYS: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "mask": lambda C, T, M, at: C(M.S) << T,
    "mask of values": lambda C, T, M, at: C(M.V) << T,
    "complement": lambda C, T, M, at: C(~M.S) << T,
    "complement of values": lambda C, T, M, at: C(~M.V) << T,
    "replaced": lambda C, T, M, at: C(M.V, replace=True) << T,
    "accumulated": lambda C, T, M, at: C(sb.binary.minus, mask=~M.V) << T,
    "number": lambda C, T, M, at: C(M.V) << 7,
    "rows": lambda C, T, M, at: C[at, :] << T[at, :].new(),
    "columns": lambda C, T, M, at: C[:, at] << T[:, at].new(),
    "both": lambda C, T, M, at: C[at, at[::-1]] << T[at, at].new(),
    "a number": lambda C, T, M, at: C[at, at] << 3,
    "both, masked": lambda C, T, M, at: C(M.S)[at, at] << T[at, at].new(),
    "a mask of both": lambda C, T, M, at: C[at, at](M[at, at].new().V) << T[at, at].new(),
    "a row": lambda C, T, M, at: C[at[0], :] << T[at[0], :].new(),
    "a column": lambda C, T, M, at: C[:, at[0]] << T[:, at[0]].new(),
    "setdiag": lambda C, T, M, at: C.setdiag(5),
}


def matrix(n: int, share: float, seed: int, dtype: str, *, one: bool = False) -> sb.Matrix:
    """So many entries, every fifth row empty; numbers, zeros among them, or all of them one."""
    rng = np.random.default_rng(seed)
    rows, columns = np.nonzero(rng.random((n, n)) < share)
    keep = rows % 5 != seed % 5
    rows, columns = rows[keep], columns[keep]
    values = 1 if one else rng.integers(0, 5, rows.size)
    return sb.Matrix.from_coo(rows, columns, values, dtype, nrows=n, ncols=n)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("types", [("FP64", "INT8"), ("INT8", "FP64"), ("BOOL", "BOOL")])
@pytest.mark.parametrize("shares", [(0.1, 0.1), (0.1, 0), (0, 0.1), (0, 0), (0.6, 0.02)])
def test_matrices_written_over_others(
    way: str, types: tuple[str, str], shares: tuple[float, float], device: str
) -> None:
    if device == "reference" or (way == "accumulated" and types[0] == "BOOL"):
        pytest.skip("the reference judges; truths are not subtracted")
    n, at = 23, [3, 11, 4, 20, 0]
    for ones in ((False, False), (True, True), (True, False)):
        found = []
        for where in (device, "reference"):
            C, T = (
                matrix(n, share, seed, dtype, one=one).to(where)
                for share, seed, dtype, one in zip(shares, (1, 2), types, ones, strict=True)
            )
            WAYS[way](C, T, matrix(n, 0.3, 3, "INT16").to(where), at)
            found.append(C.to("reference"))
        assert found[0].isequal(found[1], check_dtype=True)


@pytest.mark.parametrize("way", [way for way in WAYS if way != "accumulated"])
def test_many_rows_are_written_by_several_threads(way: str, device: str) -> None:
    if device != "cpu":
        pytest.skip("threads are the CPU engine's")
    n, rng = 1500, np.random.default_rng(4)
    at = np.sort(rng.choice(n, 700, replace=False)).tolist()
    C, T, M = (matrix(n, share, seed, "INT64") for seed, share in enumerate((0.03, 0.03, 0.2)))
    alone = C.dup().to(device)
    sb.set_threads(1)
    WAYS[way](alone, T.to(device), M.to(device), at)
    sb.set_threads(4)
    several = C.dup().to(device)
    WAYS[way](several, T.to(device), M.to(device), at)
    sb.set_threads(None)
    assert several.isequal(alone)


@pytest.mark.parametrize("size", [0, 1, 5])
@pytest.mark.parametrize("k", [-2, 0, 3])
def test_a_matrix_of_a_diagonal_owns_its_entries(size: int, k: int, device: str) -> None:
    for values in (np.arange(size), np.broadcast_to(np.int64(4), size)):
        v = sb.Vector.from_coo(np.arange(size), values, size=size, device=device)
        D = v.diag(k)
        wanted = {max(-k, 0) + i: {max(k, 0) + i: x} for i, x in enumerate(values.tolist())}
        v << 9
        assert D.to_dicts() == wanted and D.shape == (size + abs(k),) * 2
