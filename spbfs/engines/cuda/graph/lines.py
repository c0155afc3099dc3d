"""Rows on lines of their own, where entries lie in memory of the host: ``bfs_lines.cuh``."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spbfs.base.memory import available_bytes
from spbfs.engines.cuda.graph.build import Builder
from spbfs.engines.cuda.runtime.launch import pointer
from spbfs.exceptions import OutOfMemory
from spbfs.planner.search_cuda import GraphCounts, line_shift

__all__ = ["LINES_TOLD", "Lines", "entry_bits", "lined", "told"]

Array = Any

#: Fields of `SEARCH`.
LINES_TOLD = ["out_lines", "line_shift", "line_bits"]
#: Of the host's memory that is free, what lines may take: searches can do without.
HOST_SHARE = 0.5


class Lines(NamedTuple):
    """The first entries of every row once more.

    Parameters
    ----------
    groups : array
        uint32 in pinned memory, four for every 16 bytes of a line.
    shift, bits : int
        Of a line's 16 bytes the logarithm, and the bits of an entry.
    """

    groups: Array
    shift: int
    bits: int


def lined(build: Builder, indptr: Array, indices: Array, counts: GraphCounts) -> Lines | None:
    """Lines of pinned rows; None where they are too uneven, too short or too long for them, or the
    host has no room."""
    from spbfs.engines.cuda.runtime.pinned import empty_pinned

    n, bits = int(indptr.shape[0]) - 1, entry_bits(int(indptr.shape[0]) - 1)
    shift = line_shift(counts, bits)
    if shift is None or n << shift + 4 > HOST_SHARE * available_bytes():
        return None
    try:
        groups = empty_pinned(n << shift + 2, np.dtype(np.uint32))
    except OutOfMemory:
        return None
    build.launch("layout_lines", n << shift, indptr, indices, n, shift, bits, groups)
    return Lines(groups, shift, bits)


def entry_bits(n: int) -> int:
    """Bits of a vertex's number; of few vertices more than they need, so that no more than 32 lie
    in 16 bytes."""
    return max(4, (n - 1).bit_length())


def told(lines: Lines | None) -> tuple[int, int, int]:
    """What a search is told of them, `LINES_TOLD`; of none nothing that a division would mind."""
    return (pointer(lines.groups), lines.shift, lines.bits) if lines else (0, 0, 16)
