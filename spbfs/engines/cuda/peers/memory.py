"""Memory that several GPUs follow each other's pointers into."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import cupy as cp

from spbfs.exceptions import BackendUnavailable

__all__ = ["allow_peers", "peer_memory", "release_peer_memory"]


def allow_peers(gpus: tuple[int, ...]) -> None:
    """Have each of some GPUs follow pointers into the others' memory.

    Raises
    ------
    BackendUnavailable
        When two of them cannot, or are of different kinds: each decides by itself what a level
        does, and all must decide the same.
    """
    for gpu in gpus:
        for other in gpus:
            if gpu != other:
                _allow(gpu, other)


@cache
def _allow(gpu: int, other: int) -> None:
    kinds = [cp.cuda.Device(number).compute_capability for number in (gpu, other)]
    if kinds[0] != kinds[1]:
        raise BackendUnavailable(
            f"devices: expected GPUs of one compute capability, got {kinds[0]} (GPU {gpu}) and "
            f"{kinds[1]} (GPU {other})"
        )
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


@cache
def _pool() -> Any:
    return cp.cuda.MemoryPool()


@contextmanager
def peer_memory() -> Iterator[None]:
    """Arrays made meanwhile are of a pool of their own, whose memory peers may read whatever pool a
    program has chosen, and which gives none back while kernels wait for one another: the driver
    would wait for these."""
    with cp.cuda.using_allocator(_pool().malloc):
        yield


def release_peer_memory(gpus: tuple[int, ...]) -> None:
    """Give the driver back what no array of that pool has; while no search is under way."""
    for gpu in gpus:
        with cp.cuda.Device(gpu):
            _pool().free_all_blocks()
