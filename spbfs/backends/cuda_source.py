"""CUDA sources as single strings: CuPy caches compiled kernels by their source text alone, so
local headers are
written into it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

__all__ = ["kernel_directory", "read_source"]

_INCLUDE = re.compile(r'^#include "([^"]+)"[^\n]*$', re.MULTILINE)


def kernel_directory() -> Path:
    """The folder of the CUDA sources: inside an installed package, or in a source checkout."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "kernels" / "cuda", package.parent / "kernels" / "cuda"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"no CUDA sources beside {package}: the installation is incomplete")


@cache
def read_source(stem: str) -> str:
    """The text of ``kernels/cuda/<stem>.cu`` with its local headers in place, each once."""
    folder = kernel_directory()
    seen: set[str] = set()

    def expand(name: str) -> str:
        if name in seen:
            return ""
        seen.add(name)
        text = (folder / name).read_text().replace("#pragma once\n", "")
        return _INCLUDE.sub(lambda found: expand(found[1]), text)

    return expand(f"{stem}.cu")
