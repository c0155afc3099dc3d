"""Matrices whose arrays are made when somebody first asks for them.

Only their shape is known before.  Whoever makes the arrays is forgotten once they are there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spbfs.storage.data import MatrixData
from spbfs.storage.derived import Derived, keeping
from spbfs.storage.packed import PackedMatrix

__all__ = ["DelayedMatrix", "DelayedPacked", "DelayedRows", "is_plain"]

Array = Any


class DelayedPacked(PackedMatrix):
    """A packed matrix whose bits are made when they are asked for.

    Parameters
    ----------
    ncols : int
        At most 1024.
    shape : (int, int)
        That of the bits.
    make : callable
        Gives the bits, as `PackedMatrix` takes them.
    """

    __slots__ = ("_bits",)

    def __init__(self, ncols: int, shape: tuple[int, int], make: Callable[[], Array]) -> None:
        self._bits: Array | _Promise
        super().__init__(ncols, _Promise(shape, make))

    def __repr__(self) -> str:
        return f"DelayedPacked(nrows={self.nrows}, ncols={self.ncols})"

    # A property in the place of the slot of `PackedMatrix`, whose methods ask for it.
    @property
    def bits(self) -> Array:
        """The bits, made now where nobody has asked for them."""
        bits = self._bits
        if isinstance(bits, _Promise):
            self._bits = bits = bits.make()
        return bits

    @bits.setter
    def bits(self, bits: Array) -> None:
        self._bits = bits


class _Promise:
    """What stands for bits until they are made."""

    def __init__(self, shape: tuple[int, int], make: Callable[[], Array]) -> None:
        self.shape, self.make = shape, make


class DelayedMatrix(MatrixData):
    """A BOOL matrix in CSR whose arrays are made when one of them is asked for.

    Parameters
    ----------
    nrows, ncols : int
    make : callable
        Gives the matrix, whose entries are all True.
    """

    __slots__ = ("_made", "_make")

    def __init__(self, nrows: int, ncols: int, make: Callable[[], MatrixData]) -> None:
        self._make: Callable[[], MatrixData] | None = make
        self._made: MatrixData | None = None
        super().__init__(nrows, ncols, None, None, None)

    def __reduce__(self) -> Any:
        return MatrixData, (self.nrows, self.ncols, self.indptr, self.indices, self.values)

    def __repr__(self) -> str:
        return f"DelayedMatrix(nrows={self.nrows}, ncols={self.ncols})"

    @property
    def dtype(self) -> np.dtype[Any]:
        """BOOL, known before the values are."""
        return np.dtype(np.bool_)

    def _matrix(self) -> MatrixData:
        made, make = self._made, self._make
        if made is None:
            assert make is not None
            self._made = made = make()
            self._make = None
        return made

    # Properties in the place of the fields of `MatrixData`, which sets them to None.
    indptr = property(lambda self: self._matrix().indptr, lambda self, _: None)
    indices = property(lambda self: self._matrix().indices, lambda self, _: None)
    values = property(lambda self: self._matrix().values, lambda self, _: None)


class DelayedRows(MatrixData):
    """A matrix that is there by columns, whose rows are made when somebody asks for them.

    From then on it is a `MatrixData` like any other, of that class, too.

    Parameters
    ----------
    columns : MatrixData
        Its transpose.
    transpose : callable
        Transposes that.
    """

    __slots__ = ()  # so that its class may change

    def __init__(self, columns: MatrixData, transpose: Callable[[MatrixData], MatrixData]) -> None:
        self.nrows, self.ncols = columns.ncols, columns.nrows
        self.derived = Derived.of(transpose=columns)
        _OFFSETS.__set__(self, transpose)  # in their place until they are made

    def __reduce__(self) -> Any:
        return MatrixData, (self.nrows, self.ncols, self.indptr, self.indices, self.values)

    def __repr__(self) -> str:
        return f"DelayedRows(nrows={self.nrows}, ncols={self.ncols})"

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the values."""
        return self._columns.dtype

    @property
    def nvals(self) -> int:
        """Number of entries."""
        return self._columns.nvals

    @property
    def nbytes(self) -> int:
        """Bytes of the columns, and of what is kept with either."""
        return self._columns.nbytes + self.derived.nbytes

    @property
    def _columns(self) -> MatrixData:
        columns = self.derived.transpose
        assert columns is not None
        return columns

    def rows(self) -> MatrixData:
        """The matrix itself, with rows."""
        transpose = _OFFSETS.__get__(self)
        made = transpose(self._columns) if callable(transpose) else None
        with keeping:
            if type(self) is DelayedRows:  # of two threads one may have been here
                for slot in _SLOTS:
                    slot.__set__(self, slot.__get__(made))
                self.__class__ = MatrixData  # type: ignore[assignment]
        return self

    # Properties in the place of the fields of `MatrixData`.
    indptr = property(lambda self: self.rows().indptr)
    indices = property(lambda self: self.rows().indices)
    values = property(lambda self: self.rows().values)


#: Where a `MatrixData` has its arrays.
_SLOTS: Any = [vars(MatrixData)[name] for name in ("indptr", "indices", "values")]
_OFFSETS = _SLOTS[0]


def is_plain(data: MatrixData) -> bool:
    """Whether a matrix is stored as usual, by rows, which are made where they are delayed."""
    return type(data.rows() if type(data) is DelayedRows else data) is MatrixData
