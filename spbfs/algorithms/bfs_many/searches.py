"""Every batch searched, by whichever of the engine's two ways the call was prepared for."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, closing

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_many.arguments import Arguments
from spbfs.algorithms.bfs_many.independent import FoundAlone, run_alone, run_concurrently
from spbfs.algorithms.bfs_many.prepare import Prepared
from spbfs.base.threads import resolve_threads
from spbfs.engines.bfs import SearchResult
from spbfs.engines.bfs_many import BatchResult
from spbfs.planner import many as planner_many

__all__ = ["search"]

Ints = npt.NDArray[np.int64]
Searched = tuple[Ints, AbstractContextManager[BatchResult]]

#: A vertex, for searches that run concurrently: outputs and workspace of one of them.
_SEARCH_BYTES = 32


def search(
    call: Arguments, prepared: Prepared, batches: Iterator[Ints]
) -> Generator[Searched, None, None]:
    """Every batch of rows with what its searches found, which is there inside of the ``with``."""
    if not prepared.joined:
        yield from _search_independently(call, prepared, batches)
        return
    for rows in batches:
        sources = call.sources[rows]
        yield rows, prepared.joint.batch(call.data, sources, rows, prepared.request)


def _search_independently(
    call: Arguments, prepared: Prepared, batches: Iterator[Ints]
) -> Generator[Searched, None, None]:
    """Batches of one search: one after the other, or as many at a time as there are threads."""
    data, threads, concurrent = call.data, call.threads, 1
    rows = [int(row) for batch in batches for row in batch]
    if prepared.single.concurrent:
        fit = prepared.joint.room() // (_SEARCH_BYTES * max(1, data.nrows))
        wanted = planner_many.concurrent_searches(resolve_threads(threads), data.nrows, len(rows))
        concurrent = max(1, min(wanted, fit))
    parents = prepared.request.parents

    def alone(row: int) -> SearchResult:
        return run_alone(
            prepared.single,
            data,
            int(call.sources[row]),
            call.max_depth,
            threads if concurrent == 1 else 1,
            parents=parents is not None,
        )

    with closing(run_concurrently(alone, rows, concurrent)) as finished:
        for row, found in finished:
            if parents is not None:
                parents[row] = found.array("parents")
            yield np.array([row]), FoundAlone(found)
            del found
