"""Maximal independent sets on the GPU: ``kernels/cuda/cohesion/maximal_independent_set.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from spbfs.engines.cuda.algorithms.prepared import GIVEN, Launch, Room, Zeroed, prepared
from spbfs.engines.cuda.algorithms.rows import specialised
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.greedy import FewNeighboursFirst, VertexOrder
from spbfs.storage.data import MatrixData

__all__ = ["DRAWN", "maximal_independent_set", "places", "specialisations"]

#: ``struct Drawn``.
DRAWN = np.dtype([("addends", np.uint32, 3), ("inverses", np.uint32, 3), ("bits", np.int32)])
#: Where places are given.
_NOT_DRAWN = np.zeros(1, DRAWN)


def maximal_independent_set(A: MatrixData, order: VertexOrder, threads: int | None) -> Any:
    """See `spbfs.engines.greedy.IndependentSet`."""
    import cupy as cp

    status = cp.empty(A.nrows, np.bool_)
    if isinstance(order.rule, FewNeighboursFirst):
        prepared(A, _launch)(None, status, block=_drawn(order.rule, A.nrows))
    else:
        prepared(A, _launch)(places(order), status, block=_NOT_DRAWN)
    return status


def _launch(A: MatrixData) -> Launch:
    n = A.nrows
    return Launch(
        specialised("maximal_independent_set", A.indptr.dtype),
        A,
        "A: what is known of its vertices",
        *(A.indptr, A.indices, n, GIVEN, GIVEN, Room(8 * (-(-n // 32) * 32)), Zeroed(4)),
        block=DRAWN,
    )


def places(order: VertexOrder) -> Any:
    """The place of every vertex."""
    import cupy as cp

    listed = cp.asarray(order.listed())
    found = cp.empty(listed.shape[0], np.int32)
    found[listed] = cp.arange(listed.shape[0], dtype=np.int32)
    return found


@lru_cache(64)
def _drawn(rule: FewNeighboursFirst, n: int) -> np.ndarray[Any, Any]:
    """How places are drawn."""
    below = 0xFFFFFFFF
    block = np.zeros(1, DRAWN)
    block["addends"] = [addend & below for addend, _ in rule.rounds]
    block["inverses"] = [pow(factor, -1, 1 << 32) for _, factor in rule.rounds]
    block["bits"] = max(1, (n - 1).bit_length())
    return block


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (specialised("maximal_independent_set", offset) for offset in (np.int32, np.int64))
