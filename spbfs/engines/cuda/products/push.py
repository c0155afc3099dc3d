"""The launcher of push on CUDA: from every entry of the vector along its row of the matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.values.value_arrays import counting
from spbfs.engines.arrays.vectors.masks import flags_of
from spbfs.engines.cuda.graph.lines import lines_of, told
from spbfs.engines.cuda.operators.semirings import ProductSource
from spbfs.engines.cuda.products.kernels import product_kernel
from spbfs.engines.cuda.products.plan import ProductPlan
from spbfs.engines.cuda.products.results import begin_sums, new_result, with_counts_sent
from spbfs.engines.cuda.products.rows import long_row_room, stride
from spbfs.engines.cuda.runtime.launch import THREADS, pointer
from spbfs.engines.cuda.runtime.pinned import is_pinned
from spbfs.engines.cuda.vectors.counts import about
from spbfs.engines.cuda.vectors.data import CudaVector, queue_type, resident_blocks
from spbfs.engines.cuda.vectors.forms import enqueue, list_in_order
from spbfs.engines.protocol import MaskData
from spbfs.storage.data import MatrixData, VectorData

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine

__all__ = ["push"]

Array = Any

#: Of pinned rows lines are made for a push of one in so many: to lock that memory takes as long as
#: some hundred such pushes.
FEW_ROWS = 64
#: Entries of a line of memory, which a warp asks for together.
_LINE = 32


def push(
    engine: CudaEngine, M: MatrixData, u: VectorData, plan: ProductPlan, mask: MaskData | None
) -> CudaVector:
    """``w<mask> = u' M`` by the rows of `M` that `u` lists."""
    source, pinned = plan.source, is_pinned(M.indices)
    # Rows that cross the bus are read one behind the other.
    entries = _entries_of(engine, u, in_order=pinned)
    w = new_result(M.ncols, source.dtype, plan.values, M.indices.dtype)
    if not source.key.stops_early:
        begin_sums(w.values, source.identity)
    w.degrees = M.indptr if M.nrows == M.ncols else None
    flags, complement = None, False
    if mask is not None:
        flags, complement = flags_of(engine, mask.data, mask.structural), mask.complement
    chunks, _ = long_row_room(M)
    matrix = (pointer(M.indices), pointer(M.values), stride(M.values))
    against = (
        pointer(u.values),
        stride(u.values),
        entries.by_place,
        pointer(flags),
        int(complement),
    )
    out = (pointer(w.present), pointer(w.values), w.queue, pointer(w.degrees), w.totals)
    types = (M.indptr.dtype, M.indices.dtype, entries.dtype)
    most = about(u) if entries.count < 0 else entries.count
    arguments = (
        pointer(M.indptr),
        *matrix,
        entries.address,
        entries.count,
        entries.count_address,
        *against,
        *out,
        pointer(chunks),
    )
    grid = min(resident_blocks(), -(-most // (THREADS // 32)) or 1)
    if pinned and _is_read_by_sixteens(M, source):
        lines = lines_of(M, make=most * FEW_ROWS >= M.nrows)
        kernel = product_kernel(source, "push_over_bus", types[0], types[2])
        kernel(grid, (*arguments, *told(lines)))
    else:
        product_kernel(source, "push", *types)(grid, arguments)
    if chunks is not None:
        product_kernel(source, "push_pieces", *types)(
            resident_blocks(),
            (*matrix, entries.address, *against, *out, pointer(chunks), _LINE if pinned else 1),
        )
    # What they read is given up no sooner than they are queued.
    del entries
    return with_counts_sent(engine, w)


def _is_read_by_sixteens(M: MatrixData, source: ProductSource) -> bool:
    """Whether pinned entries can be read 16 bytes at a time, each with no value of its own."""
    no_values = stride(M.values) == 0 or not source.key.uses_first
    return no_values and M.indices.dtype == np.int32 and pointer(M.indices) % 16 == 0


@dataclass(slots=True)
class _Entries:
    """Where a kernel finds the entries of a vector."""

    #: What owns the memory.
    owner: Array | CudaVector | tuple[Array, Array]
    address: int
    dtype: np.dtype[Any]
    #: How many; -1 where the GPU knows, and there its address, else 0.
    count: int
    count_address: int
    #: Whether values are found by place among the entries (1) rather than by number.
    by_place: int


def _entries_of(engine: CudaEngine, u: VectorData, in_order: bool) -> _Entries:
    """The list or queue of a vector's entries, made where it has none; a queue is in no order."""
    if isinstance(u, CudaVector) and u.totals and not in_order:
        if not u.queue:
            enqueue(u)
        count_address = u.totals if u.counted < 0 else 0
        return _Entries(u, u.queue, queue_type(u), u.counted, count_address, 0)
    if u.indices is None and u.present is not None:
        dtype = queue_type(u)
        found, totals = list_in_order(u, dtype)
        count_address = pointer(totals) if u.counted < 0 else 0
        return _Entries((found, totals), pointer(found), dtype, u.counted, count_address, 0)
    indices = counting(engine, u.size) if u.indices is None else u.indices
    by_place = int(u.indices is not None)
    return _Entries(indices, pointer(indices), indices.dtype, int(indices.shape[0]), 0, by_place)
