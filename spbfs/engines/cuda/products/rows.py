"""Rows summed on CUDA: the launcher of pull, which products and reductions share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np

from spbfs.engines.cuda.products.kernels import LONG_ROW, PIECE, PIECE_BYTES, product_kernel
from spbfs.engines.cuda.products.semirings import Ring
from spbfs.engines.cuda.runtime.driver import pointer
from spbfs.engines.cuda.vectors.data import CudaVector, blocks_of, resident_blocks
from spbfs.storage.data import MatrixData, is_iso

__all__ = ["ProductPlan", "RowFacts", "long_row_room", "pull_rows", "row_facts", "stride"]

Array = Any


@dataclass(slots=True)
class RowFacts:
    """What is remembered of a matrix by rows."""

    longest: int
    filled: int
    #: Nanoseconds that its missing transpose has cost.
    regret: float = 0.0


@dataclass(slots=True)
class ProductPlan:
    """What is worked out once for a matrix, a semiring and the sort of vector it meets."""

    ring: Ring
    #: The values of the result, where they are known.
    values: Array | None
    #: Those of the product with its own result, and so on: see `products.mxv.step_values`.
    repeated: Array | None = None
    known: bool = False


def stride(values: Array) -> int:
    """By which a kernel steps through values: 0 for iso ones."""
    return 0 if is_iso(values) else 1


def row_facts(A: MatrixData) -> RowFacts:
    """The longest row of a matrix with entries, and how many rows have some; kept with it."""
    known: RowFacts | None = A.cache.get("rows")
    if known is None:
        lengths = cupy.diff(A.indptr)
        longest, filled = cupy.stack(
            (lengths.max().astype(np.int64), cupy.count_nonzero(lengths))
        ).get()
        known = A.cache["rows"] = RowFacts(int(longest), int(filled))
    return known


def pull_rows(
    M: MatrixData,
    against: tuple[Array, Array | None, Array | None, bool],
    ring: Ring,
    w: CudaVector,
    indices: bool = True,
) -> None:
    """Sum the rows of `M` into `w`.

    `against` is what they are multiplied with: values, their bits (None: every element is
    stored), and the flags of the mask and whether it is turned.  Without `indices` entry p of
    the matrix is of column p.
    """
    values, words, flags, complement = against
    pieces, parts = long_row_room(M, ring)
    matrix = (
        pointer(M.indptr),
        pointer(M.indices) if indices else 0,
        pointer(M.values),
        stride(M.values),
        pointer(values),
        stride(values),
        pointer(words),
    )
    out = (pointer(w.present), pointer(w.values), pointer(w.degrees), w.totals)
    types = (M.indptr.dtype, M.indices.dtype)
    product_kernel(ring, "pull", *types)(
        min(blocks_of(M.nrows), resident_blocks()),
        (*matrix, M.nrows, pointer(flags), int(complement), *out, pointer(pieces)),
    )
    if pieces is not None:
        product_kernel(ring, "pull_pieces", *types)(
            resident_blocks(), (*matrix, *out, pointer(pieces), pointer(parts))
        )


def long_row_room(M: MatrixData, ring: Ring | None = None) -> tuple[Array | None, Array | None]:
    """Room for the pieces of long rows and for their sums, where there are long rows."""
    if row_facts(M).longest <= LONG_ROW:
        return None, None
    # A row leaves a piece for each full one and one more for its rest.
    nvals = int(M.values.shape[0])
    most = nvals // PIECE + nvals // LONG_ROW + 1
    parts = None
    if ring is not None and not ring.is_pattern:
        parts = cupy.empty(most, ring.out_type.np_type)
    return cupy.empty(most * PIECE_BYTES, np.uint8), parts
