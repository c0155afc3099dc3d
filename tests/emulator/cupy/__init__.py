"""NumPy under CuPy's name, as far as the CUDA engine uses it, with kernels run by the emulator.

Fresh memory is filled with a pattern, so that what is read before it is written shows.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as _np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cupy import capture

sys.path.pop(0)

#: As a launch here returns when the kernel has ended.
os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
_RUBBISH = 0xA5
#: Functions whose results are as long as their values say, which the host must know.
_WAIT = ("flatnonzero", "unique", "nonzero", "argwhere", "extract", "union1d", "intersect1d")
__version__ = "14.0"


class _Memory:
    """What CuPy's arrays call their data."""

    def __init__(self, array: Any) -> None:
        self.array = array  # kept
        self.ptr = int(array.ctypes.data)

    @property
    def mem(self) -> Any:
        """Whose it is, where that is not the GPU's."""
        base = self.array
        while isinstance(base, _np.ndarray):
            base = base.base
        return getattr(getattr(base, "owner", None), "mem", None)

    def memset_async(self, value: int, nbytes: int) -> None:
        if not capture.changed(ctypes.memset, self.ptr, value, nbytes):
            ctypes.memset(self.ptr, value, nbytes)


class ndarray(_np.ndarray):  # noqa: N801
    """NumPy's array with the attributes of CuPy's."""

    def __new__(
        cls, shape: Any, dtype: Any = float, memptr: _Memory | None = None, strides: Any = None
    ) -> Any:
        if memptr is None:
            return empty(shape, dtype)
        nbytes = _np.dtype(dtype).itemsize * (1 if strides else int(_np.prod(shape)))
        memory = (ctypes.c_byte * max(1, nbytes)).from_address(memptr.ptr)
        memory.owner = memptr
        return super().__new__(cls, shape, dtype, memory, 0, strides)

    data = property(_Memory)  # type: ignore[assignment]

    def __array_finalize__(self, base: Any) -> None:
        # Parts of an array are where it is, what is made is on the current device.
        part = isinstance(base, ndarray) and self.base is not None
        self._device = base._device if part else cuda.runtime.getDevice()

    @property
    def device(self) -> Any:  # type: ignore[override]
        return cuda.Device(self._device)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {**self.__array_interface__, "version": 3}

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return array.view(ndarray)

    def __array_ufunc__(self, ufunc: Any, method: str, *given: Any, **options: Any) -> Any:
        call, out = getattr(ufunc, method), options.get("out")
        if out is None and method != "at":
            return capture.made(_on_plain(call), *given, **options)
        if not capture.changed(call, *given, **options):
            options = options if out is None else {**options, "out": tuple(map(_plain, out))}
            call(*map(_plain, given), **options)
        return None if out is None else out[0]

    def __setitem__(self, key: Any, value: Any) -> None:
        if not capture.changed(_np.ndarray.__setitem__, self, key, value):
            super().__setitem__(key, value)

    def __getitem__(self, key: Any) -> Any:
        return capture.made(_np.ndarray.__getitem__, self, key)

    def fill(self, value: Any) -> None:
        if not isinstance(value, _np.ndarray) and value == 0 and self.flags.c_contiguous:
            value = 0  # by clearing memory, which makes 0.0 of -0.0
        if not capture.changed(_np.ndarray.fill, self, value):
            super().fill(value)

    def astype(self, *given: Any, **options: Any) -> Any:
        return capture.made(_np.ndarray.astype, self, *given, **options)

    def copy(self, order: Any = "C") -> Any:
        return capture.made(_np.ndarray.copy, self, order)

    def __bool__(self) -> bool:
        capture.waits()
        return super().__bool__()

    def __int__(self) -> int:
        capture.waits()
        return super().__int__()

    def __float__(self) -> float:
        capture.waits()
        return super().__float__()

    def item(self, *given: Any) -> Any:
        capture.waits()
        return super().item(*given)

    def tolist(self) -> Any:
        capture.waits()
        return super().tolist()

    def get(self, stream: Any = None, order: str = "C", out: Any = None) -> Any:
        capture.waits()
        if out is None:
            return _np.array(self.view(_np.ndarray))
        out[...] = self.view(_np.ndarray)
        return out

    def nonzero(self) -> Any:
        capture.waits()
        return tuple(_np.asarray(i).view(ndarray) for i in super().nonzero())

    def sort(self, *given: Any, **options: Any) -> None:
        # As radix sort, which needs room for a copy.
        room = empty(self.shape, self.dtype)
        super().sort(*given, **options)
        del room

    def set(self, array: Any, stream: Any = None) -> None:
        self[...] = array

    def max(self, axis: Any = None) -> Any:
        return super().max(axis)

    def min(self, axis: Any = None) -> Any:
        return super().min(axis)

    def any(self, *arguments: Any, **options: Any) -> Any:
        _refuse_slow("any")
        return super().any(*arguments, **options)

    def all(self, *arguments: Any, **options: Any) -> Any:
        _refuse_slow("all")
        return super().all(*arguments, **options)


def _plain(x: Any) -> Any:
    return x.view(_np.ndarray) if isinstance(x, ndarray) else x


def _on_plain(function: Any) -> Any:
    """The function over NumPy's own arrays."""

    def call(*given: Any, **options: Any) -> Any:
        return _given(function(*map(_plain, given), **options))

    return call


def _refuse_slow(name: str) -> None:
    """What CuPy compiles for three seconds is not for the engine to call."""
    caller = sys._getframe(2).f_globals["__name__"]
    if caller.startswith("spbfs."):
        raise AssertionError(f"{caller} calls {name} of CuPy; spbfs.base.flags does not compile")


def count_nonzero(array: Any) -> Any:
    _refuse_slow("count_nonzero")
    return _given(_np.asarray(_np.count_nonzero(array)))


def _given(found: Any) -> Any:
    """What a function of NumPy's found, as a device array."""
    if isinstance(found, tuple):
        return tuple(_given(x) for x in found)
    if isinstance(found, (_np.ndarray, _np.generic)):
        made = _np.asarray(found).view(ndarray)
        _POOL.hold(made)
        return made
    return found


def empty(*arguments: Any, **options: Any) -> ndarray:
    array = _np.empty(*arguments, **options)
    if capture.here.allocator is not None:
        block = capture.here.allocator(array.nbytes)
        memory = (ctypes.c_byte * max(1, array.nbytes)).from_address(block.ptr)
        memory.owner = block  # type: ignore[attr-defined]
        array = _np.ndarray(array.shape, array.dtype, memory)
    if array.size:
        array.reshape(-1).view(_np.uint8).fill(_RUBBISH)
    _POOL.hold(array)
    return array.view(ndarray)


def asarray(array: Any, *arguments: Any, **options: Any) -> ndarray:
    if not isinstance(array, _np.ndarray) and hasattr(array, "__cuda_array_interface__"):
        array = SimpleNamespace(__array_interface__=array.__cuda_array_interface__, owner=array)
    # What comes from the host is another array on the GPU.
    copied = isinstance(array, _np.ndarray) and not isinstance(array, ndarray)
    made = (_np.array if copied else _np.asarray)(array, *arguments, **options).view(ndarray)
    _POOL.hold(made)
    return made


def repeat(array: Any, repeats: int) -> ndarray:
    if not isinstance(repeats, int):
        raise ValueError("CuPy repeats by an array from 14.1 on only")
    return _given(_np.repeat(array, repeats))


def asnumpy(array: Any, *_: Any, **__: Any) -> Any:
    return array.get() if isinstance(array, ndarray) else _np.asarray(array)


def __getattr__(name: str) -> Any:
    found = getattr(_np, name)
    if isinstance(found, type) or not callable(found):
        return found

    def function(*arguments: Any, **options: Any) -> Any:
        if name in _WAIT:
            capture.waits()
        return capture.made(lambda *a, **o: _given(found(*a, **o)), *arguments, **options)

    if name in ("add", "maximum", "minimum"):
        function.at = _scattered(found)  # type: ignore[attr-defined]
    return function


def _scattered(ufunc: Any) -> Any:
    """`ufunc.at`, of the types that CuPy has atomics for."""

    def at(a: Any, indices: Any, b: Any) -> None:
        if a.dtype.char not in "ifdILQ":
            raise TypeError(f"CuPy scatters int32, uint32, uint64 and floats, not {a.dtype}")
        ufunc.at(a, indices, b)

    return at


from cupy import cuda  # noqa: E402
from cupy.kernels import RawModule, ReductionKernel  # noqa: E402, F401

_POOL = cuda._Pool()


def get_default_memory_pool() -> Any:
    return _POOL
