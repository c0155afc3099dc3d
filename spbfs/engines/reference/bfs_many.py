"""Many breadth-first searches as one textbook search after another: the judge of the fused ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from spbfs.base.memory import available_bytes
from spbfs.engines.bfs import Direction
from spbfs.engines.bfs_many import Ints, ManyRequest, summed
from spbfs.engines.reference.bfs import search
from spbfs.storage.data import MatrixData
from spbfs.storage.packed import words_of

__all__ = ["ReferenceManySearches"]

Array = Any


class ReferenceBatchResult:
    """Levels as searches left them, -1 where not reached; see `BatchResult`."""

    def __init__(self, A: MatrixData, levels: list[list[int]]) -> None:
        self._levels = levels
        self._n = A.nrows
        self.depth = max((max(row) for row in levels), default=0)
        degrees = np.diff(A.indptr).tolist()
        self.edges = sum(
            d for row in levels for d, level in zip(degrees, row, strict=True) if level >= 0
        )
        self.joint = sum(len(set(column) - {-1}) for column in zip(*levels, strict=True))

    def per_source(self) -> tuple[Ints, Ints, Ints]:
        return summed(self.level_sizes())

    def level_sizes(self) -> Ints:
        counts = [[row.count(d) for d in range(self.depth + 1)] for row in self._levels]
        return np.array(counts, np.int64)

    def levels(self, out: Array, rows: Ints) -> None:
        unreached = np.iinfo(out.dtype).max
        for row, found in zip(rows, self._levels, strict=True):
            out[row] = [unreached if level < 0 else level for level in found]

    def add_counts(self, counts: Array | None, level_sums: Array | None) -> None:
        for found in self._levels:
            for v, level in enumerate(found):
                if level >= 0 and counts is not None:
                    counts[v] += 1
                if level >= 0 and level_sums is not None:
                    level_sums[v] += level

    def level_bits(self, level: int) -> Array:
        bits = [[0] * words_of(len(self._levels)) for _ in range(self._n)]
        for j, found in enumerate(self._levels):
            for v in range(self._n):
                if found[v] == level:
                    bits[v][j // 64] |= 1 << j % 64
        return np.array(bits, np.uint64).reshape(self._n, -1)


class ReferenceManySearches:
    """Keeps nothing; parents are the least."""

    nbytes = 0

    def room(self, enough: int | None = None) -> int:
        return available_bytes()

    def needed(self, searches: int, request: ManyRequest) -> int:
        return 0

    def expect(self, A: MatrixData, searches: int) -> None:
        """Nothing takes long."""

    def begin(
        self, A: MatrixData, sources: Array, max_depth: int | None, direction: Direction
    ) -> None:
        """Nothing would run meanwhile."""

    def give_up(self, begun: None) -> None:
        """Nothing has begun."""

    def batch_size(self, sources: int) -> int:
        return min(sources, 64)

    def listed(
        self, A: MatrixData, sources: Ints, request: ManyRequest, most_edges: int, most_rows: int
    ) -> None:
        """There is no such way here."""

    @contextmanager
    def batch(
        self, A: MatrixData, sources: Ints, rows: Ints, request: ManyRequest
    ) -> Iterator[ReferenceBatchResult]:
        limit = A.nrows if request.max_depth is None else request.max_depth
        found = []
        for source, row in zip(sources.tolist(), rows, strict=True):
            levels, parents, _, _ = search(A, [source], limit, -1)
            found.append(levels.tolist())
            if request.parents is not None:
                request.parents[row] = parents
        yield ReferenceBatchResult(A, found)
