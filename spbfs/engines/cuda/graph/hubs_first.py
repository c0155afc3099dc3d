"""Columns renumbered so that those of hubs come first, for products with a vector in that order.

Every entry of a matrix asks for an element of the vector.  Where a few columns have most entries,
a CTA copies their elements to shared memory (``hub_elements.cuh``), and more of them stay in a
multiprocessor's L1, one behind the other; scattered over the vector each takes a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, words_of
from spbfs.engines.cuda.runtime.recording import notes
from spbfs.engines.cuda.runtime.source import WORD_TYPES, Specialisation
from spbfs.planner.gathers import CUDA, hubs_first_pays, order_pays
from spbfs.planner.search_cuda import HUBS
from spbfs.storage.arrays import memory_of
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import HubsFirst, ledger_of, remember_hubs_first

__all__ = [
    "HUB_DEFINE",
    "HUB_THREADS",
    "hub_bytes",
    "hubs_first",
    "hubs_kept",
    "moved",
    "specialisations",
]

Array = Any

#: Threads of a CTA that has a multiprocessor to itself, by the bytes of what they sum or count,
#: and the definition that sources are compiled with for so many.
HUB_THREADS = {1: 1024, 2: 1024, 4: 1024, 8: 768}
HUB_DEFINE = {size: f"CTA_THREADS={threads}" for size, threads in HUB_THREADS.items()}
#: Shared memory that such kernels have without it, at most.
_STATIC = 48 * 1024
#: Bytes of hubs' elements: what is left of a multiprocessor's memory is its L1, which loads that
#: are under way take room in.
_KEPT = 128 * 1024

#: Entries by which hubs are known: an order that is nearly by falling counts serves as well.
_COUNTED = 1 << 23
_RESIDENT = 8
_MODULE = Specialisation(
    "hubs_first",
    (
        "count_columns",
        "column_keys",
        "mark_hubs",
        "number_columns",
        "rename_columns",
        *(f"move_elements<{c}>" for c in WORD_TYPES.values()),
    ),
)


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield _MODULE


@cache
def _kernel(name: str) -> Kernel:
    return Kernel(_MODULE, name)


def _launch(kernel: str, work: int, *arguments: Any) -> None:
    grid = max(1, min(-(-work // THREADS), _RESIDENT * limits().sms))
    _kernel(kernel)(grid, words_of(*arguments))


def hub_bytes() -> int:
    """Shared memory of a CTA for elements of hubs, on the current device."""
    return min(_KEPT, limits().shared_bytes - _STATIC)


def hubs_kept(itemsize: int) -> int:
    """Elements of so many bytes that a CTA keeps."""
    return min(CUDA.head, hub_bytes() // itemsize)


def moved(order: HubsFirst, values: Array) -> Array:
    """The elements of a vector in the new order."""
    import cupy as cp

    made = cp.empty_like(values)
    kernel = f"move_elements<{WORD_TYPES[values.itemsize]}>"
    _launch(kernel, values.size, order.rank, values, values.size, made)
    return made


def hubs_first(M: MatrixData, coming: int = 0) -> HubsFirst:
    """The columns of `M` with hubs first, kept with it once they pay.

    Callers add to the ledger how often they have gathered; `coming` is how often they will.  A
    round that is to be recorded will gather often, and its rehearsals are when to make anything.
    """
    from spbfs.base.gpu_memory import has_room  # imports CuPy

    kept = M.derived.hubs_first
    if kept is None:
        # A second copy of the columns is not for those that stay in memory of the host.
        if notes() is not None:
            coming = CUDA.passes
        pays = order_pays(ledger_of(M).sums + coming, CUDA) and memory_of(M.indices) == "device"
        if not pays or not has_room(4 * M.nvals + 32 * M.ncols):
            return HubsFirst()
        kept = remember_hubs_first(M, _made(M))
    return kept


def _made(M: MatrixData) -> HubsFirst:
    import cupy as cp

    columns, entries = M.ncols, M.nvals
    if columns <= CUDA.head or entries == 0 or M.indices.dtype != np.int32:
        return HubsFirst()
    counts, every = cp.zeros(columns, np.uint32), -(-entries // _COUNTED)
    _launch("count_columns", entries // every, M.indices, entries, every, counts)
    keys = cp.empty(columns, np.uint64)
    _launch("column_keys", columns, counts, columns, keys)
    keys.sort()
    to_hubs = int((0xFFFFFFFF - (keys[:HUBS].get() >> np.uint64(32))).sum())
    if not hubs_first_pays(columns, entries // every, to_hubs, CUDA):
        return HubsFirst()
    flags = cp.zeros(columns, np.int32)
    rank = cp.empty(columns, np.int32)
    _launch("mark_hubs", CUDA.head, keys, CUDA.head, flags, rank)
    upto = cp.cumsum(flags, dtype=np.int32)
    _launch("number_columns", columns, upto, columns, CUDA.head, rank)
    renamed = cp.empty(entries, np.int32)
    _launch("rename_columns", entries, rank, M.indices, entries, renamed)
    return HubsFirst(renamed, rank)
