"""Some entries of a matrix on the GPU, as a matrix: ``kernels/cuda/matrices/marked_entries.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, words_of
from spbfs.engines.cuda.runtime.source import WORD_TYPES, Specialisation
from spbfs.storage.data import MatrixData, is_iso, iso_array

__all__ = ["marked_entries", "no_marks", "specialisations"]

Array = Any
RESIDENT = 8


def no_marks(A: MatrixData) -> tuple[Array, Array]:
    """A bit for every entry of `A` in words of 32, all clear, and room to count those of a word."""
    import cupy as cp

    words = A.nvals // 32 + 1
    return cp.zeros(words, np.uint32), cp.empty(words, A.indptr.dtype)


def marked_entries(A: MatrixData, marked: Array, counts: Array) -> MatrixData:
    """The entries of `A`, whose columns are int32, that have a mark."""
    import cupy as cp

    before = cp.cumsum(counts, dtype=counts.dtype)
    nvals, iso = int(before[-1]), is_iso(A.values)
    indptr, indices = cp.empty_like(A.indptr), cp.empty(nvals, np.int32)
    values = None if iso else cp.empty(nvals, A.values.dtype)
    grid = min(-(-max(A.nvals, A.nrows + 1) // THREADS), RESIDENT * limits().sms)
    arguments = A.indptr, A.indices, None if iso else A.values, A.nrows, A.nvals
    Kernel(_specialisation(A.indptr.dtype == np.int64, A.values.dtype.itemsize))(
        grid, words_of(marked, before, *arguments, indptr, indices, values)
    )
    if iso:
        values = iso_array(A.values[:1], nvals)
    return MatrixData(A.nrows, A.ncols, indptr, indices, values)


def _specialisation(wide: bool, word: int) -> Specialisation:
    offset = "long long" if wide else "int"
    return Specialisation("marked_entries", (f"marked_entries<{offset}, {WORD_TYPES[word]}>",))


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (_specialisation(wide, word) for wide in (False, True) for word in WORD_TYPES)
