"""Rows as dictionaries of Python's: ``kernels/cpu/dictionaries.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.engines.cpu.native import kernels

__all__ = ["dictionaries"]

Array = Any  # numpy.ndarray


def dictionaries(
    begins: Array, heads: Array, names: list[Any], edges: Array, data: list[Any]
) -> list[dict[Any, Any]]:
    """Of every row the names of its heads, each with what its edge has, in the order of entries."""
    kind = begins.dtype
    columns = (np.ascontiguousarray(x, kind) for x in (heads, edges))
    heads, edges = columns
    made: list[dict[Any, Any]] = kernels.dictionaries(begins, heads, names, edges, data)
    return made
