"""The launcher of products with packed matrices on CUDA: ``kernels/cuda/packed.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.base import tracing
from spbfs.engines.cuda.graph.symmetric import is_symmetric
from spbfs.engines.cuda.runtime.launch import Kernel, words_of
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.protocol import Hints
from spbfs.planner import many as planner_many
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import keeping, known_transpose
from spbfs.storage.packed import WORDS

__all__ = ["join_rows", "specialisations"]

Array = Any

#: ``kLongRow`` and ``kPackedThreads``.
_LONG_ROW, _THREADS = 2048, 256
#: CTAs a multiprocessor.
_RESIDENT = 8
_C = {4: "int", 8: "long long"}


def join_rows(engine: Any, A: MatrixData, bits: Array, keep: Array | None, hints: Hints) -> Array:
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
            cost = planner_many.CUDA_PACKED_PUSH_COST
            direction = planner_many.packed_direction(edges, A.nvals, cost)
    else:
        direction = "pull"
    tracing.record(direction=direction, kernel=f"packed {direction}")
    bits = cp.ascontiguousarray(bits)
    admitted = None if keep is None else cp.ascontiguousarray(keep)
    if direction == "pull":
        out = cp.empty((A.nrows, bits.shape[1]), np.uint64)
        long_rows = _long_rows(A)
        given = (A.nrows, long_rows, long_rows.size)
        _launch("packed_pull", A, A.nrows * 32, bits, admitted, out, *given)
        return out
    assert across is not None
    out = cp.zeros((A.nrows, bits.shape[1]), np.uint64)
    if edges:
        sizes = rows.size, edges
        _launch("packed_push", across, edges, bits, admitted, out, rows, ends, *sizes)
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
    import cupy as cp

    if threads == 0:
        return
    types = f"{_C[M.indptr.dtype.itemsize]}, {_C[M.indices.dtype.itemsize]}"
    specialisation = _specialisation(types, bits.shape[1])
    name = next(k for k in specialisation.kernels if k.startswith(kernel))
    most = _RESIDENT * int(cp.cuda.Device().attributes["MultiProcessorCount"])
    grid = min(most, -(-threads // _THREADS))
    Kernel(specialisation, name, threads=_THREADS)(
        grid, words_of(M.indptr, M.indices, bits, *arguments)
    )


def _specialisation(types: str, words: int) -> Specialisation:
    kernels = tuple(f"{kernel}<{types}, {words}>" for kernel in ("packed_pull", "packed_push"))
    return Specialisation("packed", kernels)


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    for types in ("int, int", "long long, int", "long long, long long"):
        for words in WORDS:
            yield _specialisation(types, words)
