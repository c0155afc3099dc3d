"""The launchers of push and pull on CUDA: which of them, with which arguments, what comes out."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from spbfs.base import tracing
from spbfs.engines.arrays.expand import expand_mxv
from spbfs.engines.cpu.transpose import known_transpose
from spbfs.engines.cuda.lookahead import hooks as lookahead
from spbfs.engines.cuda.products.kernels import product_kernel, simplified
from spbfs.engines.cuda.products.rows import CudaRows, Plan, stride
from spbfs.engines.cuda.products.semirings import Ring, ring_of
from spbfs.engines.cuda.runtime.driver import pointer
from spbfs.engines.cuda.runtime.launch import THREADS
from spbfs.engines.cuda.vectors.data import CudaVector, queue_type, resident_blocks
from spbfs.engines.protocol import Hints, MaskData
from spbfs.operators.definitions import TypedSemiring
from spbfs.operators.dtypes import BOOL
from spbfs.planner import products as planner
from spbfs.storage.data import MatrixData, VectorData, is_iso

__all__ = ["CudaVectorProducts"]

Array = Any


class CudaVectorProducts(CudaRows):
    """Products of a matrix and a vector."""

    def mxv(
        self,
        A: MatrixData,
        u: VectorData,
        semiring: TypedSemiring,
        transpose: bool,
        vector_first: bool,
        mask: MaskData | None,
        hints: Hints,
    ) -> VectorData:
        """``w = A u`` (``A' u`` when `transpose`), pushed or pulled; waits for nothing."""
        frontier, mark = lookahead.product(
            self, A, u, semiring, transpose, vector_first, mask, hints
        )
        if frontier is not None:
            return frontier
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
        w.lookahead = mark
        if tracing.current() is not None:
            tracing.record(direction=direction, kernel=direction, frontier=self.count(u))
        return w

    def _plan(
        self,
        A: MatrixData,
        u: VectorData,
        semiring: TypedSemiring,
        transpose: bool,
        vector_first: bool,
    ) -> Plan | None:
        """How to make the product; None where it must be spelled out by the array engine."""
        plans: dict[Any, Plan | None] = A.cache.setdefault("products", {})
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
    ) -> Plan | None:
        """The plan, worked out."""
        ring = ring_of(semiring, self.dtype_of(A), self.dtype_of(u), vector_first)
        if ring is None or not self._fits(A, size, ring):
            return None
        ring, iso = simplified(self, ring, semiring, A.values, u.values, vector_first)
        if iso is not None:
            return Plan(ring, self.resized(iso, size))
        return Plan(ring, self.constant(True, BOOL.np_type, size) if ring.is_pattern else None)

    def _fits(self, A: MatrixData, size: int, ring: Ring) -> bool:
        """Whether the dense arrays of both sides can be had."""
        width = 1 + ring.out_type.np_type.itemsize + A.indices.dtype.itemsize
        return self._has_room(size * width + 2 * max(A.nrows, A.ncols))

    # -- which direction ---------------------------------------------------------------------
    def _direction(
        self, A: MatrixData, u: VectorData, ring: Ring, transpose: bool, mask: MaskData | None
    ) -> str:
        """What the planner chooses for these counts."""
        other = known_transpose(A)
        by_frontier, by_rows = (A, other) if transpose else (other, A)
        rows, cols = (A.ncols, A.nrows) if transpose else (A.nrows, A.ncols)
        frontier = self.count(u)
        edges = A.nvals if u.form == "full" else A.nvals * frontier // max(cols, 1)
        if by_frontier is not None:
            edges = self.edges_counted(u, by_frontier.indptr, edges)
        filled = rows if by_rows is None else self.row_facts(by_rows).filled
        costs = planner.product_costs(
            rows=rows,
            frontier=frontier,
            frontier_edges=edges,
            admitted=self._admitted(mask, filled),
            entries=A.nvals,
            stops_early=ring.is_any,
            pattern=ring.is_pattern,
            threads=1,
            rates=planner.CUDA,
        )
        ready = {"push": by_frontier is not None, "pull": not transpose or other is not None}
        known = self.row_facts(A)
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

    # -- push --------------------------------------------------------------------------------
    def _push(self, M: MatrixData, u: VectorData, plan: Plan, mask: MaskData | None) -> CudaVector:
        """``w<mask> = u' M`` by the rows of `M` that `u` lists."""
        ring = plan.ring
        kept, frontier, kind, count, listed, by_place = self._frontier(u)
        w = self.result(M.ncols, plan, M.indices.dtype)
        if not ring.is_any:
            w.values.fill(ring.identity)
        w.degrees = M.indptr if M.nrows == M.ncols else None
        flags, complement = (None, False) if mask is None else self.mask_bytes(mask)
        pieces, _ = self.pieces(M)
        matrix = (pointer(M.indices), pointer(M.values), stride(M.values))
        against = (pointer(u.values), stride(u.values), by_place, pointer(flags), int(complement))
        out = (pointer(w.present), pointer(w.values), w.queue, pointer(w.degrees), w.totals)
        types = (M.indptr.dtype, M.indices.dtype, kind)
        most = self.about(u) if count < 0 else count
        product_kernel(ring, "push", *types)(
            min(resident_blocks(), -(-most // (THREADS // 32)) or 1),
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
                resident_blocks(),
                (*matrix, frontier, *against, *out, pointer(pieces)),
            )
        # Not before the kernels that read it are queued.
        del kept
        return self.sent(w)

    def _frontier(self, u: VectorData) -> tuple[Array, int, np.dtype[Any], int, int, int]:
        """The entries of a vector: what keeps them, where they are and of which type, how many
        (-1: as the counts say that are at the address behind), and whether values are found by
        place among them (1) rather than by number."""
        if isinstance(u, CudaVector) and u.totals:
            if not u.queue:
                self.enqueue(u)
            listed = u.totals if u.counted < 0 else 0
            return u, u.queue, queue_type(u), u.counted, listed, 0
        if u.indices is not None:
            indices = u.indices
        elif u.present is None:
            indices = self.counting(u.size)
        else:
            indices = cupy.flatnonzero(u.present)
        by_place = int(u.indices is not None)
        return indices, pointer(indices), indices.dtype, int(indices.shape[0]), 0, by_place

    # -- pull --------------------------------------------------------------------------------
    def _pull(self, M: MatrixData, u: VectorData, plan: Plan, mask: MaskData | None) -> CudaVector:
        """``w<mask> = M u`` by the rows of `M` that the mask admits."""
        if plan.ring.reads_second and not is_iso(u.values):
            u = self.dense(u)
        w = self.result(M.nrows, plan)
        w.degrees = self.degrees(M)
        words = self.bits(u)
        flags, complement = (None, False) if mask is None else self.mask_bytes(mask)
        self.pull_rows(M, (u.values, words, flags, complement), plan.ring, w)
        return self.sent(w)
