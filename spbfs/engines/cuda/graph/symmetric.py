"""Whether a matrix on the GPU, of int32 columns, is symmetric: its pattern, or its values, too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import Kernel, words_of
from spbfs.engines.cuda.runtime.modules import begin
from spbfs.engines.cuda.runtime.source import WORD_TYPES, Specialisation
from spbfs.storage.arrays import memory_of
from spbfs.storage.data import MatrixData, is_iso
from spbfs.storage.derived import known_symmetry, remember_loops

__all__ = ["begin_symmetric", "is_own_transpose", "is_symmetric", "specialisations"]

RESIDENT = 4


def is_symmetric(A: MatrixData) -> bool:
    """Whether (j, i) is stored wherever (i, j) is, whatever the values; found once, then kept."""
    return known_symmetry(A, lambda A: _looked_up(A, None))


def is_own_transpose(A: MatrixData) -> bool:
    """Whether (j, i) is stored wherever (i, j) is, with the same bits; found once, then kept."""
    if is_iso(A.values):
        return is_symmetric(A)
    known = A.derived.own_transpose
    if known is None:
        if memory_of(A.indices) == "pinned":
            is_symmetric(A)  # by the host, which spares most matrices the looks over the bus
        square = A.nrows == A.ncols and A.derived.symmetric is not False
        # Whoever looks it up finds the same.
        known = A.derived.own_transpose = square and _looked_up(A, A.values)
    return known


def begin_symmetric(A: MatrixData) -> None:
    """Have the kernel compiled where `is_symmetric` will run it."""
    if A.derived.symmetric is None and memory_of(A.indices) == "device":
        begin(_specialisation(A.indptr.dtype == np.int64))


def _looked_up(A: MatrixData, values: Any) -> bool:
    import cupy as cp

    if A.nvals == 0:
        return True
    if memory_of(A.indices) == "pinned" and values is None:
        from spbfs.engines.cuda.graph.host_side import is_symmetric_by_host  # imports CuPy

        return is_symmetric_by_host(A)
    word = 1 if values is None else values.dtype.itemsize
    specialisation = _specialisation(A.indptr.dtype == np.int64, word)
    found = cp.zeros(2, np.int32)
    grid = RESIDENT * limits().sms
    arguments = words_of(A.indptr, A.indices, values, A.nrows, A.nvals, found)
    Kernel(specialisation)(grid, arguments)
    asymmetric, loops = found.tolist()
    if asymmetric:
        return False
    remember_loops(A, bool(loops))  # all entries have been looked at
    return True


def _specialisation(wide: bool, word: int = 1) -> Specialisation:
    offset = "long long" if wide else "int"
    return Specialisation("symmetric", (f"symmetric<{offset}, {WORD_TYPES[word]}>",))


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (_specialisation(wide, word) for wide in (False, True) for word in WORD_TYPES)
