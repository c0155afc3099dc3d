"""Vectors of the CUDA engine: how they change form, and how they are written in place.

A vector that is written is a bitmap: setting elements of one is a single pass, while merging
sorted lists takes a dozen.  Counts stay on the GPU until somebody asks for them.
"""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from spbfs.base.gpu_memory import free_bytes
from spbfs.engines.arrays.vector_output import Region
from spbfs.engines.cuda.arrays import CudaArrays
from spbfs.engines.cuda.lookahead import hooks as lookahead
from spbfs.engines.cuda.runtime.driver import pointer
from spbfs.engines.cuda.vectors.accumulate import accumulate_kernel
from spbfs.engines.cuda.vectors.convert import convert_kernel
from spbfs.engines.cuda.vectors.data import (
    CudaVector,
    as_word,
    blocks_of,
    queue_type,
    resident_blocks,
)
from spbfs.engines.protocol import MaskData
from spbfs.operators.definitions import TypedBinary
from spbfs.operators.dtypes import DType
from spbfs.planner import forms as planner
from spbfs.storage.data import VectorData, is_iso

__all__ = ["CudaVectors"]

Array = Any
#: Elements that a thread of ``convert.cu`` handles.
_SIDE = 4
_INDEX = np.dtype(np.int64)


class CudaVectors(CudaArrays):
    """Forms and in-place writes of vectors."""

    forms = planner.CUDA_FORMS

    # -- counts ------------------------------------------------------------------------------
    def count(self, u: VectorData) -> int:
        """Number of stored entries; what a product counted is fetched once."""
        if u.counted >= 0:
            return u.counted
        if isinstance(u, CudaVector) and u.totals:
            assert u.box is not None
            counts = u.box.read(u.ticket)
            u.counted, u.edges = counts or (int(c) for c in u.counts[:2].get())
        return super().count(u)

    def about(self, u: VectorData) -> int:
        """At most this many entries, without asking the GPU."""
        if u.counted >= 0:
            return u.counted
        if u.indices is not None:
            return int(u.indices.shape[0])
        if u.present is None:
            return u.size
        known = u.at_most if isinstance(u, CudaVector) else -1
        return u.size if known < 0 else min(known, u.size)

    def edges_counted(self, u: VectorData, offsets: Array, otherwise: int) -> int:
        """Entries of the rows of `u`, where the product that made it counted them for a matrix
        with these offsets."""
        if isinstance(u, CudaVector) and u.degrees is offsets and u.edges >= 0:
            return u.edges
        return otherwise

    # -- forms -------------------------------------------------------------------------------
    def settle(self, u: VectorData, shrink: bool = False) -> VectorData:
        """The vector in the form that the planner wants for it; no bitmap is counted for that."""
        if u.present is not None:
            return VectorData(u.size, u.values) if u.counted == u.size else u
        return super().settle(u, shrink) if self._fits_dense(u) else u

    def _fits_dense(self, u: VectorData) -> bool:
        return self._has_room(u.size * (1 + u.values.dtype.itemsize))

    def _has_room(self, needed: int) -> bool:
        """Whether arrays of so many bytes are small beside the memory there is."""
        return needed < 1 << 24 or needed < free_bytes() // 8

    def to_bitmap(self, u: VectorData) -> VectorData:
        """The same vector as a bitmap; `u` itself if it is one, else arrays of its own."""
        if u.indices is None or is_iso(u.values):
            return super().to_bitmap(u)
        # Values of absent elements mean nothing, so they need not be zeroed.
        self.require_bytes(u.size * u.values.itemsize, f"a dense vector of {u.size} elements")
        values = cupy.empty(u.size, u.values.dtype)
        values[u.indices] = u.values
        return VectorData(u.size, values, present=self.present(u), counted=u.indices.shape[0])

    def bits(self, u: VectorData) -> Array | None:
        """A bit an element, whether it is stored; None where all are."""
        if u.form == "full":
            return None
        words = cupy.empty((u.size + 31) // 32, np.uint32)
        present = self.present(u)
        convert_kernel("pack")(blocks_of(u.size), (pointer(present), u.size, pointer(words)))
        return words

    def empty_vector(self, size: int, dtype: DType) -> VectorData:
        """A vector without entries."""
        values, indices = (self._constants.nothing(t) for t in (dtype.np_type, _INDEX))
        return VectorData(size, values, indices)

    # -- in place ----------------------------------------------------------------------------
    def writable(self, w: VectorData, *, spelled: bool = True, added: int = -1) -> VectorData:
        """A dense `w` to write into: what was known of its entries is forgotten, but for a bound of
        how many there are."""
        w = lookahead.release(w)
        if isinstance(w, CudaVector):
            before = w.counted if w.counted >= 0 else w.at_most
            w.at_most = before + added if before >= 0 and added >= 0 else -1
            w.queue = w.totals = 0
            w.held = w.room = w.box = w.degrees = None
            w.edges = -1
        w.counted = -1
        return super().writable(w, spelled=spelled)

    def fill(self, w: VectorData, flags: Array, value: Array) -> VectorData:
        """One value set where flagged in a dense `w`, in place, in one pass."""
        value = self.values_as(value, self.dtype_of(w))
        same = self.same_iso(w.values, value)
        w = self.writable(w, spelled=not same)
        arguments = (
            0 if same else pointer(w.values),
            pointer(w.present),
            as_word(self.iso_value(value), w.values.dtype),
            pointer(flags),
            w.size,
        )
        convert_kernel("fill", w.values.dtype)(blocks_of(-(-w.size // _SIDE)), arguments)
        return w

    def write_dense(
        self, C: VectorData, T: VectorData, region: Region, replace: bool
    ) -> VectorData:
        """The elements of a dense vector replaced where the mask admits, in place, in one pass."""
        if replace or region.flags is None or (C.form == "full" and T.form != "full"):
            return super().write_dense(C, T, region, replace)
        source = self.values_as(T.values, self.dtype_of(C))
        C = self.writable(self.dense(C))
        self._copy(C, source, T.present, region.flags, region.complement)
        return C

    def _copy(
        self, C: VectorData, source: Array, present: Array | None, mask: Array, complement: bool
    ) -> None:
        convert_kernel("copy_masked", C.values.dtype)(
            blocks_of(-(-C.size // _SIDE)),
            (
                pointer(C.values),
                pointer(C.present),
                pointer(source),
                0 if is_iso(source) else 1,
                pointer(present),
                pointer(mask),
                int(complement),
                C.size,
            ),
        )

    # -- under a mask that is a frontier -----------------------------------------------------
    def assign_scalar_vector(
        self,
        w: VectorData,
        value: np.generic,
        indices: Array | None,
        mask: MaskData | None,
        accum: TypedBinary | None,
        replace: bool,
    ) -> VectorData:
        """``w<mask, replace>(indices) accum= value``; what a queue lists is all that is visited."""
        front: Any = None
        if mask is not None and indices is None and accum is None and not replace:
            front = mask.data if mask.structural and not mask.complement else None
        if not isinstance(front, CudaVector) or front is w:
            return super().assign_scalar_vector(w, value, indices, mask, accum, replace)
        noted = lookahead.written(w, front, value)
        if noted is not None:
            return noted
        count = self.about(front)
        w = self._own(w, count)
        dtype = w.values.dtype
        bits = int(value if dtype.kind == "i" else as_word(value, dtype))
        to = w.values.data.ptr, pointer(w.present), bits
        if front.queue:
            self._visit("fill_queue", dtype, front, count, to)
        else:
            convert_kernel("fill", dtype)(
                blocks_of(-(-w.size // _SIDE)), (*to, pointer(front.present), w.size)
            )
        return w

    def vector_write(
        self,
        C: VectorData,
        T: VectorData,
        mask: MaskData | None,
        accum: TypedBinary | None,
        replace: bool,
    ) -> VectorData:
        """``C<mask, replace> accum= T``; a frontier written under itself visits its queue only."""
        if accum is not None:
            made = None if replace else self._accumulated(C, T, mask, accum)
            return super().vector_write(C, T, mask, accum, replace) if made is None else made
        itself = mask is not None and mask.structural and not mask.complement and mask.data is T
        if not itself or T is C or replace or not isinstance(T, CudaVector) or not C.size:
            return super().vector_write(C, T, mask, accum, replace)
        front = T
        noted = lookahead.written(C, front, None)
        if noted is not None:
            return noted
        count = self.about(front)
        C = self._own(C, count)
        source = self.values_as(T.values, self.dtype_of(C))
        to = C.values.data.ptr, pointer(C.present), pointer(source), 0 if is_iso(source) else 1
        if front.queue:
            self._visit("copy_queue", C.values.dtype, front, count, to)
        else:
            convert_kernel("copy_masked", C.values.dtype)(
                blocks_of(-(-C.size // _SIDE)),
                (*to, 0, pointer(front.present), 0, C.size),
            )
        return C

    def _accumulated(
        self, C: VectorData, T: VectorData, mask: MaskData | None, accum: TypedBinary
    ) -> VectorData | None:
        """``C<mask> accum= T`` in place and in one pass, where `T` is dense; None elsewhere."""
        if T is C or T.indices is not None or not C.size:
            return None
        flags, complement = None, False
        if mask is not None:
            if mask.data.indices is not None:
                return None
            flags, complement = self.mask_bytes(mask)
        kernel = accumulate_kernel(accum, self.dtype_of(C), self.dtype_of(T))
        if kernel is None:
            return None
        C = self._own(C, self.about(T))
        kernel(
            min(blocks_of(C.size), 4 * resident_blocks()),
            (
                pointer(C.values),
                pointer(C.present),
                pointer(T.values),
                0 if is_iso(T.values) else 1,
                pointer(T.present),
                pointer(flags),
                int(complement),
                C.size,
            ),
        )
        return C

    def _own(self, w: VectorData, added: int) -> VectorData:
        """A dense vector to write into, of which bounds are known."""
        w = self.dense(w)
        if w.present is not None and not isinstance(w, CudaVector):
            w = CudaVector(w.size, w.values, present=w.present, counted=w.counted)
        return self.writable(w, added=added)

    def _visit(
        self, kernel: str, dtype: Any, front: CudaVector, count: int, to: tuple[Any, ...]
    ) -> None:
        convert_kernel(kernel, dtype, queue_type(front))(
            min(blocks_of(count), resident_blocks()),
            (*to, front.queue, front.totals),
        )

    def enqueue(self, u: VectorData) -> None:
        """List the entries of a bitmap whose counts are on the GPU."""
        assert isinstance(u, CudaVector)
        dtype = queue_type(u)
        room = cupy.empty(max(1, self.about(u)), dtype)
        convert_kernel("enqueue", dtype)(
            min(blocks_of(u.size), resident_blocks()),
            (pointer(u.present), u.size, room.data.ptr, u.totals),
        )
        u.queue = room.data.ptr
        u.room = room
