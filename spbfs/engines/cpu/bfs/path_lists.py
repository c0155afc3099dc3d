"""Paths as lists of Python's: ``kernels/cpu/bfs/path_lists.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.engines.cpu.native import kernels
from spbfs.engines.fused import Csr

__all__ = ["every_path_list", "path_lists"]

Array = Any  # numpy.ndarray


def path_lists(names: list[Any], before: Array) -> list[list[Any]]:
    """The way to every vertex of an order, by name, after the one `before` it; a root is so
    itself."""
    made: list[list[Any]] = kernels.path_lists(names, np.ascontiguousarray(before))
    return made


def every_path_list(names: list[Any], tails: Csr) -> list[list[list[Any]]]:
    """All ways to every vertex of an order, those from the first of its `tails` first; where it has
    none one begins there."""
    made: list[list[list[Any]]] = kernels.every_path_list(names, *tails)
    return made
