"""The launcher of products with packed matrices on CUDA: ``kernels/cuda/packed.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base import tracing
from spbfs.engines.cpu.transpose import known_transpose
from spbfs.engines.cuda.graph.symmetric import is_symmetric
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.protocol import Hints
from spbfs.planner import many as planner_many
from spbfs.storage.data import MatrixData
from spbfs.storage.packed import WORDS

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine

__all__ = ["packed_rows", "specialisations"]

Array = Any

#: ``kLongRow`` and ``kPackedThreads``.
_LONG_ROW, _THREADS = 2048, 256
#: CTAs a multiprocessor.
_RESIDENT = 8
_C = {4: "int", 8: "long long"}


def packed_rows(
    engine: CudaEngine, A: MatrixData, bits: Array, keep: Array | None, hints: Hints
) -> Array:
    """Row i: what the rows of `bits` at the entries of row i of `A` have, within ``keep[i]``."""
    import cupy as cp

    direction, across = hints.direction, known_transpose(A)
    if direction == "push":
        across = engine.transposed(A)
    elif direction == "auto" and across is None and _is_symmetric(A):
        across = A
    rows = ends = cp.empty(0, np.int64)
    edges = 0
    if direction != "pull" and across is not None:
        rows = cp.flatnonzero(bits.any(axis=1))
        ends = cp.cumsum((across.indptr[rows + 1] - across.indptr[rows]).astype(np.int64))
        edges = int(ends[-1]) if rows.size else 0
        if direction == "auto":
            cost = planner_many.CUDA_PUSH_COST
            direction = planner_many.packed_direction(edges, A.nvals, cost)
    else:
        direction = "pull"
    tracing.record(direction=direction, kernel=f"packed {direction}")
    bits = cp.ascontiguousarray(bits)
    # Absent: a null pointer.
    kept = np.uint64(0) if keep is None else cp.ascontiguousarray(keep)
    if direction == "pull":
        out = cp.empty((A.nrows, bits.shape[1]), np.uint64)
        long_rows = _long_rows(A)
        given = (np.int64(A.nrows), long_rows, np.int64(long_rows.size))
        _launch("packed_pull", A, A.nrows * 32, bits, kept, out, *given)
        return out
    assert across is not None
    out = cp.zeros((A.nrows, bits.shape[1]), np.uint64)
    if edges:
        sizes = np.int64(rows.size), np.int64(edges)
        _launch("packed_push", across, edges, bits, kept, out, rows, ends, *sizes)
    return out


def _is_symmetric(A: MatrixData) -> bool:
    return A.nrows == A.ncols and A.indices.dtype == np.int32 and is_symmetric(A)


def _long_rows(A: MatrixData) -> Array:
    """Rows that a warp would take too long for, found once."""
    import cupy as cp

    known = A.cache.get("packed_long_rows")
    if known is None:
        known = cp.flatnonzero(A.indptr[1:] - A.indptr[:-1] > _LONG_ROW)
        A.cache["packed_long_rows"] = known
    return known


def _launch(kernel: str, M: MatrixData, threads: int, bits: Array, *arguments: Any) -> None:
    """A kernel over the arrays of `M` with so much work."""
    import cupy as cp

    if threads == 0:
        return
    types = f"{_C[M.indptr.dtype.itemsize]}, {_C[M.indices.dtype.itemsize]}"
    specialisation = _specialisation(types, bits.shape[1])
    name = next(k for k in specialisation.kernels if k.startswith(kernel))
    function = specialisation.load().get_function(name)
    most = _RESIDENT * int(cp.cuda.Device().attributes["MultiProcessorCount"])
    grid = min(most, -(-threads // _THREADS))
    function((grid,), (_THREADS,), (M.indptr, M.indices, bits, *arguments))


def _specialisation(types: str, words: int) -> Specialisation:
    kernels = tuple(f"{kernel}<{types}, {words}>" for kernel in ("packed_pull", "packed_push"))
    return Specialisation("packed", kernels)


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    for types in ("int, int", "long long, int", "long long, long long"):
        for words in WORDS:
            yield _specialisation(types, words)
