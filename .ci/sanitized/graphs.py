"""The graphs of the cases, and what they are run and compared with."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import spbfs as sb

__all__ = [
    "DEVICE",
    "device_csr",
    "directed",
    "gpus",
    "graphs",
    "outputs",
    "progress",
    "same",
    "star",
]

DEVICE = "cuda"
_BEGAN = time.perf_counter()


@cache
def graphs() -> tuple[sb.Matrix, sb.Matrix]:
    """A deep one, and one with hubs, loops, isolated vertices and long rows."""
    rng = np.random.default_rng(3)
    u, v = ((rng.random((2, 2500)) ** 3) * 700).astype(np.int64)
    label = rng.permutation(800)
    u, v = label[np.r_[u, v]], label[np.r_[v, u]]
    return sb.generate.grid2d(12, 11), sb.Matrix.from_coo(u, v, True, nrows=800, ncols=800)


def directed(n: int) -> sb.Matrix:
    u, v = np.random.default_rng(4).integers(0, n, (2, 6 * n))
    return sb.Matrix.from_coo(u, v, True, nrows=n, ncols=n)


def star(leaves: int) -> sb.Matrix:
    ends = np.arange(1, leaves + 1), np.zeros(leaves, int)
    return sb.Matrix.from_coo(np.r_[ends], np.r_[ends[::-1]], True)


def device_csr(A: sb.Matrix, wide: bool) -> tuple[Any, Any]:
    import cupy as cp

    indptr, indices, _ = A.to_csr()
    return cp.asarray(indptr.astype(np.int64 if wide else np.int32)), cp.asarray(indices)


def gpus() -> int:
    import cupy as cp

    return int(cp.cuda.runtime.getDeviceCount())


def outputs(n: int) -> tuple[Any, Any]:
    import cupy as cp

    return cp.full(n, -7, dtype=cp.int32), cp.full(n, -7, dtype=cp.int32)


def progress(what: str) -> None:
    """A line each, so that what a tool hangs in is known."""
    print(f"{time.perf_counter() - _BEGAN:6.1f} s  {what}", flush=True)


def same(A: sb.Matrix, program: Callable[[Any], Any]) -> None:
    expected, found = program(A), program(A.to(DEVICE))
    assert found.to("cpu").isequal(expected)
