"""The fused search that runs ahead of a loop, and what the host is told of its levels."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from spbfs.engines.bfs import searches_of
from spbfs.engines.cuda.lookahead import kernels
from spbfs.engines.cuda.vectors.data import CudaVector, queue_type
from spbfs.storage.data import MatrixData, VectorData

__all__ = ["Told", "is_past", "search_ahead"]

Array = Any

_TO_HOST = 2

#: Of a search of so many steps or more, whose levels are expected to have so few vertices that a
#: level is over sooner than the loop's statements for it ...
LONG, LIGHT = 1 << 10, 1 << 12
#: ... this part is searched first, by itself, so that the loop goes on while all of it is searched.
PART = 6


class Told:
    """Vertices of every level, on their way to the host.

    Parameters
    ----------
    words : cupy.ndarray
        ``struct Told`` and the counts.
    stream : cupy.cuda.Stream
        On which they are counted.
    """

    def __init__(self, words: Array, stream: Any) -> None:
        self._words = words
        self._memory = cupy.cuda.alloc_pinned_memory(words.nbytes)
        self._copied = cupy.cuda.Event(disable_timing=True)
        cupy.cuda.runtime.memcpyAsync(
            self._memory.ptr, words.data.ptr, words.nbytes, _TO_HOST, stream.ptr
        )
        self._copied.record(stream)

    def read(self, frontier: int) -> list[int]:
        """The counts, once they are there, that of the frontier first; what lies behind the first
        empty level is left out.  None at all where the frontier is not among what is visited."""
        self._copied.synchronize()
        words = np.frombuffer(self._memory, np.uint32, self._words.shape[0])
        outside, _, _, *counts = words.tolist()
        if outside:
            return []
        return [frontier, *(counts[: counts.index(0) + 1] if 0 in counts else counts)]


def is_past(engine: Any, A: MatrixData, u: VectorData, v: VectorData, count: int) -> bool:
    """Whether `v`, visited, is a search's past: no row of `A` leads out of it but those of the
    `count` vertices of the frontier `u`.

    Else some vertex is an obstacle, which the loop never leaves and a pull would take for one of
    the frontier.  Of a loop that begins there is nothing to ask: `v` is its frontier.  As many
    vertices are not enough for that, since a search does not miss an isolated one of `u` in `v`:
    lists are compared, short ones where the search begins.
    """
    if u.indices is not None and v.indices is not None and engine.count(v) == count:
        return _are_short(u, v) or bool((u.indices == v.indices).all())
    visited = engine.present(v)
    before = cupy.flatnonzero(visited & ~engine.present(u)).astype(np.int32)
    if before.shape[0] == 0:
        return True
    levels, _ = _searches(engine, A).go_on(A, before, None, 1, lambda search, levels: None)
    return not bool(((levels == 1) & ~visited).any())


def _are_short(u: VectorData, v: VectorData) -> bool:
    """Whether one CTA begins a search from the frontier `u`, `v` visited."""
    if u.indices is None or v.indices is None:
        return False
    return bool(u.indices.shape[0] + v.indices.shape[0] <= kernels.SHORT)


def _searches(engine: Any, A: MatrixData) -> Any:
    return searches_of(A, engine.searches)


def search_ahead(
    engine: Any, run: Any, A: MatrixData, u: VectorData, v: VectorData, count: int, steps: int
) -> None:
    """Search the levels of `run` from the frontier `u`, `v` visited, along the rows of `A`."""
    sources = cupy.empty(count, np.int32)
    short = _are_short(u, v)
    listed = None
    if u.indices is not None:
        listed = u.indices.data.ptr, u.indices.dtype.itemsize, count
    elif isinstance(u, CudaVector) and u.queue:
        listed = u.queue, queue_type(u).itemsize, count
    searches = _searches(engine, A)

    def launch(steps: int, tree: str | None) -> tuple[Array, Array | None, Array]:
        told = (cupy.empty if short else cupy.zeros)(kernels.TOLD + steps + 1, np.uint32)

        def begin(search: Any, levels: Array) -> None:
            start = search.start()
            if short:
                kernels.begin_short(v.indices, u.indices, start, levels, sources, told)
                return
            kernels.mark(v.indices, None if v.indices is not None else v.present, start, levels)
            flags = u.present if listed is None else None
            kernels.seed(listed, flags, start, levels, sources, told)

        levels, parents = searches.go_on(A, sources, tree, steps, begin)
        kernels.count_levels(levels, told[kernels.TOLD :])
        return levels, parents, told

    tree = run.habit.tree
    if steps < LONG or run.size > steps * LIGHT:
        run.levels, run.parents, words = launch(steps, tree)
        run.counts = Told(words, run.stream).read(count)
        return
    *_, words = launch(steps // PART, None)
    told = Told(words, run.stream)
    try:
        run.levels, run.parents, run.rest = launch(steps, tree)
    finally:
        run.counts = told.read(count)  # whatever happens, nobody else may have the memory before
