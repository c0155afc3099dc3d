"""NVRTC through ctypes: the compiler that CuPy runs, where there is neither CuPy nor a GPU."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

__all__ = [
    "LATEST",
    "OLDEST",
    "Compiled",
    "NoCompiler",
    "compile_source",
    "library_for",
    "requirement_for",
    "version",
]

#: Distributions that bring NVRTC, by the release of CUDA, and their versions that know of the GPUs
#: of 2025.
_DISTRIBUTIONS = {13: "nvidia-cuda-nvrtc", 12: "nvidia-cuda-nvrtc-cu12"}
_VERSIONS = {13: ">=13.0,<14", 12: ">=12.9"}
#: The first architecture that a release knows, and later ones that it does not.
_FIRST = {13: 75, 12: 50}
_UNKNOWN = {13: frozenset[int](), 12: frozenset({88, 107, 110})}
#: Machines that the distributions are made for.
_MACHINES = ("x86_64", "aarch64")
#: Releases with the latest first, and with that first whose code most drivers take.
LATEST, OLDEST = (13, 12), (12, 13)
#: Where a toolkit has its libraries that the loader does not know of.
_TOOLKIT = Path("/usr/local/cuda/lib64")


class NoCompiler(Exception):
    """NVRTC is missing, does not know the architecture, or fails at what is no source's fault."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """Whether the compiler was content, what it printed, kernels by their mangled names, and the
    machine code."""

    fine: bool
    log: str
    names: dict[str, str]
    image: bytes


def _places(release: int) -> Iterator[str]:
    """Where the library of a release of CUDA may be: what pip has installed, then a toolkit's."""
    name = f"libnvrtc.so.{release}"
    try:
        files = distribution(_DISTRIBUTIONS[release]).files or ()
    except PackageNotFoundError:
        files = ()
    yield from (str(file.locate()) for file in files if file.name == name)
    yield name
    yield str(_TOOLKIT / name)


@cache
def _library(release: int) -> Any:
    for place in _places(release):
        try:
            return ctypes.CDLL(place)
        except OSError:
            pass
    return None


def _knows(library: Any, arch: int) -> bool:
    count = ctypes.c_int()
    _check(library.nvrtcGetNumSupportedArchs(ctypes.byref(count)), "nvrtcGetNumSupportedArchs")
    known = (ctypes.c_int * count.value)()
    _check(library.nvrtcGetSupportedArchs(known), "nvrtcGetSupportedArchs")
    return arch in known


def library_for(arch: int, releases: Sequence[int] = LATEST) -> Any:
    """NVRTC of the first of these releases of CUDA that is here and knows an architecture, 90 for
    9.0.

    Raises
    ------
    NoCompiler
        There is none.
    """
    for release in releases:
        library = _library(release)
        if library is not None and _knows(library, arch):
            return library
    brings = requirement_for(arch, releases)
    advice = f"; {brings.partition('>')[0]} brings one" if brings else ""
    raise NoCompiler(f"no NVRTC is here that knows it{advice}")


def requirement_for(arch: int, releases: Sequence[int]) -> str | None:
    """What pip brings it by, as a build requires it; None where no release knows the architecture.

    Examples
    --------
    >>> print(requirement_for(70, (13, 12)).partition(";")[0])
    nvidia-cuda-nvrtc-cu12>=12.9
    """
    machines = " or ".join(f'platform_machine == "{machine}"' for machine in _MACHINES)
    for release in releases:
        if arch >= _FIRST[release] and arch not in _UNKNOWN[release]:
            return f"{_DISTRIBUTIONS[release]}{_VERSIONS[release]}; {machines}"
    return None


def version(library: Any) -> str:
    """Of the compiler, as in ``"13.0"``."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    _check(library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)), "nvrtcVersion")
    return f"{major.value}.{minor.value}"


def _check(status: int, call: str) -> None:
    if status:
        raise NoCompiler(f"{call}: NVRTC's error {status}")


def _text(library: Any, program: ctypes.c_void_p, what: str) -> bytes:
    """What ``nvrtcGet<what>Size`` and ``nvrtcGet<what>`` say of a program."""
    size = ctypes.c_size_t()
    _check(getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size)), what)
    text = ctypes.create_string_buffer(size.value)
    _check(getattr(library, f"nvrtcGet{what}")(program, text), what)
    return text.raw


def compile_source(
    library: Any, source: str, name: str, options: tuple[str, ...], kernels: tuple[str, ...]
) -> Compiled:
    """Compile one source for the kernels named by expressions.

    Parameters
    ----------
    library : ctypes.CDLL
        Of `library_for`.
    source, name : str
        The text and what messages call it.
    options : tuple of str
        With the architecture, ``"-arch=sm_90"``, for machine code.
    kernels : tuple of str
        Name expressions.
    """
    program = ctypes.c_void_p()
    status = library.nvrtcCreateProgram(
        ctypes.byref(program), source.encode(), name.encode(), 0, None, None
    )
    _check(status, "nvrtcCreateProgram")
    for kernel in kernels:
        _check(library.nvrtcAddNameExpression(program, kernel.encode()), kernel)
    given = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    fine = library.nvrtcCompileProgram(program, len(options), given) == 0
    log = _text(library, program, "ProgramLog").rstrip(b"\0").decode().rstrip()
    names: dict[str, str] = {}
    for kernel in kernels if fine else ():
        lowered = ctypes.c_char_p()
        status = library.nvrtcGetLoweredName(program, kernel.encode(), ctypes.byref(lowered))
        _check(status, kernel)
        names[(lowered.value or b"").decode()] = kernel
    image = _text(library, program, "CUBIN") if fine else b""
    _check(library.nvrtcDestroyProgram(ctypes.byref(program)), "nvrtcDestroyProgram")
    return Compiled(fine, log, names, image)
