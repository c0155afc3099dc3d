"""Assignment to regions of vectors: of another vector, of one value under a mask."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.engines.arrays.sets import is_sorted, member
from spbfs.engines.arrays.vector_output import Region, VectorOutput
from spbfs.engines.protocol import MaskData
from spbfs.operators.definitions import TypedBinary
from spbfs.storage.data import VectorData

__all__ = ["VectorAssign"]

Array = Any


class VectorAssign(VectorOutput):
    """`assign` of vectors."""

    def vector_assign(
        self, w: VectorData, t: VectorData, indices: Array | None, accum: TypedBinary | None
    ) -> VectorData:
        """A new vector: `w` with the region replaced by `t`."""
        if indices is None:
            if accum is not None:
                return self.settle(self.added(w, t, accum))
            return self.settle(self.typed(self.detached(t), w))
        t = self._moved(t, indices, w.size)
        if w.indices is None:
            w = self.detached(w)
            if accum is not None:
                return self.settle(self.accumulate(w, t, accum))
            region = Region(indices, None, False)
            return self.settle(self.put(self.without(w, region), t.indices, t.values))
        if accum is not None:
            return self.settle(self.added(w, t, accum))
        inside = member(self.xp, w.indices, self.xp.sort(indices))
        return self.settle(self.merge(self.restrict(w, ~inside), t))

    def _moved(self, t: VectorData, indices: Array, size: int) -> VectorData:
        """`t` as a list with every index k replaced by ``indices[k]``."""
        t = self.to_list(t)
        at = indices[t.indices].astype(np.int64, copy=False)
        if is_sorted(self.xp, at):
            return VectorData(size, t.values, indices=at)
        order = self.xp.argsort(at)
        return VectorData(size, self.take(t.values, order), indices=at[order])

    def vector_assign_scalar(
        self,
        w: VectorData,
        value: np.generic,
        indices: Array | None,
        mask: MaskData | None,
        accum: TypedBinary | None,
        replace: bool,
    ) -> VectorData:
        """``w<mask, replace>(indices) accum= value``, in place where `w` is dense."""
        size, dtype = w.size, w.values.dtype
        if size == 0:
            return w
        if mask is None:
            at = None if indices is None else self.xp.sort(indices)
            region = Region(at, None, False) if at is not None else Region(None, None, False)
            target = region
        else:
            region = self.region(mask)
            if mask.data is w and region.flags is not None:
                region.flags = region.flags.copy()
            target = self._narrow(region, indices)
        value_type = dtype if accum is None else np.asarray(value).dtype
        if target.indices is None and target.flags is None:
            every = VectorData(size, self.constant(value, value_type, size))
            if accum is None:
                return every
            return self.vector_add(w, every, accum, dtype=self.dtype_of(w))
        if target.indices is not None and not target.complement:
            at = target.indices
            t = VectorData(size, self.constant(value, value_type, at.shape[0]), indices=at)
            out = self.set_list(w, t, accum)
        else:
            out = self._scalar_dense(w, value, target, accum, value_type)
        if replace and mask is not None:
            out = self._keep(out, region)
        return self.settle(out)

    def _narrow(self, region: Region, indices: Array | None) -> Region:
        """The region within `indices`, as indices or as flags, never a complement of indices."""
        if indices is not None:
            at = self.xp.sort(indices)
            return Region(at[self.admits(region, at)], None, False)
        return region

    def _scalar_dense(
        self, w: VectorData, value: Any, target: Region, accum: Any, value_type: Any
    ) -> VectorData:
        flags = self.region_flags(target, w.size)
        w = self.dense(w)
        if accum is None:
            return self.fill(w, flags, self.constant(value, value_type, 1))
        at = self.xp.flatnonzero(flags)
        t = VectorData(w.size, self.constant(value, value_type, at.shape[0]), indices=at)
        return self.accumulate(w, t, accum)

    def _keep(self, w: VectorData, region: Region) -> VectorData:
        if w.indices is not None:
            return self.restrict(w, self.admits(region, w.indices))
        return self.remove(w, self.region_flags(region, w.size))
