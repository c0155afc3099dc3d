"""The transpose of a pattern on the GPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import Kernel, words_of
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import MatrixData

__all__ = ["specialisations", "transposed_pattern"]

RESIDENT = 4


def transposed_pattern(A: MatrixData) -> tuple[Any, Any]:
    """Row offsets and column indices of the transpose of a matrix of int32 columns.

    Takes 16 bytes an entry for as long as it runs.
    """
    import cupy as cp

    keys = cp.empty(A.nvals, np.uint64)
    _launch("transpose_keys", A, A.indptr, A.indices, A.nrows, A.nvals, keys)
    keys.sort()
    indptr = cp.empty(A.ncols + 1, A.indptr.dtype)
    indices = cp.empty(A.nvals, np.int32)
    _launch("transpose_rows", A, keys, A.ncols, A.nvals, indptr, indices)
    return indptr, indices


def _launch(kernel: str, A: MatrixData, *arguments: Any) -> None:
    specialisation = _specialisation(A.indptr.dtype == np.int64)
    name = next(k for k in specialisation.kernels if k.startswith(kernel))
    grid = RESIDENT * limits().sms
    Kernel(specialisation, name)(grid, words_of(*arguments))


def _specialisation(wide: bool) -> Specialisation:
    offset = "long long" if wide else "int"
    return Specialisation("transpose", (f"transpose_keys<{offset}>", f"transpose_rows<{offset}>"))


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (_specialisation(wide) for wide in (False, True))
