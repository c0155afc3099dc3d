"""Searches that are not joined: one after the other, or several side by side."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice

from spbfs.engines.bfs import Found

__all__ = ["side_by_side"]


def side_by_side(
    search: Callable[[int], Found], rows: Sequence[int], abreast: int
) -> Generator[tuple[int, Found], None, None]:
    """Every row with what its search found, in order.

    Parameters
    ----------
    search : callable
        Search for a row.
    rows : sequence of int
    abreast : int
        How many threads search; with one it is the caller.
    """
    if abreast == 1:
        for row in rows:
            yield row, search(row)
        return
    pool = ThreadPoolExecutor(abreast)
    ahead = iter(rows)
    # One more than threads, so that none of them waits for the caller.
    under_way: deque[tuple[int, Future[Found]]] = deque()
    try:
        for row in islice(ahead, abreast + 1):
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
