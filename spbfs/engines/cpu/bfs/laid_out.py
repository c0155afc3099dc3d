"""Searches on the CPU in a layout that was asked for, with results by the caller's labels."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from spbfs.base.threads import resolve_threads
from spbfs.engines.bfs import Counts, Ints, SearchRequest
from spbfs.engines.cpu.bfs.kernel import Found, search
from spbfs.engines.cpu.bfs.workspace import Workspace
from spbfs.engines.cpu.graph.layout import SearchLayout
from spbfs.engines.cpu.native import kernels

__all__ = ["LaidOutSearches"]

Array = Any


class LaidOutSearches:
    """The searches of one layout.

    Parameters
    ----------
    layout : SearchLayout
    workspace : Workspace
        Of the matrix, for the outputs.
    """

    def __init__(self, layout: SearchLayout, workspace: Workspace) -> None:
        self._layout, self._outer = layout, workspace
        self._inner = workspace
        if layout.order is not None:
            self._inner = Workspace(layout.out.nrows, layout.out.indices.dtype)

    @property
    def nbytes(self) -> int:
        """Bytes of the layout, and of the workspace that it has for itself."""
        own = 0 if self._inner is self._outer else self._inner.nbytes
        return self._layout.nbytes + own

    def search(self, sources: Ints, request: SearchRequest) -> Found:
        """A search from distinct sources; the way back to the caller's labels is timed with it."""
        layout = self._layout
        if layout.order is None:
            return search(layout.out, layout.into, self._inner, sources, request)
        rank: Array = layout.rank
        at = rank[sources]
        alone = sources[at < 0]
        limit, target = request.max_depth, request.target
        if target is not None:
            limit = 0 if target in alone else limit
            target = int(rank[target]) if rank[target] >= 0 else None
        inner = replace(
            request,
            max_depth=limit,
            target=target,
            # With several sources parents are the least ones of the owner.
            parents="min" if request.several and request.parents else request.parents,
        )
        if alone.shape[0] == sources.shape[0]:
            found = self._nothing(request)
        else:
            numbered = at[at >= 0].astype(np.int64)
            found = search(layout.out, layout.into, self._inner, numbered, inner)
        started = time.perf_counter()
        restored = self._restored(found, np.flatnonzero(at >= 0), request)
        for array, values in zip(restored, (0, alone, np.flatnonzero(at < 0)), strict=True):
            if array is not None:
                # A source without entries is a tree of its own.
                array[alone] = values
        return Found(
            *restored,
            _counts(found.counts, alone.shape[0], time.perf_counter() - started),
            found.edges,
        )

    def _nothing(self, request: SearchRequest) -> Found:
        """What a search from no vertex finds."""

        def unreached(asked: Any) -> Array:
            if not asked:
                return None
            array = self._inner.output()
            array.fill(-1)
            return array

        counts = Counts(0, 0, 0.0, [] if request.traced else None)
        wanted = request.levels, request.parents, request.several
        levels, parents, owners = (unreached(asked) for asked in wanted)
        return Found(levels, parents, owners, counts, 0)

    def _restored(
        self, found: Found, numbered: Ints, request: SearchRequest
    ) -> tuple[Array, Array, Array]:
        """Levels, parents and owners by the caller's labels; those of the layout serve the next
        search."""
        rank: Array = self._layout.rank
        order = self._layout.order
        threads = resolve_threads(request.threads)

        def restored(values: Array, labels: Array) -> Array:
            if values is None:
                return None
            array = self._outer.output()
            kernels.restore(values, rank, labels, array, threads)
            return array

        arrays = (
            restored(found.levels if request.levels else None, None),
            restored(found.parents, order),
            restored(found.owners, numbered.astype(rank.dtype)),
        )
        for values in found[:3]:
            if values is not None:
                self._inner.take_back(values)
        return arrays


def _counts(found: Counts, alone: int, seconds: float) -> Counts:
    """The numbers with so many more sources, which have no edges."""
    trace = found.trace
    if trace and alone:
        trace = [replace(trace[0], frontier=trace[0].frontier + alone), *trace[1:]]
    return Counts(found.depth, found.reached + alone, found.seconds + seconds, trace)
