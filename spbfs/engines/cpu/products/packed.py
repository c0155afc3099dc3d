"""The launcher of products with packed matrices: ``kernels/cpu/products/packed.cpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base import tracing
from spbfs.base.threads import resolve_threads
from spbfs.engines.arrays.matrices.packed import rows_to_push
from spbfs.engines.cpu.graph.transpose import is_symmetric
from spbfs.engines.cpu.native import kernels
from spbfs.engines.protocol import Hints
from spbfs.planner import packed as planner_packed
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
    cost = planner_packed.PACKED_PUSH_COST
    pushed = rows_to_push(engine, A, bits, hints.direction, is_symmetric, cost)
    direction = "pull" if pushed is None else "push"
    tracing.record(direction=direction, kernel=f"packed {direction}")
    flat = np.ascontiguousarray(bits).reshape(-1)
    admitted = None if keep is None else np.ascontiguousarray(keep).reshape(-1)
    if pushed is None:
        out = np.empty(A.nrows * words, np.uint64)
        kernels.packed_pull(A.indptr, A.indices, flat, admitted, out, words, threads)
    else:
        out, M = np.zeros(A.nrows * words, np.uint64), pushed.across
        kernels.packed_push(M.indptr, M.indices, flat, admitted, out, words, threads)
    return out.reshape(A.nrows, words)
