"""Matrix products row by row.

Rows are dealt out by how many products they have.  Products of short rows are sorted by teams of
lanes (``mxm_sorted_rows``), written where all of them had room and then moved together
(``mxm_moved_rows``), or counted and then written where memory is short.  Of longer rows columns
are bits in shared memory (``mxm_long_rows``), counted and then written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import cupy as cp
import numpy as np

from spbfs.base.gpu_memory import has_room
from spbfs.engines.arrays.patterns.layout import index_type, offset_type
from spbfs.engines.cuda.operators.semirings import ProductSource
from spbfs.engines.cuda.products.operands import (
    Operands,
    entry_products,
    numbered_through,
)
from spbfs.engines.cuda.products.row_kernels import (
    CLASS_ROWS,
    CLASSES,
    GROUP_BYTES,
    GROUP_COLUMNS,
    begin_compiling,
    long_rows_kernel,
    moved_rows_kernel,
    size_kernels,
    sorted_rows_kernel,
)
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, pointer
from spbfs.storage.data import MatrixData

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine

__all__ = ["product_by_rows"]

Array = Any
#: Classes of rows that a kernel sorts, by the items of a lane, and lanes of the first one's teams:
#: those of each class are twice as many as those of the one before.
_SORTED = {4: (range(1, 6), 2), 16: (range(6, CLASSES - 1), 16)}
#: The last class that is sorted always: up to 512 products.  Longer rows are where there are more
#: columns: bits of half a group of them take as long as a product that is sorted.
_ALWAYS_SORTED = 7
_GROUPS_A_PRODUCT = 0.5
#: Warps of a multiprocessor for which there are rows to move.
_WARPS = 64
#: Bytes of a CTA's shared memory that are not bits of columns.
_STATIC = 512
#: Ranges of columns in which the products of a row are gone through at most, and columns of which
#: keys are made.
_MOST_RANGES = 64
_MOST_COLUMNS = 1 << 51


class _Rows(NamedTuple):
    """The rows of a product, class by class."""

    #: How many each class has, on the GPU and here.
    classes: Array
    counts: list[int]
    rows: Array

    @classmethod
    def of(cls, operands: Operands, through: Array) -> _Rows:
        nrows = operands.kept[0].shape[0] - 1
        _, count, listing = size_kernels(operands.index_dtype)
        grid = -(-nrows // CLASS_ROWS)
        given = operands.first[0], pointer(through), nrows
        counts = cp.zeros((2, CLASSES), np.int64)
        count(grid, (*given, pointer(counts)))
        its = cp.asnumpy(counts[0]).tolist()
        # Behind it: the GPU lists rows while the host makes what follows ready.
        rows = cp.empty(nrows, np.int64)
        listing(grid, (*given, pointer(counts), pointer(counts[1]), pointer(rows)))
        return cls(counts, its, rows)


class _SortedRows(NamedTuple):
    """Rows that one launch sorts: of several classes."""

    #: Products of a lane.
    items: int
    #: A column and the number of a product.
    key: np.dtype[Any]
    ctas: int
    #: Places in a room for all products, where each row has as many as its team sorts.
    room: range
    #: How many rows the classes have; those of classes of other launches are counted in the first.
    classes: Array

    @classmethod
    def of(cls, rows: _Rows, last: int, ncols: int, index: np.dtype[Any]) -> list[Self]:
        """Launches for all classes up to the last one, with keys of 32 bits where they do."""
        made: list[Self] = []
        for items, (classes, lanes) in _SORTED.items():
            ctas, room = {4: 0, 8: 0}, {4: 0, 8: 0}
            narrow = 0
            for i, k in enumerate(classes):
                if k > last:
                    break
                its, team = rows.counts[k], lanes << i
                width = 4 if index.itemsize == 4 and ncols * team * items < 2**32 else 8
                ctas[width] += -(-its // (THREADS // team))
                room[width] += its * team * items
                narrow += its if width == 4 else 0
            for width in (4, 8):
                if not ctas[width]:
                    continue
                begin = made[-1].room.stop if made else 0
                places = range(begin, begin + room[width])
                is_all = width == 4 or not narrow
                its_classes = rows.classes if is_all else _without(rows, classes, narrow)
                key = np.dtype(f"u{width}")
                made.append(cls(items, key, ctas[width], places, its_classes))
        return made


def _without(rows: _Rows, classes: range, narrow: int) -> Array:
    """Counts in which the first `narrow` rows of `classes` are of no class that is sorted."""
    counts = [rows.counts[0] + narrow, *rows.counts[1:]]
    for k in classes:
        taken = min(narrow, counts[k])
        counts[k] -= taken
        narrow -= taken
    return cp.asarray(counts, np.int64)


class _LongRows(NamedTuple):
    """Rows that are not sorted; each is as many tasks as there are ranges of columns."""

    rows: Array
    ranges: int
    #: Groups of columns in a range.
    groups: int

    @property
    def shape(self) -> tuple[int, int]:
        """Threads and dynamic shared memory of a CTA: as many CTAs as bits leave room for."""
        its_bytes = self.groups * GROUP_BYTES
        beside = limits().shared_bytes // (its_bytes + _STATIC)
        return 256 if beside >= 4 else 512 if beside >= 2 else 1024, its_bytes


class _Entries(NamedTuple):
    """Places for entries: in the result, or where they wait until it is known where they belong."""

    columns: Array
    values: Array | None

    @classmethod
    def of(cls, count: int, index: np.dtype[Any], dtype: np.dtype[Any] | None) -> Self:
        return cls(cp.empty(count, index), None if dtype is None else cp.empty(count, dtype))


class _Room(NamedTuple):
    """Where the entries of sorted rows wait, each row where all its products have room."""

    entries: _Entries
    #: Where that is; -1 for other rows.
    slots: Array

    @classmethod
    def of(cls, nrows: int, entries: _Entries) -> Self:
        return cls(entries, cp.full(nrows, -1, np.int64))


class _Product(NamedTuple):
    """What the kernels of a product are launched with."""

    source: ProductSource
    index_dtype: np.dtype[Any]
    #: None where no values are made.
    dtype: np.dtype[Any] | None
    numbered: tuple[int, ...]
    mask: tuple[int, int]
    rows: Array
    sorted: list[_SortedRows]
    long: _LongRows | None
    #: None where sorted rows are counted before they are written.
    room: _Room | None

    def counted(self, nrows: int) -> tuple[Array, Array | None]:
        """How many entries each row has, and each task of long ones where a row is several."""
        counts = cp.zeros(nrows, np.int64)
        for its in self.sorted:
            if self.room is None:
                self._sort(its, False, (pointer(counts), 0, 0, 0, 0, 0))
            else:
                slots, to = pointer(self.room.slots), map(pointer, self.room.entries)
                self._sort(its, True, (pointer(counts), its.room.start, slots, 0, *to))
        if self.long is None:
            return counts, None
        if self.long.ranges == 1:
            self._set_bits(self.long, False, (pointer(counts), 0, 0, 0))
            return counts, None
        tasks = cp.empty((self.long.rows.shape[0], self.long.ranges), np.int64)
        self._set_bits(self.long, False, (pointer(tasks), 0, 0, 0))
        counts[self.long.rows] = tasks.sum(axis=1)
        return counts, tasks

    def write(self, begins: Array, tasks: Array | None, columns: Array, values: Any) -> None:
        """Columns and sums of all rows, from where each begins."""
        to = pointer(columns), pointer(values)
        if self.room is not None:
            self._move(self.room, begins, to)
        else:
            for its in self.sorted:
                self._sort(its, True, (0, 0, 0, pointer(begins), *to))
        if self.long is not None:
            if tasks is not None:
                begins = begins[self.long.rows][:, None] + cp.cumsum(tasks, axis=1) - tasks
            self._set_bits(self.long, True, (0, pointer(begins), *to))

    def _sort(self, its: _SortedRows, writes: bool, results: tuple[int, ...]) -> None:
        of = self.source if writes else None
        kernel = sorted_rows_kernel(of, self.index_dtype, its.key, its.items)
        rows = pointer(self.rows), pointer(its.classes)
        kernel(its.ctas, (*self.numbered, *rows, *self.mask, *results))

    def _move(self, room: _Room, begins: Array, to: tuple[int, int]) -> None:
        move = moved_rows_kernel(self.index_dtype, 0 if self.dtype is None else self.dtype.itemsize)
        nrows = begins.shape[0] - 1
        # A warp for 32 rows, or for fewer where these would leave multiprocessors without one.
        rows = max(1, min(32, nrows // (limits().sms * _WARPS)))
        given = pointer(room.slots), pointer(begins), nrows, rows
        move(-(-nrows // (rows * THREADS // 32)), (*given, *map(pointer, room.entries), *to))

    def _set_bits(self, long: _LongRows, writes: bool, results: tuple[int, ...]) -> None:
        of = self.source if writes else None
        kernel = long_rows_kernel(of, self.index_dtype, *long.shape)
        taken, count = cp.zeros(1, np.uint64), long.rows.shape[0]
        kernel(
            min(count * long.ranges, kernel.resident * limits().sms),
            (*self.numbered, pointer(long.rows), count, long.ranges, long.groups, *self.mask)
            + (pointer(taken), *results),
        )


def product_by_rows(
    engine: CudaEngine,
    operands: Operands,
    source: ProductSource,
    entries: int,
    shape: tuple[int, int],
) -> MatrixData | None:
    """The product of two factors without what their mask has.

    Parameters
    ----------
    engine : CudaEngine
    operands : Operands
        With the mask that refuses entries, if any.
    source : ProductSource
    entries : int
        Of the first factor.
    shape : tuple of int
        Of the result.

    Returns
    -------
    MatrixData or None
        None where a row has more products than are sorted, and is not made of bits either: its sums
        begin with nothing, or columns are too many.
    """
    nrows, ncols = shape
    index = operands.index_dtype
    if ncols > _MOST_COLUMNS:
        return None
    groups = -(-ncols // GROUP_COLUMNS)
    ranges = -(-groups // ((limits().shared_bytes - _STATIC) // GROUP_BYTES))
    has_bits = source.can_push and ranges <= _MOST_RANGES
    last = _last_sorted(groups) if has_bits else CLASSES - 2
    through = numbered_through(entry_products(operands, entries))
    rows = _Rows.of(operands, through)
    long: _LongRows | None = None
    if count := sum(rows.counts[last + 1 :]):
        if not has_bits:
            return None
        long = _LongRows(rows.rows[nrows - count :], ranges, -(-groups // ranges))
    numbered = operands.numbered(nrows, through)
    its = _SortedRows.of(rows, last, ncols, index)
    dtype = None if source.key.is_pattern else source.dtype
    width = index.itemsize + (0 if dtype is None else dtype.itemsize)
    room: _Room | None = None
    if its and has_room(width * its[-1].room.stop + 8 * nrows):
        room = _Room.of(nrows, _Entries.of(its[-1].room.stop, index, dtype))
    keys = frozenset(launch.key.itemsize for launch in its)
    begin_compiling(source, index, keys, room is None, long is not None)
    product = _Product(source, index, dtype, numbered, operands.mask, rows.rows, its, long, room)
    counts, tasks = product.counted(nrows)
    begins = cp.zeros(nrows + 1, np.int64)
    cp.cumsum(counts, out=begins[1:])
    nvals = int(begins[-1])
    engine.require_bytes(width * nvals, "mxm: the entries of the result")
    columns, sums = _Entries.of(nvals, index, dtype)
    if nvals:
        product.write(begins, tasks, columns, sums)
    return MatrixData(
        nrows,
        ncols,
        begins.astype(offset_type(ncols, nvals), copy=False),
        columns.astype(index_type(ncols), copy=False),
        engine.constant(True, np.dtype(np.bool_), nvals) if sums is None else sums,
    )


def _last_sorted(groups: int) -> int:
    """The last class that is sorted where there are bits for so many groups of columns."""
    last = _ALWAYS_SORTED
    while last < CLASSES - 2 and (4 << last) * _GROUPS_A_PRODUCT < groups:
        last += 1
    return last
