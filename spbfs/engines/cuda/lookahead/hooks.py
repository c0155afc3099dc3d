"""The three functions that the engine calls; the package's docstring has the contract."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import cupy
import numpy as np

from spbfs.base import tracing
from spbfs.base.lookahead import enabled
from spbfs.engines.cuda.lookahead.history import (
    LoopHistory,
    histories_of,
    history_of,
    is_searchable,
)
from spbfs.engines.cuda.lookahead.search import (
    begin_modules,
    direction_of,
    obstructed,
    search_ahead,
)
from spbfs.engines.cuda.lookahead.speculation import Speculation
from spbfs.engines.cuda.lookahead.uniform import uniform_values
from spbfs.engines.cuda.lookahead.vectors import LazyFrontier, LazyVector, LazyVisited
from spbfs.engines.cuda.vectors.data import CudaVector
from spbfs.engines.protocol import Hints, MaskData, Operation
from spbfs.exceptions import OutOfMemory
from spbfs.operators.casts import cast
from spbfs.storage.data import VectorData

__all__ = ["product", "release", "written"]


# -- a product -----------------------------------------------------------------------------------
def product(
    engine: Any, operation: Operation, u: Any, mask: MaskData | None, hints: Hints
) -> tuple[VectorData | None, LoopHistory | None]:
    """``w<~v> = u A`` where it is a step of a search: the frontier that it is, or None and the
    mark for the vector that it will make."""
    if mask is None or not (
        mask.complement and mask.structural and hints.direction == "auto" and enabled()
    ):
        return None, None
    v: Any = mask.data
    if type(u) is not LazyFrontier or u.speculation.product != operation:
        return _begin(engine, operation, u, v)
    ahead: Any = u.speculation
    depth = u.depth + 1
    # As `Speculation.visited_is` asks: a loop comes here once a level, and a call costs more.
    if not (type(v) is LazyVisited and v.depth == u.depth and v.exactly() is ahead):
        ahead.history.left()
        return _begin(engine, operation, u, v)
    try:
        count = ahead.counts[depth]
    except IndexError:
        count = ahead.count_beyond(depth)
        if count is None:
            return _begin(engine, operation, u, v)
    ahead.history.steps = ahead.steps_before + depth
    if tracing.current() is not None:
        _trace(ahead, depth, "ahead", engine.count(u))
    if count == 0:
        # The loop ends here, and its result is read next: nothing is to wait for.
        ahead.history.ended()
        v.materialise()
        return engine.empty_vector(ahead.size, operation[1].out_type), None
    made: Any = LazyFrontier()
    made.speculation = ahead
    made.depth = depth
    made.dtype = u.dtype
    made.counted = count
    made._arrays = None
    return made, None


def _begin(
    engine: Any, operation: Operation, u: Any, v: Any
) -> tuple[VectorData | None, LoopHistory | None]:
    """The product `operation` as the first step of a search, if it is to be one."""
    A, semiring, transpose, vector_first = operation
    if A.derived.loop_histories is None and A.derived.searches is None and is_searchable(A):
        histories_of(A)
        begin_modules(A, v)  # it may be the first step of the first loop over the matrix
    if v is u or type(v) is LazyFrontier:
        return None, None
    if not isinstance(v, CudaVector) and v.indices is None:
        return None, None
    if u.form == "full" or (u.indices is not None and u.indices.shape[0] == 0):
        return None, None
    history = history_of(A, semiring, transpose, vector_first)
    goes_on = type(u) is LazyFrontier or (isinstance(u, CudaVector) and u.lookahead is history)
    prepared = A.derived.searches is not None
    levels = history.speculation_depth(goes_on, prepared)
    if levels == 0:
        return None, history
    step = None
    # The product itself needs less memory than a search.
    with suppress(OutOfMemory, cupy.cuda.memory.OutOfMemoryError):
        step = _first_step(engine, history, operation, u, v, levels)
    if step is None:
        history.left()
    return step, history


def _first_step(
    engine: Any,
    history: LoopHistory,
    operation: Operation,
    u: Any,
    v: VectorData,
    levels: int,
) -> VectorData | None:
    """The frontier after `u` by a search of so many levels; None where it must not be made."""
    A, semiring, transpose, vector_first = operation
    count = engine.count(u)
    if count == 0:
        return None
    values = None
    if history.parents is None:
        values = uniform_values(engine, history, A, u.values, semiring, vector_first)
        if values is None:
            return None
    # By out-edges: `u A` and `A' u` push along the rows of A.
    edges = A if transpose else engine.transposed(A)
    # Where another search has come to this state, nothing in it can be an obstacle.
    follows = type(u) is LazyFrontier and u.speculation.product == operation
    if not (follows and u.speculation.visited_is(v, u.depth)) and obstructed(
        engine, edges, u, v, count
    ):
        return None
    ahead = Speculation(engine, history, operation, edges, v.size)
    if values is not None:
        ahead.share(engine.resized(values, v.size))
    search_ahead(ahead, u, v, count, levels)
    if not ahead.counts:
        return None
    ahead.begins_with(v)
    if tracing.current() is not None:
        _trace(ahead, 1, "bfs", count)
    history.reached_end = ahead.counts[1] == 0
    if history.reached_end:
        return engine.empty_vector(ahead.size, semiring.out_type)
    return ahead.frontier(1, ahead.counts[1])


def _trace(ahead: Speculation, depth: int, kernel: str, frontier: int) -> None:
    """Record the step to a level as computed by a search, with the direction that it took."""
    direction = direction_of(ahead, depth)
    known = {} if direction is None else {"direction": direction}
    tracing.record(kernel=kernel, frontier=frontier, **known)


# -- a visit -------------------------------------------------------------------------------------
def written(w: Any, front: Any, value: Any) -> VectorData | None:
    """``w<front> = value``, ``w<front> = front`` where that is None, noted for a level of a search
    instead of written; None where it is to be written."""
    if type(front) is not LazyFrontier:
        return None
    ahead, depth = front.speculation, front.depth
    if value is None and ahead.parents is None:
        value = cast(np, np.asarray(ahead.value), w.dtype)[()]
    if type(w) is LazyVisited:
        if w.pending is ahead and w.depth == depth - 1 and (w.table is None) is (value is None):
            w.depth = depth
            if w.counted >= 0:
                w.counted += front.counted
            if value is not None:
                w.table.append(value)
            return w
        w.materialise()
    return _first_visit(w, front, value)


def _first_visit(w: VectorData, front: Any, value: Any) -> LazyVisited | None:
    """`w`, whose arrays are as they should be, with one level noted."""
    ahead, depth = front.speculation, front.depth
    if w.form == "full" or (value is None and w.dtype != front.dtype):
        return None
    exact = ahead.visited_is(w, depth - 1)
    counted = w.counted if w.indices is None else int(w.indices.shape[0])
    if depth == 1 and exact:
        ahead.forget_start()
    counted = counted + front.counted if exact and counted >= 0 else -1
    return LazyVisited(w, ahead, depth, value, exact, counted)


# -- anybody else ----------------------------------------------------------------------------------
def release(w: VectorData) -> VectorData:
    """`w`, which its owner gives up, as a vector to write into: nothing is known of it here."""
    if isinstance(w, LazyVector):
        return w.plain()
    if isinstance(w, CudaVector):
        w.lookahead = None
    return w
