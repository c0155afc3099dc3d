"""What kernels over all rows of a matrix have in common: their modules, and what they work in."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from spbfs.engines.cuda.algorithms.prepared import Room, Zeroed
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS
from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = [
    "ITEM_BYTES",
    "ITEM_ENTRIES",
    "PIECE_BYTES",
    "PIECE_ENTRIES",
    "STATE_BYTES",
    "items_of",
    "most_ctas",
    "offset_type",
    "room_for_items",
    "room_for_pieces",
    "rounds",
    "specialised",
]

#: The most CTAs that share a multiprocessor, which holds 2,048 threads.
_MOST_RESIDENT = 2048 // THREADS
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


def room_for_pieces(entries: int) -> Room:
    """Where the pieces of long rows are listed: a row has at most one that is not full."""
    return Room((2 * entries // PIECE_ENTRIES + 1) * PIECE_BYTES)


def items_of(n: int, entries: int) -> int:
    """The most items of a list of `n` rows: a row has at most one that is not full."""
    return n + entries // ITEM_ENTRIES


def room_for_items(n: int, entries: int) -> Room:
    """A list of all rows' items."""
    return Room(items_of(n, entries) * ITEM_BYTES)


def rounds() -> Zeroed:
    """The state of a kernel that has rounds, before the first."""
    return Zeroed(STATE_BYTES)


def most_ctas() -> int:
    """As many CTAs as a launch may have at most."""
    return _MOST_RESIDENT * limits().sms
