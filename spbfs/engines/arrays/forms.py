"""The three forms of a vector, and which one it should have.

Arrays of a list are never written once it exists, so lists may share them; those of a bitmap or
full vector belong to it alone and may be written in place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.engines.arrays.values import ValueOps
from spbfs.engines.protocol import MaskData
from spbfs.planner import forms as planner
from spbfs.storage.data import VectorData, is_iso

__all__ = ["VectorForms"]

Array = Any


class VectorForms(ValueOps):
    """Conversions between forms, flags, positions."""

    forms = planner.CPU_FORMS

    def count(self, u: VectorData) -> int:
        """Number of stored entries; a bitmap is counted once."""
        if u.indices is not None:
            return int(u.indices.shape[0])
        if u.present is None:
            return u.size
        if u.counted < 0:
            u.counted = int(self.xp.count_nonzero(u.present))
        return u.counted

    def to_list(self, u: VectorData) -> VectorData:
        """The same vector as a list; `u` itself if it is one."""
        if u.indices is not None:
            return u
        if u.present is None:
            indices = self.counting(u.size)
            values = u.values if is_iso(u.values) else u.values.copy()
            return VectorData(u.size, values, indices=indices)
        indices = self.xp.flatnonzero(u.present)
        return VectorData(u.size, self.take(u.values, indices), indices=indices)

    def to_bitmap(self, u: VectorData) -> VectorData:
        """The same vector as a bitmap; `u` itself if it is one, else arrays of its own."""
        if u.present is not None:
            return u
        if u.indices is None:
            values = u.values if is_iso(u.values) else u.values.copy()
            return VectorData(u.size, values, present=self.present(u), counted=u.size)
        nvals = u.indices.shape[0]
        present = self.blank(u.size)
        present[u.indices] = True
        if is_iso(u.values):
            values = self.resized(u.values, u.size)
        else:
            values = self.blank(u.size, u.values.dtype)
            values[u.indices] = u.values
        return VectorData(u.size, values, present=present, counted=nvals)

    def present(self, u: VectorData) -> Array:
        """One flag per position; a bitmap's own array, not to be written."""
        if u.present is not None:
            return u.present
        if u.indices is None:
            return ~self.blank(u.size)
        present = self.blank(u.size)
        present[u.indices] = True
        return present

    def settle(self, u: VectorData, shrink: bool = False) -> VectorData:
        """The vector in the form that the planner wants for it.

        A bitmap becomes a list only with `shrink`, for results that are new: one that is updated
        in place stays what it is, lest it go back and forth.
        """
        nvals = u.counted if u.present is not None and not shrink else self.count(u)
        form = planner.vector_form(u.size, nvals, u.form, u.work, self.forms)
        if form == u.form or (form == "list" and not shrink):
            return u
        if form == "list":
            return self.to_list(u)
        u = self.to_bitmap(u)
        return u if form == "bitmap" else VectorData(u.size, u.values)

    def mask_bytes(self, mask: MaskData) -> tuple[Array, bool]:
        """A vector mask as one flag per position (not to be written) and whether it is turned."""
        return self.flags(mask.data, mask.structural), mask.complement

    def flags(self, u: Any, structural: bool) -> Array:
        """Where `u` has an entry (and, unless `structural`, a true one)."""
        if structural or (
            is_iso(u.values) and u.values.shape[0] and bool(self.iso_value(u.values))
        ):
            return self.present(u)
        if u.indices is not None:
            flags = self.blank(u.size)
            flags[u.indices] = u.values.astype(np.bool_)
            return flags
        truth = u.values.astype(np.bool_)
        return truth if u.present is None else truth & u.present

    def positions_of(self, u: VectorData) -> tuple[Array, Array]:
        """(row, column) of every element of ``u.values``."""
        rows = self.rows_at(u)
        return rows, self.cols_at(u)

    def everywhere(self, size: int) -> tuple[Array, Array]:
        """(row, column) of all elements of a vector."""
        return self.counting(size), self.constant(0, np.dtype(np.int64), size)

    def rows_at(self, u: VectorData) -> Array:
        """The row of every element of ``u.values``."""
        return self.counting(u.size) if u.indices is None else u.indices

    def cols_at(self, u: VectorData) -> Array:
        """The column, always 0, of every element of ``u.values``."""
        return self.constant(0, np.dtype(np.int64), u.values.shape[0])

    def like(self, u: VectorData, values: Array) -> VectorData:
        """`values` at the entries of `u`, with dense arrays of their own."""
        if u.indices is not None:
            return VectorData(u.size, values, indices=u.indices)
        if values is u.values and not is_iso(values):
            values = values.copy()
        present = None if u.present is None else u.present.copy()
        return VectorData(u.size, values, present=present, counted=u.counted)

    def restrict(self, u: VectorData, keep: Array) -> VectorData:
        """The entries of `u` flagged in `keep`, which is as long as ``u.values``."""
        if u.indices is not None:
            at = self.xp.flatnonzero(keep)
            return VectorData(u.size, self.take(u.values, at), indices=u.indices[at])
        # `keep` may be iso or another object's own: a bitmap's flags are dense and its alone.
        present = keep.copy() if u.present is None else keep & u.present
        values = u.values if is_iso(u.values) else u.values.copy()
        return VectorData(u.size, values, present=present)

    def dense(self, u: VectorData) -> VectorData:
        return u if u.indices is None else self.to_bitmap(u)
