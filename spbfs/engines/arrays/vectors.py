"""Vectors, element by element, in the form that costs least.

Lists go through the sets of `sets`; as soon as one operand is a bitmap or full, dense operations
over all positions take over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spbfs.engines.arrays.forms import VectorForms
from spbfs.engines.arrays.sets import Union, intersect, union_of, unite
from spbfs.operators.definitions import TypedBinary, TypedIndexUnary, TypedUnary
from spbfs.operators.dtypes import DType
from spbfs.storage.data import VectorData, is_iso

__all__ = ["VectorOps"]

Array = Any


class VectorOps(VectorForms):
    """Everything that maps vectors to a vector position by position."""

    def vector_add(
        self,
        x: VectorData,
        y: VectorData,
        op: TypedBinary,
        defaults: tuple[np.generic, np.generic] | None = None,
        dtype: DType | None = None,
    ) -> VectorData:
        """The union, `op` where both have entries; one-sided entries as they are or with defaults.

        The result is of `dtype`, by default that of `op`; one-sided entries are cast to it
        directly, as an accumulation needs it.
        """
        dtype = dtype or op.out_type
        if x.indices is None or y.indices is None:
            return self._dense_add(x, y, op, defaults, dtype)
        uniform = None if defaults is not None else self.uniform(x.values, y.values, op, dtype)
        if uniform is not None:
            indices = union_of(self.xp, x.indices, y.indices)
            values = self.resized(uniform, indices.shape[0])
            return self.settle(VectorData(x.size, values, indices=indices))
        u = unite(self.xp, x.indices, y.indices)

        def split(keys: Array) -> tuple[Array, Array]:
            return keys, self.xp.zeros_like(keys)

        values = self.united_values(u, x.values, y.values, op, defaults, split, dtype)
        return self.settle(VectorData(x.size, values, indices=u.keys))

    def uniform(self, x: Array, y: Array, op: TypedBinary, dtype: DType) -> Array | None:
        """The value (iso) of all entries of a union, where it is sure that they are alike."""
        simple = op.op.function is None and not op.op.positional
        if not (simple and x.shape[0] and y.shape[0] and is_iso(x) and is_iso(y)):
            return None
        both = self.values_as(self.binary_values(op, x[:1], y[:1]), dtype)
        left, right = self.values_as(x[:1], dtype), self.values_as(y[:1], dtype)
        return left if self.same_iso(left, right, both) else None

    def united_values(
        self,
        u: Union,
        x: Array,
        y: Array,
        op: TypedBinary,
        defaults: Any,
        split: Callable[[Array], tuple[Array, Array]],
        dtype: DType,
    ) -> Array:
        """The values of a union of sets; `split` turns keys into (rows, columns)."""
        size = u.keys.shape[0]
        if defaults is not None:
            x_all = self._spread(x, u.a_at, size, defaults[0], op.in_type)
            y_all = self._spread(y, u.b_at, size, defaults[1], op.in_type)
            values = self.binary_values(op, x_all, y_all, lambda: split(u.keys))
            return self.values_as(values, dtype)
        common = self.binary_values(
            op,
            self.take(x, u.a_common),
            self.take(y, u.b_common),
            lambda: split(self.take(self.take(u.keys, u.a_at), u.a_common)),
        )
        common = self.values_as(common, dtype)
        if u.a_at is None and u.b_at is None:
            return common
        x, y = self.values_as(x, dtype), self.values_as(y, dtype)
        if self.same_iso(x, y, common):
            return self.resized(x if x.shape[0] else y, size)
        out = self.xp.empty(size, dtype.np_type)
        out[slice(None) if u.a_at is None else u.a_at] = x
        if u.b_at is None:
            out[:] = y
        else:
            out[u.b_at] = y
        if common.shape[0]:
            at = u.a_common if u.a_at is None else u.a_at[u.a_common]
            out[at] = common
        return out

    def _spread(
        self, values: Array, at: Array | None, size: int, default: Any, dtype: DType
    ) -> Array:
        """Values at their places in a union, the default everywhere else."""
        values = self.values_as(values, dtype)
        if at is None:
            return values
        filled = self.constant(default, dtype.np_type, size)
        if self.same_iso(values, filled) or values.shape[0] == 0:
            return filled
        filled = self.spelled_out(filled)
        filled[at] = values
        return filled

    def _dense_add(
        self, x: VectorData, y: VectorData, op: TypedBinary, defaults: Any, dtype: DType
    ) -> VectorData:
        x, y = self.dense(x), self.dense(y)
        present = None
        if x.present is not None and y.present is not None:
            present = x.present | y.present
        if defaults is not None or (x.present is None and y.present is None):
            low, high = (None, None) if defaults is None else defaults
            xv = self._defaulted(x, low, op.in_type)
            yv = self._defaulted(y, high, op.in_type)
            values = self.binary_values(op, xv, yv, lambda: self.everywhere(x.size))
            values = self._fresh(self.values_as(values, dtype), x, y)
        else:
            values = self._joined(x, y, op, dtype)
        return VectorData(x.size, values, present=present)

    def _joined(self, x: VectorData, y: VectorData, op: TypedBinary, dtype: DType) -> Array:
        """The values of a union of dense vectors, one of them a bitmap.

        Gathered by index: choosing element by element costs a mispredicted branch each.
        """
        xs, ys = self.present(x), self.present(y)
        at = self.xp.flatnonzero(xs & ys)
        common = VectorData(x.size, self.take(x.values, at), indices=at)
        both = self.binary_values(
            op, common.values, self.take(y.values, at), lambda: self.positions_of(common)
        )
        both = self.values_as(both, dtype)
        xv, yv = self.values_as(x.values, dtype), self.values_as(y.values, dtype)
        if self.same_iso(xv, yv, both):
            return xv
        base, other, missing = (yv, xv, xs & ~ys) if y.present is None else (xv, yv, ys & ~xs)
        borrowed = base is x.values or base is y.values or is_iso(base)
        own = self.spelled_out(base) if borrowed else base
        rest = self.xp.flatnonzero(missing)
        own[rest] = self.take(other, rest)
        own[at] = both
        return own

    def _defaulted(self, u: VectorData, default: Any, dtype: DType) -> Array:
        values = self.values_as(u.values, dtype)
        if u.present is None:
            return values
        filled = self.constant(default, dtype.np_type, u.size)
        if self.same_iso(values, filled):
            return filled
        filled, at = self.spelled_out(filled), self.xp.flatnonzero(u.present)
        filled[at] = self.take(values, at)
        return filled

    def _fresh(self, values: Array, *owners: VectorData) -> Array:
        """Values that no owner holds: copied if they are one's very array."""
        shared = not is_iso(values) and any(values is o.values for o in owners)
        return values.copy() if shared else values

    def vector_mult(self, x: VectorData, y: VectorData, op: TypedBinary) -> VectorData:
        """The intersection."""
        xp = self.xp
        if x.indices is not None and y.indices is not None:
            in_x, in_y = intersect(xp, x.indices, y.indices)
            indices = self.take(x.indices, in_x)
            xv, yv = self.take(x.values, in_x), self.take(y.values, in_y)
        elif x.indices is None and y.indices is None:
            values = self.binary_values(op, x.values, y.values, lambda: self.everywhere(x.size))
            values = self._fresh(values, x, y)
            if x.present is None and y.present is None:
                return VectorData(x.size, values)
            present = self.present(x) & self.present(y)
            return self.settle(VectorData(x.size, values, present=present), shrink=True)
        else:
            indices, in_list = self._probe(x, y) if x.indices is not None else self._probe(y, x)
            sparse = x if x.indices is not None else y
            xv = self.take(x.values, in_list if x is sparse else indices)
            yv = self.take(y.values, in_list if y is sparse else indices)
        out = VectorData(x.size, xv, indices=indices)
        out.values = self.binary_values(op, xv, yv, lambda: self.positions_of(out))
        return self.settle(out)

    def _probe(self, sparse: VectorData, dense: VectorData) -> tuple[Array, Array | None]:
        """Indices of a list that a dense vector has too, and where in the list they are."""
        assert sparse.indices is not None
        if dense.present is None:
            return sparse.indices, None
        at = self.xp.flatnonzero(dense.present[sparse.indices])
        return sparse.indices[at], at

    def vector_apply(self, x: VectorData, op: TypedUnary) -> VectorData:
        """`op` of every value."""
        return self.like(x, self.unary_values(op, x.values, lambda: self.positions_of(x)))

    def vector_bind(self, x: VectorData, op: TypedBinary, left: Any, right: Any) -> VectorData:
        """`op` with a scalar on one side."""
        n = x.values.shape[0]
        bound = self.constant(right if left is None else left, op.in_type.np_type, n)
        pair = (x.values, bound) if left is None else (bound, x.values)
        return self.like(x, self.binary_values(op, *pair, lambda: self.positions_of(x)))

    def vector_index(self, x: VectorData, op: TypedIndexUnary, thunk: Any) -> VectorData:
        """`op` of value and position."""
        return self.like(x, self._indexed(x, op, thunk))

    def vector_select(self, x: VectorData, op: TypedIndexUnary, thunk: Any) -> VectorData:
        """The entries for which `op` is true."""
        keep = self._indexed(x, op, thunk).astype(np.bool_, copy=False)
        return self.settle(self.restrict(x, keep), shrink=True)

    def _indexed(self, x: VectorData, op: TypedIndexUnary, thunk: Any) -> Array:
        return self.indexed_values(
            op, x.values, lambda: self.rows_at(x), lambda: self.cols_at(x), thunk
        )
