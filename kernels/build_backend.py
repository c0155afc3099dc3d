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


# Frontends may give the argument by its name, which is PEP 517's.
def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    return [*_scikit.get_requires_for_build_wheel(config_settings), *_compilers(config_settings)]


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    return [
        *_scikit.get_requires_for_build_editable(config_settings),
        *_compilers(config_settings),
    ]


def _compilers(settings: Settings) -> list[str]:
    """What brings NVRTC where CMake will ask for it and this machine has none."""
    asked = (settings or {}).get("cmake.define.SPBFS_GPU_ARCHITECTURES") or "native"
    archs = [arch for arch in str(asked).split(";") if arch]
    if archs == ["none"]:
        return []
    ahead = Path(__file__).with_name("ahead.py")
    command = [sys.executable, "-B", str(ahead), "--requirements", "--arch", *archs]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    # What is wrong, an architecture say, ends the build later, when CMake asks for the same.
    return said.stdout.splitlines() if said.returncode == 0 else []
