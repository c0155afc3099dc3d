"""Lazily materialised vectors: a level of a search, and what a search's levels were written into.

They know their entries without having arrays; who reads `present` or `values` has them written,
once.  Nobody else may write into these arrays: both refuse new ones, and `plain` gives a vector
that may be written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import ref

import cupy
import numpy as np

from spbfs.engines.cuda.lookahead import kernels
from spbfs.engines.cuda.vectors.data import CudaVector
from spbfs.storage.data import VectorData, is_iso

__all__ = ["LazyFrontier", "LazyVector", "LazyVisited"]

Array = Any


def _no_search() -> None:
    """What the search is of a vector that has other entries than it visited."""


class LazyVector(CudaVector):
    """A bitmap whose arrays are written when they are read.

    Nothing of what a product leaves in a `CudaVector` (counts on the GPU, a queue) belongs to one,
    so these fields are the class's: a loop makes a vector a level.
    """

    __slots__ = ()

    __init__ = object.__init__  # who makes one sets the fields: a call less

    form = "bitmap"
    indices = held = room = box = degrees = None
    queue = totals = work = 0
    ticket = edges = at_most = -1

    @property
    def arrays(self) -> tuple[Array, ...]:
        """Those that an operation could write into; before they are written nobody else has one."""
        return () if self.is_lazy else super().arrays

    @property
    def is_lazy(self) -> bool:
        """Whether the arrays are still to be written."""
        raise NotImplementedError

    def materialise(self) -> None:
        """Write the arrays, if that has not been done."""
        raise NotImplementedError

    def plain(self) -> CudaVector:
        """A vector with these arrays to write into; this one is given up for it."""
        return CudaVector(self.size, self.values, present=self.present, counted=self.counted)


class LazyFrontier(LazyVector):
    """The vertices of one level of a search.

    Attributes
    ----------
    speculation : Speculation
        The search.
    depth : int
        The level.
    """

    __slots__ = ("_arrays", "depth", "dtype", "speculation")

    lookahead = None
    speculation: Any
    depth: int
    dtype: np.dtype[Any]
    #: Flags and values, None until they are read.
    _arrays: tuple[Array, Array] | None

    @property
    def is_lazy(self) -> bool:
        return self._arrays is None

    @property
    def size(self) -> int:  # type: ignore[override]
        """Number of elements."""
        return int(self.speculation.size)

    @property
    def present(self) -> Array:  # type: ignore[override]
        """A flag an element."""
        if self._arrays is None:
            self.materialise()
        assert self._arrays is not None
        return self._arrays[0]

    @property
    def values(self) -> Array:
        """The values: parents, or one that all frontiers of the search have."""
        uniform = self.speculation.values
        if uniform is not None:
            return uniform
        if self._arrays is None:
            self.materialise()
        assert self._arrays is not None
        return self._arrays[1]

    def materialise(self) -> None:
        """Write flags, and parents as values."""
        ahead = self.speculation
        with ahead.writing():
            if self._arrays is not None:
                return
            present = cupy.empty(ahead.size, np.bool_)
            parents = None if ahead.parents is None else cupy.empty(ahead.size, np.int64)
            kernels.frontier_after(ahead.levels, ahead.parents, self.depth, present, parents)
            self._arrays = present, parents


class LazyVisited(LazyVector):
    """A vector into which the levels of a search were written, one after the other.

    Attributes
    ----------
    pending : Speculation or None
        The search of which levels are not in the arrays yet; None once all are.
    exactly : callable
        The search, as long as it is there, if the entries are just what was visited when it began
        and the levels since, else None. It is kept weakly: who needs it has one of its frontiers.
    depth : int
        The last level written.
    first : int
        The first level that is not in the arrays.
    table : list or None
        The value of each level from `first` on; None where every vertex gets its parent.
    """

    __slots__ = (
        "_present",
        "_values",
        "depth",
        "dtype",
        "exactly",
        "first",
        "listed",
        "pending",
        "table",
    )

    dtype: np.dtype[Any]
    exactly: Callable[[], Any]

    def __init__(
        self, w: VectorData, search: Any, depth: int, value: Any, exact: bool, counted: int
    ) -> None:
        """`w`, which is given up, with a level of a search written into it.

        Parameters
        ----------
        w : VectorData
            A list or a bitmap.
        search : Speculation
        depth : int
            The level.
        value : scalar or None
            What its vertices get; None for their parents.
        exact : bool
            Whether there are just the levels of the search, and what it began with.
        counted : int
            The attribute.
        """
        self.size, self.dtype = w.size, w.dtype
        #: The list that the vector was; it has no arrays of its own then.
        self.listed = w if w.indices is not None else None
        self._present: Array = None if w.indices is not None else w.present
        self._values: Array = None if w.indices is not None else w.values
        self.pending, self.exactly = search, ref(search) if exact else _no_search
        self.first = self.depth = depth
        self.table: Any = None if value is None else [value]
        self.counted = counted
        self.lookahead = None

    @property
    def is_lazy(self) -> bool:
        return self.pending is not None

    @property
    def present(self) -> Array:  # type: ignore[override]
        """A flag an element."""
        if self.pending is not None:
            self.materialise()
        return self._present

    @property
    def values(self) -> Array:
        """The values."""
        if self.pending is not None:
            self.materialise()
        return self._values

    def materialise(self) -> None:
        """Write the levels that are not in the arrays."""
        ahead = self.pending
        if ahead is None:
            return
        with ahead.writing():
            if self.pending is None:  # another thread has just written them
                return
            self._write(ahead)
            self.first, self.listed = self.depth + 1, None
            self.table = None if self.table is None else []
            self.pending = None

    def _write(self, ahead: Any) -> None:
        engine, fresh = ahead.engine, self.listed is not None
        before: Array = self._values if self.listed is None else self.listed.values
        parents, table, alike = ahead.parents, None, False
        if self.table is not None:
            host = np.array(self.table, self.dtype)
            # Where the level's value is that of all entries, bit by bit, the values stay one.
            known = engine.known_value(before) if is_iso(before) and before.shape[0] else None
            alike = known is not None and host.tobytes() == known.tobytes() * host.shape[0]
            parents, table = None, engine.asarray(host)
        present = cupy.empty(self.size, np.bool_) if fresh else self._present
        if alike:
            values = engine.resized(before, self.size) if fresh else before
        elif fresh:
            values = cupy.empty(self.size, self.dtype)
        elif is_iso(before):
            engine.require_bytes(before.shape[0] * before.itemsize, f"{before.shape[0]} values")
            values = cupy.array(before)
        else:
            values = before
        written = None if alike else values
        span = self.first, self.depth
        kernels.visited_after(
            ahead.levels, parents, table, span, fresh, present, written, self.dtype.itemsize
        )
        if self.listed is not None:
            kernels.spread(self.listed, present, written)
        self._present, self._values = present, values
