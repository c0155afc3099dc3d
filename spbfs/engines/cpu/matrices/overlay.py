"""Matrices written over others on the CPU, in one walk: ``kernels/cpu/matrices/overlay.cpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.threads import get_threads
from spbfs.engines.arrays.matrices import assign as matrix_assign
from spbfs.engines.arrays.matrices import masks as matrix_masks
from spbfs.engines.arrays.matrices import output as matrix_output
from spbfs.engines.arrays.matrices.elements import empty_matrix, keep_entries
from spbfs.engines.arrays.patterns.ranges import as_slice
from spbfs.engines.arrays.values.value_arrays import dtype_of, same_iso, truths, values_as
from spbfs.engines.cpu.matrices.csr import Csr, csr_of, values_between
from spbfs.engines.cpu.matrices.ewise import meeting
from spbfs.engines.cpu.native import kernels
from spbfs.engines.protocol import Indices, MaskData
from spbfs.storage.data import MatrixData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["admitted", "overlay", "replaced", "written"]

Array = Any
#: A mask's offsets, columns, values as truths and complement, then flags of rows and of columns.
_EVERYWHERE = (None, None, None, False, None, None)


def overlay(engine: CpuEngine, A: MatrixData, B: MatrixData) -> MatrixData:
    """The union, `B` where both have entries; of the type of `A`."""
    pair = csr_of(A, B)
    if pair is None or not (A.nvals and B.nvals):
        return matrix_output.overlay(engine, A, B)
    return _made(engine, A, B, pair, _EVERYWHERE, keeps=True)


def written(engine: CpuEngine, C: MatrixData, Z: MatrixData, mask: MaskData) -> MatrixData:
    """`Z` where the mask admits and `C` elsewhere; of the type of `C`."""
    M = mask.data
    three = csr_of(C, Z, M) if isinstance(M, MatrixData) else None
    if three is None:
        return matrix_output.written(engine, C, Z, mask)
    flags = None if mask.structural else np.ascontiguousarray(truths(engine, M.values))
    admitted = (*three[2], flags, mask.complement, None, None)
    return _made(engine, C, Z, three[:2], admitted, keeps=False)


def admitted(engine: CpuEngine, C: MatrixData, mask: MaskData) -> MatrixData:
    """The entries that the mask admits: those that it has, too, or `C` written over nothing."""
    M = mask.data
    if type(C) is not MatrixData or type(M) is not MatrixData or not C.nvals:
        return matrix_masks.admitted(engine, C, mask)
    if M.indptr is C.indptr and M.indices is C.indices and not mask.structural:
        # A mask made of the matrix's own entries says of each whether it stays.
        flags = truths(engine, M.values)
        return keep_entries(engine, C, ~flags if mask.complement else flags)
    if not mask.complement and (mask.structural or is_iso(M.values)):
        return meeting(engine, C, matrix_masks.mask_pattern(engine, mask))
    return written(engine, empty_matrix(engine, C.nrows, C.ncols, dtype_of(C)), C, mask)


def replaced(
    engine: CpuEngine, C: MatrixData, T: MatrixData, rows: Indices, cols: Indices
) -> MatrixData:
    """`C` without the region, and `T`, which has entries there alone; of the type of `C`."""
    pair = csr_of(C, T)
    # Flags of columns are worth their room where there are not many more than rows and entries.
    if pair is None or (cols is not None and C.ncols > 8 * (C.nvals + C.nrows) + 1024):
        return matrix_assign.replaced(engine, C, T, rows, cols)
    region = (_flags(rows, C.nrows), _flags(cols, C.ncols))
    return _made(engine, C, T, pair, (*_EVERYWHERE[:4], *region), keeps=False)


def _flags(indices: Indices, size: int) -> Array | None:
    """Which of `size` rows or columns are among `indices`; None for all."""
    if indices is None:
        return None
    flags = np.zeros(size, np.bool_)
    flags[as_slice(indices) if isinstance(indices, range) else indices] = True
    return flags


def _made(
    engine: CpuEngine,
    C: MatrixData,
    T: MatrixData,
    pair: list[Csr],
    admitted: tuple[Any, ...],
    *,
    keeps: bool,
) -> MatrixData:
    dtype = dtype_of(C)
    values: tuple[Array, Array] = C.values, values_as(engine, T.values, dtype)
    alike = same_iso(engine, *values)
    given = (None, None) if alike else tuple(values_between(engine, v) for v in values)
    (indptr, columns), other = pair
    offsets = np.empty(len(indptr), indptr.dtype)
    found, made = kernels.overlay(
        indptr, columns, *other, offsets, *given, *admitted, keeps, get_threads()
    )
    indices = found.view(columns.dtype)
    if not alike:
        return MatrixData(C.nrows, C.ncols, offsets, indices, made.view(dtype.np_type))
    one = values[0] if C.nvals else values[1]
    return MatrixData(C.nrows, C.ncols, offsets, indices, engine.resized(one, indices.shape[0]))
