"""What a plan of the fused search refuses before it launches: arrays that the kernel would write
beyond, and vertices that there are not."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime.launch import pointer
from spbfs.exceptions import IndexOutOfBound, InvalidValue

__all__ = ["refuse_search"]

Array = Any


def refuse_search(
    n: int,
    sources: int | Array,
    levels: Array | None,
    parents: Array | None,
    max_depth: int | None,
    target: int | None,
) -> None:
    """Raise where these are no arguments of a search of `n` vertices; sources on the device are
    checked by the kernel."""
    for name, array in (("levels", levels), ("parents", parents)):
        if array is not None and (array.dtype != np.int32 or array.shape != (n,)):
            raise InvalidValue(
                f"{name} is {array.dtype} of shape {array.shape}, expected int32 of ({n},)"
            )
        if pointer(array) % 16:
            raise InvalidValue(f"{name} starts at {pointer(array):#x}, expected 16-byte aligned")
    if isinstance(sources, (int, np.integer)) and not 0 <= sources < n:
        raise IndexOutOfBound(f"source {sources} is outside 0..{n - 1}")
    if max_depth is not None and max_depth < 0:
        raise InvalidValue(f"max_depth is {max_depth}, expected at least 0")
    if target is not None and not 0 <= target < n:
        raise IndexOutOfBound(f"target {target} is outside 0..{n - 1}")
