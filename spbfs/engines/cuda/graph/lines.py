"""Rows on lines of their own, where entries lie in memory of the host: ``row_lines.cuh``."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from spbfs.base.memory import available_bytes
from spbfs.engines.cuda.graph.build import Builder
from spbfs.engines.cuda.graph.row_facts import row_facts
from spbfs.engines.cuda.runtime.launch import pointer
from spbfs.exceptions import OutOfMemory
from spbfs.planner.search_cuda import line_shift
from spbfs.storage.arrays import memory_of
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import keeping

__all__ = ["LINES_TOLD", "Lines", "entry_bits", "lines_of", "told"]

Array = Any

#: Fields of `SEARCH` and of `MANY`.
LINES_TOLD = ["out_lines", "line_shift", "line_bits"]
#: Of the host's memory that is free, what lines may take: whoever reads them can do without.
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

    @property
    def nbytes(self) -> int:
        """Bytes of the host's memory."""
        return int(self.groups.nbytes)


#: Kept where there is no room for any, or no use, so that nobody tries again.
_NONE = Lines(np.empty(0, np.uint32), 0, 16)


def lines_of(A: MatrixData, make: bool = True) -> Lines | None:
    """Lines of pinned rows, kept with the matrix, and made when that is first asked of it.

    None where rows are too uneven, too short or too long for them, or the host had no room then;
    they are read where they lie.
    """
    derived = A.derived
    if make and derived.lines is None and A.nvals and _may_have(A):
        made = _lined(A) or _NONE
        with keeping:
            if derived.lines is None:
                derived.lines = made
    lines = cast("Lines | None", derived.lines)
    return lines if lines is not None and lines.nbytes else None


def _may_have(A: MatrixData) -> bool:
    return memory_of(A.indices) == "pinned" and A.indices.dtype == np.int32


def _lined(A: MatrixData) -> Lines | None:
    import cupy as cp

    from spbfs.engines.cuda.runtime.pinned import empty_pinned

    n, bits, facts = A.nrows, entry_bits(A.ncols), row_facts(A)
    shift = line_shift(n, facts.filled, A.nvals, facts.longest, bits)
    if shift is None or n << shift + 4 > HOST_SHARE * available_bytes():
        return None
    try:
        groups = empty_pinned(n << shift + 2, np.dtype(np.uint32))
    except OutOfMemory:
        return None
    arguments = (A.indptr, A.indices, n, shift, bits, groups)
    Builder(A.indptr.dtype).launch("layout_lines", n << shift, *arguments)
    # Whichever stream is the next to read them: they must be there.
    cp.cuda.get_current_stream().synchronize()
    return Lines(groups, shift, bits)


def entry_bits(columns: int) -> int:
    """Bits of a column's number; of few columns more than they need, so that no more than 32 lie
    in 16 bytes."""
    return max(4, (columns - 1).bit_length())


def told(lines: Lines | None) -> tuple[int, int, int]:
    """What kernels are told of them, `LINES_TOLD`; of none nothing that a division would mind."""
    return (pointer(lines.groups), lines.shift, lines.bits) if lines else (0, 0, 16)
