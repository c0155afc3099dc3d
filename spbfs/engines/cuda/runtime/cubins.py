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

__all__ = ["Brought", "Index", "file_of", "find", "index_of"]

#: By the key of a specialisation, the mangled names of its kernels by their name expressions.
Index = dict[str, dict[str, str]]


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


@cache
def _kept(folder: Path) -> Index:
    return index_of(folder)


def index_of(folder: Path) -> Index:
    """What a folder of one architecture lists; nothing where there is none."""
    try:
        index: Index = json.loads((folder / "index.json").read_text("utf-8"))
    except FileNotFoundError:
        return {}
    return index


@cache
def _folder() -> Path | None:
    """For the devices of this process: a module is loaded on each of them, so all must be alike.

    Code for a lower minor version does as well, as 8.0 for 8.7.
    """
    import cupy as cp

    if not (root := cubins_path()).is_dir():
        return None
    devices = range(cp.cuda.runtime.getDeviceCount())
    capabilities = {int(cp.cuda.Device(device).compute_capability) for device in devices}
    if len(capabilities) > 1:
        return None
    (capability,) = capabilities
    archs = (root / f"sm_{arch}" for arch in range(capability, capability // 10 * 10 - 1, -1))
    return next((folder for folder in archs if folder.is_dir()), None)


def find(specialisation: Specialisation) -> Brought | None:
    """The module of a specialisation, loaded; None where the package brings none that runs here."""
    import cupy as cp

    if (folder := _folder()) is None:
        return None
    names = _kept(folder).get(specialisation.key)
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
