"""Vectors and matrices from unordered entries."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.engines.arrays.layout import offsets, pattern, row_major
from spbfs.engines.arrays.reductions import ReduceOps
from spbfs.operators.builtin import MONOID
from spbfs.operators.definitions import TypedBinary, TypedMonoid
from spbfs.storage.data import MatrixData, VectorData, is_iso

__all__ = ["BuildOps"]

Array = Any

#: Built-in operators whose fold over equal indices is the sum of the monoid of that name (those
#: of logic are not: over numbers they turn what they combine into 0 or 1, and leave the rest).
_ASSOCIATIVE = frozenset("plus times min max band bor bxor bxnor".split())


class BuildOps(ReduceOps):
    """Construction."""

    def vector_from(
        self, size: int, indices: Array, values: Array, dup: TypedBinary | None
    ) -> VectorData:
        """See `Engine.build_vector`."""
        indices = indices.astype(np.int64, copy=False)
        if bool((indices[1:] > indices[:-1]).all()):
            values = values if is_iso(values) else values.copy()
            return self.settle(VectorData(size, values, indices=indices.copy()))
        order = self.xp.argsort(indices, kind="stable")
        indices = indices[order]
        first = self._group_starts(indices[1:] == indices[:-1], indices.shape[0])
        values = self._folded(values, order, first, dup)
        return self.settle(VectorData(size, values, indices=self.take(indices, first)))

    def matrix_from(
        self,
        nrows: int,
        ncols: int,
        rows: Array,
        cols: Array,
        values: Array,
        dup: TypedBinary | None,
    ) -> MatrixData:
        """See `Engine.build_matrix`."""
        xp, nvals = self.xp, rows.shape[0]
        if is_iso(values) and self._idempotent(dup, values.dtype):
            found = pattern(xp, nrows, ncols, rows, cols)
            if found is not None:
                indptr, indices = found
                values = self.resized(values, indices.shape[0])
                return MatrixData(nrows, ncols, indptr, indices, values)
        indptr, indices, order = row_major(xp, nrows, ncols, rows, cols)
        equal = indices[1:] == indices[:-1]
        # Equal columns side by side are no repetition where a new row begins.
        inner = indptr[1:-1]
        equal[inner[(inner > 0) & (inner < nvals)] - 1] = False
        first = self._group_starts(equal, nvals)
        values = self._folded(values, order, first, dup)
        if first is not None:
            indices = indices[first]
            before = xp.zeros(nvals + 1, np.bool_)
            before[first + 1] = True
            counts = xp.diff(xp.cumsum(before)[indptr])
            indptr = offsets(xp, counts, ncols, indices.shape[0])
        return MatrixData(nrows, ncols, indptr, indices, values)

    def _closed(self, dup: TypedBinary, dtype: np.dtype[Any]) -> bool:
        """Whether `dup` is a built-in operator from `dtype` to itself."""
        types = (dup.in_type.np_type, dup.out_type.np_type)
        return dup.op.function is None and types == (dtype, dtype)

    def _idempotent(self, dup: TypedBinary | None, dtype: np.dtype[Any]) -> bool:
        """Whether `dup` of two equal values is sure to be that value."""
        return dup is None or (self._closed(dup, dtype) and dup.idempotent)

    def _group_starts(self, equal: Array, size: int) -> Array | None:
        """Where each group of equal indices begins; None when there are no repetitions."""
        if not bool(equal.any()):
            return None
        first = self.xp.ones(size, np.bool_)
        first[1:] = ~equal
        return self.xp.flatnonzero(first)

    def _folded(
        self, values: Array, order: Array, first: Array | None, dup: TypedBinary | None
    ) -> Array:
        """Values in sorted order, one for each group: combined by `dup`, else the last."""
        sorted_values = self.take(values, order)
        if first is None:
            return sorted_values
        lengths = self._lengths(first, order.shape[0])
        builtin = dup is not None and dup.op.function is None
        if dup is None or (builtin and dup.op.name == "second"):
            return self.take(sorted_values, first + lengths - 1)
        if builtin and dup.op.name in ("first", "any"):
            return self.take(sorted_values, first)
        if dup.op.name in _ASSOCIATIVE and self._closed(dup, values.dtype):
            # Over BOOL, plus is "or".
            name = "lor" if dup.op.name == "plus" and dup.in_type.is_bool else dup.op.name
            # `in_type` itself: the monoid's own rule would count Booleans.
            monoid = TypedMonoid(MONOID[name], dup.in_type, None, None)
            return self.segment_reduce(sorted_values, first, monoid)
        return self._fold_in_turn(self.spelled_out(sorted_values), first, lengths, dup)

    def _fold_in_turn(self, values: Array, first: Array, lengths: Array, dup: TypedBinary) -> Array:
        """((a op b) op c) ... for all groups at once: one pass for each further repetition."""
        dtype = self.dtype_of(VectorData(0, values))
        total = values[first]
        step = 1
        open_groups = self.xp.flatnonzero(lengths > step)
        while open_groups.shape[0]:
            further = values[first[open_groups] + step]
            sums = self.binary_values(dup, total[open_groups], further)
            total[open_groups] = self.values_as(sums, dtype)
            step += 1
            open_groups = open_groups[lengths[open_groups] > step]
        return total
