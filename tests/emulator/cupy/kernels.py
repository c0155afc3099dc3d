"""Kernels from source: those that the emulator compiles, and CuPy's reductions."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import cupy
from build import GPU, Module, driver, library
from cupy import capture

__all__ = ["RawModule", "ReductionKernel"]


class _Kernel:
    """A `RawKernel`, which others launch through the driver."""

    def __init__(self, address: int, declared: int) -> None:
        self.kernel = SimpleNamespace(ptr=address)
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
            raise cupy.cuda.driver.CUDADriverError(
                f"a kernel that declares {self._declared} bytes of shared memory asks for {most}, "
                f"and a CTA has {GPU.shared} KiB"
            )
        self._most = most
        driver().allow_shared(ctypes.c_void_p(self.kernel.ptr), self._declared, most)


class RawModule:
    def __init__(
        self,
        *,
        code: str = "",
        options: tuple[str, ...] = (),
        name_expressions: tuple[str, ...] = (),
        path: str = "",
    ) -> None:
        self._path = path
        if path:
            return
        if unknown := [option for option in options if not option.startswith("-std=")]:
            raise ValueError(f"unrecognized option {unknown[0]}")
        self._module = Module(code, name_expressions)
        self._kernels: dict[str, _Kernel] = {}

    def compile(self) -> None:
        """It has been; machine code of a GPU cannot be."""
        if self._path:
            raise cupy.cuda.driver.CUDADriverError(f"{self._path} is for a GPU")

    def get_function(self, name: str) -> _Kernel:
        if name not in self._kernels:
            module = self._module
            self._kernels[name] = _Kernel(module.address(name), module.static_shared)
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
        found = cupy.empty((), self._made)
        places = (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))
        size = ctypes.c_longlong(arrays[0].size)
        reduce, at = library(code).reduce, ctypes.c_void_p(found.ctypes.data)
        if not capture.changed(reduce, size, places, at):
            reduce(size, places, at)
        return found
