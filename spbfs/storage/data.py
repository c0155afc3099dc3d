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

from spbfs.exceptions import OutOfMemory

__all__ = ["MatrixData", "VectorData", "in_host_memory", "is_iso", "iso_array", "nbytes_of"]

Array = Any  # numpy.ndarray or cupy.ndarray

Form = Literal["list", "bitmap", "full"]


def in_host_memory(array: Array) -> bool:
    """Whether an engine's array is NumPy's rather than CuPy's."""
    kind = type(array)
    # Of the class: CuPy's arrays take a while to say where they are.
    return kind is np.ndarray or not hasattr(kind, "__cuda_array_interface__")


def is_iso(values: Array) -> bool:
    """Whether a values array is stored as one element seen through a stride of zero."""
    return bool(values.strides == (0,))


def iso_array(one: Array, size: int) -> Array:
    """An iso array of `size` elements from an array of one element, which it keeps."""
    if type(one) is np.ndarray or in_host_memory(one):
        # What broadcast_to does, at a tenth of its cost: a search makes several a level.
        try:
            out: Array = np.ndarray((size,), one.dtype, one, 0, (0,))
        except ValueError:
            # It takes no memory, but NumPy gives no array more than 2**63 bytes.
            raise OutOfMemory(f"a vector of {size:,} elements is too long for an array") from None
        out.flags.writeable = False
        return out
    import cupy

    return cupy.ndarray((size,), one.dtype, one.data, (0,))


def nbytes_of(*arrays: Array | None) -> int:
    """Bytes of memory behind arrays, an iso array counted as its one element."""
    return sum((a.dtype.itemsize if is_iso(a) else a.nbytes) for a in arrays if a is not None)


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

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.size,)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the values."""
        return self.values.dtype

    @property
    def arrays(self) -> tuple[Array, ...]:
        """Those that an operation could write into: an iso one is replaced, never written."""
        held = (self.values, self.indices, self.present)
        return tuple(a for a in held if a is not None and a.size and not is_iso(a))

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
    The arrays are never written once the object exists, so caches derived from them stay valid.
    """

    nrows: int
    ncols: int
    indptr: Array
    indices: Array
    values: Array
    #: The same matrix by columns, as the CSR of the transpose; filled by `core.layout.transposed`.
    #: None for a matrix with a symmetric pattern and iso values, which is its own transpose.
    transpose: MatrixData | None = field(default=None, repr=False)
    #: Plans and layouts derived from the arrays (a BFSPlan, say), by name.
    cache: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.nrows, self.ncols)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the values."""
        return self.values.dtype

    @property
    def nvals(self) -> int:
        return int(self.indices.shape[0])

    @property
    def nbytes(self) -> int:
        """Bytes held, caches included, arrays shared with the transpose counted once."""
        total = nbytes_of(self.indptr, self.indices, self.values)
        if self.transpose is not None and self.transpose is not self:
            t = self.transpose
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
            total += t.cached_bytes
        return total + self.cached_bytes

    @property
    def cached_bytes(self) -> int:
        """Bytes of what is derived from it and kept with it."""
        return sum(int(getattr(c, "nbytes", 0)) for c in self.cache.values())
