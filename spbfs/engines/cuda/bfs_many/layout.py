"""How the rows of a graph are cut into the work of a pull, by ``cuda/bfs_many/bfs_many_cut.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, words_of
from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = ["CUT_COUNTS", "PullWork", "cut_rows", "module", "specialisations"]

Array = Any

#: `struct CutCounts`.
CUT_COUNTS = np.dtype([(name, "i8") for name in ("units", "rows", "pieces", "covered")])
_TEMPLATES = "cut_units", "cut_pieces", "cut_records"
#: CTAs of a multiprocessor.
_RESIDENT = 8


@dataclass(frozen=True, slots=True)
class PullWork:
    """The work of a pull: long rows cut into pieces, other rows in units of eight or 32."""

    #: `struct Piece` of ``bfs_many_state.cuh``: begin (int64), row, length; all first pieces, then
    #: all second ones, ..., so that later ones often find their row done.
    pieces: Array
    rows: Array
    #: A bit a row, 32 to a word.
    mask: Array
    #: The other rows: first row of eight, or of 32 short ones with 1 added; heavy ones first.
    units: Array
    #: So many rows, the first, have the share of entries that was asked for.
    covered: int

    @property
    def nbytes(self) -> int:
        return int(self.pieces.nbytes + self.rows.nbytes + self.mask.nbytes + self.units.nbytes)


def _name(kernel: str, wide: bool) -> str:
    is_template = kernel in _TEMPLATES
    return f"{kernel}<{'long long' if wide else 'int'}>" if is_template else kernel


def module(wide: bool) -> Specialisation:
    """What cuts rows with offsets of 32 or of 64 bits."""
    names = tuple(_name(kernel, wide) for kernel in (*_TEMPLATES, "cut_order"))
    return Specialisation("bfs_many_cut", names)


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (module(False), module(True))


def _launch(kernel: str, wide: bool, work: int, *arguments: Any) -> None:
    """With about a thread for each piece of work."""
    grid = max(1, min(-(-work // THREADS), _RESIDENT * limits().sms))
    Kernel(module(wide), _name(kernel, wide))(grid, words_of(*arguments))


def cut_rows(
    indptr: Array, n: int, longer: int, piece: int, short: int, share: float = 0.0
) -> PullWork:
    """Cut rows of more than `longer` entries into pieces of up to `piece`; blocks of 32 others are
    a unit where no row has more than `short`.  `share`: entries, see `PullWork.covered`."""
    import cupy as cp

    wide, blocks = indptr.dtype == np.int64, -(-max(1, n) // 32)
    keys, mask = cp.empty(4 * blocks, np.uint64), cp.empty(blocks, np.uint32)
    counts = cp.zeros((2, CUT_COUNTS.itemsize), np.uint8)
    given = n, longer, piece, short, ceil(share)
    _launch("cut_units", wide, 32 * blocks, indptr, *given, keys, mask, counts[0])
    found = counts[0].get().view(CUT_COUNTS)[0]
    units = cp.empty(int(found["units"]), np.int32)
    keys = keys[: units.size]
    keys.sort()
    _launch("cut_order", wide, units.size, keys, units.size, units)
    rows = cp.empty(int(found["rows"]), np.int32)
    pieces = cp.empty((int(found["pieces"]), 2), np.int64)
    if rows.size:
        keys = cp.empty(pieces.shape[0], np.uint64)
        _launch("cut_pieces", wide, 32 * blocks, indptr, n, piece, mask, keys, rows, counts[1])
        rows.sort()
        keys.sort()
        count = pieces.shape[0]
        _launch("cut_records", wide, count, indptr, piece, keys, count, pieces)
    return PullWork(pieces, rows, mask, units, int(found["covered"]))
