"""The fused search that runs ahead of a loop: whether it may begin, and its launch."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from spbfs.base import tracing
from spbfs.base.flags import all_true, any_true
from spbfs.engines.bfs import searches_of
from spbfs.engines.cuda.bfs import seeding
from spbfs.engines.cuda.bfs.result import STEPS
from spbfs.engines.cuda.lookahead import kernels
from spbfs.engines.cuda.lookahead.counts import LevelCounts
from spbfs.engines.cuda.lookahead.speculation import Speculation
from spbfs.engines.cuda.searches.device import begin_layout
from spbfs.engines.cuda.vectors.data import CudaVector, queue_type
from spbfs.storage.data import MatrixData, VectorData

__all__ = ["begin_modules", "direction_of", "obstructed", "search_ahead"]

Array = Any

#: A search of so many levels or more, whose levels are expected to have so few vertices that one
#: is over sooner than the loop's statements for it ...
LONG_SEARCH, FEW_VERTICES = 1 << 10, 1 << 12
#: ... is begun by a search of this part of its levels, so that the loop goes on meanwhile.
FIRST_PART = 6


class _State:
    """The state (q, v) of a loop: what a search is begun with.

    Parameters
    ----------
    u, v : VectorData
        The frontier and what is visited, the frontier included.
    count : int
        Vertices of the frontier.
    """

    def __init__(self, u: VectorData, v: VectorData, count: int) -> None:
        self._u, self._v = u, v
        self.sources = cupy.empty(count, np.int32)
        #: Whether one CTA begins the search, and clears the words of the counts.
        self.short = _are_short(u, v)
        self._listed = None
        if u.indices is not None:
            self._listed = u.indices.data.ptr, u.indices.dtype.itemsize, count
        elif isinstance(u, CudaVector) and u.queue:
            self._listed = u.queue, queue_type(u).itemsize, count

    def begin(self, start: tuple[int, int, int], levels: Array, words: Array) -> None:
        """Write status and level of what is visited, the sources, and whether they are visited."""
        u, v = self._u, self._v
        if self.short:
            seeding.begin_short(v.indices, u.indices, start, levels, self.sources, words)
            return
        seeding.mark(v.indices, None if v.indices is not None else v.present, start, levels)
        flags = u.present if self._listed is None else None
        seeding.seed(self._listed, flags, start, levels, self.sources, words)


def _are_short(u: VectorData, v: VectorData) -> bool:
    """Whether one CTA begins a search from the frontier `u`, `v` visited."""
    if u.indices is None or v.indices is None:
        return False
    return bool(u.indices.shape[0] + v.indices.shape[0] <= seeding.SHORT)


def _searches(engine: Any, A: MatrixData) -> Any:
    return searches_of(A, engine.searches)


def obstructed(engine: Any, A: MatrixData, u: VectorData, v: VectorData, count: int) -> bool:
    """Whether some row of `A` leads out of what is visited, `v`, other than from the `count`
    vertices of the frontier `u`.

    Such a vertex is an obstacle: the loop never leaves it, while a pull of the search would take
    it for one of the frontier.  Where a loop begins there is none, as `v` is its frontier.  As many
    vertices are not enough for that, since a search does not miss an isolated one of `u` in `v`:
    lists are compared, short ones by the kernel that begins the search.
    """
    if u.indices is not None and v.indices is not None and engine.count(v) == count:
        return not (_are_short(u, v) or all_true(u.indices == v.indices))
    visited = engine.present(v)
    before = cupy.flatnonzero(visited & ~engine.present(u)).astype(np.int32)
    if before.shape[0] == 0:
        return False
    levels = cupy.empty(A.nrows, np.int32)
    with _searches(engine, A).borrowed(A) as (search, summary):
        search.run(before, levels, None, max_depth=1, summary=summary)
    return any_true((levels == 1) & ~visited)


def begin_modules(A: MatrixData, v: VectorData) -> None:
    """Have compiled what the first search of `A` that runs ahead of a loop launches, up to the
    layout, and what writes its levels to `v`."""
    begin_layout(A)
    kernels.begin_modules(v.dtype.itemsize)


def search_ahead(
    ahead: Speculation, u: VectorData, v: VectorData, count: int, most_levels: int
) -> None:
    """Compute levels of a loop's search from the frontier `u`, `v` visited, and read their counts:
    none where `u` is not among `v`."""
    state, parents = _State(u, v, count), ahead.history.parents
    if most_levels < LONG_SEARCH or ahead.size > most_levels * FEW_VERTICES:
        ahead.levels, ahead.parents, words = _launch(ahead, state, most_levels, parents)
        ahead.counts = LevelCounts(words, ahead.stream).read(count)
        return
    *_, words = _launch(ahead, state, most_levels // FIRST_PART, None)
    first = LevelCounts(words, ahead.stream)
    try:
        ahead.levels, ahead.parents, ahead.remaining = _launch(ahead, state, most_levels, parents)
    finally:
        ahead.counts = first.read(count)  # even so: its memory must not be another's before


def _launch(
    ahead: Speculation, state: _State, most_levels: int, parents: str | None
) -> tuple[Array, Array | None, Array]:
    """A search on the current stream: levels, parents, and the words of the counts."""
    A = ahead.edges
    words = (cupy.empty if state.short else cupy.zeros)(kernels.HEADER + most_levels + 1, np.uint32)
    levels = cupy.empty(ahead.size, np.int32)
    tree = cupy.empty(ahead.size, np.int32) if parents else None
    record = None
    if tracing.current() is not None:
        record = cupy.zeros((most_levels + 3, 4), np.int64)
    searches = _searches(ahead.engine, A)
    with searches.borrowed(A) as (search, summary):
        state.begin(search.start(), levels, words)
        search.run(
            state.sources, levels, tree, max_depth=most_levels, trace=record, summary=summary
        )
        if parents == "min":
            searches.least_parents(A, levels, tree, summary)
    kernels.count_levels(levels, words[kernels.HEADER :])
    ahead.record, ahead.directions = record, []
    return levels, tree, words


def direction_of(ahead: Speculation, depth: int) -> str | None:
    """How the search found the vertices of a level, "push" or "pull", by its own record.

    A search that was launched while nobody traced has none, and is launched once more.
    """
    with ahead.writing():
        if ahead.record is None:
            reached, before = ahead.levels == 0, ahead.levels == seeding.BEFORE
            u = VectorData(ahead.size, None, present=reached)
            v = VectorData(ahead.size, None, present=reached | before)
            words = len(ahead.counts) if ahead.remaining is None else ahead.remaining.shape[0]
            _launch(ahead, _State(u, v, ahead.counts[0]), words, None)
        assert ahead.record is not None
        if not ahead.directions:
            kinds = ahead.record[:, 0].get().tolist()
            ahead.directions = [STEPS[kind][0] if kind in STEPS else None for kind in kinds]
    return ahead.directions[depth] if depth < len(ahead.directions) else None
