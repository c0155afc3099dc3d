"""Matrices whose arrays lie in files, mapped and only read, and checked before they are trusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import known_transpose

__all__ = ["MappedArray", "OnDiskMatrix", "Origin"]

Array = Any  # numpy.ndarray


@dataclass(slots=True)
class MappedArray:
    """An array of a file that may hold anything, or lose its pages.

    Parameters
    ----------
    array : ndarray
        Not to be written.
    check : callable or None
        Raises unless the content is sound; None where that is known.
    check_pages : callable
        Raises where pages were lost since the array was mapped, or the file was written to.
    copied : ndarray or None
        The array in memory, where it lies at odd bytes of the file, which no kernel reads, and
        somebody has asked for the whole of it.
    """

    array: Array
    check: Callable[[], None] | None
    check_pages: Callable[[], None]
    copied: Array = None

    def trusted(self) -> Array:
        """The array, after its content has been checked, once, and where a kernel can read it."""
        check = self.check
        if check is not None:
            # Of two threads that come at the same time both look: they find the same.
            check()
            self.check = None
        if self.is_odd:
            require_bytes(self.array.nbytes, "mmap: a copy of an array that lies at odd bytes")
            copied = self.array.copy()
            self.check_pages()
            self.copied = copied
        self.check_pages()
        return self.array if self.copied is None else self.copied

    @property
    def is_odd(self) -> bool:
        """Whether kernels cannot read it as it is."""
        return self.copied is None and not self.array.flags.aligned

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return 0 if self.copied is None else int(self.copied.nbytes)


@dataclass(frozen=True, slots=True)
class Origin:
    """What another process needs to map the same matrix, if it sees the same files."""

    #: By its whole name.
    folder: str
    #: Of the header, which has those of all files.
    checksum: int
    #: Whether it is the matrix in there by columns.
    transposed: bool


class OnDiskMatrix(MatrixData):
    """A matrix in CSR whose arrays are mapped from files.

    Each is gone through once before whoever asks for it gets it, so that no kernel meets an offset
    or a column that it would follow out of its arrays.  Searches over parts of the edges take
    `unchecked_indices`, and look at every column before they follow it.

    Parameters
    ----------
    name : str
        Of the file or folder, for messages.
    nrows, ncols : int
    indptr, indices, values : MappedArray
    origin : Origin or None
        None where other processes are sent the arrays.
    """

    __slots__ = ("_indices", "_indptr", "_values", "name", "origin")

    def __init__(
        self,
        name: str,
        nrows: int,
        ncols: int,
        indptr: MappedArray,
        indices: MappedArray,
        values: MappedArray,
        origin: Origin | None,
    ) -> None:
        self.name, self.origin = name, origin
        self._indptr, self._indices, self._values = indptr, indices, values
        super().__init__(nrows, ncols, None, None, None)

    def __reduce__(self) -> Any:
        return MatrixData, (self.nrows, self.ncols, self.indptr, self.indices, self.values)

    def __repr__(self) -> str:
        return f"OnDiskMatrix(name={self.name!r}, nrows={self.nrows}, ncols={self.ncols})"

    # Properties in the place of the fields of `MatrixData`, which sets them to None.
    indptr = property(lambda self: self._indptr.trusted(), lambda self, _: None)
    values = property(lambda self: self._values.trusted(), lambda self, _: None)

    @property
    def indices(self) -> Array:
        """The columns, which rise in every row."""
        self._indptr.trusted()
        return self._indices.trusted()

    @indices.setter
    def indices(self, _: None) -> None:
        pass

    @property
    def unchecked_indices(self) -> Array:
        """The columns, for who looks at every one before following it, and asks `check_pages`; at
        odd bytes, perhaps."""
        held = self._indices
        return held.array if held.copied is None else held.copied

    @property
    def is_odd(self) -> bool:
        """Whether the columns lie where no kernel can read them."""
        return self._indices.is_odd

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the values."""
        dtype: np.dtype[Any] = self._values.array.dtype
        return dtype

    @property
    def index_type(self) -> np.dtype[Any]:
        """Of the columns."""
        dtype: np.dtype[Any] = self._indices.array.dtype
        return dtype

    @property
    def nvals(self) -> int:
        """Stored entries."""
        return int(self._indices.array.shape[0])

    @property
    def nbytes(self) -> int:
        """Bytes of memory held by what is kept with the matrix; its arrays are in their files, but
        for copies of those that lie at odd bytes."""
        across = known_transpose(self)
        held = {id(array): array for array in self._arrays}
        if isinstance(across, OnDiskMatrix):
            held |= {id(array): array for array in across._arrays}
        copies = sum(array.nbytes for array in held.values())
        return self.derived.nbytes + copies + (0 if across is None else across.derived.nbytes)

    @property
    def _arrays(self) -> tuple[MappedArray, MappedArray, MappedArray]:
        return self._indptr, self._indices, self._values

    @property
    def bytes_on_disk(self) -> int:
        """Bytes of the columns, of both directions where these are two."""
        size, across = int(self._indices.array.nbytes), known_transpose(self)
        alone = not isinstance(across, OnDiskMatrix) or across._indices is self._indices
        return size if alone else 2 * size

    def twin(self) -> OnDiskMatrix:
        """Another matrix of the same arrays."""
        return OnDiskMatrix(self.name, self.nrows, self.ncols, *self._arrays, self.origin)

    def check(self) -> None:
        """Go through all arrays that nobody has asked for yet."""
        _ = self.indptr, self.indices, self.values

    def check_pages(self) -> None:
        """Raise where pages of the files were lost, or these were written to: what was read of them
        is not what was checked."""
        for held in self._arrays:
            held.check_pages()
