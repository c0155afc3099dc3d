"""The CPU engine: products by compiled kernels, everything else by the array engine over NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base import tracing
from spbfs.base.threads import get_threads, resolve_threads
from spbfs.engines.arrays.vector_output import Region
from spbfs.engines.cpu.bfs import CpuSearches
from spbfs.engines.cpu.bfs_many import CpuManySearches
from spbfs.engines.cpu.mxm import multiply
from spbfs.engines.cpu.mxv import VectorProducts
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.packed import join_rows
from spbfs.engines.protocol import Hints, MaskData
from spbfs.operators.definitions import TypedSemiring
from spbfs.storage.data import MatrixData, VectorData, is_iso

__all__ = ["CpuEngine"]

Array = Any


class CpuEngine(VectorProducts):
    """Launches the kernels of `spbfs._cpu`; the planner says which."""

    name = "cpu"
    xp = np

    def mxm(
        self,
        A: MatrixData,
        B: MatrixData,
        semiring: TypedSemiring,
        *,
        mask: MaskData | None,
        hints: Hints,
    ) -> MatrixData:
        """``C = A B`` by rows or by dots, or by bits where B has few columns and nothing else."""
        packed = self.packed_product(A, B, semiring, mask, hints)
        if packed is not None:
            return packed
        return multiply(self, A, B, semiring, mask, resolve_threads(hints.threads))

    def packed_rows(self, A: MatrixData, bits: Array, keep: Array | None, hints: Hints) -> Array:
        """The product with bits, pulled by rows of `A`, or pushed by those of its transpose."""
        return join_rows(A, bits, keep, hints)

    def searches(self, A: MatrixData) -> CpuSearches:
        """The fused searches of `A`."""
        return CpuSearches(A)

    def many_searches(self, A: MatrixData) -> CpuManySearches:
        """The searches of `A` that run many at once."""
        return CpuManySearches(A)

    # -- forms and output --------------------------------------------------------------------
    def to_list(self, u: VectorData) -> VectorData:
        """The same vector as a list; `u` itself if it is one."""
        if u.present is None:
            return super().to_list(u)
        indices = np.empty(self.count(u), np.int64)
        indices = indices[: kernels.bytes_to_list(u.present, indices)]
        tracing.record(conversions="bitmap->list")
        return VectorData(u.size, self.take(u.values, indices), indices=indices)

    def to_bitmap(self, u: VectorData) -> VectorData:
        """The same vector as a bitmap; `u` itself if it is one, else arrays of its own."""
        if u.indices is None or is_iso(u.values) or u.values.dtype == np.bool_:
            return super().to_bitmap(u)
        present = self.present(u)
        # Values of absent elements mean nothing, so they need not be zeroed.
        self.require_bytes(u.size * u.values.itemsize, f"a dense vector of {u.size} elements")
        values = np.empty(u.size, u.values.dtype)
        values[u.indices] = u.values
        return VectorData(u.size, values, present=present, counted=u.indices.shape[0])

    def fill(self, w: VectorData, flags: Array, value: Array) -> VectorData:
        """One value set where flagged in a dense `w`, in place, in one pass."""
        value = self.values_as(value, self.dtype_of(w))
        if self.same_iso(w.values, value):
            return super().fill(w, flags, value)
        self.writable(w)
        added = kernels.masked_copy(
            w.values, w.present, value[:1], None, flags, False, get_threads()
        )
        if w.counted >= 0:
            w.counted += added
        return w

    def write_dense(
        self,
        C: VectorData,
        T: VectorData,
        region: Region,
        replace: bool,
    ) -> VectorData:
        """The elements of a bitmap replaced where the mask admits, in place, in one pass."""
        if replace or C.form == "full" or region.flags is None:
            return super().write_dense(C, T, region, replace)
        source = self.values_as(T.values, self.dtype_of(C))
        C = self.writable(self.to_bitmap(C))
        added = kernels.masked_copy(
            C.values,
            C.present,
            source,
            T.present,
            region.flags,
            region.complement,
            get_threads(),
        )
        if C.counted >= 0:
            C.counted += added
        return C
