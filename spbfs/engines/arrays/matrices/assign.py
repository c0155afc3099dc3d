"""Assignment to regions of matrices: of another matrix, of one value under a mask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.matrices.elements import (
    Grid,
    empty_matrix,
    from_keys,
    keep_entries,
    places_of,
    with_values,
)
from spbfs.engines.arrays.matrices.masks import masked_matrix
from spbfs.engines.arrays.matrices.output import typed_matrix
from spbfs.engines.arrays.patterns.labels import from_sorted_entries
from spbfs.engines.arrays.patterns.layout import index_type, offsets
from spbfs.engines.arrays.patterns.ranges import among, shifted, spelled
from spbfs.engines.arrays.patterns.sets import is_sorted, member
from spbfs.engines.arrays.values.value_arrays import dtype_of, take, truths
from spbfs.engines.protocol import Indices, MaskData
from spbfs.operators.definitions import TypedBinary
from spbfs.operators.dtypes import BOOL
from spbfs.planner.forms import is_hypersparse
from spbfs.storage.data import MatrixData

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = ["assign_matrix", "assign_scalar_matrix", "in_region", "replaced"]

Array = Any


def _flags(engine: ArrayEngine, indices: Array, size: int) -> Array:
    """Which of `size` rows or columns are among `indices`."""
    flags = engine.xp.zeros(size, np.bool_)
    flags[indices] = True
    return flags


def in_region(
    engine: ArrayEngine,
    rows: Array,
    cols: Array,
    shape: tuple[int, int],
    chosen_rows: Indices,
    chosen_cols: Indices,
) -> Array | None:
    """For positions, whether they are in the region; None where that is everything."""
    keep = None
    for places, size, chosen in ((rows, shape[0], chosen_rows), (cols, shape[1], chosen_cols)):
        if chosen is None:
            continue
        if isinstance(chosen, range):
            hit = among(chosen, places)[1]
        elif size <= 8 * (places.shape[0] + chosen.shape[0]) + 1024:
            hit = _flags(engine, chosen, size)[places]
        else:
            hit = member(engine.xp, places, engine.xp.sort(chosen))
        keep = hit if keep is None else keep & hit
    return keep


def assign_matrix(
    engine: ArrayEngine,
    C: MatrixData,
    T: MatrixData,
    rows: Indices,
    cols: Indices,
    accum: TypedBinary | None,
) -> MatrixData:
    """`C` with the region ``rows x cols`` replaced by `T`."""
    dtype = dtype_of(C)
    T = _moved_matrix(engine, C, T, rows, cols)
    if accum is not None:
        return engine.matrix_add(C, T, accum, dtype=dtype)
    if rows is None and cols is None:
        return typed_matrix(engine, T, C)
    return engine.replaced(C, T, rows, cols)


def replaced(
    engine: ArrayEngine, C: MatrixData, T: MatrixData, rows: Indices, cols: Indices
) -> MatrixData:
    """`C` without the region, and `T`, which has entries there alone; of the type of `C`."""
    at = in_region(engine, *places_of(engine, C), (C.nrows, C.ncols), rows, cols)
    assert at is not None
    return engine.overlay(keep_entries(engine, C, ~at), T)


def _moved_matrix(
    engine: ArrayEngine, C: MatrixData, T: MatrixData, rows: Indices, cols: Indices
) -> MatrixData:
    """`T` in the shape of `C`, entry (i, j) at (rows[i], cols[j])."""
    if rows is None and cols is None:
        return T
    i, j = places_of(engine, T)
    i = i if rows is None else shifted(rows, i)
    j = j if cols is None else shifted(cols, j)
    grid = Grid.over(engine.xp, C.nrows, C.ncols, i, j)
    keys = grid.keys(i, j)
    if is_sorted(engine.xp, keys):
        return from_keys(engine, grid, keys, T.values)
    order = engine.xp.argsort(keys)
    return from_keys(engine, grid, keys[order], take(engine, T.values, order))


def assign_scalar_matrix(
    engine: ArrayEngine,
    C: MatrixData,
    value: np.generic,
    rows: Indices,
    cols: Indices,
    mask: MaskData | None,
    accum: TypedBinary | None,
    replace: bool,
) -> MatrixData:
    """``C<mask, replace>(rows, cols) accum= value``."""
    region = _scalar_region(engine, C, rows, cols, mask)
    dtype = C.values.dtype if accum is None else np.asarray(value).dtype
    T = with_values(region, engine.constant(value, dtype, region.nvals))
    # All of the region is assigned, so nothing in it is deleted.
    if accum is None:
        out = engine.overlay(C, T)
    else:
        out = engine.matrix_add(C, T, accum, dtype=dtype_of(C))
    if not replace or mask is None:
        return out
    return masked_matrix(engine, out, mask)


def _scalar_region(
    engine: ArrayEngine,
    C: MatrixData,
    rows: Indices,
    cols: Indices,
    mask: MaskData | None,
) -> MatrixData:
    """The positions to assign to, as a matrix whose values mean nothing."""
    if mask is not None and not mask.complement:
        M = mask.data
        assert isinstance(M, MatrixData)
        keep = None if mask.structural else truths(engine, M.values)
        if rows is not None or cols is not None:
            at = in_region(engine, *places_of(engine, M), (M.nrows, M.ncols), rows, cols)
            keep = at if keep is None else keep & at
        return M if keep is None else keep_entries(engine, M, keep)
    block = _block(engine, C, rows, cols)
    return masked_matrix(engine, block, mask)


def _block(engine: ArrayEngine, C: MatrixData, rows: Indices, cols: Indices) -> MatrixData:
    """Every position of ``rows x cols``."""
    xp = engine.xp
    nrows = C.nrows if rows is None else len(rows)
    ncols = C.ncols if cols is None else len(cols)
    # Indices and values of the result, and the keys of both operands while they are merged.
    engine.require_bytes(nrows * ncols * 32, f"assigning a scalar to {nrows} x {ncols} elements")
    if nrows == 0 or ncols == 0:
        return empty_matrix(engine, C.nrows, C.ncols, BOOL)
    i = xp.arange(C.nrows, dtype=np.int64) if rows is None else xp.sort(spelled(engine, rows))
    j = xp.arange(C.ncols, dtype=np.int64) if cols is None else xp.sort(spelled(engine, cols))
    if is_hypersparse(C.nrows, C.ncols, nrows * ncols):
        every, ones = (xp.repeat(i, ncols), xp.tile(j, nrows)), xp.ones(1, np.bool_)
        return from_sorted_entries(C.nrows, C.ncols, *every, engine.resized(ones, nrows * ncols))
    counts = xp.zeros(C.nrows, np.int64)
    counts[i] = ncols
    indptr = offsets(xp, counts, C.ncols, nrows * ncols)
    indices = xp.tile(j.astype(index_type(C.ncols)), nrows)
    return MatrixData(
        C.nrows, C.ncols, indptr, indices, engine.resized(xp.ones(1, np.bool_), nrows * ncols)
    )
