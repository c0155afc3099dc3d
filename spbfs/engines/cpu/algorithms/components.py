"""Components on the CPU: ``cpu/connectivity/components.cpp`` and ``strong_components.cpp``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import require_bytes
from spbfs.base.threads import get_threads, resolve_threads
from spbfs.engines.cpu.graph.transpose import is_symmetric
from spbfs.engines.cpu.native import kernels
from spbfs.engines.fused import Csr, Numbers
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import known_transpose

__all__ = ["components", "numbered_components", "strong_components", "strong_in_order"]


def components(A: MatrixData, threads: int | None) -> npt.NDArray[np.int64]:
    """See `spbfs.engines.fused.Components`; uses what is known of the transpose, makes none."""
    n = A.nrows
    # Indices of 32 bits are worked on where their labels will be.
    require_bytes((8 if A.indices.dtype.itemsize < 8 else 16) * n, "A: a label a vertex")
    # Where that is not known every call reads all entries, as one look at them does.
    symmetric = is_symmetric(A)
    back = None if symmetric else known_transpose(A)
    labels = np.empty(n, np.int64)
    kernels.components(
        A.indptr,
        A.indices,
        None if back is None else back.indptr,
        None if back is None else back.indices,
        symmetric,
        labels,
        resolve_threads(threads),
    )
    return labels


def strong_components(A: MatrixData, threads: int | None) -> npt.NDArray[np.int64]:
    """See `spbfs.engines.fused.Components`; one thread, unless directions do not matter."""
    if A.derived.symmetric:
        return components(A, threads)
    resolve_threads(threads)
    n, kind = A.nrows, A.indices.dtype
    # The way of the search may be as long as there are vertices.
    width = 8 + 6 * kind.itemsize + 2 * A.indptr.dtype.itemsize
    require_bytes(width * n, "A: a label a vertex")
    labels = np.empty(n, np.int64)
    kernels.strong_components(A.indptr, A.indices, np.empty(n, kind), np.empty(n, kind), labels)
    return labels


def numbered_components(rows: Csr, strong: bool) -> Numbers | None:
    """See `spbfs.engines.fused.NumberedComponents`."""
    if strong:
        return strong_in_order(rows, backwards=True)
    n, kind = rows[0].shape[0] - 1, rows[1].dtype
    require_bytes(2 * kind.itemsize * n, "a label a vertex")
    parents, numbers = np.empty(n, kind), np.empty(n, kind)
    try:
        count = kernels.components_numbered(*rows, parents, numbers, get_threads())
    except TypeError:
        # Of other types, or not contiguous: what a conversion mends or refuses.
        return None
    return None if count < 0 else (count, numbers)


def strong_in_order(rows: Csr, *, backwards: bool) -> Numbers | None:
    """Strong components, numbered as a depth-first search is done with them.

    From vertex 0 on, each neighbour of a row in its turn, or, `backwards`, the last one first.
    None where the arrays are no CSR.
    """
    n, kind = rows[0].shape[0] - 1, rows[1].dtype
    # The way of the search may be as long as there are vertices.
    require_bytes((5 * kind.itemsize + 2 * rows[0].dtype.itemsize) * n, "a label a vertex")
    numbers = np.empty(n, kind)
    try:
        count = kernels.strong_components_numbered(*rows, backwards, numbers)
    except TypeError:
        # As above.
        return None
    return None if count < 0 else (count, numbers)
