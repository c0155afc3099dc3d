"""Launches whose CTAs look at whole rows together: see ``kernels/cuda/row_pieces.cuh``."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, words_of
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import MatrixData

__all__ = [
    "ITEM_BYTES",
    "ITEM_ENTRIES",
    "PIECE_BYTES",
    "PIECE_ENTRIES",
    "STATE_BYTES",
    "items_of",
    "launch",
    "offset_type",
    "room_for_ctas",
    "room_for_items",
    "room_for_pieces",
    "rounds",
    "specialised",
]

Array = Any

#: The most CTAs that share a multiprocessor, which holds 2,048 threads.
_MOST_RESIDENT = 2048 // THREADS
#: Entries that a thread is there for.
_ALONE = 8
#: `kPieceEntries`, and bytes of ``struct RowPiece``.
PIECE_ENTRIES, PIECE_BYTES = 256, 16
#: `kItemEntries`, and bytes of ``struct WorkItem``.
ITEM_ENTRIES, ITEM_BYTES = 128, 16
#: ``struct Rounds``.
STATE_BYTES = 112


def offset_type(dtype: Any) -> str:
    """What the offsets of rows are to a kernel."""
    return "long long" if dtype == np.int64 else "int"


@cache
def specialised(stem: str, offset: Any) -> Specialisation:
    """The module of ``kernels/cuda/<stem>.cu`` whose one kernel has the file's name."""
    return Specialisation(stem, (f"{stem}<{offset_type(offset)}>",), cooperative=True)


def room_for_pieces(entries: int) -> Array:
    """Where the pieces of long rows are listed: a row has at most one that is not full."""
    import cupy as cp

    return cp.empty((2 * entries // PIECE_ENTRIES + 1) * PIECE_BYTES, np.uint8)


def items_of(n: int, entries: int) -> int:
    """The most items of a list of `n` rows: a row has at most one that is not full."""
    return n + entries // ITEM_ENTRIES


def room_for_items(n: int, entries: int) -> Array:
    """A list of all rows' items."""
    import cupy as cp

    return cp.empty(items_of(n, entries) * ITEM_BYTES, np.uint8)


def rounds() -> Array:
    """The state of a kernel that has rounds, before the first."""
    import cupy as cp

    return cp.zeros(STATE_BYTES, np.uint8)


def room_for_ctas() -> int:
    """As many CTAs as a launch may have at most."""
    return _MOST_RESIDENT * limits().sms


@lru_cache(64)
def _kernel(specialisation: Specialisation, kind: Any, block: bytes | None) -> Kernel:
    """For all calls: a third of what the host does before a launch was to make it."""
    if block is None:
        return Kernel(specialisation)
    return Kernel(specialisation, block=np.frombuffer(bytearray(block), kind))


def launch(
    specialisation: Specialisation,
    A: MatrixData,
    *arguments: Any,
    block: np.ndarray[Any, Any] | None = None,
) -> None:
    """Run a kernel over all rows of `A`; `block` is its first parameter where that is a struct.

    It has as many CTAs as all rows keep busy, and no more than are resident.
    """
    from spbfs.engines.cuda.bfs.searches import check_vertices  # imports CuPy

    check_vertices(A)
    given = (None, None) if block is None else (block.dtype, block.tobytes())
    kernel = _kernel(specialisation, *given)
    threads = max(A.nrows, A.nvals // _ALONE, 1)
    grid = min(-(-threads // THREADS), kernel.resident * limits().sms)
    kernel(grid, words_of(*arguments))
