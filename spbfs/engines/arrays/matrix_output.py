"""Where results of matrices end up: accumulation, masks, assignment into new matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.engines.arrays.layout import index_type, offset_type, offsets
from spbfs.engines.arrays.matrices import Grid, MatrixOps
from spbfs.engines.arrays.sets import is_sorted, member, union_of, unite
from spbfs.engines.protocol import MaskData
from spbfs.operators.definitions import TypedBinary
from spbfs.operators.dtypes import DType
from spbfs.storage.data import MatrixData, is_iso

__all__ = ["MatrixOutput"]

Array = Any


@dataclass(slots=True)
class _Admitted:
    """The positions that a mask admits: sorted keys, or all but those."""

    keys: Array
    complement: bool


class MatrixOutput(MatrixOps):
    """`write` and `assign` of matrices."""

    def admitted(self, grid: Grid, mask: MaskData) -> _Admitted:
        """What a mask admits, as keys."""
        M = mask.data
        assert isinstance(M, MatrixData)
        keys = self.keys_of(grid, M)
        if not mask.structural:
            keys = keys[M.values.astype(np.bool_)]
        return _Admitted(keys, mask.complement)

    def inside(self, admitted: _Admitted, keys: Array) -> Array:
        """For each key, whether it is admitted."""
        hit = member(self.xp, keys, admitted.keys)
        return ~hit if admitted.complement else hit

    def mask_pattern(self, mask: MaskData) -> MatrixData:
        """The entries of a mask that count: all of them, or those that are true."""
        M = mask.data
        assert isinstance(M, MatrixData)
        if mask.structural or M.nvals == 0:
            return M
        if is_iso(M.values):
            alike = bool(self.iso_value(M.values))
            return M if alike else self.empty_matrix(M.nrows, M.ncols, self.dtype_of(M))
        return self.keep_entries(M, M.values.astype(np.bool_))

    def empty_matrix(self, nrows: int, ncols: int, dtype: DType) -> MatrixData:
        """A matrix without entries."""
        xp = self.xp
        values = self.constant(0, dtype.np_type, 0)
        indices = xp.empty(0, index_type(ncols))
        return MatrixData(nrows, ncols, xp.zeros(nrows + 1, offset_type(ncols, 0)), indices, values)

    def masked_matrix(self, C: MatrixData, mask: MaskData | None) -> MatrixData:
        """The entries that the mask admits."""
        if mask is None:
            return C
        assert isinstance(mask.data, MatrixData)
        grid = Grid.of(self.xp, C, mask.data)
        return self.keep_entries(C, self.inside(self.admitted(grid, mask), self.keys_of(grid, C)))

    def _overlay(self, grid: Grid, A: MatrixData, B: MatrixData) -> MatrixData:
        """The union, `B` where both have entries; of the type of `A`."""
        bv = self.values_as(B.values, self.dtype_of(A))
        if A.nvals == 0:
            return self.with_values(B, bv)
        if B.nvals == 0:
            return A
        if self.same_iso(A.values, bv):
            keys = union_of(self.xp, self.keys_of(grid, A), self.keys_of(grid, B))
            return self.from_keys(grid, keys, self.resized(bv, keys.shape[0]))
        u = unite(self.xp, self.keys_of(grid, A), self.keys_of(grid, B))
        values = self.xp.empty(u.keys.shape[0], bv.dtype)
        values[slice(None) if u.a_at is None else u.a_at] = A.values
        values[slice(None) if u.b_at is None else u.b_at] = bv
        return self.from_keys(grid, u.keys, values)

    def matrix_write(
        self,
        C: MatrixData,
        T: MatrixData,
        mask: MaskData | None,
        accum: TypedBinary | None,
        replace: bool,
    ) -> MatrixData:
        """``C<mask, replace> accum= T``."""
        dtype = self.dtype_of(C)
        Z = T if accum is None else self.matrix_add(C, T, accum, dtype=dtype)
        if mask is None:
            return self._typed_matrix(Z, C)
        assert isinstance(mask.data, MatrixData)
        grid = Grid.of(self.xp, C, T, mask.data)
        admitted = self.admitted(grid, mask)
        Z = self.keep_entries(Z, self.inside(admitted, self.keys_of(grid, Z)))
        Z = self._typed_matrix(Z, C)
        if replace or C.nvals == 0:
            return Z
        rest = self.keep_entries(C, ~self.inside(admitted, self.keys_of(grid, C)))
        return self._overlay(grid, rest, Z)

    def _typed_matrix(self, Z: MatrixData, C: MatrixData) -> MatrixData:
        values = self.values_as(Z.values, self.dtype_of(C))
        return Z if values is Z.values else self.with_values(Z, values)

    # -- assign ------------------------------------------------------------------------------
    def _flags(self, indices: Array | None, size: int) -> Array | None:
        """Which of `size` rows or columns are among `indices`; None for all."""
        if indices is None:
            return None
        flags = self.xp.zeros(size, np.bool_)
        flags[indices] = True
        return flags

    def in_region(
        self,
        rows: Array,
        cols: Array,
        shape: tuple[int, int],
        chosen_rows: Array | None,
        chosen_cols: Array | None,
    ) -> Array | None:
        """For positions, whether they are in the region; None where that is everything."""
        keep = None
        for places, size, chosen in ((rows, shape[0], chosen_rows), (cols, shape[1], chosen_cols)):
            if chosen is None:
                continue
            if size <= 8 * (places.shape[0] + chosen.shape[0]) + 1024:
                hit = self._flags(chosen, size)[places]  # type: ignore[index]
            else:
                hit = member(self.xp, places, self.xp.sort(chosen))
            keep = hit if keep is None else keep & hit
        return keep

    def matrix_assign(
        self,
        C: MatrixData,
        T: MatrixData,
        rows: Array | None,
        cols: Array | None,
        accum: TypedBinary | None,
    ) -> MatrixData:
        """`C` with the region ``rows x cols`` replaced by `T`."""
        dtype = self.dtype_of(C)
        T = self._moved_matrix(C, T, rows, cols)
        if accum is not None:
            return self.matrix_add(C, T, accum, dtype=dtype)
        at = self.in_region(*self.places_of(C), (C.nrows, C.ncols), rows, cols)
        if at is None:
            return self._typed_matrix(T, C)
        return self._overlay(Grid.of(self.xp, C, T), self.keep_entries(C, ~at), T)

    def _moved_matrix(
        self, C: MatrixData, T: MatrixData, rows: Array | None, cols: Array | None
    ) -> MatrixData:
        """`T` in the shape of `C`, entry (i, j) at (rows[i], cols[j])."""
        if rows is None and cols is None:
            return T
        i, j = self.places_of(T)
        i = i if rows is None else rows[i].astype(np.int64, copy=False)
        j = j if cols is None else cols[j].astype(np.int64, copy=False)
        columns = None
        if C.nrows * C.ncols >= 2**63:
            columns = self.xp.unique(j)
        grid = Grid(self.xp, C.nrows, C.ncols, columns)
        keys = grid.keys(i, j)
        if is_sorted(self.xp, keys):
            return self.from_keys(grid, keys, T.values)
        order = self.xp.argsort(keys)
        return self.from_keys(grid, keys[order], self.take(T.values, order))

    def matrix_assign_scalar(
        self,
        C: MatrixData,
        value: np.generic,
        rows: Array | None,
        cols: Array | None,
        mask: MaskData | None,
        accum: TypedBinary | None,
        replace: bool,
    ) -> MatrixData:
        """``C<mask, replace>(rows, cols) accum= value``."""
        region = self._scalar_region(C, rows, cols, mask)
        dtype = C.values.dtype if accum is None else np.asarray(value).dtype
        T = self.with_values(region, self.constant(value, dtype, region.nvals))
        # All of the region is assigned, so nothing in it is deleted.
        if accum is None:
            out = self._overlay(Grid.of(self.xp, C, T), C, T)
        else:
            out = self.matrix_add(C, T, accum, dtype=self.dtype_of(C))
        if not replace or mask is None:
            return out
        return self.masked_matrix(out, mask)

    def _scalar_region(
        self, C: MatrixData, rows: Array | None, cols: Array | None, mask: MaskData | None
    ) -> MatrixData:
        """The positions to assign to, as a matrix whose values mean nothing."""
        if mask is not None and not mask.complement:
            M = mask.data
            assert isinstance(M, MatrixData)
            keep = None if mask.structural else M.values.astype(np.bool_)
            if rows is not None or cols is not None:
                at = self.in_region(*self.places_of(M), (M.nrows, M.ncols), rows, cols)
                keep = at if keep is None else keep & at
            return M if keep is None else self.keep_entries(M, keep)
        block = self._block(C, rows, cols)
        return self.masked_matrix(block, mask)

    def _block(self, C: MatrixData, rows: Array | None, cols: Array | None) -> MatrixData:
        """Every position of ``rows x cols``."""
        xp = self.xp
        nrows = C.nrows if rows is None else int(rows.shape[0])
        ncols = C.ncols if cols is None else int(cols.shape[0])
        # Indices and values of the result, and the keys of both operands while they are merged.
        self.require_bytes(nrows * ncols * 32, f"assigning a scalar to {nrows} x {ncols} elements")
        i = xp.arange(C.nrows, dtype=np.int64) if rows is None else xp.sort(rows)
        j = xp.arange(C.ncols, dtype=np.int64) if cols is None else xp.sort(cols)
        counts = xp.zeros(C.nrows, np.int64)
        counts[i] = ncols
        indptr = offsets(xp, counts, C.ncols, nrows * ncols)
        indices = xp.tile(j.astype(index_type(C.ncols)), nrows)
        return MatrixData(
            C.nrows, C.ncols, indptr, indices, self.resized(xp.ones(1, np.bool_), nrows * ncols)
        )
