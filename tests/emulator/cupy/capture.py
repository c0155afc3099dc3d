"""Launches of a thread listed instead of run while a stream captures, and memory for new arrays.

As with CUDA, what is listed has the addresses of the moment, nothing is computed before the list is
launched, and whoever waits for a result meanwhile fails and spoils the list.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from build import driver, parameters

__all__ = [
    "Graph",
    "Memory",
    "MemoryPointer",
    "UnownedMemory",
    "begin",
    "changed",
    "end",
    "get_allocator",
    "here",
    "made",
    "using_allocator",
    "waits",
]

Step = Callable[[], Any]


class CaptureError(RuntimeError):
    """CUDA's, where a stream is capturing."""


class _Here(threading.local):
    """Of a thread: what it lists, and where new arrays lie."""

    steps: list[Step] | None = None
    spoilt = False
    allocator: Callable[[int], Any] | None = None


here = _Here()

_TOLD = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    *[ctypes.c_uint] * 3,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_int,
)


@_TOLD
def _listed(
    function: Any, blocks: int, threads: int, dynamic: int, arguments: Any, cooperative: int
) -> int:
    """A launch of a kernel, its parameters copied as the driver does."""
    given = [ctypes.string_at(arguments[i], n) for i, n in enumerate(parameters[function])]
    held = [ctypes.create_string_buffer(value, len(value)) for value in given]
    places = (ctypes.c_void_p * len(held))(*map(ctypes.addressof, held))
    name = "cuLaunchCooperativeKernel" if cooperative else "cuLaunchKernel"
    shape = (blocks, 1, 1, threads, 1, 1, dynamic)
    last = () if cooperative else (None,)
    assert here.steps is not None

    def step(held: Any = held) -> None:
        words = map(ctypes.c_uint, shape)
        assert not getattr(driver(), name)(ctypes.c_void_p(function), *words, None, places, *last)

    here.steps.append(step)
    return 0


def begin() -> None:
    """From now on this thread's launches are listed."""
    assert here.steps is None
    here.steps, here.spoilt = [], False
    driver().capture_launches(_listed)


def end() -> Graph:
    """The launches since then."""
    steps, here.steps = here.steps, None
    driver().capture_launches(None)
    if here.spoilt or steps is None:
        raise CaptureError("the capture was spoilt by an operation that waits")
    return Graph(steps)


class Graph:
    """Launches, made again by every call."""

    def __init__(self, steps: list[Step]) -> None:
        self._steps = steps

    def launch(self, stream: Any = None) -> None:
        for step in self._steps:
            step()


def waits() -> None:
    """Called by whoever waits for the GPU or brings a result to the host."""
    if here.steps is not None:
        here.spoilt = True
        raise CaptureError("operation not permitted when stream is capturing")


@contextmanager
def _not_listed() -> Iterator[None]:
    steps, here.steps = here.steps, None
    try:
        yield
    finally:
        here.steps = steps


def made(function: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """What a function of NumPy's makes, in memory of the allocator; listed where that is asked for.

    A part of what it is given stays one.
    """
    if here.allocator is None and here.steps is None:
        found = function(*given, **options)
        if hasattr(found, "_device"):
            import cupy

            cupy.get_default_memory_pool().hold(found)
        return found
    steps = here.steps
    with _not_listed(), np.errstate(all="ignore"):
        found = function(*given, **options)
        several = isinstance(found, tuple)
        places = [_placed(x, given) for x in (found if several else (found,))]
    if steps is not None and any(own for _, own in places):
        told, named = _alias(given), {name: _alias(x) for name, x in options.items()}
        results = [(_alias(place), own) for place, own in places]

        def step() -> None:
            again = function(*told, **named)
            for (place, own), x in zip(results, again if several else (again,), strict=True):
                if own:
                    place[...] = x

        steps.append(step)
    arrays = tuple(place for place, _ in places)
    return arrays if several else arrays[0]


def _placed(found: Any, given: tuple[Any, ...]) -> tuple[Any, bool]:
    """A result and whether it has memory of its own, which is then the allocator's."""
    if not isinstance(found, np.ndarray | np.generic):
        return found, False
    parts = [x for x in given if isinstance(x, np.ndarray)]
    if isinstance(found, np.ndarray) and any(np.may_share_memory(found, x) for x in parts):
        return found, False
    import cupy

    place = cupy.empty(found.shape, found.dtype)
    place.view(np.ndarray)[...] = found
    return place, True


def changed(function: Callable[..., Any], *given: Any, **options: Any) -> bool:
    """List a call that writes into what it is given; False where nothing is listed."""
    if here.steps is None:
        return False
    told, named = _alias(given), {name: _alias(x) for name, x in options.items()}
    here.steps.append(lambda: function(*told, **named))
    return True


def _alias(x: Any) -> Any:
    """The same memory by its address: what is listed keeps nothing alive."""
    if isinstance(x, tuple | list):
        return type(x)(map(_alias, x))
    if not hasattr(x, "_device"):
        return x
    if x.size == 0:
        return np.empty(x.shape, x.dtype)
    low, high = np.lib.array_utils.byte_bounds(x)
    memory = (ctypes.c_byte * (high - low)).from_address(low)
    return np.ndarray(x.shape, x.dtype, memory, x.ctypes.data - low, x.strides)


class MemoryPointer:
    """Memory, held by the arrays that lie in it."""

    def __init__(self, memory: Any, offset: int) -> None:
        self.mem = memory
        self.ptr = memory.ptr + offset


class Memory:
    """An allocation of its own."""

    def __init__(self, size: int) -> None:
        self._bytes = ctypes.create_string_buffer(b"\xa5" * (size + 256), size + 256)
        # As far from the last one as the driver's are.
        self.ptr, self.size = -(-ctypes.addressof(self._bytes) // 256) * 256, size


class UnownedMemory:
    """Memory of somebody else's, who is kept."""

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int = -1) -> None:
        self.ptr, self.size, self.owner = ptr, size, owner


def _allocated(nbytes: int) -> MemoryPointer:
    block = np.empty(max(nbytes, 1), np.uint8)
    return MemoryPointer(UnownedMemory(int(block.ctypes.data), nbytes, block), 0)


def get_allocator() -> Callable[[int], Any]:
    return here.allocator or _allocated


@contextmanager
def using_allocator(allocator: Callable[[int], Any]) -> Iterator[None]:
    before, here.allocator = here.allocator, allocator
    try:
        yield
    finally:
        here.allocator = before
