"""Graph500's Kronecker graph as several GPUs draw it: entries that nobody keeps but who searches
them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import cupy as cp
import numpy as np

from spbfs.engines.cuda.graph.build import Builder
from spbfs.engines.cuda.graph.shares import (
    EntryReader,
    Numbers,
    distinct,
    most_in_chunk,
    row_lengths,
)
from spbfs.engines.cuda.peers.graph500 import draw

__all__ = ["DrawnEntries"]

Array = Any

#: Keys of rows drawn evenly, over those that are expected.
_MORE = 1.05


class DrawnEntries:
    """A symmetric graph of 2^scale vertices, labels permuted.

    Parameters
    ----------
    scale, edges : int
        Edges are drawn, some of them several times, and some are loops, which are left out.
    seed : int
    quadrants : sequence of float
        Probabilities of the first three quadrants.
    """

    def __init__(self, scale: int, edges: int, seed: int, quadrants: Sequence[float]) -> None:
        self.n = 1 << scale
        self.drawn = edges
        upto = [min(round(p * 2**32), 2**32 - 1) for p in accumulate(quadrants)]
        self.how = seed, edges, scale, *upto
        #: Entries of every row, in host memory, once somebody has prepared them.
        self.lengths: np.ndarray[Any, np.dtype[np.int32]] | None = None

    def prepare(self, each: Callable[[Callable[[int], Any]], list[Any]]) -> None:
        """Each GPU counts the entries of some of the rows."""
        if self.lengths is not None:
            return
        lengths = np.empty(self.n, np.int32)
        gpus = len(each(lambda place: place))

        def count(place: int) -> None:
            first, last = self.n * place // gpus, self.n * (place + 1) // gpus
            self._counted(first, last).get(out=lengths[first:last])
            cp.get_default_memory_pool().free_all_blocks()

        each(count)
        self.lengths = lengths

    def here(self, place: int) -> EntryReader:
        """The graph as the current GPU reads it."""
        assert self.lengths is not None
        return _DrawnReader(self, self.lengths)

    def checked(self, levels: Array, place: int, gpus: int) -> Array:
        """What the current GPU's part of the edges, as they were drawn, says of levels in bytes of
        all labels, which `level_bytes` gives: uint32, a bit a label that an edge leads to from one
        level up, and behind these two words, how many edges join what they must not."""
        words = -(-self.n // 32)
        found = cp.zeros(words + words % 2 + 2, np.uint32)
        first, last = self.drawn * place // gpus, self.drawn * (place + 1) // gpus
        draw("graph500_check", self.how, first, last, levels, found, found[-2:])
        return found

    def _counted(self, first: int, last: int) -> Array:
        """Entries of the rows [first, last)."""
        build = Builder(np.dtype(np.int64))
        lengths = cp.zeros(last - first, np.int32)
        expected = 2 * self.drawn * (last - first) / self.n * _MORE
        parts = min(max(1, last - first), int(expected / most_in_chunk()) + 1)
        keys = cp.empty(int(expected / parts) + 1, np.uint64)
        starts = cp.empty(-(-(last - first) // parts), np.int32)
        for part in range(parts):
            begin, end = (first + (last - first) * p // parts for p in (part, part + 1))
            found = cp.zeros(1, np.uint64)
            draw("graph500_keys", self.how, begin, end, keys, int(keys.shape[0]), found)
            count = int(found[0])
            if count > keys.shape[0]:
                del keys
                keys = cp.empty(count, np.uint64)
                found = cp.zeros(1, np.uint64)
                draw("graph500_keys", self.how, begin, end, keys, count, found)
            chunk = distinct(build, keys[:count])
            row_lengths(build, chunk, starts, lengths[begin - first :])
        return lengths


class _DrawnReader:
    """All edges are drawn for every chunk of rows."""

    def __init__(self, graph: DrawnEntries, lengths: Any) -> None:
        self._graph = graph
        indptr = cp.zeros(graph.n + 1, np.int64)
        counts = cp.empty(graph.n, np.int32)
        counts.set(lengths)
        cp.cumsum(counts, dtype=np.int64, out=indptr[1:])
        self.bounds: tuple[Array, Array | None] = indptr, None
        self.entries = int(indptr[graph.n])
        self.repeated = 2 * graph.drawn / max(1, self.entries) * _MORE

    def keys(self, first: int, last: int, numbers: Numbers, keys: Array, found: Array) -> None:
        """As `EntryReader` says."""
        of = numbers.rank, numbers.place_of, *numbers.share
        draw(
            "graph500_share_keys",
            self._graph.how,
            first,
            last,
            *of,
            keys,
            int(keys.shape[0]),
            found,
        )
