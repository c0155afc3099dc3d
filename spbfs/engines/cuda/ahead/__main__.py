"""Compile the CUDA kernels for a package to bring: python -m spbfs.engines.cuda.ahead FOLDER

CMake runs this, so that a first search waits for no compiler.  By default for the GPUs of this
machine: where it has none, or no NVRTC, nothing is compiled, and kernels are when they are first
used.  What is in the folder from the last time and has not changed stays as it is; what is no
longer asked for goes, folders sm_* of other architectures included.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import shutil
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from spbfs.engines.cuda.ahead import nvrtc
from spbfs.engines.cuda.runtime.cubins import INDEX, Index, file_of, index_of
from spbfs.engines.cuda.runtime.source import CUPY_OPTIONS, Specialisation
from spbfs.engines.cuda.specialisations import specialisations

#: `CUdevice_attribute`.
_MAJOR, _MINOR = 75, 76
#: More would take more memory than they save time: a compiler needs some hundred megabytes.
_MOST_THREADS = 16
#: What takes longest begins first.
_LONG = ("bfs_many", "bfs", "bfs_many_sums")
#: What a folder's files are called by.
_OURS = (".cubin", ".partly")


class CompilationError(Exception):
    """What the compiler says of a module."""


class Machine(NamedTuple):
    """The GPUs of this machine."""

    #: Compute capabilities, 90 for 9.0.
    capabilities: set[int]
    #: The release of CUDA that the driver is of: it takes no code of later ones.
    release: int


def machine() -> Machine:
    """As the driver says, if there is one."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return Machine(set(), 0)
    count, release = ctypes.c_int(), ctypes.c_int()
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
        return Machine(set(), 0)
    driver.cuDriverGetVersion(ctypes.byref(release))
    found = set()
    for device in range(count.value):
        major, minor = ctypes.c_int(), ctypes.c_int()
        for part, attribute in ((major, _MAJOR), (minor, _MINOR)):
            driver.cuDeviceGetAttribute(ctypes.byref(part), attribute, device)
        found.add(10 * major.value + minor.value)
    return Machine(found, release.value // 1000)


def _compile(library: Any, arch: int, folder: Path, module: Specialisation) -> dict[str, str]:
    """One module, written to its file; mangled names by name expressions."""
    options = (*module.options, *CUPY_OPTIONS, f"-arch=sm_{arch}")
    made = nvrtc.compile_source(library, module.code, module.stem, options, module.kernels)
    if not made.fine:
        raise CompilationError(f"{module.stem}: {made.log}")
    _write(file_of(folder, module), made.image)
    return {expression: mangled for mangled, expression in made.names.items()}


def _write(path: Path, content: bytes) -> None:
    """All of it or nothing."""
    partly = path.with_suffix(".partly")
    partly.write_bytes(content)
    partly.replace(path)


def compile_ahead(folder: Path, arch: int, library: Any, stems: set[str]) -> int:
    """All modules of one architecture, or of some sources; how many of them were new.

    A folder holds a file of machine code a module, called by all that it was made of, and in
    ``index.json``, which is written last, the compiler and the names of their kernels.
    """
    modules = {
        s.key: s
        for s in specialisations()
        if s.capability <= arch < (s.below or arch + 1) and (not stems or s.stem in stems)
    }
    folder.mkdir(parents=True, exist_ok=True)
    compiler = nvrtc.version(library)
    begun = index_of(folder)
    kept = begun.names if begun.compiler == compiler else {}
    names = {k: kept[k] for k, s in modules.items() if k in kept and file_of(folder, s).exists()}
    new = sorted(
        (s for key, s in modules.items() if key not in names), key=lambda s: s.stem not in _LONG
    )
    with ThreadPoolExecutor(min(_MOST_THREADS, len(os.sched_getaffinity(0)))) as pool:
        found = pool.map(partial(_compile, library, arch, folder), new)
        names |= {s.key: of_module for s, of_module in zip(new, found, strict=True)}
    for old in folder.iterdir():
        if old.stem not in names and old.suffix in _OURS:
            old.unlink()
    _write(folder / INDEX, json.dumps(Index(compiler, names)._asdict()).encode())
    return len(new)


def _native(here: Machine) -> set[int]:
    """What all GPUs of this machine run; nothing where they are of several generations."""
    generations = {capability // 10 for capability in here.capabilities}
    return {min(here.capabilities)} if len(generations) == 1 else set()


def _wanted(named: set[int], native: bool, here: Machine) -> dict[int, Sequence[int]]:
    """Architectures, and of which releases of CUDA a compiler for each may be, the best first."""
    drivers = [release for release in nvrtc.LATEST if release <= here.release]
    found = dict.fromkeys(_native(here) if native else (), drivers)
    return dict(sorted((found | dict.fromkeys(named, nvrtc.OLDEST)).items()))


def _missing(wanted: dict[int, Sequence[int]]) -> set[str]:
    """What pip is to install where no compiler is here for some of these."""
    found = set()
    for arch, releases in wanted.items():
        try:
            nvrtc.library_for(arch, releases)
        except nvrtc.NoCompiler:
            if requirement := nvrtc.requirement_for(arch, releases):
                found.add(requirement)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="spbfs.engines.cuda.ahead", description=__doc__)
    parser.add_argument(
        "folder", type=Path, nargs="?", help="where a folder for each architecture will be"
    )
    parser.add_argument("--arch", nargs="+", default=["native"], help="75 80 90, or native")
    parser.add_argument("--stem", nargs="+", default=[], help="of these sources only")
    parser.add_argument(
        "--requirements", action="store_true", help="only print what pip is to install for it"
    )
    arguments = parser.parse_args()
    asked, here = set(arguments.arch), machine()
    if wrong := [arch for arch in asked - {"native"} if not arch.isdecimal()]:
        parser.error(f"--arch: expected numbers such as 90, or native, got {wrong[0]!r}")
    named = {int(arch) for arch in asked - {"native"}}
    wanted = _wanted(named, "native" in asked, here)
    if arguments.requirements:
        for requirement in sorted(_missing(wanted)):
            print(requirement)
        return 0
    if arguments.folder is None:
        parser.error("folder: expected a path")
    for old in arguments.folder.glob("sm_[0-9]*"):
        if old.name not in {f"sm_{arch}" for arch in wanted}:
            shutil.rmtree(old)
    if not wanted:
        what = "GPUs of several generations" if here.capabilities else "no GPU"
        print(f"CUDA kernels will be compiled when they are first used: {what} here")
    for arch, releases in wanted.items():
        began, folder = time.perf_counter(), arguments.folder / f"sm_{arch}"
        try:
            library = nvrtc.library_for(arch, releases)
            new = compile_ahead(folder, arch, library, set(arguments.stem))
        except (nvrtc.NoCompiler, CompilationError) as error:
            if arch in named:
                parser.error(f"compiling for sm_{arch}: {error}")
            print(f"CUDA kernels will be compiled for sm_{arch} when they are first used: {error}")
            shutil.rmtree(folder, ignore_errors=True)
            continue
        seconds = time.perf_counter() - began
        by = f"by NVRTC {nvrtc.version(library)}, {seconds:.0f} s"
        print(f"CUDA kernels for sm_{arch}: {new} compiled {by}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
