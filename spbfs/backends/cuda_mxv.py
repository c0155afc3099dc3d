"""The launchers of push and pull on CUDA: which of them, with which arguments, what comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np

from spbfs import burble, planner
from spbfs.backends.cuda_kernels import LONG_ROW, PIECE, PIECE_BYTES, product_kernel, simplified
from spbfs.backends.cuda_operators import Ring, reduction_ring, ring_of
from spbfs.backends.cuda_vectors import (
    THREADS,
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
#: Bytes of ``struct Totals``.
_TOTALS = 32


@dataclass(slots=True)
class _Rows:
    """What is remembered of a matrix by rows."""

    longest: int
    filled: int
    #: Nanoseconds that its missing transpose has cost.
    regret: float = 0.0


def _stride(values: Array) -> int:
    return 0 if is_iso(values) else 1


class CudaVectorProducts(CudaVectors):
    """Products of a matrix and a vector, and sums of rows, which are products by nothing."""

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
        everything, mask = self.without_effect(mask)
        listed = u.size if u.indices is None else u.indices.shape[0]
        if A.nvals == 0 or size == 0 or listed == 0 or not everything:
            return self.empty_vector(size, semiring.out_type)
        dtypes = self.dtype_of(A), self.dtype_of(u)
        ring = ring_of(semiring, *dtypes, vector_first)
        if ring is None or not self._fits(A, u, size, ring):
            by_rows = self.transposed(A) if transpose else A
            w = self.masked(expand_mxv(self, by_rows, u, semiring, vector_first), mask)
            return self.settle(w, shrink=True)
        ring, iso = simplified(self, ring, semiring, A.values, u.values, vector_first)
        direction = hints.direction
        if not ring.can_push:
            direction = "pull"
        elif direction == "auto":
            direction = self._direction(A, u, ring, transpose, mask)
        if direction == "push":
            w = self._push(A if transpose else self.transposed(A), u, ring, mask)
        else:
            w = self._pull(self.transposed(A) if transpose else A, u, ring, mask)
        if iso is not None:
            w.values = self.resized(iso, size)
        burble.record(direction=direction, kernel=direction)
        return w

    def _fits(self, A: MatrixData, u: VectorData, size: int, ring: Ring) -> bool:
        """Whether the dense arrays of both sides can be had."""
        width = 1 + ring.out_type.np_type.itemsize
        others = 0 if u.indices is None else u.size * (1 + u.values.dtype.itemsize)
        return self._has_room(size * (width + A.indices.dtype.itemsize) + others)

    # -- which direction ---------------------------------------------------------------------
    def _direction(
        self, A: MatrixData, u: VectorData, ring: Ring, transpose: bool, mask: MaskData | None
    ) -> str:
        other = known_transpose(A)
        by_frontier, by_rows = (A, other) if transpose else (other, A)
        rows, cols = (A.ncols, A.nrows) if transpose else (A.nrows, A.ncols)
        frontier = self.count(u)
        edges = A.nvals * frontier // max(cols, 1)
        if u.form == "full":
            edges = A.nvals
        elif by_frontier is not None:
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
    def _push(self, M: MatrixData, u: VectorData, ring: Ring, mask: MaskData | None) -> CudaVector:
        """``w<mask> = u' M`` by the rows of `M` that `u` lists."""
        frontier, count, listed, by_place = self._frontier(u)
        w = self._result(M.ncols, ring, cleared=True)
        if not ring.is_any:
            w.values.fill(ring.identity)
        w.queue = cupy.empty(M.ncols, M.indices.dtype)
        w.degrees = self._degrees(M, M.ncols)
        flags, complement = (None, False) if mask is None else self.mask_bytes(mask)
        pieces, _ = self._pieces(M)
        where = (
            (pointer(M.indices), pointer(M.values), _stride(M.values)),
            (pointer(u.values), _stride(u.values), int(by_place), pointer(flags), int(complement)),
            (pointer(w.present), pointer(w.values), pointer(w.queue), pointer(w.degrees)),
            (pointer(w.totals), pointer(pieces)),
        )
        types = (M.indptr.dtype, M.indices.dtype, frontier.dtype)
        about = self.about(u) if count < 0 else count
        grid = (min(resident_blocks(), blocks_of(32 * about)[0]),)
        product_kernel(ring, "push", *types)(
            grid,
            (THREADS,),
            (
                pointer(M.indptr),
                *where[0],
                pointer(frontier),
                count,
                pointer(listed),
                *where[1],
                *where[2],
                *where[3],
            ),
        )
        if pieces is not None:
            product_kernel(ring, "push_pieces", *types)(
                (resident_blocks(),),
                (THREADS,),
                (*where[0], pointer(frontier), *where[1], *where[2], *where[3]),
            )
        return w

    def _frontier(self, u: VectorData) -> tuple[Array, int, Array | None, bool]:
        """The entries of a vector as an array, how many (-1: as `listed` says on the GPU), and
        whether values are found by place in it rather than by number."""
        if isinstance(u, CudaVector) and u.queue is not None:
            return u.queue, u.counted, u.totals if u.counted < 0 else None, False
        if u.indices is not None:
            return u.indices, int(u.indices.shape[0]), None, True
        indices = self.counting(u.size) if u.present is None else cupy.flatnonzero(u.present)
        return indices, int(indices.shape[0]), None, False

    # -- pull --------------------------------------------------------------------------------
    def _pull(self, M: MatrixData, u: VectorData, ring: Ring, mask: MaskData | None) -> CudaVector:
        """``w<mask> = M u`` by the rows of `M` that the mask admits."""
        if ring.reads_second and not is_iso(u.values):
            u = self.dense(u)
        w = self._result(M.nrows, ring, cleared=False)
        w.degrees = self._degrees(M, M.nrows)
        words = self.bits(u)
        flags, complement = (None, False) if mask is None else self.mask_bytes(mask)
        self._pull_rows(M, (u.values, words, flags, complement), ring, w)
        return w

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
        out = (pointer(w.present), pointer(w.values), pointer(w.degrees), pointer(w.totals))
        types = (M.indptr.dtype, M.indices.dtype)
        product_kernel(ring, "pull", *types)(
            blocks_of(M.nrows),
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
        w = self._result(A.nrows, ring, cleared=False)
        self._pull_rows(A, (A.values, None, None, False), ring, w)
        return w

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
        w = self._result(count, ring, cleared=False)
        self._pull_rows(M, (values, None, None, False), ring, w, indices=False)
        return w.values

    def _whole(self, values: Array, monoid: TypedMonoid) -> Array:
        while values.shape[0] > LONG_ROW:
            starts = cupy.arange(0, values.shape[0], LONG_ROW, dtype=np.int64)
            values = self.segment_reduce(values, starts, monoid)
        return self.segment_reduce(values, cupy.zeros(1, np.int64), monoid)

    # -- results and scratch -----------------------------------------------------------------
    def _result(self, size: int, ring: Ring, *, cleared: bool) -> CudaVector:
        """A bitmap and its totals, in one allocation; `cleared`: no entries yet."""
        dtype = ring.out_type.np_type
        self.require_bytes(size * (1 + dtype.itemsize), f"a dense vector of {size} elements")
        room = -(-size // _TOTALS) * _TOTALS
        held = cupy.empty(room + _TOTALS, np.uint8)
        (held if cleared else held[room:]).data.memset_async(0, held.nbytes if cleared else _TOTALS)
        values = (
            self.constant(True, BOOL.np_type, size) if ring.is_pattern else cupy.empty(size, dtype)
        )
        return CudaVector(
            size,
            values,
            present=held[:size].view(np.bool_),
            totals=held[room:].view(np.uint64),
        )

    def _degrees(self, M: MatrixData, size: int) -> Array | None:
        """The offsets of the rows that a push of the result expands, where it can be one."""
        if M.nrows != M.ncols:
            return None
        other = known_transpose(M)
        if other is None or other.nrows != size or other.indptr.dtype != M.indptr.dtype:
            return M.indptr if other is M else None
        return other.indptr

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
