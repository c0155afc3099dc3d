"""Memory that several GPUs follow each other's pointers into."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import cupy as cp

from spbfs.exceptions import BackendUnavailable

__all__ = ["allow_peers", "peer_memory"]


def allow_peers(gpus: tuple[int, ...]) -> None:
    """Have each of some GPUs follow pointers into the others' memory.

    Raises
    ------
    BackendUnavailable
        When two of them cannot.
    """
    for gpu in gpus:
        for other in gpus:
            if gpu != other:
                _allow(gpu, other)


@cache
def _allow(gpu: int, other: int) -> None:
    if not cp.cuda.runtime.deviceCanAccessPeer(gpu, other):
        raise BackendUnavailable(
            f"devices: GPU {gpu} cannot read the memory of GPU {other}; "
            "those that search together must be peers"
        )
    with cp.cuda.Device(gpu):
        try:
            cp.cuda.runtime.deviceEnablePeerAccess(other)
        except cp.cuda.runtime.CUDARuntimeError as error:
            if "AlreadyEnabled" not in str(error):
                raise


@contextmanager
def peer_memory() -> Iterator[None]:
    """Arrays made meanwhile are allocations of their own, which peers may read: those of a pool may
    be of another kind."""
    with cp.cuda.using_allocator(_allocate):
        yield


def _allocate(nbytes: int) -> Any:
    try:
        memory = cp.cuda.Memory(nbytes)
    except cp.cuda.memory.OutOfMemoryError:
        # The pool may hold what nobody needs.
        cp.get_default_memory_pool().free_all_blocks()
        memory = cp.cuda.Memory(nbytes)
    return cp.cuda.MemoryPointer(memory, 0)
