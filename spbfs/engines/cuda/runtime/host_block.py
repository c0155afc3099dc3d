"""A little memory of the host that kernels write, where the host reads what they say of themselves
without a copy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np

__all__ = ["HostBlock"]

#: All memory of blocks, which is never let go: where a block goes with a cycle of objects, the
#: collector would let CuPy have the memory before the block could keep it.
_memory: list[Any] = []
#: That of blocks that are gone, each with what says whether kernels may still write there.
_retired: list[tuple[Any, Callable[[], bool]]] = []
#: Of them, most that are asked for one block.
_LOOKS = 16


class HostBlock:
    """Some zeros in page-locked memory, at the same address for the host and for every GPU.

    The memory is kept for another block when this one is gone, and given to it once all is over
    that may write there: to let go of it could wait for kernels that wait for one another, or let
    them write into what is somebody else's by then.

    Parameters
    ----------
    over : callable
        Whether the kernels that are told of it have run, all of them; it must not wait.
    """

    __slots__ = ("data", "over")

    NBYTES = 2048

    def __init__(self, over: Callable[[], bool]) -> None:
        self.data = _again() or _made(self.NBYTES)
        self.over = over
        self.seen(np.uint8)[:] = 0

    def __del__(self, retired: list[Any] = _retired) -> None:
        if hasattr(self, "over"):
            retired.append((self.data, self.over))

    def seen(self, dtype: Any) -> np.ndarray[Any, Any]:
        """What the host sees there."""
        return np.frombuffer(self.data, np.uint8, self.NBYTES).view(dtype)


def _made(nbytes: int) -> Any:
    made = cp.cuda.alloc_pinned_memory(nbytes)
    _memory.append(made)
    return made


def _again() -> Any:
    """Memory that nobody writes any more, or None."""
    for _ in range(min(len(_retired), _LOOKS)):
        try:
            data, over = _retired.pop(0)
        except IndexError:  # another thread has it
            break
        if over():
            return data
        _retired.append((data, over))
    return None
