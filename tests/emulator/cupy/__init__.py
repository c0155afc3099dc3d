"""NumPy under CuPy's name, as far as the CUDA engine uses it, with kernels run by the emulator.

Fresh memory is filled with a pattern, so that what is read before it is written shows.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as _np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from build import GPU, Module, driver, library

sys.path.pop(0)

_RUBBISH = 0xA5
__version__ = "14.0"


class _Memory:
    """What CuPy's arrays call their data."""

    def __init__(self, array: Any) -> None:
        self.array = array  # kept
        self.ptr = int(array.ctypes.data)

    def memset_async(self, value: int, nbytes: int) -> None:
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

    def get(self, stream: Any = None, order: str = "C", out: Any = None) -> Any:
        if out is None:
            return _np.array(self.view(_np.ndarray))
        out[...] = self.view(_np.ndarray)
        return out

    def nonzero(self) -> Any:
        return tuple(_np.asarray(i).view(ndarray) for i in super().nonzero())

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
        return _np.asarray(found).view(ndarray)
    return found


def empty(*arguments: Any, **options: Any) -> ndarray:
    array = _np.empty(*arguments, **options)
    if array.size:
        array.reshape(-1).view(_np.uint8).fill(_RUBBISH)
    return array.view(ndarray)


def asarray(array: Any, *arguments: Any, **options: Any) -> ndarray:
    if not isinstance(array, _np.ndarray) and hasattr(array, "__cuda_array_interface__"):
        array = SimpleNamespace(__array_interface__=array.__cuda_array_interface__, owner=array)
    return _np.asarray(array, *arguments, **options).view(ndarray)


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
        return _given(found(*arguments, **options))

    if name in ("maximum", "minimum"):
        function.at = _scattered(found)  # type: ignore[attr-defined]
    return function


def _scattered(ufunc: Any) -> Any:
    """`ufunc.at`, of the types that CuPy has atomics for."""

    def at(a: Any, indices: Any, b: Any) -> None:
        if a.dtype.char not in "ifdILQ":
            raise TypeError(f"CuPy scatters int32, uint32, uint64 and floats, not {a.dtype}")
        ufunc.at(a, indices, b)

    return at


class _Kernel:
    """A `RawKernel`: arguments are packed by their types and launched through the driver."""

    def __init__(self, address: int, cooperative: bool, declared: int) -> None:
        self.kernel = SimpleNamespace(ptr=address)
        self._cooperative = cooperative
        self._declared = declared
        # What needs no asking.
        self._most = max(0, (48 << 10) - declared)
        driver().declare_shared(ctypes.c_void_p(address), declared, self._most)

    @property
    def max_dynamic_shared_size_bytes(self) -> int:
        return self._most

    @max_dynamic_shared_size_bytes.setter
    def max_dynamic_shared_size_bytes(self, most: int) -> None:
        if self._declared + most > GPU.shared << 10:
            raise cuda.driver.CUDADriverError(
                f"a kernel that declares {self._declared} bytes of shared memory asks for {most}, "
                f"and a CTA has {GPU.shared} KiB"
            )
        self._most = most
        driver().allow_shared(ctypes.c_void_p(self.kernel.ptr), self._declared, most)

    def __call__(self, grid: Any, block: Any, arguments: Any, *, shared_mem: int = 0) -> None:
        held = [_argument(a) for a in arguments]
        places = (ctypes.c_void_p * len(held))(*(a.ctypes.data for a in held))
        shape = (grid[0], 1, 1, block[0], 1, 1, shared_mem)
        function, c = ctypes.c_void_p(self.kernel.ptr), ctypes.c_uint
        name = "cuLaunchCooperativeKernel" if self._cooperative else "cuLaunchKernel"
        last = () if self._cooperative else (None,)
        status = getattr(driver(), name)(function, *map(c, shape), None, places, *last)
        if status:
            raise cuda.driver.CUDADriverError(status)


def _argument(value: Any) -> Any:
    """The bytes that a kernel is given, in an array of the host."""
    if isinstance(value, ndarray):
        return _np.array(value.ctypes.data, _np.uint64)
    if isinstance(value, _np.ndarray) and value.ndim:
        raise TypeError("a kernel was given an array of the host")
    return _np.asarray(value)


class RawModule:
    def __init__(
        self,
        *,
        code: str,
        options: tuple[str, ...],
        name_expressions: tuple[str, ...],
        enable_cooperative_groups: bool = False,
    ) -> None:
        self._module = Module(code, name_expressions)
        self._cooperative = enable_cooperative_groups
        self._kernels: dict[str, _Kernel] = {}

    def compile(self) -> None:
        """It has been."""

    def get_function(self, name: str) -> _Kernel:
        if name not in self._kernels:
            module = self._module
            self._kernels[name] = _Kernel(
                module.address(name), self._cooperative, module.static_shared
            )
        return self._kernels[name]


class ReductionKernel:
    """CuPy's, for contiguous arrays: one loop, compiled for the types that it is called with."""

    def __init__(
        self, given: str, made: str, each: str, both: str, last: str, identity: str, name: str
    ) -> None:
        self._given = [p.split() for p in given.split(",")]
        self._made, self._result = made.split()
        self._each, self._both, self._last, self._identity = each, both, last, identity

    def __call__(self, *arrays: Any) -> Any:
        types = {kind: str(a.dtype) for (kind, _), a in zip(self._given, arrays, strict=True)}
        names = {kind: f"std::{dtype}_t" for kind, dtype in types.items()}
        reads = "".join(
            f"const {names[kind]} {name} = static_cast<{names[kind]}*>(given[{k}])[i];"
            for k, (kind, name) in enumerate(self._given)
        )
        code = f"""#include <cstdint>
extern "C" void reduce(long long n, void** given, std::{self._made}_t* result) {{
    auto a = static_cast<std::{self._made}_t>({self._identity});
    for (long long i = 0; i < n; ++i) {{ {reads} const auto b = {self._each}; a = {self._both}; }}
    auto& {self._result} = *result;
    {self._last};
}}
"""
        found = empty((), self._made)
        places = (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))
        size = ctypes.c_longlong(arrays[0].size)
        library(code).reduce(size, places, ctypes.c_void_p(found.ctypes.data))
        return found


from cupy import cuda  # noqa: E402

_POOL = cuda._Pool()


def get_default_memory_pool() -> Any:
    return _POOL
