"""Sums by a monoid: of everything, of segments."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.engines.arrays.vectors import VectorOps
from spbfs.operators.definitions import TypedBinary, TypedMonoid
from spbfs.storage.data import MatrixData, VectorData, is_iso

__all__ = ["ReduceOps"]

Array = Any

_UFUNC = {
    "plus": "add",
    "times": "multiply",
    "min": "fmin",
    "max": "fmax",
    "lor": "logical_or",
    "land": "logical_and",
    "lxor": "logical_xor",
    "band": "bitwise_and",
    "bor": "bitwise_or",
    "bxor": "bitwise_xor",
}
_UFUNC_BOOL = {"times": "logical_and", "min": "logical_and", "max": "logical_or"}
#: The negation of another: an even number of operands flips the other's sum.
_NEGATED = {"lxnor": "lxor", "eq": "lxor", "bxnor": "bxor"}

#: Others are a user's, whatever their operator.
_BUILT_IN = frozenset((*_UFUNC, *_NEGATED, "any"))


class ReduceOps(VectorOps):
    """Reductions."""

    def stored_values(self, x: VectorData | MatrixData) -> Array:
        """The values of stored entries, in order."""
        if isinstance(x, VectorData) and x.present is not None:
            return self.to_list(x).values
        return x.values

    def reduce_values(self, values: Array, monoid: TypedMonoid) -> np.generic | None:
        """All values summed; None when there are none."""
        if values.shape[0] == 0:
            return None
        values = self.values_as(values, monoid.dtype)
        name, builtin = monoid.op.name, monoid.op.binaryop.function is None
        if builtin and (name == "any" or (monoid.idempotent and is_iso(values))):
            total = values[:1]
        else:
            total = self._whole(values, monoid)
        scalar: np.generic = self.to_numpy(total)[0]
        return scalar

    def _whole(self, values: Array, monoid: TypedMonoid) -> Array:
        name = monoid.op.name
        if monoid.op.binaryop.function is None and name in _UFUNC:
            ufunc = self._ufunc(name, monoid)
            # NumPy would widen small integers; a monoid sums in its own type.
            with np.errstate(all="ignore"):
                total = ufunc.reduce(values, dtype=values.dtype)
            return self.xp.asarray(total).reshape(1)
        return self.segment_reduce(values, self.xp.zeros(1, np.int64), monoid)

    def _ufunc(self, name: str, monoid: TypedMonoid) -> Any:
        table = _UFUNC_BOOL if monoid.dtype.is_bool else {}
        return getattr(self.xp, table.get(name) or _UFUNC[name])

    def segment_reduce(self, values: Array, starts: Array, monoid: TypedMonoid) -> Array:
        """Sums of consecutive segments, none of them empty.

        Parameters
        ----------
        values : array of ``monoid.dtype``
        starts : int64 array
            Where each segment begins; rises strictly from 0, the last one ends with `values`.

        Returns
        -------
        array of ``monoid.dtype``, as long as `starts`
        """
        if starts.shape[0] == 0:
            return self.xp.empty(0, monoid.dtype.np_type)
        values = self.values_as(values, monoid.dtype)
        name = monoid.op.name
        if monoid.op.binaryop.function is not None or name not in _BUILT_IN:
            return self._tree(values, starts, monoid)
        if name == "any" or (monoid.idempotent and is_iso(values)):
            return self.take(values, starts)
        if name in _NEGATED:
            lengths = self._lengths(starts, values.shape[0])
            other = getattr(self.xp, "logical_xor" if monoid.dtype.is_bool else "bitwise_xor")
            sums = other.reduceat(values, starts)
            return self.xp.where(lengths % 2 == 0, self.xp.invert(sums), sums)
        with np.errstate(all="ignore"):
            return self._ufunc(name, monoid).reduceat(values, starts, dtype=values.dtype)

    def _lengths(self, starts: Array, size: int) -> Array:
        ends = self.xp.empty_like(starts)
        ends[:-1] = starts[1:]
        ends[-1:] = size
        return ends - starts

    def _tree(self, values: Array, starts: Array, monoid: TypedMonoid) -> Array:
        """Neighbours summed two by two, all segments at once, until one value a segment is left."""
        xp = self.xp
        op = TypedBinary(monoid.op.binaryop, monoid.dtype, monoid.dtype)
        lengths = self._lengths(starts, values.shape[0])
        while values.shape[0] > starts.shape[0]:
            segment = self.group_of(lengths, values.shape[0])
            position = xp.arange(values.shape[0]) - starts[segment]
            even = position % 2 == 0
            paired = even.copy()
            paired[:-1] &= ~even[1:]
            paired[-1:] = False
            left = xp.flatnonzero(paired)
            sums = self.binary_values(op, self.take(values, left), self.take(values, left + 1))
            values = self.spelled_out(values)
            values[left] = sums
            values = values[even]
            lengths = (lengths + 1) // 2
            starts = xp.cumsum(lengths) - lengths
        return values

    def row_sums(self, A: MatrixData, monoid: TypedMonoid) -> VectorData:
        """Every row summed; rows without entries give none."""
        lengths = self.xp.diff(A.indptr)
        rows = self.xp.flatnonzero(lengths)
        iso_sum = (
            monoid.op.name == "plus"
            and is_iso(A.values)
            and not monoid.dtype.is_float
            and monoid.op.binaryop.function is None
        )
        if iso_sum:
            one = self.values_as(A.values, monoid.dtype)
            sums = lengths[rows].astype(monoid.dtype.np_type) * one[: rows.shape[0]]
        else:
            starts = A.indptr[rows].astype(np.int64, copy=False)
            sums = self.segment_reduce(A.values, starts, monoid)
        return self.settle(VectorData(A.nrows, sums, indices=rows))
