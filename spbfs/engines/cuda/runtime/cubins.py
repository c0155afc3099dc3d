"""Machine code that the package brings for the GPUs that it was built for (`cuda.ahead`).

It is called by all that it was made of: whoever edits a kernel finds none, and compiles.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from spbfs.base.paths import cubins_path

if TYPE_CHECKING:
    from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = ["INDEX", "Brought", "Index", "file_of", "find", "index_of"]

#: What lists the files of a folder.
INDEX = "index.json"
#: Of Jetson and other boards, whose code is not taken to be that of cards, nor theirs of these.
_TEGRA = frozenset({72, 87, 101, 110})


class Index(NamedTuple):
    """What a folder of one architecture lists."""

    #: The version of NVRTC.
    compiler: str
    #: By the key of a specialisation, the mangled names of its kernels by their name expressions.
    names: dict[str, dict[str, str]]


class Brought(NamedTuple):
    """A module that was compiled ahead, with what launchers use of a `cupy.RawModule`."""

    module: Any
    names: dict[str, str]

    def get_function(self, name: str) -> Any:
        """The `cupy.RawKernel` of a name expression."""
        return self.module.get_function(self.names[name])


def file_of(folder: Path, specialisation: Specialisation) -> Path:
    """Where a folder of one architecture has the machine code of a specialisation."""
    return folder / f"{specialisation.key}.cubin"


def index_of(folder: Path) -> Index:
    """What a folder lists; nothing where there is none, or it cannot be read."""
    try:
        return Index(**json.loads((folder / INDEX).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return Index("", {})


@cache
def _kept(folder: Path) -> Index:
    return index_of(folder)


@cache
def _folder() -> Path | None:
    """For the devices of this process: a module is loaded on each of them, so all must run it.

    Code for a lower minor version does as well, as 8.6 for 8.9.
    """
    import cupy as cp

    if not (root := cubins_path()).is_dir():
        return None
    devices = range(cp.cuda.runtime.getDeviceCount())
    found = {int(cp.cuda.Device(device).compute_capability) for device in devices}
    least = min(found)
    if max(found) // 10 != least // 10 or (len(found) > 1 and found & _TEGRA):
        return None
    lower = () if least in _TEGRA else range(least - 1, least // 10 * 10 - 1, -1)
    archs = (least, *(arch for arch in lower if arch not in _TEGRA))
    return next((root / f"sm_{arch}" for arch in archs if (root / f"sm_{arch}").is_dir()), None)


def find(specialisation: Specialisation) -> Brought | None:
    """The module of a specialisation, loaded; None where the package brings none that runs here."""
    import cupy as cp

    if (folder := _folder()) is None:
        return None
    names = _kept(folder).names.get(specialisation.key)
    path = file_of(folder, specialisation)
    if names is None or not path.is_file():
        return None
    module = cp.RawModule(path=str(path))
    try:
        module.compile()
    except cp.cuda.driver.CUDADriverError:
        # A driver that is older than the compiler was; it is asked again with what it can run.
        return None
    return Brought(module, names)
