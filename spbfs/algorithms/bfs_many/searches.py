"""Every batch searched: in lists where little is reached, and the rest joined or independently."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, closing

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_many.arguments import Arguments
from spbfs.algorithms.bfs_many.batches import batches
from spbfs.algorithms.bfs_many.independent import FoundAlone, run_alone
from spbfs.algorithms.bfs_many.listed import search_listed
from spbfs.algorithms.bfs_many.prepare import Prepared, joined
from spbfs.algorithms.bfs_many.result import BFSManyResult
from spbfs.base.ahead import in_order
from spbfs.base.threads import resolve_threads
from spbfs.engines.bfs import SearchResult
from spbfs.engines.bfs_many import FoundMany
from spbfs.planner import many as planner_many

__all__ = ["Searched", "search"]

Ints = npt.NDArray[np.int64]
Searched = tuple[Ints, AbstractContextManager[FoundMany]]

#: A vertex, for searches that run concurrently: outputs and workspace of one of them.
_SEARCH_BYTES = 32


def search(
    call: Arguments, prepared: Prepared, result: BFSManyResult
) -> Generator[Searched, None, None]:
    """Every batch of rows with what its searches found, which is there inside of the ``with``."""
    rows = (~result.done).nonzero()[0]
    rows = yield from search_listed(call, prepared, rows, joined=True)
    if not rows.shape[0]:
        return
    if joined(call, prepared):
        result.batch = prepared.batch
        for part in batches(call, rows, prepared.batch):
            yield part, prepared.joint.batch(call.data, call.sources[part], part, prepared.request)
        return
    if call.max_depth is not None:
        rows = yield from search_listed(call, prepared, rows, joined=False)
    yield from _search_independently(call, prepared, rows)


def _search_independently(
    call: Arguments, prepared: Prepared, todo: Ints
) -> Generator[Searched, None, None]:
    """Batches of one search: one after the other, or as many at a time as there are threads."""
    data, threads, concurrent, rows = call.data, call.threads, 1, todo.tolist()
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

    with closing(in_order(alone, rows, concurrent)) as finished:
        for row, found in finished:
            if parents is not None:
                parents[row] = found.array("parents")
            yield np.array([row]), FoundAlone(found)
            del found
