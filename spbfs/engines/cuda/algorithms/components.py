"""Components on the GPU: ``kernels/cuda/components.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.algorithms.rows import launch, room_for_pieces, specialised
from spbfs.engines.cuda.graph.symmetric import is_symmetric
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import known_transpose

__all__ = ["STATE_BYTES", "components", "specialisations"]

#: ``struct ComponentsState``.
STATE_BYTES = 16


def components(A: MatrixData, threads: int | None) -> Any:
    """See `spbfs.engines.fused.Components`; uses what is known of the transpose, makes none."""
    import cupy as cp

    from spbfs.base.gpu_memory import require_bytes

    n, entries = A.nrows, A.nvals
    require_bytes(12 * n + entries // 32, "A: a label a vertex")
    # Where that is not known every call reads all entries, as one look at them does.
    symmetric = is_symmetric(A)
    back = None if symmetric else known_transpose(A)
    if back is not None and back.indptr.dtype != A.indptr.dtype:
        back = None
    labels = cp.empty(n, np.int64)
    if n:
        launch(
            specialised("components", A.indptr.dtype),
            *(A, A.indptr, A.indices),
            None if back is None else back.indptr,
            None if back is None else back.indices,
            *(symmetric, n, cp.empty(n, np.int32), labels),
            room_for_pieces(entries),
            None if back is None else room_for_pieces(entries),
            cp.zeros(STATE_BYTES, np.uint8),
        )
    return labels


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (specialised("components", offset) for offset in (np.int32, np.int64))
