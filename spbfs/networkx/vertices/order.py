"""The order in which the queue of a breadth-first search meets vertices; levels and parents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from spbfs.engines.cpu.bfs.order import bfs_order, bfs_orders
from spbfs.networkx.conversion.structure import Array, Rows

__all__ = ["InOrder", "search_in_order", "searches_in_order"]

#: Bytes of what searches from several vertices find at once.
_HELD = 1 << 25


class InOrder(NamedTuple):
    """What a queue met: `order` lists the vertices, levels and parents are -1 elsewhere."""

    order: Array
    levels: Array
    parents: Array


def search_in_order(
    rows: Rows, sources: Sequence[int] | Array, max_depth: int | None = None
) -> InOrder:
    """A search as the textbook's queue makes it, from different vertices, along a graph's rows."""
    if rows.indptr.shape[0] == 1:
        return InOrder(*(np.zeros(0, rows.indices.dtype),) * 3)
    found = bfs_order(rows, None, np.array(sources), max_depth, True)
    assert found is not None
    order, parents, levels = found
    assert levels is not None
    return InOrder(order, levels, parents)


def searches_in_order(rows: Rows, max_depth: int | None = None) -> Iterator[InOrder]:
    """Such searches from every vertex alone, one after another; ever more are made at once."""
    n = rows.indptr.shape[0] - 1
    most = max(1, _HELD // (3 * rows.indices.dtype.itemsize * n + 1))
    first, several = 0, 1
    while first < n:
        sources = np.arange(first, min(n, first + several))
        found = bfs_orders(rows, sources, max_depth)
        assert found is not None, "rows of a graph are a CSR"
        for order, parents, levels in zip(*found, strict=True):
            yield InOrder(order, levels, parents)
        first, several = first + several, min(2 * several, most)
