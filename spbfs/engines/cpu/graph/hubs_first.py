"""Columns renumbered so that those of hubs come first, for rounds that gather by every entry.

Every entry of a matrix asks for an element of a vector.  Where a few columns have most entries,
their elements, one behind the other, stay in a core's cache; scattered over the vector each of them
takes a line of its own.  Rows and the entries in them stay as they are, and so do all sums.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import available_bytes
from spbfs.engines.cpu.native import kernels
from spbfs.planner.gathers import CPU, HUBS, hubs_first_pays, order_pays
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import HubsFirst, ledger_of, remember_hubs_first

__all__ = ["hubs_first"]

Array = Any


def hubs_first(M: MatrixData, counts: Array, passes: int, threads: int) -> HubsFirst:
    """The columns of `M` with hubs first, kept with it once they pay.

    Parameters
    ----------
    M : MatrixData
    counts : array
        Entries of every column.
    passes : int
        How often the caller will gather now; what has been is in the ledger.
    threads : int
    """
    ledger = ledger_of(M)
    kept = M.derived.hubs_first
    if kept is None:
        size = M.indices.nbytes + 3 * M.ncols * M.indices.itemsize
        if not order_pays(ledger.sums + passes, CPU) or 2 * size > available_bytes():
            ledger.sums += passes
            return HubsFirst()
        kept = remember_hubs_first(M, _made(M, counts, threads))
    return kept


def _made(M: MatrixData, counts: Array, threads: int) -> HubsFirst:
    columns, head = M.ncols, CPU.head
    if columns <= CPU.columns or M.nvals == 0:
        return HubsFirst()
    ordered = np.partition(counts, (columns - head, columns - HUBS))
    to_hubs = int(ordered[columns - HUBS :].sum(dtype=np.int64))
    if not hubs_first_pays(columns, M.nvals, to_hubs, CPU):
        return HubsFirst()
    # Of those that have as many entries as the last hub, none: there may be any number of them.
    hub = counts > ordered[columns - head]
    first = np.cumsum(hub, dtype=M.indices.dtype)
    others = np.arange(columns, dtype=M.indices.dtype) - first + first[-1]
    rank = np.where(hub, first - 1, others).astype(M.indices.dtype, copy=False)
    renamed = np.empty_like(M.indices)
    kernels.restore(rank, M.indices, None, renamed, threads)
    return HubsFirst(renamed, rank)
