"""The launcher of pull on CUDA, which products and reductions share: rows are summed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.engines.arrays.vectors.forms import as_dense
from spbfs.engines.arrays.vectors.masks import flags_of
from spbfs.engines.cuda.graph.hubs_first import hubs_first, hubs_kept, moved
from spbfs.engines.cuda.operators.semirings import ProductSource, ends_early
from spbfs.engines.cuda.products.kernels import leaves_rows, product_kernel
from spbfs.engines.cuda.products.plan import ProductPlan
from spbfs.engines.cuda.products.results import new_result, pushed_offsets, with_counts_sent
from spbfs.engines.cuda.products.rows import has_short_rows, long_row_room, stride
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import pointer
from spbfs.engines.cuda.vectors.data import CudaVector, blocks_of, resident_blocks
from spbfs.engines.cuda.vectors.forms import presence_bits
from spbfs.engines.protocol import MaskData
from spbfs.storage.data import MatrixData, VectorData, is_iso
from spbfs.storage.derived import ledger_of

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine

__all__ = ["pull", "pull_rows"]

Array = Any

#: CTAs of a pull for each that is resident: rows differ, and whoever has short ones takes more.
_WAVES = 2


def pull(
    engine: CudaEngine, M: MatrixData, u: VectorData, plan: ProductPlan, mask: MaskData | None
) -> CudaVector:
    """``w<mask> = M u`` by the rows of `M` that the mask admits."""
    source = plan.source
    if source.key.uses_second and not is_iso(u.values):
        u = as_dense(engine, u)
    w = new_result(M.nrows, source.dtype, plan.values)
    w.degrees = pushed_offsets(M)
    words = presence_bits(engine, u)
    flags, complement = None, False
    if mask is not None:
        flags, complement = flags_of(engine, mask.data, mask.structural), mask.complement
    columns, values = M.indices, u.values
    if words is None and mask is None:
        columns, values = _ordered(M, u.values, source)
    hubs = hubs_kept(values.itemsize) if columns is not M.indices else 0
    pull_rows(M, (values, words, flags, complement), source, w, columns, hubs)
    return with_counts_sent(engine, w)


def _ordered(M: MatrixData, values: Array, source: ProductSource) -> tuple[Array, Array]:
    """The columns of `M` and all elements of a vector by them, hubs first where that pays."""
    if ends_early(source.key) or not source.key.uses_second or is_iso(values):
        return M.indices, values
    ledger_of(M).sums += 1
    order = hubs_first(M)
    if order.indices is None:
        return M.indices, values
    return order.indices, moved(order, values)


def pull_rows(
    M: MatrixData,
    against: tuple[Array, Array | None, Array | None, bool],
    source: ProductSource,
    w: CudaVector,
    columns: Array | None,
    hubs: int = 0,
) -> None:
    """Sum the rows of `M` into `w`.

    `against` is what they are multiplied with: values, their bits (None: every element is
    stored), and the flags of the mask and whether it is complemented.  Without `columns` entry p of
    the matrix is of column p; of the first `hubs` ones the values are kept in shared memory.
    """
    values, words, flags, complement = against
    chunks, partial_sums = long_row_room(M, source)
    matrix = (
        pointer(M.indptr),
        pointer(columns),
        pointer(M.values),
        stride(M.values),
        pointer(values),
        stride(values),
        pointer(words),
    )
    out = (pointer(w.present), pointer(w.values), pointer(w.degrees), w.totals)
    types = (M.indptr.dtype, M.indices.dtype)
    reading = "some"
    if hubs:
        reading = "hubs"
    elif words is None and not ends_early(source.key):
        # Rows that are not read whole gain nothing by it.
        reading = "short" if leaves_rows(source) and has_short_rows(M) else "all"
    kernel = product_kernel(source, "pull", *types, reading=reading)
    # All rows are taken by warps that have time, so that none may wait for a CTA to end.
    taken = flags is None and not ends_early(source.key)
    most = kernel.resident * limits().sms if taken else _WAVES * resident_blocks()
    kernel(
        min(blocks_of(M.nrows), most),
        (*matrix, hubs, M.nrows, pointer(flags), int(complement), *out, pointer(chunks)),
    )
    if chunks is not None:
        pieces = product_kernel(source, "pull_pieces", *types, reading=reading)
        pieces(
            pieces.resident * limits().sms,
            (*matrix, hubs, *out, pointer(chunks), pointer(partial_sums)),
        )
