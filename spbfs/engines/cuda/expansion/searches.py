"""Searches by pushing alone, as papers have it: what `spbfs.bfs` takes as `expansion`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy as cp

from spbfs.engines.bfs import Counts, LevelTrace, SearchRequest
from spbfs.engines.cuda.expansion.fused import LevelSynchronousBFS
from spbfs.engines.cuda.runtime.counting import count_true
from spbfs.exceptions import IndexOutOfBound
from spbfs.planner.expansion import Expansion
from spbfs.storage.data import MatrixData

__all__ = ["ExpansionSearches"]

Array = Any

DEEPEST = 2**31 - 2


class ExpansionSearches:
    """Level-synchronous searches of one matrix, idle between runs; each way has its own queues."""

    def __init__(self) -> None:
        self._idle: dict[Expansion, LevelSynchronousBFS] = {}

    @property
    def nbytes(self) -> int:
        """Bytes of queues held."""
        return sum(search.nbytes for search in list(self._idle.values()))

    def run(
        self,
        A: MatrixData,
        request: SearchRequest,
        source: int | Array,
        levels: Array,
        parents: Array | None,
        finish: Callable[[], None] | None,
    ) -> Counts:
        """Search on the current stream, and wait for the end.

        Parameters
        ----------
        source : int or cupy.ndarray
            A vertex, or int32 vertices.
        levels, parents : cupy.ndarray
            int32 outputs; no `parents` where None.
        finish : callable, optional
            Called when the levels are there, inside of the time that is taken.

        Raises
        ------
        IndexOutOfBound
            A source on the device was out of range.
        """
        how = request.expansion
        assert how is not None
        if not isinstance(source, int):
            source = cp.unique(source)
            if int(source[0]) < 0 or int(source[-1]) >= A.nrows:
                raise IndexOutOfBound(
                    f"source: expected 0 <= source < {A.nrows} of all on the device"
                )
        search = self._idle.pop(how, None)
        if search is None:
            search = LevelSynchronousBFS(A.nrows, A.indptr, A.indices, how)
        limit = DEEPEST if request.max_depth is None else min(request.max_depth, DEEPEST)
        start, stop = cp.cuda.Event(), cp.cuda.Event()
        start.record()
        went = search.run(source, levels, parents, max_depth=limit, timed=request.traced)
        if finish is not None:
            finish()
        stop.record()
        stop.synchronize()
        self._idle[how] = search
        steps = [
            LevelTrace(s.vertices, s.edges, "push", s.seconds, s.kernel, s.lanes)
            for s in went.steps
        ]
        return Counts(
            went.depth,
            count_true(levels >= 0),
            cp.cuda.get_elapsed_time(start, stop) * 1e-3,
            steps if request.traced or how.count_lanes else None,
        )
