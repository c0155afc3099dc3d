"""Compile the CUDA kernels for a package to bring: python -m spbfs.engines.cuda.ahead FOLDER

CMake runs this, so that a first search waits for no compiler.  By default for the GPUs of this
machine: where it has none, or no NVRTC, nothing is compiled, and kernels are when they are first
used.  What is in the folder from the last time and has not changed stays as it is; what is no
longer asked for goes.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from spbfs.engines.cuda.ahead import nvrtc
from spbfs.engines.cuda.runtime.cubins import Index, file_of, index_of
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.cuda.specialisations import specialisations

#: `CUdevice_attribute`.
_MAJOR, _MINOR = 75, 76
#: More would take more memory than they save time: a compiler needs some hundred megabytes.
_MOST_THREADS = 16
#: What takes longest begins first.
_LONG = ("bfs_many", "bfs", "bfs_many_sums")


class CompilationError(Exception):
    """What the compiler says of a module."""


def own_architectures() -> set[int]:
    """Compute capabilities of this machine's GPUs, 90 for 9.0, if there is a driver to ask."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return set()
    count = ctypes.c_int()
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
        return set()
    found = set()
    for device in range(count.value):
        major, minor = ctypes.c_int(), ctypes.c_int()
        for part, attribute in ((major, _MAJOR), (minor, _MINOR)):
            driver.cuDeviceGetAttribute(ctypes.byref(part), attribute, device)
        found.add(10 * major.value + minor.value)
    return found


def _compile(arch: int, folder: Path, module: Specialisation) -> dict[str, str]:
    """One module, written to its file; mangled names by name expressions."""
    library = nvrtc.library_for(arch)
    options = (*module.options, *nvrtc.OPTIONS, f"-arch=sm_{arch}")
    made = nvrtc.compile_source(library, module.code, module.stem, options, module.kernels)
    if not made.fine:
        raise CompilationError(f"{module.stem}: {made.log}")
    partly = folder / f"{module.key}.partly"
    partly.write_bytes(made.image)
    partly.replace(file_of(folder, module))
    return {expression: mangled for mangled, expression in made.names.items()}


def compile_ahead(folder: Path, arch: int, stems: set[str]) -> int:
    """All modules of one architecture, or of some sources; how many of them were new.

    A folder holds a file of machine code a module, called by all that it was made of, and the
    names of their kernels in ``index.json``, which is written last.
    """
    modules = {
        s.key: s
        for s in specialisations()
        if s.capability <= arch < (s.below or arch + 1) and (not stems or s.stem in stems)
    }
    folder.mkdir(parents=True, exist_ok=True)
    begun = index_of(folder)
    index: Index = {
        key: begun[key]
        for key, s in modules.items()
        if key in begun and file_of(folder, s).exists()
    }
    new = sorted(
        (s for key, s in modules.items() if key not in index), key=lambda s: s.stem not in _LONG
    )
    with ThreadPoolExecutor(min(_MOST_THREADS, len(os.sched_getaffinity(0)))) as pool:
        names = pool.map(partial(_compile, arch, folder), new)
        index |= {s.key: found for s, found in zip(new, names, strict=True)}
    for old in folder.iterdir():
        if old.stem not in index:
            old.unlink()
    (folder / "index.json").write_text(json.dumps(index), "utf-8")
    return len(new)


def main() -> int:
    parser = argparse.ArgumentParser(prog="spbfs.engines.cuda.ahead", description=__doc__)
    parser.add_argument("folder", type=Path, help="where a folder for each architecture will be")
    parser.add_argument("--arch", nargs="+", default=["native"], help="75 80 90, native, or none")
    parser.add_argument("--stem", nargs="+", default=[], help="of these sources only")
    arguments = parser.parse_args()
    asked = set(arguments.arch)
    native = own_architectures() if "native" in asked else set()
    if wrong := [arch for arch in asked - {"native", "none"} if not arch.isdecimal()]:
        parser.error(f"--arch: expected numbers such as 90, native or none, got {wrong[0]!r}")
    wanted = sorted(native | {int(arch) for arch in asked - {"native", "none"}})
    for old in set(arguments.folder.glob("sm_*")) - {arguments.folder / f"sm_{a}" for a in wanted}:
        shutil.rmtree(old)
    if not wanted:
        print("CUDA kernels will be compiled when they are first used: no GPU here to do it for")
    for arch in wanted:
        began = time.perf_counter()
        try:
            library = nvrtc.library_for(arch)
            new = compile_ahead(arguments.folder / f"sm_{arch}", arch, set(arguments.stem))
        except (nvrtc.NoCompiler, CompilationError) as error:
            if arch not in native:
                parser.error(f"CUDA kernels for sm_{arch}: {error}")
            print(f"CUDA kernels for sm_{arch} will be compiled when they are first used: {error}")
            continue
        seconds = time.perf_counter() - began
        by = f"by NVRTC {nvrtc.version(library)}, {seconds:.0f} s"
        print(f"CUDA kernels for sm_{arch}: {new} compiled {by}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
