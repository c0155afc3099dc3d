"""The launcher of products with packed matrices on CUDA: ``kernels/cuda/products/packed.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base import tracing
from spbfs.engines.arrays.matrices.packed import rows_to_push
from spbfs.engines.cuda.graph.symmetric import is_symmetric
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import Kernel, words_of
from spbfs.engines.cuda.runtime.source import INDEX_TYPES, Specialisation
from spbfs.engines.protocol import Hints
from spbfs.planner import packed as planner_packed
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import keeping
from spbfs.storage.packed import WORDS

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine

__all__ = ["packed_rows", "specialisations"]

Array = Any

#: ``kLongRow`` and ``kPackedThreads``.
_LONG_ROW, _THREADS = 2048, 256
#: CTAs a multiprocessor.
_RESIDENT = 8


def packed_rows(
    engine: CudaEngine, A: MatrixData, bits: Array, keep: Array | None, hints: Hints
) -> Array:
    """Row i: what the rows of `bits` at the entries of row i of `A` have, within ``keep[i]``."""
    import cupy as cp

    cost = planner_packed.CUDA_PACKED_PUSH_COST
    pushed = rows_to_push(engine, A, bits, hints.direction, _is_symmetric, cost)
    direction = "pull" if pushed is None else "push"
    tracing.record(direction=direction, kernel=f"packed {direction}")
    bits = cp.ascontiguousarray(bits)
    admitted = None if keep is None else cp.ascontiguousarray(keep)
    if pushed is None:
        out = cp.empty((A.nrows, bits.shape[1]), np.uint64)
        long_rows = _long_rows(A)
        given = (A.nrows, long_rows, long_rows.size)
        _launch("packed_pull", A, A.nrows * 32, bits, admitted, out, *given)
        return out
    out, edges = cp.zeros((A.nrows, bits.shape[1]), np.uint64), pushed.edges
    if edges:
        arrays = pushed.rows, pushed.ends, pushed.rows.size, edges
        _launch("packed_push", pushed.across, edges, bits, admitted, out, *arrays)
    return out


def _is_symmetric(A: MatrixData) -> bool:
    return A.nrows == A.ncols and A.indices.dtype == np.int32 and is_symmetric(A)


def _long_rows(A: MatrixData) -> Array:
    """Rows that a warp would take too long for, found once."""
    import cupy as cp

    derived = A.derived
    if derived.long_rows is None:
        made = cp.flatnonzero(A.indptr[1:] - A.indptr[:-1] > _LONG_ROW)
        with keeping:
            if derived.long_rows is None:
                derived.long_rows = made
    return derived.long_rows


def _launch(kernel: str, M: MatrixData, threads: int, bits: Array, *arguments: Any) -> None:
    """A kernel over the arrays of `M` with so much work."""
    if threads == 0:
        return
    types = f"{INDEX_TYPES[M.indptr.dtype.itemsize]}, {INDEX_TYPES[M.indices.dtype.itemsize]}"
    specialisation = _specialisation(types, bits.shape[1])
    name = next(k for k in specialisation.kernels if k.startswith(kernel))
    most = _RESIDENT * limits().sms
    grid = min(most, -(-threads // _THREADS))
    launch = Kernel(specialisation, name, threads=_THREADS)
    launch(grid, words_of(M.indptr, M.indices, bits, *arguments))


def _specialisation(types: str, words: int) -> Specialisation:
    kernels = tuple(f"{kernel}<{types}, {words}>" for kernel in ("packed_pull", "packed_push"))
    return Specialisation("packed", kernels)


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    for types in ("int, int", "long long, int", "long long, long long"):
        for words in WORDS:
            yield _specialisation(types, words)
