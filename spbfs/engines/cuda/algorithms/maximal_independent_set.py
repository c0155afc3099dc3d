"""Maximal independent sets on the GPU: ``kernels/cuda/maximal_independent_set.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.algorithms.rows import launch, specialised
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.greedy import FewNeighboursFirst, VertexOrder
from spbfs.storage.data import MatrixData

__all__ = ["DRAWN", "maximal_independent_set", "places", "specialisations"]

#: ``struct Drawn``.
DRAWN = np.dtype([("addends", np.uint32, 3), ("inverses", np.uint32, 3), ("bits", np.int32)])
_STEM = "maximal_independent_set"


def maximal_independent_set(A: MatrixData, order: VertexOrder, threads: int | None) -> Any:
    """See `spbfs.engines.greedy.IndependentSet`."""
    import cupy as cp

    from spbfs.base.gpu_memory import require_bytes

    n = A.nrows
    require_bytes(13 * n, "A: what is known of its vertices")
    status = cp.empty(n, np.bool_)
    if n:
        draws = isinstance(order.rule, FewNeighboursFirst)
        launch(
            specialised(_STEM, A.indptr.dtype),
            *(A, A.indptr, A.indices, n, cp.empty(n, np.int32) if draws else places(order)),
            *(status, cp.empty(-(-n // 32) * 32, np.int64), cp.zeros(1, np.uint32)),
            block=_drawn(order.rule, n),
        )
    return status


def places(order: VertexOrder) -> Any:
    """The place of every vertex."""
    import cupy as cp

    listed = cp.asarray(order.listed())
    found = cp.empty(listed.shape[0], np.int32)
    found[listed] = cp.arange(listed.shape[0], dtype=np.int32)
    return found


def _drawn(rule: Any, n: int) -> np.ndarray[Any, Any]:
    """How places are drawn; all zero where they are given."""
    block = np.zeros(1, DRAWN)
    if isinstance(rule, FewNeighboursFirst):
        below = 0xFFFFFFFF
        block["addends"] = [addend & below for addend, _ in rule.rounds]
        block["inverses"] = [pow(factor, -1, 1 << 32) for _, factor in rule.rounds]
        block["bits"] = max(1, (n - 1).bit_length())
    return block


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (specialised(_STEM, offset) for offset in (np.int32, np.int64))
