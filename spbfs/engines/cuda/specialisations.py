"""Every module that the CUDA engine may compile, for checks that have no GPU.

A launcher is a module with ``specialisations()``, an iterator over all that it can load.  Where
template arguments combine into more than a compiler should be asked for, it yields a selection
that covers every kernel and every argument.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = ["LAUNCHERS", "specialisations"]

LAUNCHERS = (
    "accumulate",
    "ahead_kernels",
    "bfs",
    "convert",
    "expansion",
    "kernels",
    "layout_build",
    "many",
    "packed",
    "settle",
    "symmetric",
    "transpose",
)


def specialisations() -> Iterator[Specialisation]:
    """What all launchers may load; neither CuPy nor a GPU is needed."""
    for launcher in LAUNCHERS:
        yield from import_module(f"spbfs.engines.cuda.{launcher}").specialisations()
