"""A search that has run ahead of a loop: its levels, and how far the host knows them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

import cupy
import numpy as np

from spbfs.engines.cuda.lookahead.counts import LevelCounts
from spbfs.engines.cuda.lookahead.history import LoopHistory
from spbfs.engines.cuda.lookahead.vectors import LazyFrontier, LazyVisited
from spbfs.engines.cuda.runtime.streams import stream_key
from spbfs.engines.cuda.vectors.data import CudaVector
from spbfs.storage.data import MatrixData, VectorData

__all__ = ["Speculation"]

Array = Any


class Speculation:
    """The levels of a search, of which the loop's next frontiers are made.

    Parameters
    ----------
    engine : CudaEngine
    history : LoopHistory
    product : tuple
        Matrix, semiring, transpose and vector_first, as of `Engine.mxv`.
    edges : MatrixData
        The graph, a row a vertex: what the search reads.
    size : int
        Number of vertices.

    Attributes
    ----------
    levels : cupy.ndarray
        int32: below zero where the search did not come, 0 for the frontier it began with.
    parents : cupy.ndarray or None
        int32, of the vertices of levels from 1 on.
    values : cupy.ndarray or None
        Of every frontier, an iso array, where there are no parents.
    value : numpy scalar or None
        Its one value.
    counts : list of int
        Vertices of the levels that the host has read.
    remaining : cupy.ndarray or None
        The counts of all levels, where the host has read those of the first ones only.
    record : cupy.ndarray or None
        The kernel's record of the levels, where somebody traced.
    directions : list
        What the host has read of it.
    steps_before : int
        Steps of the loop before this search.
    """

    def __init__(
        self,
        engine: Any,
        history: LoopHistory,
        product: tuple[Any, ...],
        edges: MatrixData,
        size: int,
    ) -> None:
        self.engine, self.history, self.product = engine, history, product
        self.edges, self.size = edges, size
        self.stream = cupy.cuda.get_current_stream()
        self.stream_key = stream_key(self.stream.ptr)
        self.lock = RLock()
        self.steps_before = history.steps - 1
        self.levels: Array = None
        self.parents: Array | None = None
        self.values: Array | None = None
        self.value: Any = None
        self.dtype = np.dtype(np.int64)
        self.counts: list[int] = []
        self.remaining: Array | None = None
        self.record: Array | None = None
        self.directions: list[str | None] = []
        #: What is visited at level 0: a list, or a bitmap marked by this object as long as nobody
        #: has written into it.
        self._list: VectorData | None = None
        self._mark = object()

    def share(self, values: Array) -> None:
        """Give all frontiers these values, an iso array of one known value."""
        self.values, self.value = values, self.engine.known_value(values)
        self.dtype = values.dtype

    def begins_with(self, v: VectorData) -> None:
        """Recognise `v` as what is visited at level 0."""
        if isinstance(v, CudaVector):
            v.lookahead = self._mark
        else:
            self._list = v

    def forget_start(self) -> None:
        """What was visited at level 0 is given up for a vector with more levels."""
        self._list = None

    def visited_is(self, v: Any, depth: int) -> bool:
        """Whether `v` is just what has been visited up to a level."""
        if depth == 0:
            return v is self._list or (isinstance(v, CudaVector) and v.lookahead is self._mark)
        return type(v) is LazyVisited and v.depth == depth and v.exactly() is self

    def frontier(self, depth: int, count: int) -> LazyFrontier:
        """The `count` vertices of a level."""
        made = LazyFrontier()
        made.speculation = self
        made.depth = depth
        made.dtype = self.dtype
        made.counted = count
        made._arrays = None
        return made

    def count_beyond(self, depth: int) -> int | None:
        """Vertices of a level whose count is not among `counts`; None where nobody knows."""
        with self.lock:
            if self.remaining is not None and self.counts[-1]:
                self.counts = LevelCounts(self.remaining, self.stream).read(self.counts[0])
                self.remaining = None
        if depth < len(self.counts):
            return self.counts[depth]
        return None if self.counts[-1] else 0

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Where lazily materialised vectors write their arrays: one at a time, and on the stream
        of the loop; who reads them on another stream finds them complete."""
        with self.lock:
            if stream_key(cupy.cuda.get_current_stream().ptr) == self.stream_key:
                yield
                return
            with self.stream:
                yield
            self.stream.synchronize()
