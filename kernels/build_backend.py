"""Builds the package as scikit-build-core does; one in isolation that compiles CUDA kernels ahead
(`ahead.py`) is given NVRTC for it, which is no part of other builds.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

from scikit_build_core import build as _scikit
from scikit_build_core.build import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings = dict[str, Any] | None


def get_requires_for_build_wheel(settings: Settings = None) -> list[str]:
    return [*_scikit.get_requires_for_build_wheel(settings), *_compilers(settings)]


def get_requires_for_build_editable(settings: Settings = None) -> list[str]:
    return [*_scikit.get_requires_for_build_editable(settings), *_compilers(settings)]


def _compilers(settings: Settings) -> list[str]:
    """What brings NVRTC where CMake will ask for it and this machine has none."""
    asked = str((settings or {}).get("cmake.define.SPBFS_GPU_ARCHITECTURES") or "native")
    if asked == "none":
        return []
    ahead = Path(__file__).with_name("ahead.py")
    command = [sys.executable, "-B", str(ahead), "unused", "--requirements", "--arch"]
    said = subprocess.run([*command, *asked.split(";")], capture_output=True, text=True)
    # A wrong architecture CMake will refuse, where people see what is said of it.
    return said.stdout.splitlines() if said.returncode == 0 else []
