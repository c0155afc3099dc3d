"""Where results of vectors end up: accumulation and masks, in place where that is cheap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.engines.arrays.sets import member, union_of, unite
from spbfs.engines.arrays.vectors import VectorOps
from spbfs.engines.protocol import MaskData
from spbfs.operators.definitions import TypedBinary
from spbfs.operators.dtypes import DType
from spbfs.storage.data import VectorData, is_iso

__all__ = ["Region", "VectorOutput"]

Array = Any


@dataclass(slots=True)
class Region:
    """A set of positions: sorted `indices`, or one flag a position, or their complement."""

    indices: Array | None
    flags: Array | None
    complement: bool


class VectorOutput(VectorOps):
    """`write` of vectors."""

    # -- masks -------------------------------------------------------------------------------
    def without_effect(self, mask: MaskData | None) -> tuple[bool, MaskData | None]:
        """Whether a mask can admit anything, and the mask, None where it admits everything."""
        if mask is None or not mask.structural or mask.data.form != "full":  # type: ignore[union-attr]
            return True, mask
        return not mask.complement, None

    def region(self, mask: MaskData) -> Region:
        """What a mask admits, as indices for a list, as flags for a dense vector."""
        u = mask.data
        assert isinstance(u, VectorData)
        if u.indices is None:
            return Region(None, self.flags(u, mask.structural), mask.complement)
        indices = u.indices
        if not mask.structural:
            indices = indices[u.values.astype(np.bool_)]
        return Region(indices, None, mask.complement)

    def admits(self, region: Region, indices: Array) -> Array:
        """For each of `indices`, whether the region holds it."""
        if region.flags is not None:
            inside = region.flags[indices]
        else:
            inside = member(self.xp, indices, region.indices)
        return ~inside if region.complement else inside

    def region_flags(self, region: Region, size: int) -> Array:
        """The region as flags, not to be written."""
        flags = region.flags
        if flags is None:
            flags = self.blank(size)
            flags[region.indices] = True
        return ~flags if region.complement else flags

    def masked(self, w: VectorData, mask: MaskData | None) -> VectorData:
        """The entries of a list that the mask admits."""
        if mask is None:
            return w
        assert w.indices is not None
        return self.restrict(w, self.admits(self.region(mask), w.indices))

    def empty_vector(self, size: int, dtype: DType) -> VectorData:
        """A vector without entries."""
        values = self.constant(0, dtype.np_type, 0)
        return VectorData(size, values, indices=self.xp.empty(0, np.int64))

    # -- in place ----------------------------------------------------------------------------
    def writable(self, w: VectorData, *, spelled: bool = True, added: int = -1) -> VectorData:
        """A dense `w` to write into, which is given up for it: whoever writes into the arrays of a
        vector asks for them here.

        With `spelled` its values are spelled out, so that single elements may change.  `added` says
        how many entries it will have more, at most; -1 where nobody knows.
        """
        if spelled and is_iso(w.values):
            w.values = self.spelled_out(w.values)
        return w

    def put(self, w: VectorData, indices: Array, values: Array) -> VectorData:
        """Entries set in a dense `w`, in place; `values` are of its type or iso."""
        values = self.values_as(values, self.dtype_of(w))
        same = self.same_iso(w.values, values)
        w = self.writable(w, spelled=not same, added=indices.shape[0])
        counted = w.counted
        if w.present is not None and counted >= 0:
            counted += indices.shape[0] - int(self.xp.count_nonzero(w.present[indices]))
        # All that may fail for want of memory is done: from here on elements change.
        if not same:
            w.values[indices] = values[:1] if is_iso(values) else values
        if w.present is not None:
            w.present[indices] = True
        w.counted = counted
        return w

    def fill(self, w: VectorData, flags: Array, value: Array) -> VectorData:
        """One value (iso) set where flagged in a dense `w`, in place."""
        value = self.values_as(value, self.dtype_of(w))
        same = self.same_iso(w.values, value)
        w = self.writable(w, spelled=not same)
        if not same:
            w.values[self.xp.flatnonzero(flags)] = value
        if w.present is not None:
            w.present |= flags
            w.counted = -1
        return w

    def remove(self, w: VectorData, flags: Array) -> VectorData:
        """Entries not flagged deleted from a dense `w`, in place but for a full one."""
        w = self.writable(w, spelled=False, added=0)
        if w.present is None:
            w.present = flags.copy()
        else:
            w.present &= flags
        w.counted = -1
        return w

    def merge(self, a: VectorData, b: VectorData) -> VectorData:
        """The union of two lists, `b` where both have entries; of the type of `a`."""
        assert a.indices is not None and b.indices is not None
        bv = self.values_as(b.values, self.dtype_of(a))
        if a.indices.shape[0] == 0:
            return VectorData(a.size, bv, indices=b.indices)
        if b.indices.shape[0] == 0:
            return a
        if self.same_iso(a.values, bv):
            indices = union_of(self.xp, a.indices, b.indices)
            return VectorData(a.size, self.resized(bv, indices.shape[0]), indices=indices)
        u = unite(self.xp, a.indices, b.indices)
        values = self.xp.empty(u.keys.shape[0], bv.dtype)
        values[slice(None) if u.a_at is None else u.a_at] = a.values
        values[slice(None) if u.b_at is None else u.b_at] = bv
        return VectorData(a.size, values, indices=u.keys)

    # -- write -------------------------------------------------------------------------------
    def vector_write(
        self,
        C: VectorData,
        T: VectorData,
        mask: MaskData | None,
        accum: TypedBinary | None,
        replace: bool,
    ) -> VectorData:
        """``C<mask, replace> accum= T``; writes into `C` where it is dense and gives it back."""
        if C.size == 0:
            return C
        if T is C:
            # What is written is not changed, even where it is what is written to.
            C = self.detached(C)
        if mask is None:
            if accum is None:
                return self.settle(self.typed(T, C))
            if C.indices is None and (T.indices is not None or T.present is not None):
                return self.settle(self.accumulate(C, self.to_list(T), accum))
            return self.settle(self.added(C, T, accum))
        itself = mask.data is T and mask.structural and not mask.complement
        if itself and T.indices is not None and accum is None and not replace:
            return self.settle(self.set_list(C, T, None))  # all of it, and nothing else
        region = self.region(mask)
        if mask.data is C and region.flags is not None:
            region.flags = region.flags.copy()
        if T.indices is None and accum is not None:
            # Only what is admitted takes part, and in a list it is summed in place.
            at = self.xp.flatnonzero(self.present(T) & self.region_flags(region, C.size))
            T = VectorData(C.size, self.take(T.values, at), indices=at)
        if T.indices is not None:
            return self.settle(self._write_list(C, T, region, accum, replace))
        return self.settle(self.write_dense(C, T, region, replace))

    def detached(self, u: VectorData) -> VectorData:
        """The same vector in a new object whose arrays may be written."""
        return self.like(u, u.values)

    def typed(self, z: VectorData, C: VectorData) -> VectorData:
        """`z` with values of the type of `C`."""
        values = self.values_as(z.values, self.dtype_of(C))
        if values is z.values:
            return z
        return VectorData(z.size, values, z.indices, z.present, z.counted, z.work)

    def accumulate(self, C: VectorData, T: VectorData, accum: TypedBinary) -> VectorData:
        """A list summed into a dense vector, in place."""
        at = T.indices
        assert at is not None
        old = self.take(C.values, at)
        both = self.binary_values(accum, old, T.values, lambda: self.positions_of(T))
        both = self.values_as(both, self.dtype_of(C))
        if C.present is not None:
            new = self.values_as(T.values, self.dtype_of(C))
            if not self.same_iso(both, new):
                both = self.xp.where(C.present[at], both, new)
        return self.put(C, at, both)

    def set_list(self, C: VectorData, T: VectorData, accum: TypedBinary | None) -> VectorData:
        """The entries of a list set in `C`, or summed into it, in place where `C` is dense."""
        assert T.indices is not None
        if C.indices is None:
            return (
                self.put(C, T.indices, T.values) if accum is None else self.accumulate(C, T, accum)
            )
        if accum is not None:
            return self.added(C, T, accum)
        return self.worked(self.merge(C, T), C, T)

    def _write_list(
        self, C: VectorData, T: VectorData, region: Region, accum: TypedBinary | None, replace: bool
    ) -> VectorData:
        assert T.indices is not None
        if replace and accum is None:
            out = self.restrict(T, self.admits(region, T.indices))
            return self.typed(out, C)
        if C.indices is None:
            T = self.restrict(T, self.admits(region, T.indices))
            keep = self.region_flags(region, C.size) if replace else None
            if accum is not None:
                C = self.accumulate(C, T, accum)
            else:
                C = self.put(self.without(C, region), T.indices, T.values)
            return C if keep is None else self.remove(C, keep)
        Z = T if accum is None else self.to_list(self.added(C, T, accum))
        assert Z.indices is not None
        Z = self.typed(self.restrict(Z, self.admits(region, Z.indices)), C)
        if replace:
            return Z
        rest = self.restrict(C, ~self.admits(region, C.indices))
        return self.worked(self.merge(rest, Z), C, T)

    def added(self, C: VectorData, T: VectorData, accum: TypedBinary) -> VectorData:
        """The union of `C` and `T`, of the type of `C`."""
        return self.worked(self.vector_add(C, T, accum, dtype=self.dtype_of(C)), C, T)

    def worked(self, out: VectorData, C: VectorData, T: VectorData) -> VectorData:
        """`out`, which came of updating `C` by `T`, with the work of that if all are lists."""
        if out.indices is None or C.indices is None or T.indices is None:
            return out
        work = C.work + C.indices.shape[0] + T.indices.shape[0]
        return VectorData(out.size, out.values, indices=out.indices, work=work)

    def without(self, C: VectorData, region: Region) -> VectorData:
        """A dense `C` with the region deleted, in place."""
        if region.indices is not None and not region.complement:
            C = self.writable(C, spelled=False, added=0)
            if C.present is None:
                C.present, C.counted = ~self.blank(C.size), C.size
            if C.counted >= 0:
                C.counted -= int(self.xp.count_nonzero(C.present[region.indices]))
            C.present[region.indices] = False
            return C
        return self.remove(C, ~self.region_flags(region, C.size))

    def write_dense(
        self, C: VectorData, T: VectorData, region: Region, replace: bool
    ) -> VectorData:
        """``C<region, replace> = T`` for a dense `T`, in place where entries of `C` stay."""
        admitted = self.region_flags(region, C.size)
        zv = self.values_as(T.values, self.dtype_of(C))
        if replace:
            present = admitted.copy() if T.present is None else T.present & admitted
            return VectorData(C.size, zv, present=present)
        C = self.dense(C)
        stored = admitted if T.present is None else T.present & admitted
        if C.present is not None or T.present is not None:
            present = stored | (self.present(C) & ~admitted)
        else:
            present = None
        if not self.same_iso(zv, C.values):
            at = self.xp.flatnonzero(stored)
            C = self.writable(C)
            C.values[at] = self.take(zv, at)
        return VectorData(C.size, C.values, present=present)
