"""What a search on the GPU found, read when it is asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cupy as cp

from spbfs.base.memory import typed_refusals
from spbfs.engines.bfs import ArrayPool, Counts, LevelTrace, SearchResult, named
from spbfs.engines.cuda.bfs.state import SearchSummary
from spbfs.engines.cuda.runtime.counting import count_reached, sum_levels
from spbfs.engines.cuda.runtime.streams import stream_key, wait_for
from spbfs.planner.strategies import Strategy
from spbfs.storage.arrays import memory_of
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.entries import bincount

__all__ = ["STEPS", "CudaSearchResult", "level_traces"]

Array = Any

#: Direction and strategy of the kernel's kinds of step, `enum StepKind`.
STEPS = {
    1: ("push", "grid"),
    2: ("pull", "grid"),
    3: ("push", "cluster"),
    4: ("push", "cta"),
    6: ("push", "part"),
}


class CudaSearchResult(SearchResult):
    """Outputs of a search that may still be running; reading a number waits for it.

    Parameters
    ----------
    A : MatrixData
        The graph; only its row offsets are kept.
    arrays : dict
        Outputs by name, and the "summary" that the search leaves.
    levels : bool
        Whether the levels were asked for.
    stream : cupy.cuda.Stream
        Where it runs.
    pool : ArrayPool or None
        Takes the arrays back.
    trace : cupy.ndarray, optional
        The kernel's record of its levels.
    counts : Counts, optional
    edges : int, optional
        The numbers, where they are known.
    schedule : tuple of Strategy, optional
        Whose names the levels of a trace have.
    """

    def __init__(
        self,
        A: MatrixData,
        arrays: dict[str, Array | None],
        levels: bool,
        stream: Any,
        pool: ArrayPool | None,
        *,
        trace: Array | None = None,
        counts: Counts | None = None,
        edges: int | None = None,
        schedule: tuple[Strategy, ...] = (),
    ) -> None:
        super().__init__(A.nrows, arrays, counts, edges, pool)
        self._indptr, self._nvals = A.indptr, A.nvals
        #: Bytes over the bus of an entry that is looked at, for the trace.
        self._crossing = 0
        if trace is not None and memory_of(A.indices) == "pinned":
            self._crossing = A.indices.dtype.itemsize
        self._levels = levels
        self._stream = stream
        self._behind = cp.cuda.runtime.getDevice(), stream.ptr, stream_key(stream.ptr)
        self._rows, self._schedule = trace, schedule

    @property
    @typed_refusals
    def counts(self) -> Counts:
        """The numbers; waits for the search.

        Raises
        ------
        IndexOutOfBound
            A source on the device was out of range.
        """
        if self._counts is None:
            wait_for(*self._behind)
            summary = SearchSummary.read(self._arrays["summary"], self.n)
            trace = None if self._rows is None else self._trace(summary.depth)
            self._counts = Counts(summary.depth, summary.reached, summary.seconds, trace)
        return self._counts

    @property
    @typed_refusals
    def edges(self) -> int:
        """Stored entries in the rows of the reached vertices."""
        if self._edges is None:
            if self.counts.reached == self.n:
                self._edges = self._nvals
            else:
                levels = self._arrays["levels"]
                known = self._arrays["parents"] if levels is None else levels
                self._edges = count_reached(known, self._indptr)[1]
        return self._edges

    @typed_refusals
    def level_sum(self) -> int:
        """Levels of the reached vertices, added up."""
        return sum_levels(self._arrays["levels"])[1]

    def vector(self, name: str) -> VectorData | None:
        """The output called `name` as storage; None where it was not asked for."""
        return None if name == "levels" and not self._levels else super().vector(name)

    @typed_refusals
    def storage(self, array: Array) -> VectorData:
        """One of the arrays as a vector, with flags of its own, and without waiting.

        Flags that vectors share would have to be told apart when one is written to.
        """
        if self._counts is None:
            return VectorData(self.n, array, present=self._flagged(array))
        reached = self._counts.reached
        if reached == self.n:
            return VectorData(self.n, array)
        return VectorData(self.n, array, present=array >= 0, counted=reached)

    def _flagged(self, array: Array) -> Array:
        """Whether each vertex was reached, behind the search: whatever the current stream is."""
        if cp.cuda.get_current_stream().ptr == self._stream.ptr:
            return array >= 0
        with self._stream:
            return array >= 0

    def _trace(self, depth: int) -> list[LevelTrace]:
        assert self._rows is not None
        rows = self._rows[: depth + 2].get(stream=self._stream)
        steps = level_traces(rows, self._arrays["levels"], self._indptr, depth)
        if self._crossing:
            # What pulls look at is not counted: of most rows the GPU has the entries that decide.
            steps = [
                replace(s, read=s.edges * self._crossing) if s.direction == "push" else s
                for s in steps
            ]
        return named(steps, self._schedule)


def level_traces(rows: Array, levels: Array, indptr: Array, depth: int) -> list[LevelTrace]:
    """One item a level expanded; what the kernel does not count comes from the levels."""
    known = levels >= 0
    degrees = (indptr[1:] - indptr[:-1])[known]
    frontiers = bincount(levels[known], depth + 1).tolist()
    edges = bincount(levels[known], depth + 1, degrees).tolist()
    steps, before = [], int(rows[0, 3])
    for level, row in enumerate(rows[1:].tolist()):
        kind, _, _, stamp = row
        if kind not in STEPS:
            break
        direction, strategy = STEPS[kind]
        seconds = (stamp - before) * 1e-9
        edges_of_level = int(edges[level])
        steps.append(LevelTrace(frontiers[level], edges_of_level, direction, seconds, strategy))
        before = stamp
    return steps
