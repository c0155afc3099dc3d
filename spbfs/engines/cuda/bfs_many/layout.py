"""How the rows of a graph are cut into the work of a pull."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["PullWork", "cut_rows", "rehearsal"]

Array = Any


@dataclass(frozen=True, slots=True)
class PullWork:
    """The work of a pull: long rows cut into pieces, other rows in units of eight or 32."""

    #: `struct Piece` of ``bfs_many_state.cuh``: begin (int64), row, length; all first pieces, then
    #: all second ones, ..., so that later ones often find their row done.
    pieces: Array
    piece_count: int
    rows: Array
    count: int
    #: A bit a row, 32 to a word.
    mask: Array
    #: The other rows: first row of eight, or of 32 short ones with 1 added; heavy ones first.
    units: Array

    @property
    def nbytes(self) -> int:
        return int(self.pieces.nbytes + self.rows.nbytes + self.mask.nbytes + self.units.nbytes)


def _units(cp: Any, lengths: Array, short: int) -> Array:
    """`lengths` are those of the rows in blocks of 32, -1 where a row is cut into pieces."""
    whole = lengths.reshape(-1, 32).max(axis=1)
    eight = lengths.reshape(-1, 8).max(axis=1)
    blocks = cp.flatnonzero((whole >= 0) & (whole <= short))
    octets = cp.flatnonzero((eight >= 0) & cp.repeat(whole > short, 4))
    first = cp.concatenate([8 * octets, 32 * blocks + 1]).astype(cp.int32)
    weight = cp.concatenate([eight[octets], whole[blocks]])
    return first[cp.argsort(-weight, kind="stable")]


def rehearsal() -> PullWork:
    """Rows of every kind, cut: what `cut_rows` has CuPy compile for offsets of 32 bits."""
    import cupy as cp

    lengths = cp.asarray([0, 1, 2, 9, 0], np.int32)
    return cut_rows(cp.cumsum(lengths, dtype=np.int32), 4, longer=4, piece=4, short=1)


def cut_rows(indptr: Array, n: int, longer: int, piece: int, short: int) -> PullWork:
    """Cut rows of more than `longer` entries into pieces of up to `piece`; blocks of 32 others are
    a unit where no row has more than `short`."""
    import cupy as cp

    lengths = indptr[1:] - indptr[:-1]
    is_long = lengths > longer
    rows = cp.flatnonzero(is_long).astype(cp.int32)
    padded = cp.full(-(-max(1, n) // 32) * 32, -1, dtype=cp.int64)
    padded[:n] = lengths
    mask = cp.packbits(padded > longer, bitorder="little").view(cp.uint32)
    units = _units(cp, cp.where(padded > longer, -1, padded), short)
    if rows.size == 0:
        none = cp.empty((1, 2), dtype=cp.int64)
        return PullWork(none, 0, cp.empty(1, dtype=cp.int32), 0, mask, units)
    counts = -(-lengths[rows].astype(cp.int64) // piece)
    stop = cp.cumsum(counts)
    which = cp.searchsorted(stop, cp.arange(int(stop[-1])), side="right")
    number = cp.arange(which.size, dtype=cp.int64) - (stop - counts)[which]
    order = cp.argsort(number * n + rows[which])
    which, number = which[order], number[order]
    row = rows[which].astype(cp.int64)
    begin = indptr[row].astype(cp.int64) + number * piece
    length = cp.minimum(indptr[row + 1] - begin, piece)
    pieces = cp.stack([begin, row | length << 32], axis=1)
    return PullWork(pieces, int(which.size), rows, int(rows.size), mask, units)
