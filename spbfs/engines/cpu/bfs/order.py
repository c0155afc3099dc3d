"""The order in which one queue meets the vertices: ``kernels/cpu/bfs/bfs_order.cpp``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.base.threads import get_threads
from spbfs.engines.cpu.native import kernels
from spbfs.engines.fused import Csr, Order

__all__ = ["bfs_order", "bfs_orders"]

Array = Any  # numpy.ndarray
_MOST_INT32 = np.iinfo(np.int32).max


def bfs_order(
    rows: Csr,
    columns: Csr | None,
    sources: Array,
    max_depth: int | None,
    levels: bool,
    nobody: int = -1,
) -> Order | None:
    """See `spbfs.engines.fused.BfsOrder`."""
    n = rows[0].shape[0] - 1
    width = 4 if n <= _MOST_INT32 else 8
    require_bytes(3 * n * width, "a search with one queue")
    signed, unsigned = (np.int32, np.uint32) if width == 4 else (np.int64, np.uint64)
    order, parents = np.empty(n, unsigned), np.empty(n, signed)
    depths = np.empty(n, signed) if levels else None
    order[: sources.shape[0]] = sources
    try:
        found = kernels.bfs_order(
            *rows,
            *(columns or (None, None)),
            sources.shape[0],
            n if max_depth is None else min(max_depth, n),
            nobody,
            order,
            parents,
            depths,
        )
    except TypeError:
        # Of other types, or not contiguous: what a conversion mends or refuses.
        return None
    return None if found is None else (order[:found].view(signed), parents, depths)


def bfs_orders(
    rows: Csr, sources: Array, max_depth: int | None
) -> tuple[list[Array], Array, Array] | None:
    """The same from each of some sources alone: vertices in order, parents and levels, a row each.

    None where the arrays are no CSR.
    """
    n, count = rows[0].shape[0] - 1, sources.shape[0]
    signed, unsigned = (np.int32, np.uint32) if n <= _MOST_INT32 else (np.int64, np.uint64)
    require_bytes(3 * n * count * np.dtype(signed).itemsize, "searches with one queue each")
    orders, parents, levels = (np.empty((count, n), kind) for kind in (unsigned, signed, signed))
    reached = np.empty(count, np.int64)
    found = kernels.bfs_orders(
        *rows,
        sources.astype(signed),
        n if max_depth is None else min(max_depth, n),
        *(made.reshape(-1) for made in (orders, parents, levels)),
        reached,
        get_threads(),
    )
    if not found:
        return None
    signed_orders = orders.view(signed)
    listed = [order[:end] for order, end in zip(signed_orders, reached.tolist(), strict=True)]
    return listed, parents, levels
