"""The launcher of products with packed matrices: ``kernels/cpu/packed.cpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base import tracing
from spbfs.base.threads import resolve_threads
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.transpose import is_symmetric, known_transpose, transposed
from spbfs.engines.protocol import Hints
from spbfs.planner import many as planner_many
from spbfs.storage.data import MatrixData

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["packed_rows"]

Array = Any


def packed_rows(
    engine: CpuEngine, A: MatrixData, bits: Array, keep: Array | None, hints: Hints
) -> Array:
    """Row i: what the rows of `bits` at the entries of row i of `A` have, within ``keep[i]``."""
    words = bits.shape[1]
    threads = resolve_threads(hints.threads)
    flat = np.ascontiguousarray(bits).reshape(-1)
    kept = None if keep is None else np.ascontiguousarray(keep).reshape(-1)
    direction, across = hints.direction, known_transpose(A)
    if direction == "push":
        across = transposed(A)
    elif direction == "auto":
        if across is None and A.nrows == A.ncols and is_symmetric(A):
            across = A
        direction = "pull"
        if across is not None:
            rows = np.flatnonzero(bits.any(axis=1))
            edges = int((across.indptr[rows + 1] - across.indptr[rows]).sum())
            direction = planner_many.packed_direction(edges, A.nvals)
    tracing.record(direction=direction, kernel=f"packed {direction}")
    out = (np.zeros if direction == "push" else np.empty)(A.nrows * words, np.uint64)
    if direction == "push":
        assert across is not None
        kernels.packed_push(across.indptr, across.indices, flat, kept, out, words, threads)
    else:
        kernels.packed_pull(A.indptr, A.indices, flat, kept, out, words, threads)
    return out.reshape(A.nrows, words)
