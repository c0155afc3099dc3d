"""Launches whose CTAs look at whole rows together: see ``kernels/cuda/whole_rows.cuh``."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, words_of
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import MatrixData

__all__ = [
    "PIECE_BYTES",
    "PIECE_ENTRIES",
    "STATE_BYTES",
    "every_thread",
    "grid_of",
    "launch",
    "offset_type",
    "room_for_pieces",
    "rounds",
    "specialised",
]

Array = Any

#: CTAs that share a multiprocessor, as the kernels' launch bounds say.
RESIDENT = 4
#: Entries of a row that a lane is there for: `kAloneEntries`.
_ALONE = 8
#: `kPieceEntries`, and bytes of ``struct RowPiece``.
PIECE_ENTRIES, PIECE_BYTES = 2048, 16
#: ``struct Rounds``.
STATE_BYTES = 64


def offset_type(dtype: Any) -> str:
    """What the offsets of rows are to a kernel."""
    return "long long" if dtype == np.int64 else "int"


def specialised(stem: str, offset: Any) -> Specialisation:
    """The module of ``kernels/cuda/<stem>.cu`` whose one kernel has the file's name."""
    return Specialisation(stem, (f"{stem}<{offset_type(offset)}>",), cooperative=True)


def room_for_pieces(entries: int) -> Array:
    """Where the pieces of long rows are listed: a row has at most one that is not full."""
    import cupy as cp

    return cp.empty((2 * entries // PIECE_ENTRIES + 1) * PIECE_BYTES, np.uint8)


def rounds() -> Array:
    """The state of a kernel that has rounds, before the first."""
    import cupy as cp

    return cp.zeros(STATE_BYTES, np.uint8)


def grid_of(A: MatrixData, resident: int = RESIDENT) -> int:
    """As many CTAs as all rows of `A` keep busy, and no more than are resident."""
    threads = max(A.nrows, A.nvals // _ALONE, 1)
    return min(-(-threads // THREADS), resident * limits().sms)


def every_thread(vertices: int) -> int:
    """As many CTAs as vertices keep busy, of a kernel whose launch bounds are `kResident` of
    ``in_order.cuh``."""
    return min(-(-vertices // THREADS), min(limits().threads // THREADS, 6) * limits().sms)


def launch(
    specialisation: Specialisation,
    A: MatrixData,
    *arguments: Any,
    block: np.ndarray[Any, Any] | None = None,
    grid: int | None = None,
) -> None:
    """Run a kernel over all rows of `A`, with `grid_of` CTAs where no other number is given;
    `block` is its first parameter where that is a struct."""
    from spbfs.engines.cuda.bfs.searches import check_vertices  # imports CuPy

    check_vertices(A)
    Kernel(specialisation, block=block)(grid or grid_of(A), words_of(*arguments))
