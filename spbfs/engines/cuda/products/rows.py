"""Rows summed on CUDA: the launcher of pull, which products and reductions share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np

from spbfs.engines.cpu.transpose import known_transpose
from spbfs.engines.cuda.products.kernels import LONG_ROW, PIECE, PIECE_BYTES, product_kernel
from spbfs.engines.cuda.products.semirings import Ring, reduction_ring
from spbfs.engines.cuda.runtime.driver import pointer
from spbfs.engines.cuda.runtime.mailbox import Mailbox
from spbfs.engines.cuda.vectors.data import (
    TOTALS,
    CudaVector,
    blocks_of,
    resident_blocks,
)
from spbfs.engines.cuda.vectors.forms import CudaVectors
from spbfs.operators.definitions import TypedMonoid
from spbfs.storage.data import MatrixData, VectorData, is_iso

__all__ = ["CudaRows", "Plan", "stride"]

Array = Any


@dataclass(slots=True)
class RowFacts:
    """What is remembered of a matrix by rows."""

    longest: int
    filled: int
    #: Nanoseconds that its missing transpose has cost.
    regret: float = 0.0


@dataclass(slots=True)
class Plan:
    """What is worked out once for a matrix, a semiring and the sort of vector it meets."""

    ring: Ring
    #: The values of the result, where they are known.
    values: Array | None


def stride(values: Array) -> int:
    """By which a kernel steps through values: 0 for iso ones."""
    return 0 if is_iso(values) else 1


class CudaRows(CudaVectors):
    """Sums of the rows of a matrix, by themselves or with a vector."""

    def __init__(self) -> None:
        super().__init__()
        self._boxes: dict[int, Mailbox] = {}

    def row_facts(self, A: MatrixData) -> RowFacts:
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
        self,
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
        pieces, parts = self.pieces(M, ring)
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

    # -- sums of rows ------------------------------------------------------------------------
    def row_sums(self, A: MatrixData, monoid: TypedMonoid) -> VectorData:
        """Every row summed; rows without entries give none."""
        ring = reduction_ring(monoid, self.dtype_of(A))
        if ring is None or A.nvals == 0 or A.nrows == 0:
            return super().row_sums(A, monoid)
        w = self.result(A.nrows, Plan(ring, None))
        self.pull_rows(A, (A.values, None, None, False), ring, w)
        return self.sent(w)

    def segment_reduce(self, values: Array, starts: Array, monoid: TypedMonoid) -> Array:
        """Sums of consecutive segments, none of them empty."""
        ring = reduction_ring(monoid, self.dtype_of(VectorData(0, values)))
        if ring is None or starts.shape[0] == 0:
            return super().segment_reduce(values, starts, monoid)
        count, total = int(starts.shape[0]), int(values.shape[0])
        indptr = cupy.empty(count + 1, np.int64)
        indptr[:-1] = starts
        indptr[-1] = total
        # Rows of a matrix that has no columns to look at.
        M = MatrixData(count, total, indptr, indptr[:0], values)
        M.cache["rows"] = RowFacts(LONG_ROW + 1 if total > LONG_ROW else 0, count)
        w = self.result(count, Plan(ring, None))
        self.pull_rows(M, (values, None, None, False), ring, w, indices=False)
        return w.values

    def _whole(self, values: Array, monoid: TypedMonoid) -> Array:
        while values.shape[0] > LONG_ROW:
            starts = cupy.arange(0, values.shape[0], LONG_ROW, dtype=np.int64)
            values = self.segment_reduce(values, starts, monoid)
        return self.segment_reduce(values, cupy.zeros(1, np.int64), monoid)

    # -- results and scratch -----------------------------------------------------------------
    def result(self, size: int, plan: Plan, queue: np.dtype[Any] | None = None) -> CudaVector:
        """A bitmap, its counts and, for a push, its queue in one allocation.

        What a push adds to is cleared: the flags, too.
        """
        dtype = plan.ring.out_type.np_type
        room = -(-size // TOTALS) * TOTALS
        width = 0 if queue is None else queue.itemsize
        held = cupy.empty(room + TOTALS + size * width, np.uint8)
        address = held.data.ptr
        begin = room if queue is None else 0
        cupy.cuda.runtime.memsetAsync(
            address + begin, 0, room + TOTALS - begin, cupy.cuda.get_current_stream().ptr
        )
        return CudaVector(
            size,
            cupy.empty(size, dtype) if plan.values is None else plan.values,
            present=cupy.ndarray((size,), np.bool_, held.data),
            held=held,
            totals=address + room,
            queue=0 if queue is None else address + room + TOTALS,
        )

    def sent(self, w: CudaVector) -> CudaVector:
        """The result, its counts on their way to the host."""
        stream = cupy.cuda.get_current_stream().ptr
        box = self._boxes.get(stream)
        if box is None:
            box = self._boxes.setdefault(stream, Mailbox(stream))
        w.box, w.ticket = box, box.send(w.totals)
        return w

    def degrees(self, M: MatrixData) -> Array | None:
        """The offsets of the rows that a push of ``M u`` expands, where it can be one."""
        other = known_transpose(M) if M.nrows == M.ncols else None
        return None if other is None or other.indptr.dtype != M.indptr.dtype else other.indptr

    def pieces(self, M: MatrixData, ring: Ring | None = None) -> tuple[Array | None, Array | None]:
        """Room for the pieces of long rows and for their sums, where there are long rows."""
        if self.row_facts(M).longest <= LONG_ROW:
            return None, None
        # A row leaves a piece for each full one and one more for its rest.
        nvals = int(M.values.shape[0])
        most = nvals // PIECE + nvals // LONG_ROW + 1
        parts = None
        if ring is not None and not ring.is_pattern:
            parts = cupy.empty(most, ring.out_type.np_type)
        return cupy.empty(most * PIECE_BYTES, np.uint8), parts
