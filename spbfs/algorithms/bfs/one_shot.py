"""A single search of a SciPy array, followed as it is: no copy, no transpose, no layout."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.objects.matrix_operand import MatrixOperand

__all__ = ["arrays_of"]


def arrays_of(A: Any) -> tuple[Any, Any] | None:
    """Offsets and columns of a SciPy array as a search could follow them, not checked yet.

    None for all else, and where the conversion to a Matrix will say what is wrong.
    """
    if isinstance(A, MatrixOperand) or not hasattr(A, "tocsr") or A.ndim != 2:
        return None
    if A.shape[0] != A.shape[1] or not A.shape[0] or A.dtype.kind not in "biuf":
        return None
    csr, n = A.tocsr(), A.shape[0]
    indptr, indices = np.ascontiguousarray(csr.indptr), np.ascontiguousarray(csr.indices)
    if any(a.ndim != 1 or a.dtype not in (np.int32, np.int64) for a in (indptr, indices)):
        return None
    if indptr.shape[0] != n + 1 or indptr[0] != 0 or not 0 <= indptr[n] <= indices.shape[0]:
        return None
    # SciPy's arrays may be longer than what they hold.
    return indptr, indices[: indptr[n]]
