"""CuPy where a GPU can run the engine; importing this skips the module elsewhere, with the reason.

Import `cp` from here before anything of spbfs that needs CuPy.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import pytest

from spbfs.engines import get_engine
from spbfs.exceptions import BackendUnavailable, OutOfMemory

try:
    get_engine("cuda")
except BackendUnavailable as error:
    pytest.skip(str(error), allow_module_level=True)

import cupy as cp

__all__ = ["cp", "held_bytes", "refusal"]

#: The pool's allocations are multiples of so many bytes.
_LEAST = 512


def held_bytes() -> int:
    """Bytes that are in use, of CuPy's pool; what other tests have left is gone.

    Finalisers give arrays back to whoever lends them, so that what is unreachable then is more.
    """
    pool = cp.get_default_memory_pool()
    used = pool.used_bytes() + 1
    while pool.used_bytes() < used:
        used = pool.used_bytes()
        gc.collect()
    pool.free_all_blocks()
    return int(used)


def refusal(attempt: Callable[[], Any], nbytes: int) -> OutOfMemory | None:
    """The error of something for which there are so many bytes beside what is held.

    It is tried up to three times: what earlier tests have lent may come back while it runs, which
    makes more room than was meant.
    """
    pool = cp.get_default_memory_pool()
    before = pool.get_limit()
    for _ in range(3):
        held_bytes()
        filler: list[Any] = []
        try:
            _fill(pool, filler)
            pool.set_limit(size=pool.used_bytes() + nbytes)
            attempt()
        except OutOfMemory as error:
            return error
        finally:
            pool.set_limit(size=before)
            filler.clear()
    return None


def _fill(pool: Any, filler: list[Any]) -> None:
    """Arrays in all that is free between others, which no limit keeps a pool from giving away."""
    size = pool.free_bytes()
    pool.set_limit(size=pool.used_bytes() + size)
    while size >= _LEAST:
        try:
            filler.append(cp.empty(size, cp.uint8))
        except cp.cuda.memory.OutOfMemoryError:
            size = size // 2 // _LEAST * _LEAST
