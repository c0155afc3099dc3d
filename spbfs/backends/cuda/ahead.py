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

How far ahead: as many steps as the loop has made so far, at most `MOST_STEPS`.  A loop that reached
the end of the graph is expected to do so again the next time it is run on the same matrix; one that
stopped before is expected to stop there.  So work is wasted only where loops differ, and no more
than was needed before.
"""

from __future__ import annotations

from threading import RLock
from typing import Any

import cupy
import numpy as np

from spbfs import burble
from spbfs.backends.cuda import ahead_kernels as kernels
from spbfs.backends.cuda.steps import Frontier, Visited, Written
from spbfs.backends.cuda.vector import CudaVector, queue_type
from spbfs.backends.protocol import MaskData
from spbfs.core.operators.definitions import TypedSemiring
from spbfs.core.storage import MatrixData, VectorData
from spbfs.exceptions import OutOfMemory

__all__ = ["Habit", "Run", "habit_of", "product"]

Array = Any

#: Steps computed ahead at most, so that what the host is told stays small.
MOST_STEPS = 1 << 16
#: Steps that a loop is given when it is first seen to be one.
FIRST_STEPS = 2
#: Longest wait, in products, after loops that left the search that ran ahead of them.
MOST_PATIENCE = 1 << 10


class Habit:
    """What is remembered of loops over one product (a matrix, a semiring) from run to run."""

    __slots__ = ("ended", "patience", "semiring", "steps", "tree", "wait")

    def __init__(self, semiring: TypedSemiring) -> None:
        #: Kept: the habit is found by its identity.
        self.semiring = semiring
        #: Steps of the loop so far, or of the last one, and whether it came to an empty frontier.
        self.steps = 0
        self.ended = False
        #: Products to let pass before the next attempt, and how many after the next failure.
        self.wait = 0
        self.patience = 1
        self.tree = tree_of(semiring)

    def left(self) -> None:
        """A loop did not go on as the search that ran ahead of it."""
        self.wait, self.patience = self.patience, min(2 * self.patience, MOST_PATIENCE)
        self.steps = 0


def tree_of(semiring: TypedSemiring) -> str | None:
    """Which parents a product makes of a frontier's vertices; None where it makes none."""
    multiply, add = semiring.multiply.op, semiring.add.op
    if not multiply.positional or multiply.name not in ("firstj", "secondi"):
        return None
    if add.is_any:
        return "any"
    return "min" if add.name == "min" and add.binaryop.function is None else None


def habit_of(A: MatrixData, semiring: TypedSemiring, transpose: bool, vector_first: bool) -> Habit:
    """What is remembered of a product."""
    habits: dict[Any, Habit] = A.cache.setdefault("habits", {})
    key = (semiring, transpose, vector_first)
    return habits.get(key) or habits.setdefault(key, Habit(semiring))


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
    counts : list of int
        Vertices of every level that was computed.
    """

    def __init__(self, engine: Any, habit: Habit, product: tuple[Any, ...], before: VectorData):
        self.engine, self.habit = engine, habit
        self.A, self.semiring, self.transpose, self.vector_first = product
        #: The vector that was visited when the search began, until a step of it is.
        self.before: VectorData | None = before
        #: Steps of the loop before this search.
        self.passed = 0
        self.lock = RLock()
        self.counts: list[int] = []
        self.values: Array | None = None
        self.value: Any = None
        self.levels: Array = None
        self.parents: Array | None = None

    def next(self, depth: int) -> Frontier | None:
        """The frontier after `depth` steps; None where so many were not computed."""
        if depth < len(self.counts):
            found = self.counts[depth]
        elif self.counts[-1] == 0:
            found = 0
        else:
            return None
        self.habit.steps = self.passed + depth
        return Frontier.of(self, depth, found)

    def end(self, v: CudaVector) -> None:
        """The frontier is empty: there is nothing to wait for with what was visited."""
        self.habit.ended, self.habit.patience = True, 1
        self.settle(v)

    # -- arrays, for who looks at them -------------------------------------------------------
    def settle(self, vector: CudaVector) -> None:
        """Write the arrays of a step, which from then on is a vector like any other."""
        with self.lock:
            if type(vector) is Frontier:
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
            parents, table, alike = None, cupy.asarray(host), engine.is_all(before.values, host)
        if written.list is not None:
            present, values = kernels.spread(before, alike)
        else:
            present = before.present
            values = before.values if alike else engine.writable(before).values
        kernels.visited_after(
            self.levels,
            parents,
            table,
            (written.first, vector.depth),
            present,
            None if alike else values,
            written.dtype.itemsize,
        )
        vector.become(values, present)

    # -- the visit ---------------------------------------------------------------------------
    def visit(self, w: VectorData, front: CudaVector, value: Any) -> CudaVector | None:
        """``w<q> = value``, ``w<q> = q`` where that is None, for a step q of this search; None
        where it is to be done at once."""
        depth = front.depth
        if type(w) is Visited:
            written = w.written
            if (
                w.run is self
                and w.depth == depth - 1
                and (written.table is None) is (value is None)
            ):
                w.depth = depth
                if w.counted >= 0:
                    w.counted += front.counted
                if value is not None:
                    written.table.append(value)
                return w
            w.run.settle(w)
        return self._begin_to_visit(w, front, value)

    def visit_alike(self, w: VectorData, front: CudaVector) -> CudaVector | None:
        """``w<q> = q``."""
        if self.parents is not None:
            return self.visit(w, front, None)
        return self.visit(w, front, self.value.astype(w.dtype))

    def _begin_to_visit(self, w: VectorData, front: CudaVector, value: Any) -> CudaVector | None:
        dtype, depth, before = w.dtype, front.depth, self.before
        if (value is None and dtype != np.int64) or (w.indices is None and w.present is None):
            return None
        whole = w is before and depth == 1
        if w is before:
            self.before = None
        if isinstance(w, CudaVector) and w.run is self and w.written is not None:
            whole = w.written.whole and w.depth == depth - 1
        counted = w.counted if w.indices is None else w.indices.shape[0]
        if w.indices is None:
            self.engine.forget(w)
        written = Written(
            depth,
            None if value is None else [value],
            dtype,
            whole,
            None if w.indices is None else w,
        )
        counted = counted + front.counted if whole and counted >= 0 else -1
        return Visited.of(w, self, depth, written, counted)


# -- the product ----------------------------------------------------------------------------------
def product(
    engine: Any,
    A: MatrixData,
    u: VectorData,
    semiring: TypedSemiring,
    transpose: bool,
    vector_first: bool,
    mask: MaskData,
) -> tuple[VectorData | None, Habit | None]:
    """``w<~v> = u A`` where it is a step of a search, and what is to be known of it where not."""
    v: Any = mask.data
    front: Any = u
    run: Run | None = front.run if isinstance(u, CudaVector) and u.written is None else None
    if (
        run is not None
        and run.A is A
        and run.semiring is semiring
        and run.transpose is transpose
        and run.vector_first is vector_first
    ):
        if _is_state(run, front, v):
            step = run.next(front.depth + 1)
            if step is not None:
                if step.counted == 0:
                    run.end(v)
                if burble.active():
                    burble.record(direction="auto", kernel="ahead", frontier=engine.count(u))
                return step, None
        else:
            run.habit.left()
    if v is u or not (isinstance(v, CudaVector) or v.indices is not None):
        return None, None
    habit = habit_of(A, semiring, transpose, vector_first)
    steps = _steps(habit, u, run)
    if steps == 0:
        return None, habit
    made = _begin(engine, habit, (A, semiring, transpose, vector_first), u, v, steps)
    return made, habit


def _is_state(run: Run, u: CudaVector, v: Any) -> bool:
    """Whether `v` is what is visited when `u` is the frontier."""
    if isinstance(v, CudaVector) and v.run is run and v.written is not None:
        return bool(v.written.whole and v.depth == u.depth)
    return False


def _steps(habit: Habit, u: VectorData, run: Run | None) -> int:
    """How many steps to compute ahead of a product; 0: none."""
    goes_on = isinstance(u, CudaVector) and (run is not None or u.habit is habit)
    if habit.wait:
        habit.wait -= 1
        habit.steps = habit.steps + 1 if goes_on else 1
        return 0
    if goes_on:
        habit.steps += 1
        return min(MOST_STEPS, max(FIRST_STEPS, habit.steps))
    expected = habit.steps * (2 if habit.ended else 1)
    habit.steps, habit.ended = 1, False
    return min(MOST_STEPS, expected) if expected >= FIRST_STEPS else 0


def _begin(
    engine: Any,
    habit: Habit,
    product: tuple[Any, ...],
    u: VectorData,
    v: VectorData,
    steps: int,
) -> VectorData | None:
    """The first step of a search from the frontier `u`, `v` visited; None where it cannot be."""
    A, semiring, transpose, vector_first = product
    values = None
    if habit.tree is None:
        values = engine.step_values(A, u, semiring, transpose, vector_first)
    count = engine.count(u)
    if A.nrows != A.ncols or count == 0 or (values is None and habit.tree is None):
        habit.left()
        return None
    run = Run(engine, habit, product, v)
    run.passed = habit.steps - 1
    try:
        _search(engine, run, u, v, count, steps)
    except (OutOfMemory, cupy.cuda.memory.OutOfMemoryError):
        habit.left()
        return None
    if not run.counts:
        habit.left()
        return None
    if values is not None:
        run.values, run.value = values, engine.known_value(values)
    if isinstance(v, CudaVector):
        v.run, v.depth, v.written = run, 0, Written(1, None, v.values.dtype, True)
    if burble.active():
        burble.record(direction="auto", kernel="bfs", frontier=count)
    first = run.next(1)
    if first is not None and first.counted == 0:
        habit.ended = True
    return first


def _search(engine: Any, run: Run, u: VectorData, v: VectorData, count: int, steps: int) -> None:
    """Run the search; no counts where the frontier is not among what is visited."""
    told = kernels.told_room(steps)
    sources = cupy.empty(count, np.int32)
    listed = None
    if u.indices is not None:
        listed = u.indices.data.ptr, u.indices.dtype.itemsize, count
    elif isinstance(u, CudaVector) and u.queue:
        listed = u.queue, queue_type(u).itemsize, count

    def begin(search: Any, levels: Array) -> None:
        start = search.start()
        kernels.mark(v.indices, None if v.indices is not None else v.present, start, levels)
        flags = u.present if listed is None else None
        kernels.seed(listed, flags, start, levels, sources, told)

    # By out-edges: `u A` and `A' u` push along the rows of A.
    A = run.A if run.transpose else engine.transposed(run.A)
    searches = A.cache.get("bfs") or A.cache.setdefault("bfs", engine.searches(A))
    run.levels, run.parents = searches.go_on(A, sources, run.habit.tree, steps, begin)
    kernels.count_levels(run.levels, told[kernels.TOLD :])
    host = told.get()
    if host[0] == 0:
        counts = host[kernels.TOLD :].tolist()
        counts[0] = count
        # What lies behind the first empty level is known to be empty.
        run.counts = counts[: counts.index(0) + 1] if 0 in counts else counts
