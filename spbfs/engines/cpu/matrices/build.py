"""Matrices and vectors from entries in any order, on the CPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.threads import get_threads
from spbfs.engines.arrays.patterns.layout import fits_buckets, index_type, offset_type
from spbfs.engines.arrays.patterns.sets import is_sorted
from spbfs.engines.arrays.structure import build
from spbfs.engines.arrays.values.value_arrays import own_copy
from spbfs.engines.cpu.matrices.csr import values_between
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.operators.programs import program_of
from spbfs.operators.definitions import TypedBinary
from spbfs.operators.dtypes import lookup_dtype
from spbfs.planner.forms import SORTED_ENTRIES
from spbfs.storage.data import MatrixData, VectorData, is_iso
from spbfs.storage.hypersparse import HypersparseMatrix

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["build_vector", "entry_rows", "ordinary_matrix"]

Array = Any
#: Entries whose rows are counted by a worker of its own.
_BLOCK_ENTRIES = 1 << 15
#: Elements of a vector that are sorted as a row, as a power of two.
_RUN = 4


def build_vector(
    engine: CpuEngine, size: int, indices: Array, values: Array, dup: TypedBinary | None
) -> VectorData:
    """See `Engine.build_vector`: sorted as a row, of many entries in runs of elements, as rows."""
    if is_sorted(np, indices):
        return build.rising_vector(engine, size, indices, values)
    nvals = indices.shape[0]
    equal, program = _combining(dup, values)
    known = (program is not None or equal) and index_type(size) == np.int32
    many = nvals > SORTED_ENTRIES
    runs = ((size - 1) >> _RUN) + 1
    if not known or (many and not fits_buckets(runs, nvals)):
        return build.build_vector(engine, size, indices, values, dup)
    indices = np.ascontiguousarray(indices, np.int64)
    if not many:
        row = np.zeros(nvals, np.int64)
        _, columns, made = _sorted(engine, 1, row, indices, values, (equal, program))
        return engine.choose_form(VectorData(size, made, indices=columns.astype(np.int64)))
    run, place = indices >> _RUN, indices & ((1 << _RUN) - 1)
    indptr, columns, made = _sorted(engine, runs, run, place, values, (equal, program))
    found = np.empty(columns.shape[0], np.int64)
    kernels.entry_rows(indptr, found, get_threads())
    found <<= _RUN
    found += columns
    return engine.choose_form(VectorData(size, made, indices=found))


def ordinary_matrix(
    engine: CpuEngine,
    nrows: int,
    ncols: int,
    rows: Array,
    cols: Array,
    values: Array,
    dup: TypedBinary | None,
) -> MatrixData:
    """See `Engine.build_matrix`: where offsets of all rows are no waste."""
    rows, cols = (np.ascontiguousarray(a, np.int64) for a in (rows, cols))
    threads, nvals = get_threads(), rows.shape[0]
    if kernels.coo_rising(rows, cols):
        indptr = np.empty(nrows + 1, offset_type(ncols, nvals))
        indices = np.empty(nvals, index_type(ncols))
        kernels.coo_rows(rows, cols, indptr, indices, threads)
        return MatrixData(nrows, ncols, indptr, indices, own_copy(engine, values))
    equal, program = _combining(dup, values)
    known = program is not None or equal
    if not (known and fits_buckets(nrows, nvals) and index_type(ncols) == np.int32):
        return build.build_matrix(engine, nrows, ncols, rows, cols, values, dup)
    entries = _sorted(engine, nrows, rows, cols, values, (equal, program))
    return MatrixData(nrows, ncols, *entries)


def _sorted(
    engine: CpuEngine,
    nrows: int,
    rows: Array,
    cols: Array,
    values: Array,
    combining: tuple[str, Any],
) -> tuple[Array, Array, Array]:
    """Offsets, columns and values, equal entries combined as `_combining` says."""
    equal, program = combining
    threads, nvals = get_threads(), rows.shape[0]
    keys, starts = np.empty(nvals, np.uint64), np.empty(nrows + 1, np.int32)
    indptr = np.empty(nrows + 1, np.int32)
    blocks = max(1, min(threads, nvals // max(nrows, _BLOCK_ENTRIES)))
    place = np.empty(blocks * nrows, np.int32)
    kept = kernels.coo_sort(rows, cols, keys, starts, indptr, place, threads)
    indices = np.empty(kept, np.int32)
    given = out = None
    if equal != "one":
        given, out = values_between(engine, values), np.empty(kept, values.dtype)
        if is_iso(given):
            given = np.array(given)
    # Where no two are equal, nothing is combined.
    combine = program if kept < nvals else None
    kernels.coo_entries(keys, starts, indptr, given, equal, combine, indices, out, threads)
    made = engine.resized(values, kept) if out is None else out
    return indptr, indices, made


def _combining(dup: TypedBinary | None, values: Array) -> tuple[str, Any]:
    """Which of equal entries stays, ``"one"`` where values are alike, or the program for them."""
    name = "" if dup is None or dup.op.function is not None else dup.op.name
    if is_iso(values) and (dup is None or dup.idempotent):
        return "one", None
    if dup is None or name == "second":
        return "last", None
    if name in ("first", "any"):
        return "first", None
    own = lookup_dtype(values.dtype)
    return "", program_of(dup, own) if dup.in_type == own else None


def entry_rows(engine: CpuEngine, A: MatrixData) -> Array:
    """See `Engine.entry_rows`."""
    if isinstance(A, HypersparseMatrix):
        return A.rows[engine.entry_rows(A.compact)]
    rows = np.empty(A.nvals, np.int64)
    kernels.entry_rows(A.indptr, rows, get_threads())
    return rows
