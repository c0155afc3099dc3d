"""Launches of kernels whose arguments are all eight bytes wide, through the driver itself.

CuPy works out every argument's type at every launch; here nothing is left to work out, and a launch
costs a third.
"""

from __future__ import annotations

import ctypes
from functools import cache
from threading import Lock
from typing import Any

from spbfs.engines.cuda.runtime.driver import enter
from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = ["THREADS", "Launch", "kernel_of"]

#: Threads of a CTA, ``kThreads`` of the kernels.
THREADS = 256


@cache
def _entry() -> Any:
    entry = ctypes.CDLL("libcuda.so.1").cuLaunchKernel
    entry.argtypes = (
        ctypes.c_void_p,
        *[ctypes.c_uint] * 7,
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_void_p,
    )
    return entry


class Launch:
    """A kernel of `THREADS` threads a CTA.

    Parameters
    ----------
    kernel : cupy.RawKernel
        All of its parameters are pointers or ``long long``.
    """

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self._functions: dict[int, int] = {}
        self._lock = Lock()
        self._block: Any = None
        self._places: Any = None

    def __call__(self, blocks: int, arguments: tuple[int, ...]) -> None:
        """Launch on CuPy's current device and stream."""
        import cupy

        device = cupy.cuda.runtime.getDevice()
        function = self._functions.get(device)
        if function is None:
            function = self._functions[device] = self._kernel.kernel.ptr
        stream = cupy.cuda.get_current_stream().ptr
        # The driver has copied the arguments when it returns.
        with self._lock:
            if self._block is None:
                self._prepare(len(arguments))
            self._block[:] = arguments
            enter(_entry(), function, blocks, 1, 1, THREADS, 1, 1, 0, stream, self._places, None)

    def _prepare(self, count: int) -> None:
        self._block = (ctypes.c_int64 * count)()
        first = ctypes.addressof(self._block)
        self._places = (ctypes.c_void_p * count)(*(first + 8 * i for i in range(count)))


def kernel_of(specialisation: Specialisation, name: str) -> Launch:
    """A kernel of a module, by its name expression."""
    return Launch(specialisation.load().get_function(name))
