"""What a Matrix or Vector holds: plain arrays and their shape, nothing that computes.

Engines receive and return these.  `Matrix` and `Vector` own exactly one each and never share one
(``dup`` copies), so a engine may write into a vector it was given as the output, and nowhere else.

A *values* array whose entries are all equal (iso) is a broadcast view of one element: its stride
is 0, it takes one element of memory, and NumPy or CuPy code needs no special case for it.
Kernels are handed the pointer and a stride of 0 or 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from spbfs.base.pickling import by_any_protocol
from spbfs.storage.arrays import in_host_memory, is_iso, iso_array, nbytes_of
from spbfs.storage.derived import Derived

__all__ = ["Form", "MatrixData", "VectorData", "in_host_memory", "is_iso", "iso_array", "nbytes_of"]

Array = Any  # numpy.ndarray or cupy.ndarray

Form = Literal["list", "bitmap", "full"]


@dataclass(slots=True)
class VectorData:
    """A sparse vector of `size` elements in one of three forms.

    ``list``: `indices` (int64, strictly increasing) and `values`, both `nvals` long.
    ``bitmap``: `present` (bool, `size` long) and `values` (`size` long; where `present` is False
    the value is arbitrary).  ``full``: `values` only, every element present.
    """

    size: int
    values: Array
    indices: Array | None = None
    present: Array | None = None
    #: Number of stored entries of a bitmap where known, else -1 (counted when asked for).
    counted: int = -1
    #: Entries moved by updates of a list so far; what the planner weighs against a conversion.
    work: int = 0

    __reduce_ex__ = by_any_protocol

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.size,)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the values."""
        return self.values.dtype

    @property
    def arrays(self) -> tuple[Array, ...]:
        """Those that an operation could write into.

        None of a list, and no iso one: they are replaced, never written.
        """
        if self.indices is not None:
            return ()
        held = (self.values, self.present)
        # Asked for by every statement: a list is made faster than a tuple, and without `is_iso`.
        return tuple([a for a in held if a is not None and a.size and a.strides != (0,)])

    @property
    def form(self) -> Form:
        if self.indices is not None:
            return "list"
        return "bitmap" if self.present is not None else "full"

    @property
    def nbytes(self) -> int:
        return nbytes_of(self.values, self.indices, self.present)


@dataclass(slots=True, weakref_slot=True, eq=False)
class MatrixData:
    """A sparse matrix in canonical CSR: rows in order, columns strictly increasing in a row.

    `indptr` is int32 or int64, ``nrows + 1`` long; `indices` is int32 where `ncols` allows it, else
    int64; `values` has one entry per index and is iso (stride 0) for pattern-only matrices.
    The arrays are never written once the object exists, so what is derived from them stays valid.
    """

    nrows: int
    ncols: int
    indptr: Array
    indices: Array
    values: Array
    #: What was worked out from the arrays and is kept with them.
    derived: Derived = field(default_factory=Derived, repr=False)

    __reduce_ex__ = by_any_protocol

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.nrows, self.ncols)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the values."""
        return self.values.dtype

    @property
    def nvals(self) -> int:
        return len(self.indices)

    @property
    def nbytes(self) -> int:
        """Bytes held, what is derived included, arrays shared with the transpose counted once."""
        total = nbytes_of(self.indptr, self.indices, self.values) + self.derived.nbytes
        t = self.derived.transpose
        if t is not None:
            total += sum(
                nbytes_of(a)
                for a, b in (
                    (t.indptr, self.indptr),
                    (t.indices, self.indices),
                    (t.values, self.values),
                )
                if a is not b
            )
            # What searches derive from in-edges is kept with them.
            total += t.derived.nbytes
        return total
