"""The launchers of push and pull on CUDA: which of them, with which arguments, what comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np

from spbfs import burble, planner
from spbfs.backends.cuda_kernels import LONG_ROW, PIECE, PIECE_BYTES, product_kernel, simplified
from spbfs.backends.cuda_mailbox import Mailbox
from spbfs.backends.cuda_operators import Ring, reduction_ring, ring_of
from spbfs.backends.cuda_vectors import (
    THREADS,
    TOTALS,
    CudaVector,
    CudaVectors,
    blocks_of,
    pointer,
    resident_blocks,
)
from spbfs.backends.expand import expand_mxv
from spbfs.backends.protocol import Hints, MaskData
from spbfs.core.dtypes import BOOL
from spbfs.core.layout import known_transpose
from spbfs.core.operators.definitions import TypedMonoid, TypedSemiring
from spbfs.core.storage import MatrixData, VectorData, is_iso

__all__ = ["CudaVectorProducts"]

Array = Any


@dataclass(slots=True)
class _Rows:
    """What is remembered of a matrix by rows."""

    longest: int
    filled: int
    #: Nanoseconds that its missing transpose has cost.
    regret: float = 0.0


@dataclass(slots=True)
class _Plan:
    """What is worked out once for a matrix, a semiring and the sort of vector it meets."""

    ring: Ring
    #: The values of the result, where they are known.
    values: Array | None


def _stride(values: Array) -> int:
    return 0 if is_iso(values) else 1


class CudaVectorProducts(CudaVectors):
    """Products of a matrix and a vector, and sums of rows, which are products by nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._boxes: dict[int, Mailbox] = {}

    def mxv(
        self,
        A: MatrixData,
        u: VectorData,
        semiring: TypedSemiring,
        *,
        transpose: bool,
        vector_first: bool,
        mask: MaskData | None,
        hints: Hints,
    ) -> VectorData:
        """``w = A u`` (``A' u`` when `transpose`), pushed or pulled; waits for nothing."""
        size = A.ncols if transpose else A.nrows
        everything, mask = (True, None) if mask is None else self.without_effect(mask)
        listed = u.size if u.indices is None else u.indices.shape[0]
        if A.nvals == 0 or size == 0 or listed == 0 or not everything:
            return self.empty_vector(size, semiring.out_type)
        plan = self._plan(A, u, semiring, transpose, vector_first)
        if plan is None:
            by_rows = self.transposed(A) if transpose else A
            w = self.masked(expand_mxv(self, by_rows, u, semiring, vector_first), mask)
            return self.settle(w, shrink=True)
        direction = hints.direction
        if not plan.ring.can_push:
            direction = "pull"
        elif direction == "auto":
            direction = self._direction(A, u, plan.ring, transpose, mask)
        if direction == "push":
            w = self._push(A if transpose else self.transposed(A), u, plan, mask)
        else:
            w = self._pull(self.transposed(A) if transpose else A, u, plan, mask)
        burble.record(direction=direction, kernel=direction)
        return w

    def _plan(
        self,
        A: MatrixData,
        u: VectorData,
        semiring: TypedSemiring,
        transpose: bool,
        vector_first: bool,
    ) -> _Plan | None:
        """How to make the product; None where it must be spelled out by the array engine."""
        plans: dict[Any, _Plan | None] = A.cache.setdefault("products", {})
        values = u.values
        alike = self.known_value(values) if is_iso(values) else None
        # By its bits: -0.0 equals 0.0, and divides otherwise.
        sort = "" if alike is None else alike.tobytes()
        key = (semiring, transpose, vector_first, values.dtype, sort)
        kept = alike is not None or not is_iso(values)
        if kept and key in plans:
            return plans[key]
        made = self._made(A, u, semiring, A.ncols if transpose else A.nrows, vector_first)
        if kept:
            plans[key] = made
        return made

    def _made(
        self, A: MatrixData, u: VectorData, semiring: TypedSemiring, size: int, vector_first: bool
    ) -> _Plan | None:
        ring = ring_of(semiring, self.dtype_of(A), self.dtype_of(u), vector_first)
        if ring is None or not self._fits(A, size, ring):
            return None
        ring, iso = simplified(self, ring, semiring, A.values, u.values, vector_first)
        if iso is not None:
            return _Plan(ring, self.resized(iso, size))
        return _Plan(ring, self.constant(True, BOOL.np_type, size) if ring.is_pattern else None)

    def _fits(self, A: MatrixData, size: int, ring: Ring) -> bool:
        """Whether the dense arrays of both sides can be had."""
        width = 1 + ring.out_type.np_type.itemsize + A.indices.dtype.itemsize
        return self._has_room(size * width + 2 * max(A.nrows, A.ncols))

    # -- which direction ---------------------------------------------------------------------
    def _direction(
        self, A: MatrixData, u: VectorData, ring: Ring, transpose: bool, mask: MaskData | None
    ) -> str:
        other = known_transpose(A)
        by_frontier, by_rows = (A, other) if transpose else (other, A)
        rows, cols = (A.ncols, A.nrows) if transpose else (A.nrows, A.ncols)
        frontier = self.count(u)
        edges = A.nvals if u.form == "full" else A.nvals * frontier // max(cols, 1)
        if by_frontier is not None:
            edges = self.edges_counted(u, by_frontier.indptr, edges)
        costs = planner.product_costs(
            rows=rows,
            frontier=frontier,
            frontier_edges=edges,
            admitted=self._admitted(mask, rows if by_rows is None else self._rows(by_rows).filled),
            entries=A.nvals,
            stops_early=ring.is_any,
            pattern=ring.is_pattern,
            threads=1,
            rates=planner.CUDA,
        )
        ready = {"push": by_frontier is not None, "pull": not transpose or other is not None}
        known = self._rows(A)
        direction, known.regret = planner.direction(
            costs, ready, A.nvals, known.regret, planner.CUDA
        )
        return direction

    def _admitted(self, mask: MaskData | None, filled: int) -> int:
        """About how many of the rows with entries a mask admits."""
        if mask is None:
            return filled
        assert isinstance(mask.data, VectorData)
        stored = self.about(mask.data)
        return max(0, filled - stored) if mask.complement else min(stored, filled)

    def _rows(self, A: MatrixData) -> _Rows:
        known: _Rows | None = A.cache.get("rows")
        if known is None:
            lengths = cupy.diff(A.indptr)
            longest, filled = cupy.stack(
                (lengths.max().astype(np.int64), cupy.count_nonzero(lengths))
            ).get()
            known = A.cache["rows"] = _Rows(int(longest), int(filled))
        return known

    # -- push --------------------------------------------------------------------------------
    def _push(self, M: MatrixData, u: VectorData, plan: _Plan, mask: MaskData | None) -> CudaVector:
        """``w<mask> = u' M`` by the rows of `M` that `u` lists."""
        ring = plan.ring
        kept, frontier, kind, count, listed, by_place = self._frontier(u)
        w = self._result(M.ncols, plan, M.indices.dtype)
        if not ring.is_any:
            w.values.fill(ring.identity)
        w.degrees = M.indptr if M.nrows == M.ncols else None
        flags, complement = (None, False) if mask is None else self.mask_bytes(mask)
        pieces, _ = self._pieces(M)
        matrix = (pointer(M.indices), pointer(M.values), _stride(M.values))
        against = (pointer(u.values), _stride(u.values), by_place, pointer(flags), int(complement))
        out = (pointer(w.present), pointer(w.values), w.queue, pointer(w.degrees), w.totals)
        types = (M.indptr.dtype, M.indices.dtype, kind)
        most = self.about(u) if count < 0 else count
        product_kernel(ring, "push", *types)(
            (min(resident_blocks(), -(-most // (THREADS // 32)) or 1),),
            (THREADS,),
            (
                pointer(M.indptr),
                *matrix,
                frontier,
                count,
                listed,
                *against,
                *out,
                pointer(pieces),
            ),
        )
        if pieces is not None:
            product_kernel(ring, "push_pieces", *types)(
                (resident_blocks(),),
                (THREADS,),
                (*matrix, frontier, *against, *out, pointer(pieces)),
            )
        # Not before the kernels that read it are queued.
        del kept
        return self._sent(w)

    def _frontier(self, u: VectorData) -> tuple[Array, int, np.dtype[Any], int, int, int]:
        """The entries of a vector: what keeps them, where they are and of which type, how many
        (-1: as the counts say that are at the address behind), and whether values are found by
        place among them (1) rather than by number."""
        if isinstance(u, CudaVector) and u.totals:
            if not u.queue:
                self.enqueue(u)
            listed = u.totals if u.counted < 0 else 0
            return u, u.queue, self.queue_type(u), u.counted, listed, 0
        if u.indices is not None:
            indices = u.indices
        elif u.present is None:
            indices = self.counting(u.size)
        else:
            indices = cupy.flatnonzero(u.present)
        by_place = int(u.indices is not None)
        return indices, pointer(indices), indices.dtype, int(indices.shape[0]), 0, by_place

    # -- pull --------------------------------------------------------------------------------
    def _pull(self, M: MatrixData, u: VectorData, plan: _Plan, mask: MaskData | None) -> CudaVector:
        """``w<mask> = M u`` by the rows of `M` that the mask admits."""
        if plan.ring.reads_second and not is_iso(u.values):
            u = self.dense(u)
        w = self._result(M.nrows, plan)
        w.degrees = self._degrees(M)
        words = self.bits(u)
        flags, complement = (None, False) if mask is None else self.mask_bytes(mask)
        self._pull_rows(M, (u.values, words, flags, complement), plan.ring, w)
        return self._sent(w)

    def _pull_rows(
        self,
        M: MatrixData,
        against: tuple[Array, Array | None, Array | None, bool],
        ring: Ring,
        w: CudaVector,
        indices: bool = True,
    ) -> None:
        values, words, flags, complement = against
        pieces, parts = self._pieces(M, ring)
        matrix = (
            pointer(M.indptr),
            pointer(M.indices) if indices else 0,
            pointer(M.values),
            _stride(M.values),
            pointer(values),
            _stride(values),
            pointer(words),
        )
        out = (pointer(w.present), pointer(w.values), pointer(w.degrees), w.totals)
        types = (M.indptr.dtype, M.indices.dtype)
        product_kernel(ring, "pull", *types)(
            (min(blocks_of(M.nrows)[0], resident_blocks()),),
            (THREADS,),
            (*matrix, M.nrows, pointer(flags), int(complement), *out, pointer(pieces)),
        )
        if pieces is not None:
            product_kernel(ring, "pull_pieces", *types)(
                (resident_blocks(),), (THREADS,), (*matrix, *out, pointer(pieces), pointer(parts))
            )

    # -- sums of rows ------------------------------------------------------------------------
    def reduce_rowwise(self, A: MatrixData, monoid: TypedMonoid) -> VectorData:
        """Every row summed; rows without entries give none."""
        ring = reduction_ring(monoid, self.dtype_of(A))
        if ring is None or A.nvals == 0 or A.nrows == 0:
            return super().reduce_rowwise(A, monoid)
        w = self._result(A.nrows, _Plan(ring, None))
        self._pull_rows(A, (A.values, None, None, False), ring, w)
        return self._sent(w)

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
        M.cache["rows"] = _Rows(LONG_ROW + 1 if total > LONG_ROW else 0, count)
        w = self._result(count, _Plan(ring, None))
        self._pull_rows(M, (values, None, None, False), ring, w, indices=False)
        return w.values

    def _whole(self, values: Array, monoid: TypedMonoid) -> Array:
        while values.shape[0] > LONG_ROW:
            starts = cupy.arange(0, values.shape[0], LONG_ROW, dtype=np.int64)
            values = self.segment_reduce(values, starts, monoid)
        return self.segment_reduce(values, cupy.zeros(1, np.int64), monoid)

    # -- results and scratch -----------------------------------------------------------------
    def _result(self, size: int, plan: _Plan, queue: np.dtype[Any] | None = None) -> CudaVector:
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

    def _sent(self, w: CudaVector) -> CudaVector:
        """The result, its counts on their way to the host."""
        stream = cupy.cuda.get_current_stream().ptr
        box = self._boxes.get(stream)
        if box is None:
            box = self._boxes.setdefault(stream, Mailbox(stream))
        w.box, w.ticket = box, box.send(w.totals)
        return w

    def _degrees(self, M: MatrixData) -> Array | None:
        """The offsets of the rows that a push of ``M u`` expands, where it can be one."""
        other = known_transpose(M) if M.nrows == M.ncols else None
        return None if other is None or other.indptr.dtype != M.indptr.dtype else other.indptr

    def _pieces(self, M: MatrixData, ring: Ring | None = None) -> tuple[Array | None, Array | None]:
        """Room for the pieces of long rows and for their sums, where there are long rows."""
        if self._rows(M).longest <= LONG_ROW:
            return None, None
        # A row leaves a piece for each full one and one more for its rest.
        nvals = int(M.values.shape[0])
        most = nvals // PIECE + nvals // LONG_ROW + 1
        parts = None
        if ring is not None and not ring.is_pattern:
            parts = cupy.empty(most, ring.out_type.np_type)
        return cupy.empty(most * PIECE_BYTES, np.uint8), parts
