"""Masked matrix products as dots of two rows, of which the shorter is looked up in the longer.

The longer row owns the entry of the mask.  An owner that is looked up in often enough is put into
shared memory as bits, once for all of its entries (`mxm_members`); in all others a look-up is a
search by halves (`mxm_dots`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import cupy as cp
import numpy as np

from spbfs.base.flags import any_true
from spbfs.engines.arrays.values.value_arrays import group_of
from spbfs.engines.cuda.operators.semirings import ProductSource
from spbfs.engines.cuda.products.kernels import lookup_kernels, members_kernel
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import pointer
from spbfs.engines.cuda.vectors.data import blocks_of
from spbfs.storage.data import MatrixData

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine

__all__ = ["Dots", "find_by_members", "planned"]

Array = Any
#: Look-ups from which on an owner is put into shared memory, for each range of its columns, and for
#: each of its own entries: what a CTA could look up in the time in which it begins with another
#: owner.  On a Kronecker graph of scale 21 the whole takes as long with half or four times as many.
_LEAST, _A_MEMBER = 1 << 15, 4
#: Look-ups of a CTA in one owner, about: those in a hub are shared by several.
_MOST = 1 << 22
#: Bytes of a CTA's shared memory that are not bits.
_STATIC = 64
#: CTAs of a multiprocessor that count look-ups.
_CTAS = 16


class Dots(NamedTuple):
    """Who owns what, and the look-ups that are left to others."""

    #: Rows of A that are owners, with what of `listed[0]` is theirs; int64, three to a task.
    by_rows: Array | None
    #: Rows of the transpose of B, with what of `listed[1]` is theirs.
    by_columns: Array | None
    #: The mask and its transpose; the mask twice where no column is an owner.
    listed: tuple[MatrixData, MatrixData]
    #: Columns of a range of the bits, and ranges.
    span: int
    ranges: int
    #: The number of the first look-up of every entry of the mask that no task takes, and of all.
    through: Array
    #: Look-ups, all of them.
    lookups: int

    @property
    def has_owners(self) -> bool:
        """Whether there are tasks."""
        return self.by_rows is not None or self.by_columns is not None


def planned(engine: CudaEngine, A: MatrixData, across: MatrixData, mask: MatrixData) -> Dots:
    """The dots of rows of `A` and of `across`, the transpose of B, at the entries of a mask."""
    span, ranges = _ranges(A.ncols)
    offsets = [m.indptr.astype(np.int64, copy=False) for m in (A, across, mask)]
    given = (*map(pointer, offsets), pointer(mask.indices), mask.nrows, mask.nvals)
    grid = min(blocks_of(mask.nvals), _CTAS * limits().sms)
    owned, left = lookup_kernels(mask.indices.dtype)
    loads = cp.zeros(mask.nrows, np.int64), cp.zeros(mask.ncols, np.int64)
    owned(grid, (*given, *map(pointer, loads)))
    often = [_often(load, own, ranges) for load, own in zip(loads, (A, across), strict=True)]
    through = cp.zeros(mask.nvals + 1, np.int64)
    left(grid, (*given, *map(pointer, often), pointer(through[1:])))
    cp.cumsum(through, out=through)
    listed = mask, engine.transposed(mask) if any_true(often[1]) else mask
    tasks = [_tasks(engine, *of) for of in zip(loads, often, listed, strict=True)]
    lookups = sum(int(cp.cumsum(load)[-1]) for load in loads)
    return Dots(tasks[0], tasks[1], listed, span, ranges, through, lookups)


def _ranges(columns: int) -> tuple[int, int]:
    """Columns that a CTA has bits for, and how many times as many there are."""
    most = 8 * ((limits().shared_bytes - _STATIC) // 16 * 16)
    if columns <= most:
        return -(-columns // 128) * 128, 1
    return most, -(-columns // most)


def _often(load: Array, own: MatrixData, ranges: int) -> Array:
    """Which rows are looked up in often enough, as flags."""
    return (load >= _LEAST * ranges) & (load >= _A_MEMBER * cp.diff(own.indptr))


def _tasks(engine: CudaEngine, load: Array, often: Array, listed: MatrixData) -> Array | None:
    """Who is looked up in, and entries of its row in the list; the largest first."""
    owners = cp.flatnonzero(often)
    if not owners.shape[0]:
        return None
    pieces = -(-load[owners] // _MOST)
    ends = cp.cumsum(pieces)
    which = group_of(engine, pieces, int(ends[-1]))
    number = cp.arange(which.shape[0], dtype=np.int64) - (ends - pieces)[which]
    indptr, its = listed.indptr.astype(np.int64, copy=False), owners[which]
    begin, entries, pieces = indptr[its], indptr[its + 1] - indptr[its], pieces[which]
    tasks = cp.empty((which.shape[0], 3), np.int64)
    tasks[:, 0] = its
    tasks[:, 1] = begin + entries * number // pieces
    tasks[:, 2] = begin + entries * (number + 1) // pieces
    return tasks[cp.argsort(-(load[its] // pieces))]


def find_by_members(
    dots: Dots,
    source: ProductSource,
    index: np.dtype[Any],
    factors: tuple[int, ...],
    mask: tuple[int, int],
    sums: tuple[int, int],
) -> None:
    """The entries of all tasks, summed.

    Parameters
    ----------
    dots : Dots
    source : ProductSource
    index : dtype
        Of the columns of all matrices.
    factors : tuple of int
        What the kernel is told of A, and of the transpose of B.
    mask, sums : tuple of int
        Offsets and columns of the mask; flags and values of its entries.
    """
    for side, tasks in enumerate((dots.by_rows, dots.by_columns)):
        if tasks is None:
            continue
        partners = dots.listed[side].indices.astype(index, copy=False)
        taken = cp.zeros(1, np.uint64)
        count = tasks.shape[0]
        members_kernel(source, index, side == 0, dots.span // 8)(
            min(count * dots.ranges, limits().sms),
            (*factors, pointer(tasks), count, dots.ranges, dots.span, pointer(partners))
            + (*mask, pointer(taken), *sums),
        )
