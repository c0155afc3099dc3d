"""A single search of a SciPy array, followed as it is: no copy, no transpose, no layout."""

from __future__ import annotations

from typing import Any

from spbfs.objects.constructors.scipy_arrays import as_rows, is_sparse

__all__ = ["arrays_of"]


def arrays_of(A: Any) -> tuple[Any, Any, int] | None:
    """Offsets and columns of a SciPy array as a search could follow them, and its side.

    Nothing of them is checked yet.  None for all else, and where the conversion to a Matrix will
    say what is wrong.
    """
    if not is_sparse(A):
        return None
    shape = A.shape
    if len(shape) != 2 or shape[0] != shape[1] or not shape[0] or A.dtype.kind not in "biuf":
        return None
    csr, n = as_rows(A, "A"), shape[0]
    indptr = csr.indptr
    return (indptr, csr.indices, n) if indptr.shape == (n + 1,) else None
