"""Stands in for the compiled kernels in a folder of sources, and finds the installed ones.

Python takes the compiled `_cpu` where both are in one folder.  This file is met when the folder of
sources hides the installed package: it loads the kernels of that, if they were made of the sources
that lie here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import distributions
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spbfs.exceptions import BackendUnavailable

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """What the compiled module has."""


_HERE = Path(__file__).resolve().parent


def _installed() -> Iterator[Path]:
    """The compiled kernels of every installed spbfs."""
    for package in distributions(name="spbfs"):
        for suffix in EXTENSION_SUFFIXES:
            path = Path(str(package.locate_file(f"spbfs/_cpu{suffix}")))
            if path.is_file():
                yield path


def _sources(folder: Path) -> dict[str, bytes]:
    """What the kernels are compiled from."""
    found = [path for part in ("common", "cpu") for path in (folder / part).rglob("*.*")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def _load() -> None:
    """Put the compiled module in the place of this one."""
    old = ""
    for path in _installed():
        if _sources(path.parent / "kernels") != _sources(_HERE.parent / "kernels"):
            old = f"; those of {str(path.parent)!r} were made of other sources"
            continue
        spec = spec_from_file_location(__name__, path)
        assert spec is not None and spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[__name__] = module
        return
    raise BackendUnavailable(
        f"device 'cpu': the folder {str(_HERE)!r} has no compiled kernels{old}; "
        f"run 'pip install .' in {str(_HERE.parent)!r}, or start Python in another folder"
    )


_load()
