"""Products of a matrix and a vector on CUDA: prepared, planned, launched, finished."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spbfs.base import tracing
from spbfs.engines.arrays.structure import hypersparse
from spbfs.engines.arrays.structure.expand import expand_mxv
from spbfs.engines.arrays.vectors.masks import masked_vector, resolve_mask
from spbfs.engines.cuda.graph.row_facts import row_facts
from spbfs.engines.cuda.lookahead import hooks as lookahead
from spbfs.engines.cuda.products.plan import plan_of
from spbfs.engines.cuda.products.pull import pull
from spbfs.engines.cuda.products.push import push
from spbfs.engines.cuda.runtime import recording
from spbfs.engines.cuda.vectors.counts import about, edges_counted
from spbfs.engines.direction import Counts, choose_direction
from spbfs.engines.protocol import Hints, MaskData, Operation
from spbfs.engines.specialise import ProductKey
from spbfs.planner.products import CUDA
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.derived import known_transpose, ledger_of
from spbfs.storage.hypersparse import HypersparseMatrix

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine

__all__ = ["mxv"]


def mxv(
    engine: CudaEngine, operation: Operation, u: VectorData, mask: MaskData | None, hints: Hints
) -> VectorData:
    """``w = A u`` (``A' u`` when transposed), pushed or pulled; waits for nothing."""
    ahead, mark = lookahead.product(engine, operation, u, mask, hints)
    if ahead is not None:
        return ahead
    A, semiring, transpose, vector_first = operation
    if isinstance(A, HypersparseMatrix):
        return hypersparse.mxv(engine, operation, u, mask, hints)
    # Prepare.
    size = A.ncols if transpose else A.nrows
    admits_some, mask = resolve_mask(mask)
    listed = u.size if u.indices is None else u.indices.shape[0]
    if A.nvals == 0 or size == 0 or listed == 0 or not admits_some:
        return engine.empty_vector(size, semiring.out_type)
    # Plan.
    plan = plan_of(engine, operation, u)
    if plan is None:
        by_rows = engine.transposed(A) if transpose else A
        w = masked_vector(engine, expand_mxv(engine, by_rows, u, semiring, vector_first), mask)
        return engine.choose_form(w, shrink=True)
    direction: str = hints.direction
    if not plan.source.can_push:
        direction = "pull"
    elif direction == "auto":
        direction = _direction(engine, A, u, plan.source.key, transpose, mask)
    # Launch.
    if direction == "push":
        w = push(engine, A if transpose else engine.transposed(A), u, plan, mask)
    else:
        w = pull(engine, engine.transposed(A) if transpose else A, u, plan, mask)
    # Finish.
    w.lookahead = mark
    if tracing.current() is not None:
        tracing.record(direction=direction, kernel=direction, frontier=engine.count(u))
    return w


def _direction(
    engine: CudaEngine,
    A: MatrixData,
    u: VectorData,
    key: ProductKey,
    transpose: bool,
    mask: MaskData | None,
) -> str:
    """Push or pull, by counts that need not be waited for, the frontier's aside.

    A recorded round goes one way whatever the frontier: nobody knows its entries.
    """
    if recording.notes() is not None and u.indices is None:
        return "pull"
    across = known_transpose(A)
    by_frontier, by_rows = (A, across) if transpose else (across, A)
    frontier, edges = engine.count(u), A.nvals if u.form == "full" else -1
    if by_frontier is not None:
        edges = edges_counted(u, by_frontier.indptr, edges)
    rows = A.ncols if transpose else A.nrows
    filled = rows if by_rows is None else row_facts(by_rows).filled
    counts = Counts(frontier, edges, filled, 0 if mask is None else about(mask.data))
    return choose_direction(A, across, transpose, key, mask, counts, ledger_of(A), CUDA)
