"""NVRTC through ctypes: the compiler that CuPy runs, in the releases that pip installs."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Any

__all__ = ["Compiled", "compile_source", "release_for", "version"]

#: Distributions that bring NVRTC, by the release of CUDA.
_DISTRIBUTIONS = {13: "nvidia-cuda-nvrtc", 12: "nvidia-cuda-nvrtc-cu12"}


@dataclass(frozen=True, slots=True)
class Compiled:
    """Whether the compiler was content, what it printed, and kernels by their mangled names."""

    fine: bool
    log: str
    names: dict[str, str]


def release_for(arch: int) -> int:
    """CUDA 13 has given up what came before 7.5."""
    return 13 if arch >= 75 else 12


@cache
def _library(release: int) -> Any:
    name = _DISTRIBUTIONS[release]
    try:
        found: Distribution = distribution(name)
    except PackageNotFoundError:
        raise SystemExit(f"{name} is missing: pip install {name}") from None
    last = f"libnvrtc.so.{release}"
    path = next(f for f in found.files or () if f.name == last)
    return ctypes.CDLL(str(found.locate_file(path)))


def version(release: int) -> str:
    """Of the installed compiler."""
    return distribution(_DISTRIBUTIONS[release]).version


def _check(status: int, call: str) -> None:
    if status:
        raise RuntimeError(f"{call}: NVRTC's error {status}")


def compile_source(
    source: str, name: str, options: tuple[str, ...], kernels: tuple[str, ...], release: int
) -> Compiled:
    """Compile one source for the kernels named by expressions."""
    library, program = _library(release), ctypes.c_void_p()
    status = library.nvrtcCreateProgram(
        ctypes.byref(program), source.encode(), name.encode(), 0, None, None
    )
    _check(status, "nvrtcCreateProgram")
    for kernel in kernels:
        _check(library.nvrtcAddNameExpression(program, kernel.encode()), kernel)
    given = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    fine = library.nvrtcCompileProgram(program, len(options), given) == 0
    size = ctypes.c_size_t()
    _check(library.nvrtcGetProgramLogSize(program, ctypes.byref(size)), "nvrtcGetProgramLogSize")
    log = ctypes.create_string_buffer(size.value)
    _check(library.nvrtcGetProgramLog(program, log), "nvrtcGetProgramLog")
    names: dict[str, str] = {}
    for kernel in kernels if fine else ():
        lowered = ctypes.c_char_p()
        status = library.nvrtcGetLoweredName(program, kernel.encode(), ctypes.byref(lowered))
        _check(status, kernel)
        names[(lowered.value or b"").decode()] = kernel
    _check(library.nvrtcDestroyProgram(ctypes.byref(program)), "nvrtcDestroyProgram")
    return Compiled(fine, log.value.decode().rstrip(), names)
