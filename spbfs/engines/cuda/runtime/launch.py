"""Launching kernels: the one way in which the CUDA engine does it, through the driver itself.

CuPy works out every argument's type at every launch; here nothing is left to work out, and a launch
costs a third.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime import recording
from spbfs.engines.cuda.runtime.driver import enter, resident_ctas
from spbfs.engines.cuda.runtime.modules import load
from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = ["PADDING", "THREADS", "Kernel", "pointer", "words_of"]

#: Threads of a CTA where a kernel does not ask for others, ``kThreads`` of the kernels.
THREADS = 256
#: Entries that a search's rows have behind the last one: it reads whole sectors, of eight.
PADDING = 8

#: Held while the shared memory that a kernel may have is raised.
_SHAPING = Lock()


def pointer(array: Any | None) -> int:
    """The address of an array's first element on the GPU, 0 for none."""
    return 0 if array is None else array.data.ptr


def words_of(*arguments: Any) -> tuple[int, ...]:
    """Arguments of a launch: addresses of arrays (0 for None), integers as they are, and doubles by
    their bits."""
    return tuple(map(_word_of, arguments))


#: A tuple: a union would be made at every call.
_INTEGERS = (int, np.integer)


def _word_of(argument: Any) -> int:
    if isinstance(argument, _INTEGERS):
        return int(argument)
    if isinstance(argument, float):
        return int(np.float64(argument).view(np.int64))
    return pointer(argument)


@cache
def _entry(cooperative: bool) -> Any:
    """The driver's function that launches; a cooperative launch takes no list of extra options."""
    driver = ctypes.CDLL("libcuda.so.1")
    entry = driver.cuLaunchCooperativeKernel if cooperative else driver.cuLaunchKernel
    count, address = ctypes.c_uint, ctypes.c_void_p
    entry.argtypes = [address, *[count] * 7, address, address, *([] if cooperative else [address])]
    return entry


class Kernel:
    """A kernel with its threads, launched with as many CTAs as there is work for.

    Parameters
    ----------
    specialisation : Specialisation
        The module that it is of; it says whether launches are cooperative.
    name : str, optional
        Its name expression; the module's first by default.
    threads : int, optional
        Threads a CTA.
    shared_bytes : int, optional
        Dynamic shared memory of a CTA.
    block : ndarray, optional
        A structured array of one element: the kernel's first parameter, read where it lies at every
        launch.
    """

    def __init__(
        self,
        specialisation: Specialisation,
        name: str | None = None,
        *,
        threads: int = THREADS,
        shared_bytes: int = 0,
        block: np.ndarray[Any, Any] | None = None,
    ) -> None:
        import cupy  # not at every launch: to look it up takes as long as a number to set

        self._raw = load(specialisation).get_function(name or specialisation.kernels[0])
        self._threads, self._shared_bytes = threads, shared_bytes
        self._block = block  # so that it stays where the driver reads it
        self._entry = _entry(specialisation.cooperative)
        self._options = () if specialisation.cooperative else (None,)
        self._functions: dict[int, int] = {}
        self._lock = Lock()
        self._get_device = cupy.cuda.runtime.getDevice
        self._slots: Any = None
        self._parameters: Any = None
        if shared_bytes:
            # Others launch this kernel, too: none may take away what another has asked for.
            with _SHAPING:
                allowed = self._raw.max_dynamic_shared_size_bytes
                self._raw.max_dynamic_shared_size_bytes = max(allowed, shared_bytes)

    @property
    def function(self) -> int:
        """The `CUfunction` of the current device."""
        device = self._get_device()
        function = self._functions.get(device)
        if function is None:
            function = self._functions[device] = self._raw.kernel.ptr
        return function

    @property
    def resident(self) -> int:
        """CTAs that a multiprocessor of the current device holds at once."""
        return resident_ctas(self.function, self._threads, self._shared_bytes)

    def __call__(
        self,
        grid: int,
        arguments: Sequence[int] = (),
        stream: int | None = None,
        block: np.ndarray[Any, Any] | None = None,
    ) -> None:
        """Launch on the current device.

        Parameters
        ----------
        grid : int
            CTAs.
        arguments : sequence of int, optional
            The parameters behind `block`, as many at every launch: addresses and integers.  Each
            takes eight bytes, of which a narrower parameter reads the lower ones.
        stream : int, optional
            A `CUstream`; CuPy's current one by default.
        block : ndarray, optional
            Written over `block` before, where callers take turns.
        """
        if stream is None:
            import cupy

            stream = cupy.cuda.get_current_stream().ptr
        function = self.function
        recording.used((function, grid))
        # The driver has copied the arguments when it returns.
        with self._lock:
            if self._parameters is None:
                self._prepare(len(arguments))
            if arguments:
                self._slots[:] = arguments
            if block is not None and self._block is not None:
                self._block[:] = block
            enter(
                self._entry,
                function,
                *(grid, 1, 1, self._threads, 1, 1),
                self._shared_bytes,
                stream,
                self._parameters,
                *self._options,
            )

    def _prepare(self, count: int) -> None:
        """Where the driver finds the parameters."""
        self._slots = (ctypes.c_int64 * count)()
        first = ctypes.addressof(self._slots)
        places = [] if self._block is None else [self._block.ctypes.data]
        places += [first + 8 * i for i in range(count)]
        self._parameters = (ctypes.c_void_p * len(places))(*places)
