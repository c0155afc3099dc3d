"""Counts of what lies in an array, by ``kernels/cuda/vectors/count.cu``.

CuPy's own compile two kernels for each when it is first used, one and a half seconds each.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, pointer
from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = ["TOTALS", "count_reached", "count_true", "specialisations", "sum_levels"]

Array = Any

#: Bytes of ``struct Totals``.
TOTALS = 32
#: CTAs of a multiprocessor.
_RESIDENT = 8
#: Flags that a thread reads together.
_TOGETHER = 16


def _specialisation(name: str) -> Specialisation:
    return Specialisation("count", (name,))


@cache
def _kernel(name: str) -> Kernel:
    return Kernel(_specialisation(name))


def _counted(name: str, threads: int, *arguments: int) -> tuple[int, int]:
    import cupy

    totals = cupy.zeros(TOTALS, np.uint8)
    grid = min(-(-threads // THREADS) or 1, _RESIDENT * limits().sms)
    _kernel(name)(grid, (*arguments, pointer(totals)))
    found, edges, *_ = totals.view(np.int64).tolist()
    return found, edges


def count_true(flags: Array) -> int:
    """How many of the flags, an array of bool, are set."""
    import cupy

    flags = cupy.ascontiguousarray(flags)
    size = flags.shape[0]
    return _counted("count_true", -(-size // _TOGETHER), pointer(flags), size)[0]


def count_reached(numbers: Array, indptr: Array) -> tuple[int, int]:
    """Vertices whose number, int32, is not below zero, and the entries of their rows."""
    size, wide = numbers.shape[0], indptr.dtype == np.int64
    name = f"count_reached<{'long long' if wide else 'int'}>"
    return _counted(name, size, pointer(numbers), pointer(indptr), size)


def sum_levels(levels: Array) -> tuple[int, int]:
    """Vertices whose level, int32, is not below zero, and the sum of these levels."""
    return _counted("sum_levels", levels.shape[0], pointer(levels), levels.shape[0])


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    names = "count_true", "sum_levels", "count_reached<int>", "count_reached<long long>"
    yield from map(_specialisation, names)
