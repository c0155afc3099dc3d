"""How much memory the GPU has, so that a request that cannot fit is refused before it starts."""

from __future__ import annotations

import cupy as cp

from spbfs.exceptions import OutOfMemory

__all__ = [
    "free_bytes",
    "has_room",
    "refusal",
    "release",
    "require_bytes",
]


def free_bytes(enough: int | None = None) -> int:
    """Bytes that an allocation on the current device can have: of the device and of CuPy's pool.

    The device, which takes a while to answer, is asked only where the pool has not `enough`.
    """
    pool = cp.get_default_memory_pool()
    room = int(pool.free_bytes())
    if enough is None or room < enough:
        room += int(cp.cuda.runtime.memGetInfo()[0])
    limit = int(pool.get_limit())
    return max(0, min(room, limit - int(pool.used_bytes()))) if limit else room


def has_room(needed: int) -> bool:
    """Whether arrays of so many bytes are small beside the memory there is."""
    return needed < 1 << 24 or needed < free_bytes(8 * (needed + 1)) // 8


def release() -> int:
    """Bytes free once CuPy's pool has given back what it kept."""
    cp.get_default_memory_pool().free_all_blocks()
    return free_bytes()


def refusal(needed: int, what: str) -> OutOfMemory:
    """The error to raise where `what` cannot have the bytes it needs; gives the pool's back."""
    free = free_bytes()
    cp.get_default_memory_pool().free_all_blocks()
    return OutOfMemory(f"{what} needs {needed:,} bytes and {free:,} are free on the GPU")


def require_bytes(needed: int, what: str) -> None:
    """Raise `OutOfMemory` when `what` needs more bytes than there are.

    Parameters
    ----------
    needed : int
        Bytes.
    what : str
        Begins the message.
    """
    if needed > free_bytes(needed):
        raise refusal(needed, what)
