"""Searches that are not joined: one after the other, or several at a time on a thread each."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.engines.bfs import Searches, SearchRequest, SearchResult
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module, on_host

__all__ = ["FoundAlone", "run_alone", "run_concurrently"]

Array = Any
Ints = npt.NDArray[np.int64]


def run_alone(
    single: Searches,
    A: MatrixData,
    source: int,
    max_depth: int | None,
    threads: int | None,
    *,
    parents: bool = False,
) -> SearchResult:
    """One search of its own."""
    request = SearchRequest(
        source=source,
        levels=True,
        parents="any" if parents else None,
        max_depth=max_depth,
        target=None,
        direction="auto",
        relabel="auto",
        expansion=None,
        threads=threads,
        traced=False,
        planned=True,
    )
    return single.run(A, request)


def run_concurrently(
    search: Callable[[int], SearchResult], rows: Iterable[int], threads: int
) -> Generator[tuple[int, SearchResult], None, None]:
    """Every row with what its search found, in order.

    Parameters
    ----------
    search : callable
        Search for a row.
    rows : iterable of int
    threads : int
        How many search; with one it is the caller.
    """
    if threads == 1:
        for row in rows:
            yield row, search(row)
        return
    pool = ThreadPoolExecutor(threads)
    ahead = iter(rows)
    # One more than threads, so that none of them waits for the caller.
    under_way: deque[tuple[int, Future[SearchResult]]] = deque()
    try:
        for row in islice(ahead, threads + 1):
            under_way.append((row, pool.submit(search, row)))
        while under_way:
            done, future = under_way.popleft()
            found = future.result()
            del future  # else its reference would keep the arrays from serving another search
            for row in islice(ahead, 1):
                under_way.append((row, pool.submit(search, row)))
            yield done, found
            del found
    finally:
        # An interruption does not wait for the searches that have begun.
        pool.shutdown(wait=False, cancel_futures=True)


class FoundAlone:
    """What a search of its own found, as a batch of one; see `BatchResult`.

    A context as the batches of engines are.  Holds no array of the search, so that these can serve
    another one once it is left.
    """

    def __init__(self, found: SearchResult) -> None:
        self._found = found
        self.depth = found.counts.depth
        self.joint = found.counts.reached

    def __enter__(self) -> FoundAlone:
        return self

    def __exit__(self, *error: object) -> None:
        self._found.give_back()

    @property
    def edges(self) -> int:
        return self._found.edges

    def per_source(self) -> tuple[Ints, Ints, Ints]:
        level: Array = self._found.array("levels")
        # Where not reached the level is -1.
        unreached = level.shape[0] - self.joint
        sums = int(level.sum(dtype=np.int64)) + unreached
        return np.array([self.joint]), np.array([sums]), np.array([self.depth])

    def level_sizes(self) -> Ints:
        level: Array = self._found.array("levels")
        sizes: Ints = on_host(array_module(level).bincount(level[level >= 0]))
        return sizes[None, :].astype(np.int64)

    def levels(self, out: Array, rows: Ints) -> None:
        level: Array = self._found.array("levels")
        made = on_host(level) if isinstance(out, np.ndarray) else level
        # -1 becomes the maximum of an unsigned type.
        array_module(made).copyto(out[rows[0]], made, casting="unsafe")

    def add_counts(self, counts: Array | None, level_sums: Array | None) -> None:
        level: Array = self._found.array("levels")
        if counts is not None:
            counts += level >= 0
        if level_sums is not None:
            level_sums += level * (level >= 0)

    def level_bits(self, level: int) -> Array:
        at_level: Array = self._found.array("levels")
        return (at_level == level).astype(np.uint64)[:, None]
