"""The launchers of push and pull: which of them, with which arguments, and what comes out."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base import tracing
from spbfs.base.threads import resolve_threads
from spbfs.engines.arrays import ArrayEngine
from spbfs.engines.arrays.expand import expand_mxv
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.recipe import Recipe, recipe_of, simplified
from spbfs.engines.cpu.transpose import hubs, transposed
from spbfs.engines.protocol import Hints, MaskData
from spbfs.operators.definitions import TypedSemiring
from spbfs.operators.dtypes import DType
from spbfs.planner import products as planner
from spbfs.storage.data import MatrixData, VectorData, is_iso, iso_array
from spbfs.storage.derived import FilledRows, keeping, known_transpose, ledger_of

__all__ = ["VectorProducts"]

Array = Any
#: Stands for values that are known without being computed.
_TRUE = np.ones(1, np.bool_)


class VectorProducts(ArrayEngine):
    """The part of the CPU engine that multiplies matrices and vectors."""

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
        """``w = A u`` (``A' u`` when `transpose`), pushed or pulled."""
        rows = A.ncols if transpose else A.nrows
        frontier = self.count(u)
        everything, mask = self.without_effect(mask)
        if frontier == 0 or A.nvals == 0 or rows == 0 or not everything:
            return self.empty_vector(rows, semiring.out_type)
        recipe = recipe_of(semiring, vector_first)
        if not recipe.known:
            by_rows = transposed(A) if transpose else A
            return self.masked(expand_mxv(self, by_rows, u, semiring, vector_first), mask)
        recipe, iso = simplified(recipe, semiring, A.values, u.values, self)
        threads = resolve_threads(hints.threads)
        if u.present is not None:
            u = self.settle(u, shrink=True)
        direction, edges = self._direction(A, u, recipe, transpose, frontier, mask, hints, threads)
        if direction == "push":
            by_frontier = A if transpose else transposed(A)
            w, kernel, edges = self._push(by_frontier, u, recipe, iso, mask, edges, threads)
        else:
            by_rows = transposed(A) if transpose else A
            w, edges = self._pull(by_rows, u, recipe, iso, mask, threads)
            kernel = "pull"
        tracing.record(direction=direction, kernel=kernel, frontier=frontier, edges=edges)
        return self.settle(w, shrink=True)

    def _direction(
        self,
        A: MatrixData,
        u: VectorData,
        recipe: Recipe,
        transpose: bool,
        frontier: int,
        mask: MaskData | None,
        hints: Hints,
        threads: int,
    ) -> tuple[str, int]:
        """Push or pull, and the entries of the frontier's rows where they were counted, else -1."""
        other = known_transpose(A)
        by_frontier, by_rows = (A, other) if transpose else (other, A)
        rows, cols = (A.ncols, A.nrows) if transpose else (A.nrows, A.ncols)
        if hints.direction != "auto":
            return hints.direction, -1
        edges = -1 if by_frontier is None else self._frontier_edges(by_frontier, u, frontier)
        filled = rows if by_rows is None else self._filled_rows(by_rows).count
        costs = planner.product_costs(
            rows=rows,
            frontier=frontier,
            frontier_edges=edges if edges >= 0 else A.nvals * frontier // max(cols, 1),
            admitted=self._admitted(mask, filled),
            entries=A.nvals,
            stops_early=recipe.stops_early,
            pattern=recipe.is_pattern,
            threads=threads,
        )
        ready = {"push": by_frontier is not None, "pull": not transpose or other is not None}
        ledger = ledger_of(A)
        direction, ledger.regret = planner.direction(costs, ready, A.nvals, ledger.regret)
        return direction, edges if u.indices is not None else -1

    def _frontier_edges(self, by_frontier: MatrixData, u: VectorData, frontier: int) -> int:
        """Entries of the frontier's rows; of a large bitmap an estimate."""
        if u.indices is not None:
            return int(kernels.list_edges(by_frontier.indptr, u.indices))
        if u.present is not None:
            sample = planner.SAMPLED_VERTICES
            return int(kernels.bytes_edges(by_frontier.indptr, u.present, frontier, sample))
        return by_frontier.nvals

    def _admitted(self, mask: MaskData | None, filled: int) -> int:
        """About how many of the rows with entries a mask admits.

        A valued mask is taken as if structural, and what it holds as rows with entries: so it is
        where it says what a traversal has visited.
        """
        if mask is None:
            return filled
        stored = self.count(_vector(mask))
        return max(0, filled - stored) if mask.complement else min(stored, filled)

    def _filled_rows(self, by_rows: MatrixData) -> FilledRows:
        """Which rows hold entries, kept with the matrix."""
        derived = by_rows.derived
        if derived.filled_rows is None:
            bits = np.empty((by_rows.nrows + 7) // 8, np.uint8)
            made = FilledRows(bits, int(kernels.filled_rows(by_rows.indptr, bits)))
            with keeping:
                if derived.filled_rows is None:
                    derived.filled_rows = made
        return derived.filled_rows

    def _push(
        self,
        by_frontier: MatrixData,
        u: VectorData,
        recipe: Recipe,
        iso: Array | None,
        mask: MaskData | None,
        edges: int,
        threads: int,
    ) -> tuple[VectorData, str, int]:
        u = self.to_list(u)
        assert u.indices is not None
        size, frontier = by_frontier.ncols, u.indices.shape[0]
        if edges < 0:
            edges = int(kernels.list_edges(by_frontier.indptr, u.indices))
        first = self.operand(by_frontier, recipe.in_type, recipe.uses_first)
        second = self._values(u.values, recipe.in_type, recipe.uses_second)
        operands = (by_frontier.indptr, by_frontier.indices, first, u.indices, second)
        if planner.push_kernel(edges, size) == "push_list":
            # A mask that is a short list is applied to the few elements found, not spelled out.
            mask_after = mask is not None and _vector(mask).form == "list"
            flags, complement = (None, False) if mask_after else self._mask_flags(mask)
            indices = np.empty(edges, np.int64)
            values = None if recipe.is_pattern else np.empty(edges, recipe.out_type.np_type)
            count = kernels.push_list(
                *operands, *recipe.codes, size, flags, complement, indices, values
            )
            values = _all(iso, count) if values is None else values[:count]
            w = VectorData(size, values, indices=indices[:count])
            return (self.masked(w, mask) if mask_after else w), "push_list", edges
        flags, complement = self._mask_flags(mask)
        present = np.zeros(size, np.bool_)
        values = None if recipe.is_pattern else np.empty(size, recipe.out_type.np_type)
        sweep = recipe.is_pattern and planner.push_sweeps(edges, size)
        blocks = planner.push_blocks(edges, frontier, threads)
        count = kernels.push(
            *operands, *recipe.codes, flags, complement, present, values, sweep, blocks, threads
        )
        return self._bitmap(present, values, iso, count), "push", edges

    def _pull(
        self,
        by_rows: MatrixData,
        u: VectorData,
        recipe: Recipe,
        iso: Array | None,
        mask: MaskData | None,
        threads: int,
    ) -> tuple[VectorData, int]:
        if recipe.uses_second and u.indices is not None and not is_iso(u.values):
            u = self.to_bitmap(u)
        wanted = None
        if mask is not None and not mask.complement and _vector(mask).form == "list":
            wanted = self.region(mask).indices
            mask = None
        likely = None
        if recipe.stops_early and not recipe.uses_first and u.form != "full":
            ledger = ledger_of(by_rows)
            ledger.pulls += 1
            if planner.hubs_pay(ledger.pulls) or by_rows.derived.hubs_sought:
                likely = hubs(by_rows, threads)
        flags, complement = self._mask_flags(mask)
        room = by_rows.nrows if wanted is None else wanted.shape[0]
        present = np.empty(room, np.bool_)
        values = None if recipe.is_pattern else np.empty(room, recipe.out_type.np_type)
        count, touched = kernels.pull(
            by_rows.indptr,
            by_rows.indices,
            self._filled_rows(by_rows).bits,
            self.operand(by_rows, recipe.in_type, recipe.uses_first),
            u.size,
            u.indices,
            u.present,
            self._values(u.values, recipe.in_type, recipe.uses_second),
            *recipe.codes,
            flags,
            complement,
            wanted,
            likely,
            present,
            values,
            threads,
        )
        w = self._bitmap(present, values, iso, count)
        if wanted is not None:
            found = self.to_list(w)
            w = VectorData(by_rows.nrows, found.values, indices=wanted[found.indices])
        return w, touched

    # -- arguments of kernels ----------------------------------------------------------------
    def operand(self, A: MatrixData, dtype: DType, used: bool) -> Array:
        """The matrix's values as the kernel wants them; a cast is kept with the matrix."""
        if not used or A.values.dtype == dtype.np_type or is_iso(A.values):
            return self._values(A.values, dtype, used)
        derived = A.derived
        if derived.cast_values is None:
            with keeping:
                if derived.cast_values is None:
                    derived.cast_values = {}
        known = derived.cast_values
        if dtype not in known:
            known.setdefault(dtype, self.values_as(A.values, dtype))
        return known[dtype]

    def _values(self, values: Array, dtype: DType, used: bool) -> Array:
        return self.values_as(values, dtype) if used else values[:1]

    def _mask_flags(self, mask: MaskData | None) -> tuple[Array | None, bool]:
        return (None, False) if mask is None else self.mask_bytes(mask)

    def _bitmap(
        self, present: Array, values: Array | None, iso: Array | None, count: int
    ) -> VectorData:
        if values is None:
            values = _all(iso, present.shape[0])
        return VectorData(present.shape[0], values, present=present, counted=count)


def _all(iso: Array | None, count: int) -> Array:
    """As many values of a pattern, all alike: true, where it is not known which."""
    return iso_array(_TRUE if iso is None else iso, count)


def _vector(mask: MaskData) -> VectorData:
    assert isinstance(mask.data, VectorData)
    return mask.data
