"""Compile every CUDA kernel, no GPU or driver needed: python .ci/compile_kernels.py [--arch 90]

NVRTC, the compiler that CuPy runs, compiles what ``spbfs.engines.cuda.specialisations`` lists, for
each architecture.  A warning is an error, and so is a register spilled to local memory.  Prints
registers per kernel, from the least to the most of its specialisations.  What was compiled before
from the same text is not compiled again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from spbfs.engines.cuda.ahead import nvrtc
from spbfs.engines.cuda.runtime.source import CUPY_OPTIONS, Specialisation
from spbfs.engines.cuda.specialisations import specialisations

#: Every generation that the README promises; 7.0 by the last NVRTC that knows it.
ARCHITECTURES = (70, 75, 80, 86, 89, 90, 100, 120)
#: The one warning that is none of ours: a later compiler will not know the architecture.
OLD = "Architectures prior to"
CACHE = Path(__file__).resolve().parents[1] / "build" / "kernels"


@dataclass(frozen=True, slots=True)
class Kernel:
    """What ptxas says about one entry function and the functions that it calls."""

    name: str
    registers: int
    stack: int
    spilled: int


#: By the name in the table: every kernel of that name, with its architecture.
Rows = dict[str, list[tuple[int, Kernel]]]


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of one compilation: kernels, or what the compiler complains about."""

    kernels: tuple[Kernel, ...]
    complaint: str = ""


def _plain(mangled: str) -> str:
    """The name of a function that is no template, which is compiled whether asked for or not."""
    length = re.match(r"_Z(\d+)", mangled)
    return mangled[length.end() :][: int(length[1])] if length else mangled


def _entries(log: str, names: dict[str, str]) -> Iterator[Kernel]:
    """The kernels that a log of ``ptxas -v`` describes, called by their name expressions."""
    for part in log.split("Compiling entry function '")[1:]:
        pairs = re.findall(r"(\d+) bytes spill stores, (\d+) bytes spill loads", part)
        yield Kernel(
            name=names.get(mangled := part.split("'")[0]) or _plain(mangled),
            registers=int(re.findall(r"Used (\d+) registers", part)[0]),
            stack=sum(map(int, re.findall(r"(\d+) bytes stack frame", part))),
            spilled=sum(int(stores) + int(loads) for stores, loads in pairs),
        )


def _compile(source: str, specialisation: Specialisation, arch: int) -> Report:
    target = (f"-arch=sm_{arch}", "--ptxas-options=-v")
    options = (*specialisation.options, *CUPY_OPTIONS, *target)
    name = f"{specialisation.stem}.cu"
    made = nvrtc.compile_source(
        nvrtc.library_for(arch), source, name, options, specialisation.kernels
    )
    warned = any("warning" in line and OLD not in line for line in made.log.splitlines())
    if not made.fine or warned:
        return Report((), made.log)
    return Report(tuple(_entries(made.log, made.names)))


def report(specialisation: Specialisation, arch: int) -> Report:
    """What the compiler says about one module, from the last time if nothing has changed."""
    source, what = specialisation.code, (specialisation.kernels, specialisation.options)
    key = (nvrtc.version(nvrtc.library_for(arch)), what, CUPY_OPTIONS, arch, source)
    kept = CACHE / f"{hashlib.sha256(repr(key).encode()).hexdigest()[:32]}.json"
    if kept.exists():
        return Report(tuple(Kernel(**k) for k in json.loads(kept.read_text("utf-8"))))
    found = _compile(source, specialisation, arch)
    if not found.complaint:
        CACHE.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps([asdict(k) for k in found.kernels]), "utf-8")
    return found


def _label(kernel: Kernel, module: Specialisation, modules: list[Specialisation]) -> str:
    """A kernel's name, and the constants in which its file's modules differ."""
    siblings = [set(m.defines) for m in modules if m.stem == module.stem]
    common = set.intersection(*siblings)
    return " ".join((kernel.name, *(d for d in module.defines if d not in common)))


def _cell(kernels: list[Kernel]) -> str:
    """Registers, from the least to the most, and the largest use of local memory."""
    if not kernels:
        return "-"
    registers = [k.registers for k in kernels]
    notes = ["-".join(map(str, sorted({min(registers), max(registers)})))]
    if stack := max(k.stack for k in kernels):
        notes.append(f"stack {stack}")
    if spilled := max(k.spilled for k in kernels):
        notes.append(f"SPILLS {spilled}")
    return ", ".join(notes)


def _table(rows: Rows, architectures: list[int]) -> str:
    lines = [["registers (bytes of local memory)", *(f"sm_{arch}" for arch in architectures)]]
    for label, found in sorted(rows.items()):
        on = [[k for a, k in found if a == arch] for arch in architectures]
        lines.append([label, *map(_cell, on)])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = (map(str.ljust, line, widths) for line in lines)
    return "\n".join("  ".join(line).rstrip() for line in padded)


def _in_short(rows: Rows) -> Rows:
    """One row a kernel, over all of its template arguments and constants; what spills, in full."""
    short: Rows = {}
    for label, found in rows.items():
        spills = any(kernel.spilled for _, kernel in found)
        name = label if spills else re.split("[< ]", label)[0]
        short.setdefault(name, []).extend(found)
    return short


def _modules() -> list[Specialisation]:
    """All that is to be compiled; what differs in kernels alone shares one run of the front end."""
    modules: dict[Specialisation, list[str]] = {}
    for s in specialisations():
        modules.setdefault(replace(s, kernels=()), []).extend(s.kernels)
    return [replace(module, kernels=tuple(kernels)) for module, kernels in modules.items()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arch", type=int, nargs="+", default=ARCHITECTURES)
    parser.add_argument("--all", action="store_true", help="a row for every specialisation")
    parser.add_argument("stem", nargs="*", help="only these sources")
    arguments = parser.parse_args()
    began = time.perf_counter()
    modules = [m for m in _modules() if not arguments.stem or m.stem in arguments.stem]
    jobs = [
        (s, arch)
        for s in modules
        for arch in arguments.arch
        if s.capability <= arch < (s.below or arch + 1)
    ]
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        reports = list(pool.map(report, *zip(*jobs, strict=True)))
    rows: Rows = {}
    spilling = set()
    for (module, arch), found in zip(jobs, reports, strict=True):
        for kernel in found.kernels:
            label = _label(kernel, module, modules)
            rows.setdefault(label, []).append((arch, kernel))
            if kernel.spilled:
                spilling.add(label)
    complaints = [
        f"{module.stem}.cu for sm_{arch}, {' '.join(module.defines)}:\n{found.complaint}"
        for (module, arch), found in zip(jobs, reports, strict=True)
        if found.complaint
    ]
    print(
        _table(rows if arguments.all else _in_short(rows), arguments.arch),
        f"{len(rows)} kernels, {len(jobs)} compilations, {time.perf_counter() - began:.0f} s: "
        f"{len(spilling)} kernels spill, {len(complaints)} compilations complain",
        *complaints,
        sep="\n",
    )
    return int(bool(spilling or complaints or not rows))


if __name__ == "__main__":
    sys.exit(main())
