"""Components on the GPU: ``kernels/cuda/connectivity/components.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.algorithms.prepared import GIVEN, Launch, Room, Zeroed, prepared
from spbfs.engines.cuda.algorithms.rows import room_for_pieces, specialised
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

    # Where that is not known every call reads all entries, as one look at them does.
    symmetric = is_symmetric(A)
    back = None if symmetric else known_transpose(A)
    if back is not None and back.indptr.dtype != A.indptr.dtype:
        back = None
    labels = cp.empty(A.nrows, np.int64)
    if back is None:
        prepared(A, _launch, symmetric)(None, None, labels)
    else:
        prepared(A, _launch, symmetric, True)(back.indptr, back.indices, labels)
    return labels


def _launch(A: MatrixData, symmetric: bool, both: bool = False) -> Launch:
    pieces = room_for_pieces(A.nvals)
    return Launch(
        specialised("components", A.indptr.dtype),
        A,
        "A: a label a vertex",
        *(A.indptr, A.indices, GIVEN, GIVEN, symmetric, A.nrows, Room(4 * A.nrows), GIVEN),
        *(pieces, pieces if both else None, Zeroed(STATE_BYTES)),
    )


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (specialised("components", offset) for offset in (np.int32, np.int64))
