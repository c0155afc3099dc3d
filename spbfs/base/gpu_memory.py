"""How much memory the GPU has, so that a request that cannot fit is refused before it starts."""

from __future__ import annotations

import ctypes
from threading import Lock

import cupy as cp

from spbfs.exceptions import OutOfMemory

__all__ = [
    "free_bytes",
    "has_room",
    "has_room_for_stacks",
    "keep_stack",
    "refusal",
    "release",
    "release_stacks",
    "require_bytes",
]

#: Bytes of stack that a thread has at most of a kernel whose functions are called, and threads of a
#: multiprocessor: the driver allots the stacks of all at the first launch, and keeps them.
_STACK, _RESIDENT = 4096, 2048
#: `cudaLimitStackSize`, which the driver raises for such a launch.
_STACK_LIMIT = 0
#: Of devices, what it was before.
_stacks: dict[int, int] = {}
_lock = Lock()


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
    release_stacks()
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
    if needed <= free_bytes(needed):
        return
    release_stacks()
    if needed > free_bytes(needed):
        raise refusal(needed, what)


# -- stacks of threads -----------------------------------------------------------------------------
def has_room_for_stacks(multiprocessors: int) -> bool:
    """Whether stacks of all threads are small beside what the device itself has free: the pool's
    memory is not the driver's."""
    return 8 * multiprocessors * _RESIDENT * _STACK < int(cp.cuda.runtime.memGetInfo()[0])


def keep_stack() -> None:
    """Remember how much stack a thread of the current device has, before a kernel wants more."""
    device = cp.cuda.runtime.getDevice()
    with _lock:
        if device not in _stacks:
            _stacks[device] = int(cp.cuda.runtime.deviceGetLimit(_STACK_LIMIT))


def release_stacks() -> None:
    """Give back what stacks took on the current device since `keep_stack`, if that is all of it;
    waits for the device then.

    By the driver itself, for CuPy waits with Python's lock, without which other threads could not
    launch what the device may be waiting for.
    """
    if not _stacks:
        return
    device, now = cp.cuda.runtime.getDevice(), int(cp.cuda.runtime.deviceGetLimit(_STACK_LIMIT))
    with _lock:
        before = _stacks.get(device)
        if before is None or now == before:
            return  # or the kernel is yet to be launched
        del _stacks[device]
    if before < now <= _STACK:  # a user who has set more keeps it
        ctypes.CDLL("libcuda.so.1").cuCtxSetLimit(_STACK_LIMIT, ctypes.c_size_t(before))
