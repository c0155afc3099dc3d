"""Steps of a search that are computed before the statements that will ask for them.

A search written as a loop of statements repeats two of them::

    q(~v.S, replace) << semiring(q @ A)     # the product: from the frontier to the next
    v(q.S) << x                             # the visit: x a number, or q itself

Either costs a launch, and the loop's condition a wait for the GPU: more than the work of most
levels.  Where a product is seen to be such a step, the fused search (`cuda.bfs`) runs a number of
steps from the state (q, v) at once, and the host is told the entries of every level.  A statement
that follows is then looked up: the next frontier *is* "the vertices of level d", and `v` *is* what
it was "and the levels up to d".  Such vectors (`cuda.steps`) write their arrays when somebody looks
at them, so that nothing but the time can be observed.

How far ahead is for `cuda.habits`.
"""

from __future__ import annotations

from threading import RLock
from typing import Any

import cupy
import numpy as np

from spbfs.base import tracing
from spbfs.engines.cuda.lookahead import kernels
from spbfs.engines.cuda.lookahead.depth import Habit, habit_of
from spbfs.engines.cuda.lookahead.frontiers import Frontier, Visited, Written, frontier
from spbfs.engines.cuda.lookahead.search import Told, is_past, search_ahead
from spbfs.engines.cuda.vectors.data import CudaVector
from spbfs.exceptions import OutOfMemory
from spbfs.operators.definitions import TypedSemiring
from spbfs.storage.data import VectorData

__all__ = ["Run", "begin"]

Array = Any

_INT64 = np.dtype(np.int64)


class Run:
    """A search that has run ahead of a loop: the levels of its steps, and what was found at each.

    Attributes
    ----------
    levels : cupy.ndarray
        int32: below zero where no step came, 0 for the frontier it began with.
    parents : cupy.ndarray or None
        int32, of the vertices of levels from 1 on.
    values : cupy.ndarray or None
        Of every frontier, an iso array, where there are no parents.
    dtype : numpy.dtype
        Of the values of every frontier.
    counts : list of int
        Vertices of the levels that the host has been told of.
    rest : cupy.ndarray or None
        Those of all levels, where the host has not been told of all.
    """

    def __init__(self, engine: Any, habit: Habit, product: tuple[Any, ...], before: VectorData):
        self.engine, self.habit, self.product = engine, habit, product
        #: The list that was visited when the search began, until a step of it is: a bitmap says so
        #: itself (`Written`), and no longer once it has been changed in place.
        self.before = before if before.indices is not None else None
        #: Steps of the loop before this search.
        self.passed = 0
        self.lock = RLock()
        self.stream = cupy.cuda.get_current_stream()
        self.size = before.size
        self.counts: list[int] = []
        self.rest: Array | None = None
        self.values: Array | None = None
        self.value: Any = None
        self.dtype = _INT64
        self.levels: Array = None
        self.parents: Array | None = None

    def step(self, front: Any, v: Any) -> VectorData | None:
        """The frontier that follows one of this search, `v` visited; None where it is not known."""
        depth = front.depth
        if not (
            (type(v) is Visited and v.run is self and v.depth == depth and v.written.whole)
            or self.has_visited(v, depth)
        ):
            self.habit.left()
            return None
        depth += 1
        try:
            found = self.counts[depth]
        except IndexError:
            known = self._further(depth)
            if known is None:
                return None
            found = known
        self.habit.steps = self.passed + depth
        if tracing.current() is not None:
            tracing.record(direction="auto", kernel="ahead", frontier=self.engine.count(front))
        if not found:
            return self._end(v)
        made = Frontier()  # as `frontier` does, a call less
        made.run = self
        made.depth = depth
        made.counted = found
        return made

    def _further(self, depth: int) -> int | None:
        """Vertices of a level that the host has not been told of; None where nobody knows."""
        with self.lock:
            if self.rest is not None and self.counts[-1]:
                self.counts = Told(self.rest, self.stream).read(self.counts[0])
                self.rest = None
        if depth < len(self.counts):
            return self.counts[depth]
        return None if self.counts[-1] else 0

    def has_visited(self, v: Any, depth: int) -> bool:
        """Whether `v` is what was visited up to a level."""
        return (
            isinstance(v, CudaVector)
            and v.written is not None
            and v.written.whole
            and v.written.run() is self
            and v.depth == depth
        )

    def _end(self, v: CudaVector) -> VectorData:
        """The empty frontier: there is nothing to wait for with what was visited."""
        self.habit.ended, self.habit.patience = True, 1
        self.engine.forget(v, 0)
        semiring: TypedSemiring = self.product[1]
        empty: VectorData = self.engine.empty_vector(self.size, semiring.out_type)
        return empty

    # -- arrays, for who looks at them -------------------------------------------------------
    def settle(self, vector: CudaVector) -> None:
        """Write the arrays of a step, which from then on is a vector like any other.

        On the stream of the loop, whoever looks; who does so on another one finds them complete.
        """
        with self.lock:
            if cupy.cuda.get_current_stream().ptr == self.stream.ptr:
                self._settle(vector)
                return
            with self.stream:
                self._settle(vector)
            self.stream.synchronize()

    def _settle(self, vector: CudaVector) -> None:
        if isinstance(vector, Frontier):
            present = cupy.empty(vector.size, np.bool_)
            values = self.values
            if self.parents is not None:
                values = cupy.empty(vector.size, np.int64)
            made = values if self.parents is not None else None
            kernels.frontier_after(self.levels, self.parents, vector.depth, present, made)
            vector.become(values, present)
        elif type(vector) is Visited:
            self._write(vector)

    def _write(self, vector: Visited) -> None:
        engine, written = self.engine, vector.written
        before: VectorData = written.list if written.list is not None else vector.before()
        parents, table, alike = self.parents, None, False
        if written.table is not None:
            host = np.array(written.table, written.dtype)
            parents, table, alike = None, engine.asarray(host), engine.is_all(before.values, host)
        fresh = written.list is not None
        if fresh:
            present = cupy.empty(vector.size, np.bool_)
            values = cupy.empty(0 if alike else vector.size, written.dtype)
            values = engine.resized(before.values, vector.size) if alike else values
        else:
            present = before.present
            values = before.values if alike else engine.writable(before).values
        written_to = None if alike else values
        kernels.visited_after(
            self.levels,
            parents,
            table,
            (written.first, vector.depth),
            fresh,
            present,
            written_to,
            written.dtype.itemsize,
        )
        if fresh:
            kernels.spread(before, present, written_to)
        vector.become(values, present)

    # -- the visit ---------------------------------------------------------------------------
    def visit(self, w: VectorData, front: CudaVector, value: Any) -> CudaVector | None:
        """``w<q> = value``, ``w<q> = q`` where that is None, for a step q of this search; None
        where it is to be done at once."""
        depth = front.depth
        if type(w) is Visited:
            table = w.written.table
            if w.run is self and w.depth == depth - 1 and (table is None) is (value is None):
                w.depth = depth
                if w.counted >= 0:
                    w.counted += front.counted
                if value is not None:
                    table.append(value)
                return w
            w.run.settle(w)
        return self._begin_to_visit(w, front, value)

    def visit_alike(self, w: VectorData, front: CudaVector) -> CudaVector | None:
        """``w<q> = q``."""
        if self.parents is not None:
            return self.visit(w, front, None)
        return self.visit(w, front, self.value.astype(w.dtype))

    def _begin_to_visit(self, w: VectorData, front: CudaVector, value: Any) -> CudaVector | None:
        dtype, depth = w.dtype, front.depth
        if (value is None and dtype != np.int64) or (w.indices is None and w.present is None):
            return None
        whole = self.has_visited(w, depth - 1) or (w is self.before and depth == 1)
        if w is self.before:
            self.before = None
        counted = w.counted if w.indices is None else w.indices.shape[0]
        if w.indices is None:
            self.engine.forget(w)
        written = Written(
            self,
            depth,
            None if value is None else [value],
            dtype,
            whole,
            None if w.indices is None else w,
        )
        counted = counted + front.counted if whole and counted >= 0 else -1
        return Visited.of(w, self, depth, written, counted)


# -- the product ----------------------------------------------------------------------------------
def begin(
    engine: Any, product: tuple[Any, ...], u: Any, v: Any, before: Run | None
) -> tuple[VectorData | None, Habit | None]:
    """``w<~v> = u A`` as the first step of a search, and what is to be known of it else.

    Parameters
    ----------
    engine : CudaEngine
    product : tuple
        Matrix, semiring, transpose and vector_first, as of `Engine.mxv`.
    u, v : VectorData
        The frontier and what was visited.
    before : Run or None
        The search that ran ahead and made `u`.
    """
    A, semiring, transpose, vector_first = product
    if v is u or not (isinstance(v, CudaVector) or v.indices is not None):
        return None, None
    if u.form == "full" or (u.indices is not None and u.indices.shape[0] == 0):
        return None, None
    habit = habit_of(A, semiring, transpose, vector_first)
    goes_on = before is not None or (isinstance(u, CudaVector) and u.habit is habit)
    steps = habit.steps_ahead(goes_on, prepared=A.derived.searches is not None)
    if steps == 0:
        return None, habit
    follows = before is not None and before.product == product and before.has_visited(v, u.depth)
    return _first_step(engine, habit, product, u, v, steps, follows), habit


def _first_step(
    engine: Any,
    habit: Habit,
    product: tuple[Any, ...],
    u: VectorData,
    v: VectorData,
    steps: int,
    follows: bool,
) -> VectorData | None:
    """The first step of a search from the frontier `u`, `v` visited; None where it cannot be.

    `follows`: they are where another search that ran ahead has come to.
    """
    A, semiring, transpose, vector_first = product
    values = None
    if habit.tree is None:
        values = engine.step_values(A, u, semiring, transpose, vector_first)
    count = engine.count(u)
    if count == 0 or (values is None and habit.tree is None):
        habit.left()
        return None
    run = Run(engine, habit, product, v)
    run.passed = habit.steps - 1
    try:
        # By out-edges: `u A` and `A' u` push along the rows of A.
        edges = A if transpose else engine.transposed(A)
        if follows or is_past(engine, edges, u, v, count):
            search_ahead(engine, run, edges, u, v, count, steps)
    except (OutOfMemory, cupy.cuda.memory.OutOfMemoryError):
        habit.left()
        return None
    if not run.counts:
        habit.left()
        return None
    if values is not None:
        run.values, run.value = values, engine.known_value(values)
        run.dtype = values.dtype
    if isinstance(v, CudaVector):
        v.depth, v.written = 0, Written(run, 1, None, v.dtype, True)
    if tracing.current() is not None:
        tracing.record(direction="auto", kernel="bfs", frontier=count)
    habit.ended = run.counts[1] == 0
    if habit.ended:
        return engine.empty_vector(run.size, semiring.out_type)
    return frontier(run, 1, run.counts[1])
