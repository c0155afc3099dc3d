"""Sums on the CPU: of rows, by a pull of a vector whose values nobody reads, and of elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.threads import get_threads
from spbfs.engines.arrays.values import reductions
from spbfs.engines.arrays.values.value_arrays import values_as
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.operators.codes import CODES
from spbfs.engines.cpu.products.product import filled_rows, matrix_operand
from spbfs.engines.cpu.vectors.absent import entries_of
from spbfs.operators.definitions import TypedMonoid
from spbfs.storage.data import MatrixData, VectorData, is_iso
from spbfs.storage.hypersparse import HypersparseMatrix

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["reduce_stored", "row_ends", "row_sums", "stored_values"]

Array = Any

#: Elements of the first block of a sum that may end early, and how fast what was looked at grows.
_FIRST_BLOCK, _GROWTH = 1024, 4


def row_sums(engine: CpuEngine, A: MatrixData, monoid: TypedMonoid) -> VectorData:
    """Every row summed; rows without entries give none."""
    op, dtype = monoid.op, monoid.dtype
    code = CODES.get(dtype.name, -1)
    names = op.name, "first", code, code
    built_in = op.binaryop.function is None
    if built_in and A.nvals:
        lengths = A.indptr[1:] - A.indptr[:-1]
        chosen = _chosen(engine, A, monoid, lengths)
        if chosen is not None:
            return _where_filled(engine, chosen, lengths)
    known = built_in and op.name != "any" and code >= 0
    if is_iso(A.values) or not (known and kernels.has_product(*names)):
        return reductions.row_sums(engine, A, monoid)
    values = matrix_operand(engine, A, dtype)
    present = np.empty(A.nrows, np.bool_)
    sums = np.empty(A.nrows, dtype.np_type)
    count, _ = kernels.pull(
        *(A.indptr, A.indices, filled_rows(A).bits, values, A.ncols, None, None, values[:1]),
        *names,
        *(None, False, None, None, present, sums, get_threads()),
    )
    w = VectorData(A.nrows, sums, present=present, counted=count)
    return engine.choose_form(w, shrink=True)


def _chosen(engine: CpuEngine, A: MatrixData, monoid: TypedMonoid, lengths: Array) -> Array | None:
    """The sum of every row that has entries, where these need not be looked at one by one."""
    name, values, dtype = monoid.op.name, A.values, monoid.dtype
    if is_iso(values):
        one = values_as(engine, values[:1], dtype)
        if name == "any" or monoid.idempotent:
            return engine.resized(one, A.nrows)
        if name != "plus" or not dtype.is_integer:
            return None
        sums = lengths.astype(dtype.np_type)
        return sums if one[0] == 1 else sums * one
    if name != "any":
        return None
    return values_as(engine, _at(values, A.indptr[:-1]), dtype)


def _at(values: Array, ends: Array) -> Array:
    """What lies at an end of every row; where there is none a row takes what is next to it."""
    return values.take(ends, mode="clip")


def _where_filled(engine: CpuEngine, values: Array, lengths: Array) -> VectorData:
    """A vector of one value for each row, of rows that have entries."""
    present = lengths != 0
    count = engine.count_true(present)
    w = VectorData(lengths.shape[0], values, present=present, counted=count)
    return engine.choose_form(w, shrink=True)


def row_ends(engine: CpuEngine, A: MatrixData, last: bool) -> VectorData:
    """The column of every row's first or last entry; rows without entries give none."""
    if isinstance(A, HypersparseMatrix) or not A.nvals:
        return reductions.row_ends(engine, A, last)
    starts, ends = A.indptr[:-1], A.indptr[1:]
    columns = _at(A.indices, ends - 1 if last else starts).astype(np.int64, copy=False)
    return _where_filled(engine, columns, ends - starts)


def stored_values(engine: CpuEngine, x: VectorData | MatrixData) -> Array:
    """The values of stored entries, in order."""
    if isinstance(x, MatrixData) or x.present is None:
        return x.values
    return entries_of(x.values, x.present, engine.count(x))


def reduce_stored(
    engine: CpuEngine, x: VectorData | MatrixData, monoid: TypedMonoid
) -> np.generic | None:
    """All stored values summed, no further than to where nothing changes the sum any more."""
    size = x.values.shape[0]
    ends_early = monoid.terminal is not None or monoid.op.is_any
    if not ends_early or size <= _FIRST_BLOCK or is_iso(x.values) or not engine.nvals(x):
        return reductions.reduce_stored(engine, x, monoid)
    total, begin = None, 0
    while begin < size:
        end = min(size, _GROWTH * begin + _FIRST_BLOCK)
        values = _entries_between(engine, x, slice(begin, end), monoid)
        found = reductions.reduce_values(engine, values, monoid)
        if total is None or found is None:
            total = found if total is None else total
        else:
            both = np.array([total, found], monoid.dtype.np_type)
            total = reductions.reduce_values(engine, both, monoid)
        if total is not None and (monoid.op.is_any or total == monoid.terminal):
            break
        begin = end
    return total


def _entries_between(
    engine: CpuEngine, x: VectorData | MatrixData, block: slice, monoid: TypedMonoid
) -> Array:
    """The values of the entries among some elements, with the identity beside them."""
    values = x.values[block]
    if isinstance(x, MatrixData) or x.present is None:
        return values
    present = x.present[block]
    if not monoid.dtype.is_bool or monoid.op.is_any:
        return entries_of(values, present, int(np.count_nonzero(present)))
    flags = values_as(engine, values, monoid.dtype)
    if monoid.identity:
        return np.logical_or(flags, np.logical_not(present))
    return np.logical_and(flags, present)
