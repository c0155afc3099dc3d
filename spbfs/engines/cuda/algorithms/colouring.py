"""Greedy colours on the GPU: ``kernels/cuda/cohesion/colouring.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.algorithms.prepared import GIVEN, Launch, Room, Zeroed, prepared
from spbfs.engines.cuda.algorithms.rows import most_ctas, room_for_pieces, specialised
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.greedy import LargestFirst, VertexOrder
from spbfs.storage.data import MatrixData

__all__ = ["STATE_BYTES", "colouring", "specialisations"]

#: ``struct ColouringState``, and `kDigits`.
STATE_BYTES = 1040
_DIGITS = 256


def colouring(A: MatrixData, order: VertexOrder, threads: int | None) -> Any:
    """See `spbfs.engines.greedy.Colouring`."""
    import cupy as cp

    colours = cp.empty(A.nrows, np.int64)
    if order.rule is LargestFirst.RULE:
        # To look for loops is to look at all entries, at every call.
        prepared(A, _sorting, A.derived.loopless is not True)(colours)
    else:
        prepared(A, _in_order)(cp.asarray(order.listed().astype(np.int32)), colours)
    return colours


def _sorting(A: MatrixData, loops: bool) -> Launch:
    return _launch(A, True, loops, Room(4 * A.nrows))


def _in_order(A: MatrixData) -> Launch:
    return _launch(A, False, False, GIVEN)


def _launch(A: MatrixData, sorts: bool, loops: bool, order: object) -> Launch:
    number = Room(4 * A.nrows)
    return Launch(
        specialised("colouring", A.indptr.dtype),
        A,
        "A: neighbours that its vertices wait for",
        *(A.indptr, A.indices, A.nrows, sorts, loops, order, number),
        *(Room(4 * most_ctas() * _DIGITS), number, number, number, Room(4 * A.nvals), GIVEN),
        *(room_for_pieces(A.nvals), Zeroed(STATE_BYTES)),
    )


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (specialised("colouring", offset) for offset in (np.int32, np.int64))
