"""The launcher of the matrix product on CUDA: the mask as a pattern, the method, the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cupy
import numpy as np

from spbfs.base import tracing
from spbfs.base.flags import any_true
from spbfs.engines.arrays.matrices.elements import empty_matrix, keep_entries, with_values
from spbfs.engines.arrays.matrices.masks import mask_pattern, masked_matrix
from spbfs.engines.arrays.patterns.layout import index_type, offset_type
from spbfs.engines.arrays.structure.expand import expand_mxm
from spbfs.engines.arrays.values.value_arrays import dtype_of
from spbfs.engines.cuda.operators.semirings import ProductSource, product_source
from spbfs.engines.cuda.products.by_rows import product_by_rows
from spbfs.engines.cuda.products.dots import Dots, find_by_members, planned
from spbfs.engines.cuda.products.kernels import product_kernel
from spbfs.engines.cuda.products.operands import Operands, entry_products, numbered_through
from spbfs.engines.cuda.products.results import begin_sums
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import pointer
from spbfs.engines.cuda.vectors.data import blocks_of
from spbfs.engines.protocol import Factors, Hints, MaskData
from spbfs.engines.specialise import product_key, specialised
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import known_transpose

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine

__all__ = ["mxm"]

Array = Any
#: ``kShare`` of ``mxm.cu``: products of a warp at least.
_SHARE = 1024
#: CTAs of a multiprocessor, one after another, whose warps take more than that of a large product.
_CTAS = 64
#: Products from which on a masked matrix product asks whether dots are less work: a tenth of a
#: millisecond of them, which is about what asking takes.  Not measured.
_MANY = 1 << 23


def mxm(engine: CudaEngine, factors: Factors, mask: MaskData | None, hints: Hints) -> MatrixData:
    """``C = A B``, summed at the entries of a mask or row by row."""
    A, B, semiring = factors
    pattern = None if mask is None else mask_pattern(engine, mask)
    complement = mask is not None and mask.complement
    if pattern is not None and not pattern.nvals and not complement:
        return empty_matrix(engine, A.nrows, B.ncols, semiring.out_type)
    if A.nvals == 0 or B.nvals == 0:
        return empty_matrix(engine, A.nrows, B.ncols, semiring.out_type)
    key, value = specialised(engine, product_key(semiring), A.values, B.values)
    source = product_source(key, dtype_of(A), dtype_of(B))
    if source is None:
        C = _from_entries(A, B, expand_mxm(engine, A, B, semiring))
        return masked_matrix(engine, C, mask)
    if pattern is not None and not complement and source.can_push:
        C, kernel = _gathered(engine, A, B, source, pattern)
    else:
        C, kernel = _by_rows(engine, factors, source, mask, pattern if complement else None)
    if value is not None:
        C.values = engine.constant(value, value.dtype, C.nvals)
    tracing.record(kernel=kernel)
    return C


def _wanted_through(
    engine: CudaEngine, A: MatrixData, operands: Operands, wanted: MatrixData
) -> Array:
    """The number of the first product of every entry of `A`, and of all at the end; rows of
    which nothing is `wanted` have none."""
    products = entry_products(operands, A.nvals)
    idle = (cupy.diff(wanted.indptr) == 0) & (cupy.diff(A.indptr) > 0)
    if any_true(idle):
        products *= ~idle[engine.entry_rows(A)]
    return numbered_through(products)


def _gathered(
    engine: CudaEngine, A: MatrixData, B: MatrixData, source: ProductSource, pattern: MatrixData
) -> tuple[MatrixData, str]:
    """Products summed where `pattern` has entries, by atomic operations, and by which kernel."""
    operands = Operands.of(A, B, pattern)
    kernel, through = "mxm_gather", _wanted_through(engine, A, operands, pattern)
    work, across = int(through[-1]), known_transpose(B)
    dots: Dots | None = None
    if across is not None and work >= _MANY:
        dots = planned(engine, A, across, pattern)
        # Either way a step is a look-up by halves, at the most.
        if dots.lookups < work:
            kernel, through = "mxm_dots", dots.through
            work, operands = int(through[-1]), Operands.of(A, across, pattern)
        else:
            dots = None
    present = cupy.zeros(-(-pattern.nvals // 4) * 4, np.uint8)
    values = engine.constant(True, np.dtype(np.bool_), pattern.nvals)
    if not source.key.is_pattern:
        values = cupy.empty(pattern.nvals, source.dtype)
        if not source.key.stops_early:
            begin_sums(values, source.identity)
    sums = pointer(present), pointer(values)
    told = kernel.replace("_", " ")
    if dots is not None and dots.has_owners:
        factors = (*operands.first, *operands.second)
        find_by_members(dots, source, operands.index_dtype, factors, operands.mask, sums)
        told = "mxm members"
    if work:
        product_kernel(source, kernel, operands.index_dtype)(
            min(blocks_of(-(-work // _SHARE) * 32), _CTAS * limits().sms),
            (*operands.numbered(A.nrows, through), work, *operands.mask, *sums),
        )
    del operands
    C = with_values(pattern, values)
    C = keep_entries(engine, C, present[: pattern.nvals].view(np.bool_))
    return C, told


def _by_rows(
    engine: CudaEngine,
    factors: Factors,
    source: ProductSource,
    mask: MaskData | None,
    refused: MatrixData | None,
) -> tuple[MatrixData, str]:
    """Rows sorted or made of bits, and by which kernel; a mask that is complemented refuses entries
    before they are summed."""
    A, B, semiring = factors
    operands = Operands.of(A, B, refused)
    C = product_by_rows(engine, operands, source, A.nvals, (A.nrows, B.ncols))
    if C is None:
        C = _from_entries(A, B, expand_mxm(engine, A, B, semiring))
        return masked_matrix(engine, C, mask), "mxm expand"
    return (C if refused is not None else masked_matrix(engine, C, mask)), "mxm rows"


def _from_entries(A: MatrixData, B: MatrixData, entries: tuple[Array, Array, Array]) -> MatrixData:
    """Sorted entries as CSR."""
    rows, cols, values = entries
    nvals = int(rows.shape[0])
    indptr = cupy.searchsorted(rows, cupy.arange(A.nrows + 1, dtype=np.int64))
    return MatrixData(
        A.nrows,
        B.ncols,
        indptr.astype(offset_type(B.ncols, nvals)),
        cols.astype(index_type(B.ncols)),
        values,
    )
