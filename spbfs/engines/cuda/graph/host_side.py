"""What is found out by the CPU engine of a matrix whose entries lie in memory of the host.

Both look at every entry in an order of their own: from a GPU each look would take a sector over the
bus, and a transpose sorts keys of all entries, for which the GPU has no room.
"""

from __future__ import annotations

from typing import Any

from spbfs.engines.cpu.graph import transpose
from spbfs.engines.cuda.runtime.pinned import host_view, pinned_copy
from spbfs.storage.arrays import is_iso, iso_array
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import carry_over, known_transpose, remember_transpose

__all__ = ["is_symmetric_by_host", "transposed_by_host"]


def _host_side(A: MatrixData) -> MatrixData:
    """The same matrix as the host sees it; of its arrays only the offsets are copied."""
    import numpy as np

    if is_iso(A.values) or not A.nvals:
        # Which value it is makes no difference to where entries go.
        values: Any = iso_array(np.zeros(1, A.values.dtype), A.nvals)
    else:
        values = host_view(A.values)
    return MatrixData(A.nrows, A.ncols, A.indptr.get(), host_view(A.indices), values)


def is_symmetric_by_host(A: MatrixData) -> bool:
    """Whether the pattern of a square matrix in pinned memory is symmetric."""
    return transpose.is_symmetric(_host_side(A))


def transposed_by_host(A: MatrixData) -> MatrixData:
    """The transpose of a matrix in pinned memory, in pinned memory too and kept with it; `A` itself
    where its pattern and its iso values are symmetric."""
    import cupy as cp

    known = known_transpose(A)
    if known is not None:
        return known
    host = _host_side(A)
    carry_over(A, host)
    made = transpose.transposed(host)
    carry_over(host, A)
    if made is host:
        return A
    values = A.values if is_iso(A.values) or not A.nvals else pinned_copy(made.values)
    indptr, indices = cp.asarray(made.indptr), pinned_copy(made.indices)
    return remember_transpose(A, MatrixData(A.ncols, A.nrows, indptr, indices, values))
