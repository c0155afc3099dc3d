"""The parts of `cupy.cuda` that the engine uses: three devices, nothing asynchronous but NCCL.

Each device can follow the addresses of the others, as peers do; arrays know where they are.
"""

from __future__ import annotations

import ctypes
import threading
import weakref
from types import SimpleNamespace
from typing import Any

import numpy as np

from build import GPU, MULTIPROCESSORS
from cupy import capture, nccl
from cupy.capture import Memory as Memory
from cupy.capture import MemoryPointer as MemoryPointer
from cupy.capture import UnownedMemory as UnownedMemory
from cupy.capture import get_allocator as get_allocator
from cupy.capture import using_allocator as using_allocator

_MEMORY = 1 << 32


_DEVICES = 3


class _Current(threading.local):
    """A thread's own device."""

    device = 0


_current = _Current()


class Device:
    """Two multiprocessors of `build.GPU`."""

    attributes = {  # noqa: RUF012
        "MultiProcessorCount": MULTIPROCESSORS,
        "L2CacheSize": 1 << 15,
        "MaxSharedMemoryPerBlockOptin": GPU.shared << 10,
    }
    compute_capability = GPU.capability

    def __init__(self, device: int | None = None) -> None:
        self.id = _current.device if device is None else device
        assert 0 <= self.id < _DEVICES
        self._before: list[int] = []

    def __enter__(self) -> Device:
        self._before.append(_current.device)
        self.use()
        return self

    def __exit__(self, *_: Any) -> None:
        _current.device = self._before.pop()

    def use(self) -> None:
        _current.device = self.id

    def synchronize(self) -> None:
        capture.waits()


class _CurrentStream(threading.local):
    """A thread's own stream."""

    stream: Stream | None = None


_streams = _CurrentStream()


class Stream:
    null: Stream
    ptr = 0
    _made = 0

    def __init__(self, non_blocking: bool = False) -> None:
        Stream._made += 1
        self.ptr = 4096 * Stream._made
        self._before: list[Any] = []

    def synchronize(self) -> None:
        capture.waits()
        for transfer in nccl.under_way(self.ptr):
            transfer.wait()

    @property
    def done(self) -> bool:
        return all(transfer.is_set() for transfer in nccl.under_way(self.ptr))

    def begin_capture(self, mode: Any = None) -> None:
        if self is Stream.null:
            raise capture.CaptureError("cannot capture on the default stream")
        capture.begin()

    def end_capture(self) -> capture.Graph:
        return capture.end()

    def wait_event(self, event: Any) -> None:
        pass

    def __enter__(self) -> Stream:
        self._before.append(_streams.stream)
        _streams.stream = self
        return self

    def __exit__(self, *_: Any) -> None:
        _streams.stream = self._before.pop()


Stream.null = Stream()
Stream.null.ptr = 0


def get_current_stream() -> Stream:
    return _streams.stream or Stream.null


class Event:
    def __init__(self, disable_timing: bool = False) -> None:
        self._before: list[Any] = []

    def record(self, stream: Any = None) -> None:
        self._before = nccl.under_way((stream or get_current_stream()).ptr)

    @property
    def done(self) -> bool:
        return all(transfer.is_set() for transfer in self._before)

    def synchronize(self) -> None:
        capture.waits()
        for transfer in self._before:
            transfer.wait()


def get_elapsed_time(start: Event, stop: Event) -> float:
    return 1.0


def alloc_pinned_memory(nbytes: int) -> Any:
    kind: Any = type("Pinned", (ctypes.c_char * nbytes,), {"ptr": property(ctypes.addressof)})
    return kind()


class PinnedMemory:
    """Of the host, filled with rubbish."""

    def __init__(self, size: int, flags: int = 0) -> None:
        self._bytes = ctypes.create_string_buffer(b"\xa5" * (size + 4096), size + 4096)
        self.ptr, self.size = -(-ctypes.addressof(self._bytes) // 4096) * 4096, size


class _Pool:
    """Says how much the arrays of all devices hold, and refuses more than a limit."""

    def __init__(self) -> None:
        self._held: dict[int, Any] = {}
        self._used = self._limit = 0

    def hold(self, array: Any) -> None:
        """Count an array of the GPU's memory until nothing refers to that any more."""
        owner = array
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        # What has another base lies in memory of the host, or of an allocator's.
        if owner.base is not None or not owner.nbytes or id(owner) in self._held:
            return
        key, nbytes = id(owner), owner.nbytes
        if self._limit and self._used + nbytes > self._limit:
            raise memory.OutOfMemoryError(f"Out of memory allocating {nbytes:,} bytes")

        def let_go(_: Any) -> None:
            del self._held[key]
            self._used -= nbytes

        self._held[key] = weakref.ref(owner, let_go)
        self._used += nbytes

    def free_bytes(self) -> int:
        return 0

    def used_bytes(self) -> int:
        return self._used

    def total_bytes(self) -> int:
        return self._used

    def get_limit(self) -> int:
        return self._limit

    def set_limit(self, size: int) -> None:
        self._limit = size

    def free_all_blocks(self) -> None:
        pass


class MemoryPool:
    """Of allocations of its own."""

    def malloc(self, size: int) -> MemoryPointer:
        return MemoryPointer(Memory(size), 0)

    def free_all_blocks(self) -> None:
        pass


class _Error(RuntimeError):
    pass


def _copy(to: int, source: int, nbytes: int, *_: Any) -> None:
    if not capture.changed(ctypes.memmove, to, source, nbytes):
        ctypes.memmove(to, source, nbytes)


def _set(to: int, value: int, nbytes: int, *_: Any) -> None:
    if not capture.changed(ctypes.memset, to, value, nbytes):
        ctypes.memset(to, value, nbytes)


memory = SimpleNamespace(OutOfMemoryError=type("OutOfMemoryError", (MemoryError,), {}))
driver = SimpleNamespace(CUDADriverError=_Error)
runtime = SimpleNamespace(
    CUDARuntimeError=_Error,
    getDevice=lambda: _current.device,
    setDevice=lambda device: setattr(_current, "device", device),
    getDeviceCount=lambda: _DEVICES,
    deviceCanAccessPeer=lambda device, other: device != other,
    deviceEnablePeerAccess=lambda other: None,
    getDeviceProperties=lambda device: {
        "name": b"Emulated GPU",
        "uuid": bytes([device] * 16),
        "multiProcessorCount": MULTIPROCESSORS,
    },
    deviceGetPCIBusId=lambda device: "0000:00:00.0",
    runtimeGetVersion=lambda: 0,
    memGetInfo=lambda: (_MEMORY, _MEMORY),
    memcpyAsync=_copy,
    memsetAsync=_set,
    streamSynchronize=lambda stream: capture.waits(),
    memcpyDefault=4,
    memcpyDeviceToHost=2,
    memcpyHostToDevice=1,
)
