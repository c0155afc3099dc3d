"""The edges that a search with one queue came by: ``kernels/cpu/bfs/search_edges.cpp``."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.cpu.native import kernels
from spbfs.engines.fused import Csr

__all__ = ["LED", "EdgesMet", "edges_in_order", "tails_in_order"]

Array = Any  # numpy.ndarray

#: Where an edge leads: to a child, to another vertex a level down, to one of the same, or up.
LED = ("tree", "forward", "level", "reverse")


class EdgesMet(NamedTuple):
    """Offsets of the vertices of an order, and of every edge the place of its head in that order
    and where it leads, as a number in `LED`."""

    begins: Array
    heads: Array
    led: Array


def edges_in_order(
    rows: Csr, order: Array, levels: Array, parents: Array, *, directed: bool
) -> EdgesMet:
    """Those of everybody in the order of a search that went as far as it could, along its rows.

    Without directions an edge is met from the end that comes first.
    """
    offset, kind = rows[0].dtype, rows[1].dtype
    n, entries = levels.shape[0], rows[1].shape[0]
    require_bytes(n * (kind.itemsize + offset.itemsize) + entries * (kind.itemsize + 1), "edges")
    begins = np.empty(order.shape[0] + 1, offset)
    heads, led = np.empty(entries, kind), np.empty(entries, np.int8)
    place = np.empty(n, kind)
    found = kernels.edges_in_order(
        *rows, order, levels, parents, directed, place, begins, heads, led
    )
    return EdgesMet(begins, heads[:found], led[:found])


def tails_in_order(rows: Csr, order: Array, levels: Array) -> Csr:
    """Of everybody in the order of a search those from whom an edge leads a level down to him: a
    row each, of places in that order, which rise."""
    offset, kind = rows[0].dtype, rows[1].dtype
    n, entries = levels.shape[0], rows[1].shape[0]
    width = 2 * kind.itemsize
    require_bytes(n * (width + 2 * offset.itemsize) + entries * width, "predecessors")
    begins, ends = np.empty(order.shape[0] + 1, offset), np.empty(order.shape[0], offset)
    work, tails = (np.empty(n, kind), ends, np.empty(entries, kind)), np.empty(entries, kind)
    found = kernels.tails_in_order(*rows, order, levels, *work, begins, tails)
    return begins, tails[:found]
