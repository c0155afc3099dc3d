"""Edges without which nobody is reached: ``kernels/cpu/connectivity/transitive_reduction.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.cpu.native import kernels
from spbfs.engines.fused import Csr

__all__ = ["transitive_reduction"]

Array = Any  # numpy.ndarray

#: Bytes that a vertex has for who is reached from it.
_LINE = 64


def transitive_reduction(rows: Csr, order: Array) -> Array:
    """Of every edge whether no other path leads from its begin to its end; `order` has all
    vertices, each behind those from which an edge leads to it."""
    entries = rows[1].shape[0]
    require_bytes(_LINE * order.shape[0] + entries, "a transitive reduction")
    kept = np.empty(entries, np.bool_)
    kernels.transitive_reduction(*rows, np.ascontiguousarray(order), kept)
    return kept
