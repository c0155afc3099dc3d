"""Boolean matrices of few columns as packed bits: every entry is True, and a row is a few words.

Entry (i, j) is bit ``j % 64`` of word ``j // 64`` of row i; bits past the last column are zero.  A
row has 1, 2, 4, 8 or 16 words, as kernels want them.  For whoever asks for the arrays of a CSR
matrix one is made, so that an operation that knows nothing of bits is slow and right.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from spbfs.base.flags import all_true
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue
from spbfs.storage.data import MatrixData, iso_array, nbytes_of
from spbfs.storage.derived import Derived
from spbfs.storage.entries import array_module

__all__ = [
    "MOST_COLUMNS",
    "PackedMatrix",
    "PackedTranspose",
    "bits_of_true",
    "column_counts",
    "csr_to_bits",
    "packed_from_bits",
    "popcounts",
    "words_of",
]

Array = Any

#: Words of a row of bits that kernels are made for, and the columns that the most of them have.
WORDS = (1, 2, 4, 8, 16)
MOST_COLUMNS = 1024
#: Elements spelled out at a time where bits become flags or flags bits.
_BLOCK = 1 << 26


def words_of(columns: int) -> int:
    """Words of a row that has a bit for each of up to 1024 columns.

    Parameters
    ----------
    columns : int

    Returns
    -------
    int

    Examples
    --------
    >>> [words_of(k) for k in (1, 64, 65, 200, 1024)]
    [1, 1, 2, 4, 16]
    """
    return 1 << (max(columns, 1) - 1 >> 6).bit_length()


class PackedMatrix(MatrixData):
    """A BOOL matrix whose entries are all True.

    Parameters
    ----------
    ncols : int
        At most 1024.
    bits : uint64 array, nrows x words_of(ncols), C-contiguous
        Never written once the object exists.
    nvals : int, optional
        Number of set bits where known; -1: counted when asked for.
    """

    __slots__ = ("_csr", "_nvals", "_true", "bits")

    def __init__(self, ncols: int, bits: Array, nvals: int = -1) -> None:
        self.nrows, self.ncols, self.bits = int(bits.shape[0]), ncols, bits
        self.derived = Derived()
        self._nvals = nvals
        self._csr: tuple[Array, Array] | None = None
        self._true: Array | None = None

    def __reduce__(self) -> Any:
        return PackedMatrix, (self.ncols, self.bits, self._nvals)

    def __repr__(self) -> str:
        return f"PackedMatrix(nrows={self.nrows}, ncols={self.ncols}, words={self.bits.shape[1]})"

    @property
    def dtype(self) -> np.dtype[Any]:
        """BOOL, without a look at the bits."""
        return np.dtype(np.bool_)

    @property
    def nvals(self) -> int:
        """Number of set bits."""
        if self._nvals < 0:
            self._nvals = int(popcounts(self.bits).sum())
        return self._nvals

    @property
    def indptr(self) -> Array:
        """Offsets of the same matrix in CSR."""
        return self._as_csr()[0]

    @property
    def indices(self) -> Array:
        """Columns of the same matrix in CSR."""
        return self._as_csr()[1]

    @property
    def values(self) -> Array:
        """True, as often as there are entries."""
        if self._true is None:
            # Kept: who takes its address expects it to live as long as the matrix.
            self._true = _all_true(self.bits, self.nvals)
        return self._true

    @property
    def nbytes(self) -> int:
        """Bytes held, those of the CSR form included where it was made."""
        held = self.bits.nbytes + nbytes_of(*(self._csr or ()))
        if self.derived.transpose is not None:
            held += self.derived.transpose.nbytes
        return int(held) + self.derived.nbytes

    def _as_csr(self) -> tuple[Array, Array]:
        if self._csr is None:
            self._csr = _bits_to_csr(self.bits)
        return self._csr


class PackedTranspose(MatrixData):
    """The transpose of a packed matrix; its arrays are made when somebody wants them.

    Parameters
    ----------
    packed : PackedMatrix
    """

    __slots__ = ("_csr", "_true", "packed")

    def __init__(self, packed: PackedMatrix) -> None:
        self.nrows, self.ncols, self.packed = packed.ncols, packed.nrows, packed
        self.derived = Derived.of(transpose_of=weakref.ref(packed))
        self._csr: tuple[Array, Array] | None = None
        self._true: Array | None = None

    def __reduce__(self) -> Any:
        return PackedTranspose, (self.packed,)

    def __repr__(self) -> str:
        return f"PackedTranspose({self.packed!r})"

    @property
    def nvals(self) -> int:
        """Number of entries."""
        return self.packed.nvals

    @property
    def indptr(self) -> Array:
        """Offsets of the transpose in CSR."""
        return self._as_csr()[0]

    @property
    def indices(self) -> Array:
        """Columns of the transpose in CSR."""
        return self._as_csr()[1]

    @property
    def values(self) -> Array:
        """True, as often as there are entries."""
        if self._true is None:
            # Kept: who takes its address expects it to live as long as the matrix.
            self._true = _all_true(self.packed.bits, self.nvals)
        return self._true

    @property
    def nbytes(self) -> int:
        """Bytes held beyond those of the packed matrix."""
        return nbytes_of(*(self._csr or ())) + self.derived.nbytes

    def _as_csr(self) -> tuple[Array, Array]:
        if self._csr is None:
            self._csr = _columns_to_csr(self.packed.bits, self.nrows)
        return self._csr


def _all_true(bits: Array, count: int) -> Array:
    return iso_array(array_module(bits).ones(1, np.bool_), count)


def popcounts(bits: Array) -> Array:
    """Set bits of every word, uint8."""
    xp = array_module(bits)
    if hasattr(xp, "bitwise_count"):
        return xp.bitwise_count(bits)
    x = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    x = (x & pairs) + ((x >> np.uint64(2)) & pairs)
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return ((x * np.uint64(0x0101010101010101)) >> np.uint64(56)).astype(np.uint8)


def _bits_to_csr(bits: Array) -> tuple[Array, Array]:
    xp = array_module(bits)
    nrows, words = bits.shape
    width = 64 * words
    step = max(1, _BLOCK // width)
    counts = xp.zeros(nrows + 1, np.int64)
    counts[1:] = popcounts(bits).sum(axis=1, dtype=np.int64)
    columns = [xp.empty(0, np.int32)]
    for first in range(0, nrows, step):
        block = xp.ascontiguousarray(bits[first : first + step]).view(np.uint8).reshape(-1)
        at = xp.flatnonzero(xp.unpackbits(block, bitorder="little").view(np.bool_))
        # The width is a power of two.
        columns.append((at & (width - 1)).astype(np.int32))
    indptr = xp.cumsum(counts)
    nvals = int(indptr[-1])
    offsets = indptr.astype(np.int32) if nvals <= np.iinfo(np.int32).max else indptr
    return offsets, xp.concatenate(columns)


def _word_flags(bits: Array, w: int) -> Array:
    """A flag for every row and every bit of its word `w`."""
    xp = array_module(bits)
    block = xp.ascontiguousarray(bits[:, w]).view(np.uint8)
    return xp.unpackbits(block, bitorder="little").reshape(-1, 64)


def column_counts(packed: PackedMatrix) -> Array:
    """How many entries every column has, int64."""
    xp = array_module(packed.bits)
    words = range(packed.bits.shape[1])
    counts = [_word_flags(packed.bits, w).sum(axis=0, dtype=np.int64) for w in words]
    return xp.concatenate(counts)[: packed.ncols]


def _columns_to_csr(bits: Array, ncols: int) -> tuple[Array, Array]:
    """The transpose of bits, whose rows are the first `ncols` columns of these."""
    xp = array_module(bits)
    nrows = bits.shape[0]
    kind = np.int32 if nrows <= np.iinfo(np.int32).max else np.int64
    counts, found = [xp.zeros(1, np.int64)], [xp.empty(0, kind)]
    begins = xp.arange(65) * nrows
    for w in range(bits.shape[1]):
        # As Booleans flags are listed in a fifth of the time.
        at = xp.flatnonzero(xp.ascontiguousarray(_word_flags(bits, w).T).view(np.bool_))
        counts.append(xp.diff(xp.searchsorted(at, begins)))
        # A division by one number takes less than its remainder.
        found.append((at - at // max(nrows, 1) * nrows).astype(kind))
    indptr = xp.cumsum(xp.concatenate(counts)[: ncols + 1])
    nvals = int(indptr[-1])
    small = kind is np.int32 and nvals <= np.iinfo(np.int32).max
    offsets = indptr.astype(np.int32) if small else indptr
    return offsets, xp.concatenate(found)


def csr_to_bits(data: MatrixData) -> Array:
    """The pattern of a matrix of at most 1024 columns as bits."""
    if isinstance(data, PackedMatrix):
        return data.bits
    xp = array_module(data.indices)
    words = words_of(data.ncols)
    width = 64 * words
    bits = xp.zeros((data.nrows, words), np.uint64)
    step = max(1, _BLOCK // width)
    for first in range(0, data.nrows, step):
        last = min(first + step, data.nrows)
        begin, end = int(data.indptr[first]), int(data.indptr[last])
        if begin == end:
            continue
        positions = xp.arange(begin, end)
        rows = xp.searchsorted(data.indptr[first : last + 1], positions, side="right") - 1
        flags = xp.zeros((last - first) * width, np.bool_)
        flags[rows * width + data.indices[begin:end]] = True
        block = xp.packbits(flags, bitorder="little").view(np.uint64)
        bits[first:last] = block.reshape(-1, words)
    return bits


def bits_of_true(data: MatrixData) -> Array:
    """The entries that are true as bits."""
    if data.ncols > MOST_COLUMNS:
        raise InvalidValue(
            f"packed bits: expected at most {MOST_COLUMNS} columns, got {data.ncols}"
        )
    if isinstance(data, PackedMatrix) or (data.values.dtype == np.bool_ and all_true(data.values)):
        return csr_to_bits(data)
    xp = array_module(data.indices)
    keep = data.values != 0
    offsets = xp.zeros(data.nvals + 1, data.indptr.dtype)
    xp.cumsum(keep, out=offsets[1:])
    true = MatrixData(
        data.nrows, data.ncols, offsets[data.indptr], data.indices[keep], data.values[keep]
    )
    return csr_to_bits(true)


def packed_from_bits(bits: np.ndarray[Any, Any], ncols: int) -> PackedMatrix:
    """A packed matrix from bits that a user gives, checked and copied."""
    if bits.ndim != 2:
        raise DimensionMismatch(f"bits: expected two dimensions, got shape {bits.shape}")
    if bits.dtype != np.uint64:
        raise DomainMismatch(f"bits: expected uint64, got {bits.dtype}")
    if ncols > MOST_COLUMNS:
        raise InvalidValue(f"ncols: expected at most {MOST_COLUMNS}, got {ncols}")
    if bits.shape[1] * 64 < ncols:
        raise DimensionMismatch(
            f"bits: expected {-(-ncols // 64)} words a row, got {bits.shape[1]}"
        )
    words = min(bits.shape[1], -(-ncols // 64))
    out = np.zeros((bits.shape[0], words_of(ncols)), np.uint64)
    out[:, :words] = bits[:, :words]
    if ncols % 64:
        out[:, words - 1] &= np.uint64((1 << ncols % 64) - 1)
    return PackedMatrix(ncols, out)
