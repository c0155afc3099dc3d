"""Matrices of far more rows or columns than entries, without an array over either.

The rows and columns that have entries are listed, and an ordinary matrix, the *compact* one, has
a row and a column for each of them, in their order.  Its row 3 is row ``rows[3]`` of the whole.
The lists rise, so that whatever keeps entries in order may work on the compact matrix and give its
result the same lists.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.storage.data import MatrixData, in_host_memory, nbytes_of
from spbfs.storage.derived import Derived

__all__ = ["HypersparseMatrix"]

Array = Any


class HypersparseMatrix(MatrixData):
    """A matrix that lists which rows and columns have entries.

    For whoever asks for offsets of all rows they are made, where memory allows it, so that an
    operation that knows nothing of these lists is slow and right, or refused with `OutOfMemory`.

    Parameters
    ----------
    nrows, ncols : int
    rows, columns : int64 arrays, strictly rising
        All that have entries, and no others.
    compact : MatrixData
        Of shape ``len(rows) x len(columns)``.
    """

    __slots__ = ("_offsets", "columns", "compact", "rows")

    def __init__(
        self, nrows: int, ncols: int, rows: Array, columns: Array, compact: MatrixData
    ) -> None:
        self.nrows, self.ncols = nrows, ncols
        self.rows, self.columns, self.compact = rows, columns, compact
        self.derived = Derived()
        self._offsets: Array | None = None

    def __reduce__(self) -> Any:
        return HypersparseMatrix, (self.nrows, self.ncols, self.rows, self.columns, self.compact)

    def __repr__(self) -> str:
        return (
            f"HypersparseMatrix(nrows={self.nrows}, ncols={self.ncols}, "
            f"rows={self.rows.shape[0]}, columns={self.columns.shape[0]})"
        )

    @property
    def nvals(self) -> int:
        """Number of entries."""
        return self.compact.nvals

    # Properties in the place of the fields of `MatrixData`.
    @property
    def values(self) -> Array:
        """The values, row by row."""
        return self.compact.values

    @values.setter
    def values(self, values: Array) -> None:
        self.compact.values = values

    @property
    def indices(self) -> Array:
        """The column of every entry, row by row."""
        small = self.ncols <= np.iinfo(np.int32).max
        return self.columns[self.compact.indices].astype(np.int32 if small else np.int64)

    @property
    def indptr(self) -> Array:
        """Offsets of all rows, kept once somebody has asked for them."""
        if self._offsets is None:
            self._offsets = self._all_offsets()
        return self._offsets

    def _all_offsets(self) -> Array:
        compact = self.compact
        kind = compact.indptr.dtype if self.ncols <= np.iinfo(np.int32).max else np.dtype(np.int64)
        rows = f"all {self.nrows:,} rows, of {self.nvals:,} entries"
        what = f"a hypersparse matrix: a list of the offsets of {rows},"
        if in_host_memory(self.rows):
            require_bytes(kind.itemsize * (self.nrows + 1), what)
            offsets = np.zeros(self.nrows + 1, kind)
        else:
            import cupy

            from spbfs.base import gpu_memory

            gpu_memory.require_bytes(kind.itemsize * (self.nrows + 1), what)
            offsets = cupy.zeros(self.nrows + 1, kind)
        offsets[self.rows + 1] = compact.indptr[1:] - compact.indptr[:-1]
        return offsets.cumsum(dtype=kind)

    @property
    def nbytes(self) -> int:
        """Bytes held, what is derived included."""
        held = nbytes_of(self.rows, self.columns, self._offsets) + self.compact.nbytes
        if self.derived.transpose is not None:
            # Its lists are this one's own, and its compact matrix is counted with this one's.
            held += self.derived.transpose.derived.nbytes
        return held + self.derived.nbytes
