"""A graph's rows as dictionaries of Python's: ``kernels/cpu/matrices/adjacency.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.engines.cpu.native import kernels

__all__ = ["adjacency"]

Array = Any  # numpy.ndarray
Rows = list[dict[Any, Any]]


def adjacency(
    names: list[Any], u: Array, v: Array, data: list[Any], *, directed: bool
) -> tuple[Rows, Rows]:
    """Rows along the edges from the u-th to the v-th of the names, as they are added in their
    order, and, with directions, against them.

    `data` is what the first edges have, for both their ends; the others have empty dictionaries.
    """
    kind = np.int32 if len(names) <= np.iinfo(np.int32).max else np.int64
    ends = (np.ascontiguousarray(x, kind) for x in (u, v))
    along, against = kernels.adjacency(names, *ends, data, directed)
    return along, against
