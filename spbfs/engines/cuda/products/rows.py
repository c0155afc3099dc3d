"""The rows of a matrix as kernels see them: long ones apart, in chunks."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from spbfs.engines.cuda.graph.row_facts import row_facts
from spbfs.engines.cuda.operators.semirings import ProductSource
from spbfs.engines.cuda.products.kernels import (
    LONG_ROW,
    PIECE,
    PIECE_BYTES,
    SHORT_ROW,
    TOGETHER,
)
from spbfs.storage.data import MatrixData, is_iso

__all__ = ["has_short_rows", "long_row_room", "stride"]

Array = Any


def stride(values: Array) -> int:
    """By which a kernel steps through values: 0 for iso ones."""
    return 0 if is_iso(values) else 1


def has_short_rows(A: MatrixData) -> bool:
    """Whether rows are so short that a lane can have one: most no more than it asks for at once."""
    return A.nvals <= TOGETHER * A.nrows and row_facts(A).longest <= SHORT_ROW


def long_row_room(
    M: MatrixData, source: ProductSource | None = None
) -> tuple[Array | None, Array | None]:
    """Room for chunks of long rows and for their partial sums, where there are long rows."""
    if row_facts(M).longest <= LONG_ROW:
        return None, None
    # A row leaves a chunk for each full one and one more for what remains.
    nvals = int(M.values.shape[0])
    most = nvals // PIECE + nvals // LONG_ROW + 1
    partial_sums = None
    if source is not None and not source.key.is_pattern:
        partial_sums = cupy.empty(most, source.dtype)
    return cupy.empty(most * PIECE_BYTES, np.uint8), partial_sums
