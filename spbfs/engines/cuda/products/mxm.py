"""The launcher of the matrix product on CUDA: the mask as a pattern, the method, the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import cupy
import numpy as np

from spbfs.base import tracing
from spbfs.base.flags import any_true
from spbfs.base.gpu_memory import free_bytes
from spbfs.engines.arrays.matrices.elements import empty_matrix, keep_entries, with_values
from spbfs.engines.arrays.matrices.masks import mask_pattern, masked_matrix
from spbfs.engines.arrays.patterns.layout import index_type, offset_type
from spbfs.engines.arrays.structure.expand import expand_mxm
from spbfs.engines.arrays.values.value_arrays import dtype_of
from spbfs.engines.cuda.operators.semirings import ProductSource, product_source
from spbfs.engines.cuda.products.dots import Dots, find_by_members, planned
from spbfs.engines.cuda.products.kernels import product_kernel
from spbfs.engines.cuda.products.results import begin_sums
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import pointer
from spbfs.engines.cuda.vectors.data import blocks_of
from spbfs.engines.protocol import Factors, Hints, MaskData
from spbfs.engines.specialise import product_key, specialised
from spbfs.operators.definitions import TypedSemiring
from spbfs.operators.tables.builtin import BINARY, MONOID
from spbfs.storage.data import MatrixData, is_iso
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
#: Bytes that a product written out takes while it is sorted and summed, its value aside.
_SORTED = 40


def _is_plain(A: MatrixData, B: MatrixData, semiring: TypedSemiring) -> bool:
    """Whether a product is one of numbers over the reals, as libraries make it."""
    arrays = (A.indptr, A.indices, B.indptr, B.indices)
    return (
        semiring.add.op is MONOID["plus"]
        and semiring.multiply.op is BINARY["times"]
        and semiring.out_type.is_float
        and A.values.dtype == B.values.dtype == semiring.out_type.np_type
        and not is_iso(A.values)
        and not is_iso(B.values)
        and all(a.dtype == np.int32 for a in arrays)
    )


def _by_cusparse(A: MatrixData, B: MatrixData) -> MatrixData:
    """``A B`` over the reals."""
    from cupyx import cusparse
    from cupyx.scipy.sparse import csr_matrix

    left, right = (
        csr_matrix((M.values, M.indices, M.indptr), shape=(M.nrows, M.ncols)) for M in (A, B)
    )
    C = cusparse.spgemm(left, right)
    C.sort_indices()
    indptr = C.indptr.astype(offset_type(B.ncols, int(C.nnz)), copy=False)
    return MatrixData(A.nrows, B.ncols, indptr, C.indices, C.data)


def mxm(engine: CudaEngine, factors: Factors, mask: MaskData | None, hints: Hints) -> MatrixData:
    """``C = A B``, summed at the entries of a mask or by sorting."""
    A, B, semiring = factors
    pattern = None if mask is None else mask_pattern(engine, mask)
    complement = mask is not None and mask.complement
    if pattern is not None and not pattern.nvals and not complement:
        return empty_matrix(engine, A.nrows, B.ncols, semiring.out_type)
    if A.nvals == 0 or B.nvals == 0:
        return empty_matrix(engine, A.nrows, B.ncols, semiring.out_type)
    key, value = specialised(engine, product_key(semiring), A.values, B.values)
    source = product_source(key, dtype_of(A), dtype_of(B))
    if source is None or A.nrows * B.ncols >= 2**63:
        C = _from_entries(A, B, expand_mxm(engine, A, B, semiring))
        return masked_matrix(engine, C, mask)
    if pattern is not None and not complement and source.can_push:
        C, kernel = _gathered(engine, A, B, source, pattern)
    elif pattern is None and value is None and _is_plain(A, B, semiring):
        C = _by_cusparse(A, B)
        kernel = "cusparse"
    else:
        C = _sorted(engine, A, B, source, semiring, pattern if complement else None)
        if pattern is not None and not complement:
            C = masked_matrix(engine, C, mask)
        kernel = "mxm expand"
    if value is not None:
        C.values = engine.constant(value, value.dtype, C.nvals)
    tracing.record(kernel=kernel)
    return C


def _through(engine: CudaEngine, A: MatrixData, B: MatrixData, wanted: MatrixData | None) -> Array:
    """The number of the first product of every entry of `A`, and of all at the end; rows of
    which nothing is `wanted` have none."""
    work = cupy.diff(B.indptr).astype(np.int64)[A.indices]
    if wanted is not None:
        idle = (cupy.diff(wanted.indptr) == 0) & (cupy.diff(A.indptr) > 0)
        if any_true(idle):
            work *= ~idle[engine.entry_rows(A)]
    through = cupy.zeros(A.nvals + 1, np.int64)
    cupy.cumsum(work, out=through[1:])
    return through


class _Operands(NamedTuple):
    """What kernels are told of two factors and a mask."""

    kept: list[Array]
    first: tuple[int, ...]
    second: tuple[int, ...]
    mask: tuple[int, int]
    #: Of the columns of all of them.
    index_dtype: np.dtype[Any]

    @classmethod
    def of(cls, A: MatrixData, B: MatrixData, mask: MatrixData | None) -> Self:
        """Offsets and columns of common types, values, and whether these are stored once."""
        matrices = [A, B] if mask is None else [A, B, mask]
        index = np.result_type(*(m.indices.dtype for m in matrices))
        kept = [
            (m.indptr.astype(np.int64, copy=False), m.indices.astype(index, copy=False))
            for m in matrices
        ]
        places = [tuple(map(pointer, arrays)) for arrays in kept]
        first, second = (
            (*place, pointer(m.values), 0 if is_iso(m.values) else 1)
            for place, m in zip(places[:2], (A, B), strict=True)
        )
        its_mask = (0, 0) if mask is None else (places[2][0], places[2][1])
        return cls([a for pair in kept for a in pair], first, second, its_mask, index)

    def numbered(self, nrows: int, through: Array) -> tuple[int, ...]:
        """The factors, with the number of the first product or look-up of every entry."""
        rows = (self.first[0], nrows, *self.first[1:], *self.second)
        return (*rows, pointer(through), through.shape[0] - 1)


def _gathered(
    engine: CudaEngine, A: MatrixData, B: MatrixData, source: ProductSource, pattern: MatrixData
) -> tuple[MatrixData, str]:
    """Products summed where `pattern` has entries, by atomic operations, and by which kernel."""
    kernel, through = "mxm_gather", _through(engine, A, B, pattern)
    work, across = int(through[-1]), known_transpose(B)
    dots: Dots | None = None
    if across is not None and work >= _MANY:
        dots = planned(engine, A, across, pattern)
        # Either way a step is a look-up by halves, at the most.
        if dots.lookups < work:
            kernel, B, through = "mxm_dots", across, dots.through
            work = int(through[-1])
        else:
            dots = None
    operands = _Operands.of(A, B, pattern)
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


def _sorted(
    engine: CudaEngine,
    A: MatrixData,
    B: MatrixData,
    source: ProductSource,
    semiring: TypedSemiring,
    refused: MatrixData | None,
) -> MatrixData:
    """Products written out and sorted, as many rows at a time as memory allows."""
    through = _through(engine, A, B, None)
    operands = _Operands.of(A, B, refused)
    numbered = operands.numbered(A.nrows, through)
    width = 0 if source.key.is_pattern else source.dtype.itemsize
    share = max(1 << 20, free_bytes() // 2 // (_SORTED + 2 * width))
    places: list[Array] = []
    sums: list[Array] = []
    for first, last in _row_blocks(A, through, share):
        engine.require_bytes((_SORTED + width) * (last - first), "mxm: the products of a row")
        place = cupy.empty(last - first, np.int64)
        values = cupy.empty(0 if not width else last - first, source.dtype)
        product_kernel(source, "mxm_expand", operands.index_dtype)(
            blocks_of(-(-(last - first) // _SHARE) * 32),
            (*numbered, first, last, *operands.mask, B.ncols, pointer(place), pointer(values)),
        )
        place, values = _summed(engine, place, values, source, semiring)
        places.append(place)
        sums.append(values)
    del operands
    keys = cupy.concatenate(places) if places else cupy.empty(0, np.int64)
    if source.key.is_pattern:
        values = engine.constant(True, np.dtype(np.bool_), keys.shape[0])
    else:
        values = cupy.concatenate(sums) if sums else cupy.empty(0, source.dtype)
    rows = keys // B.ncols
    return _csr(A.nrows, B.ncols, rows, keys - rows * B.ncols, values)


def _row_blocks(A: MatrixData, through: Array, share: int) -> list[tuple[int, int]]:
    """Numbers of the products of consecutive rows, about `share` of them at a time."""
    total = int(through[-1])
    if total <= share:
        return [(0, total)] if total else []
    ends = cupy.asnumpy(through[A.indptr[1:]])
    blocks: list[tuple[int, int]] = []
    begin = 0
    while begin < total:
        row = int(np.searchsorted(ends, begin + share, side="right"))
        # At least the row that comes next, however long it is.
        least = int(np.searchsorted(ends, begin, side="right"))
        end = int(ends[max(row - 1, least)])
        blocks.append((begin, end))
        begin = end
    return blocks


def _summed(
    engine: CudaEngine, place: Array, values: Array, source: ProductSource, semiring: TypedSemiring
) -> tuple[Array, Array]:
    """Places in order and once each, with the sums of their products."""
    if source.key.is_pattern:
        place.sort()
    else:
        order = cupy.argsort(place)
        place = place[order]
    first = cupy.ones(place.shape[0], np.bool_)
    first[1:] = place[1:] != place[:-1]
    starts = cupy.flatnonzero(first)
    keys = place[starts]
    if not source.key.is_pattern:
        values = engine.segment_reduce(values[order], starts, semiring.add)
    if keys.shape[0] and int(keys[-1]) == 2**63 - 1:
        # What the mask refuses stands behind all others.
        keys, values = keys[:-1], values[:-1]
    return keys, values


def _from_entries(A: MatrixData, B: MatrixData, entries: tuple[Array, Array, Array]) -> MatrixData:
    return _csr(A.nrows, B.ncols, *entries)


def _csr(nrows: int, ncols: int, rows: Array, cols: Array, values: Array) -> MatrixData:
    """Sorted entries as CSR."""
    nvals = int(rows.shape[0])
    indptr = cupy.searchsorted(rows, cupy.arange(nrows + 1, dtype=np.int64))
    return MatrixData(
        nrows,
        ncols,
        indptr.astype(offset_type(ncols, nvals)),
        cols.astype(index_type(ncols)),
        values,
    )
