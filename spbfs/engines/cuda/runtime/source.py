"""CUDA sources as modules: what is compiled, with which template arguments, and how.

A launcher describes what it runs as a `Specialisation` and loads it; ``cuda.specialisations`` lists
those of all launchers, so that a machine without a GPU compiles just what a GPU will run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from spbfs.base.paths import kernels_path

__all__ = ["CUPY_OPTIONS", "INDEX_TYPES", "WORD_TYPES", "Specialisation", "read_source"]

#: C++ types of indices and offsets, and of values that are but moved, by their bytes.
INDEX_TYPES = {4: "int", 8: "long long"}
WORD_TYPES = {1: "unsigned char", 2: "unsigned short", 4: "unsigned", 8: "unsigned long long"}

#: What CuPy adds to the options of a module.
CUPY_OPTIONS = ("-ftz=true", "--device-as-default-execution-space")

_INCLUDE = re.compile(r'#include "([^"]+)"')


@cache
def read_source(stem: str) -> str:
    """The text of a kernel, in whichever room it is, with its local headers in place, each once.

    CuPy caches compiled kernels by their source text alone, so headers must be part of it.
    """
    folder = kernels_path().resolve()
    (source,) = folder.glob(f"cuda/*/{stem}.cu")
    seen: set[Path] = set()

    def lines(path: Path) -> Iterator[str]:
        if path in seen:
            return
        seen.add(path)
        name = path.relative_to(folder).as_posix()
        yield f'#line 1 "{name}"'
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if found := _INCLUDE.match(line):
                yield from lines(folder / found[1])
                yield f'#line {number + 1} "{name}"'
            else:
                yield "" if line == "#pragma once" else line

    return "\n".join(lines(source)) + "\n"


@dataclass(frozen=True, slots=True)
class Specialisation:
    """One source file with the template arguments and constants that it is compiled for.

    Parameters
    ----------
    stem : str
        ``kernels/cuda/*/<stem>.cu``.
    kernels : tuple of str
        Name expressions: ``"push<int, float>"``.
    defines : tuple of str, optional
        Preprocessor definitions: ``"BFS_THREADS=512"``.
    capability : int, optional
        Least compute capability that has what the kernels use: 90 for clusters.
    below : int, optional
        The compute capability from which on others are used.
    cooperative : bool, optional
        Whether launches are cooperative: all CTAs resident at once, as a grid barrier needs, and no
        more CTAs than that.
    """

    stem: str
    kernels: tuple[str, ...]
    defines: tuple[str, ...] = ()
    capability: int = 70
    below: int | None = None
    cooperative: bool = False

    @property
    def options(self) -> tuple[str, ...]:
        """What NVRTC is given, the architecture and CuPy's own options aside.

        The same for all modules: in every process CuPy has an empty source compiled for each set of
        options that it meets, to learn which compiler it has, be the module on disk or not.
        """
        return ("-std=c++20",)

    @property
    def code(self) -> str:
        """The text that NVRTC is given: the definitions, and the source."""
        defines = (d.replace("=", " ", 1) for d in self.defines)
        return "".join(f"#define {d}\n" for d in defines) + read_source(self.stem)

    @property
    def key(self) -> str:
        """A name for what is compiled, of all that it is compiled from."""
        made_of = repr((self.kernels, self.options, CUPY_OPTIONS, self.code))
        return f"{self.stem}-{sha256(made_of.encode()).hexdigest()[:24]}"
