"""The memory that searches of one graph share on the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import require_bytes
from spbfs.engines.cpu.graph.transpose import hubs
from spbfs.planner.search_cpu import hubs_pay_in_searches, list_capacity, visited_copies
from spbfs.storage.data import MatrixData

__all__ = ["Marks", "Workspace"]

Array = npt.NDArray[Any]


class Marks:
    """Bits of vertices, all zero, for searches that list what they find and clear what they set.

    Popped and appended without a lock, as a `Workspace`'s arrays are.
    """

    def __init__(self) -> None:
        self._idle: list[Array] = []

    @property
    def nbytes(self) -> int:
        return sum(bits.nbytes for bits in list(self._idle))

    @contextmanager
    def lent(self, n: int, threads: int = 1) -> Iterator[Array]:
        """Words for n vertices, so many times; not taken back from a search that failed."""
        words = -(-n // 64) * threads
        try:
            bits = self._idle.pop()
        except IndexError:
            bits = None
        if bits is None or bits.shape[0] < words:
            require_bytes(8 * words, "A: a search of it")
            bits = np.zeros(words, np.uint64)
        yield bits
        if not self._idle:
            self._idle.append(bits)


@dataclass
class Workspace:
    """Arrays that the searches of one graph share; refers to no matrix, so a matrix may keep it.

    Lists are popped and appended without a lock: both are atomic, and results come back from
    finalisers, which may run at any moment, also while a lock is held.
    """

    n: int
    dtype: np.dtype[Any]
    _no_in_edges: Array | None = None
    _longest_row: int | None = None
    _searches: int = 0
    _idle: list[tuple[Array, Array]] = field(default_factory=list)
    _outputs: list[Array] = field(default_factory=list)
    marks: Marks = field(default_factory=Marks)

    @property
    def nbytes(self) -> int:
        arrays = [array for pair in list(self._idle) for array in pair] + list(self._outputs)
        arrays += [] if self._no_in_edges is None else [self._no_in_edges]
        return sum(a.nbytes for a in arrays) + self.marks.nbytes

    def longest_row(self, data: MatrixData) -> int:
        """The largest number of entries in a row of `data`, whose workspace this is."""
        if self._longest_row is None:
            self._longest_row = _longest_row(data)
        return self._longest_row

    def hubs(self, in_edges: MatrixData, threads: int, *, planned: bool) -> Array | None:
        """Every vertex's in-neighbour of largest degree; None where they do not pay.

        Making them takes as long as a few searches.  A plan says that there will be many; without
        one the first searches go without.  Where degrees are much alike none is likelier than
        another to be reached early.
        """
        self._searches += 1
        known = in_edges.derived.hubs_sought
        if not (known or hubs_pay_in_searches(self._searches, planned)):
            return None
        if not known:
            # Making them takes memory for a moment, which outputs that lie idle would add to.
            self._outputs.clear()
        return hubs(in_edges, threads)

    def no_in_edges(self, in_edges: MatrixData | None) -> Array:
        """Bits of the vertices that no edge enters, and of everything past the last vertex."""
        if self._no_in_edges is not None:
            return self._no_in_edges
        bits = np.ones(-(-self.n // 64) * 64, np.bool_)
        if in_edges is None:
            bits[: self.n] = False
        else:
            np.equal(in_edges.indptr[1:], in_edges.indptr[:-1], out=bits[: self.n])
        packed = np.packbits(bits, bitorder="little").view(np.uint64)
        if in_edges is not None:
            self._no_in_edges = packed
        return packed

    @contextmanager
    def scratch(self, threads: int = 1) -> Iterator[tuple[Array, Array]]:
        """The two lists and the bitmaps of one search: three, and one more a further thread."""
        words = -(-self.n // 64)
        bitmaps = 2 + visited_copies(threads)
        try:
            pair = self._idle.pop()
        except IndexError:
            pair = None
        if pair is None or pair[1].shape[0] < bitmaps * words:
            entries = 2 * list_capacity(self.n)
            needed = (2 * self.n + entries) * self.dtype.itemsize + 8 * bitmaps * words
            require_bytes(needed, "A: a search of it")
            pair = np.empty(entries, self.dtype), np.empty(bitmaps * words, np.uint64)
        try:
            yield pair
        finally:
            if not self._idle:
                self._idle.append(pair)

    def output(self) -> Array:
        """An array of n, its contents arbitrary."""
        try:
            return self._outputs.pop()
        except IndexError:
            return np.empty(self.n, self.dtype)

    def take_back(self, array: Array) -> None:
        # Two are what the next search needs; more would only take memory.
        if len(self._outputs) < 2:
            self._outputs.append(array)


def _longest_row(data: MatrixData) -> int:
    return int(np.diff(data.indptr).max(initial=0))
