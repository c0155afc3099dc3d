"""Single entries set and deleted on the CPU, in one pass of copies: ``cpu/matrices/edits.cpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.threads import get_threads
from spbfs.engines.arrays.matrices import edits
from spbfs.engines.cpu.matrices.csr import most_entries, values_between
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import MatrixData, is_iso, iso_array
from spbfs.storage.derived import Derived

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["edited"]

Array = Any


def edited(
    engine: CpuEngine,
    C: MatrixData,
    rows: Array,
    cols: Array,
    values: Array,
    gone: Array | None,
    sole: bool,
) -> MatrixData:
    """See `Engine.edited`."""
    count = rows.shape[0]
    if type(C) is not MatrixData or C.nvals + count > most_entries(C.indptr.dtype):
        return edits.edited(engine, C, rows, cols, values, gone, sole)
    at = np.empty(count, np.int64)
    found = kernels.locate(C.indptr, C.indices, rows, cols, at, get_threads())
    if gone is None:
        if found == count:
            return _revalued(C, at, values, sole)
        gone = np.zeros(count, np.bool_)
    stored, kept = at >= 0, ~gone
    if (stored == kept).all():
        return _revalued(C, at[kept], values[kept], sole)
    before = np.zeros(count + 1, np.int64)
    np.cumsum(kept.view(np.int8) - stored.view(np.int8), out=before[1:])
    alike = _are_all(C.values, values[kept])
    entries = C.nvals + int(before[count])
    indptr, indices = np.empty(len(C.indptr), C.indptr.dtype), np.empty(entries, C.indices.dtype)
    made = iso_array(C.values[:1], entries) if alike else np.empty(entries, C.values.dtype)
    kernels.edited(
        C.indptr,
        C.indices,
        None if alike else values_between(engine, C.values),
        at,
        rows,
        cols,
        None if alike else values_between(engine, values),
        gone,
        before,
        indptr,
        indices,
        None if alike else made,
        get_threads(),
    )
    return MatrixData(C.nrows, C.ncols, indptr, indices, made)


def _revalued(C: MatrixData, at: Array, values: Array, sole: bool) -> MatrixData:
    """`C` with other values at some entries."""
    if not values.shape[0] or _are_all(C.values, values):
        return C
    written = C.values if sole and not is_iso(C.values) else np.array(C.values)
    written[at] = values
    known = C.derived
    derived = Derived.of(  # what the CPU keeps of the pattern
        symmetric=known.symmetric,
        filled_rows=known.filled_rows,
        entered=known.entered,
        hubs_first=known.hubs_first,
        hubs=known.hubs,
        hubs_sought=known.hubs_sought,
    )
    return MatrixData(C.nrows, C.ncols, C.indptr, C.indices, written, derived)


def _are_all(iso: Array, values: Array) -> bool:
    """Whether all values are, bit by bit, the one of an iso array."""
    if not (is_iso(iso) and iso.shape[0]):
        return False
    kind = f"u{iso.dtype.itemsize}"
    return bool((values.view(kind) == iso[:1].view(kind)).all())
