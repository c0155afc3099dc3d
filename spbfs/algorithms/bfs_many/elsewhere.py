"""Batches of searches that other workers make, each on its replica of the matrix."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_many.arguments import Arguments
from spbfs.algorithms.bfs_many.batches import batches
from spbfs.algorithms.bfs_many.collected import Batches, collected, search_here
from spbfs.algorithms.bfs_many.outputs.filled import Outputs
from spbfs.algorithms.bfs_many.outputs.level_arrays import level_pool_of
from spbfs.algorithms.bfs_many.outputs.shipped import Shipped, shipped
from spbfs.algorithms.bfs_many.prepare import check_outputs, joint_searches
from spbfs.algorithms.bfs_many.result import BFSManyResult
from spbfs.algorithms.workers import Workers, results
from spbfs.base.progress import Progress
from spbfs.planner.many import sent_searches

__all__ = ["search_elsewhere"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Searches:
    """What a worker makes of some sources; see `Work`."""

    outputs: tuple[str, ...]
    max_depth: int | None
    sparse: bool
    batch: int | None

    def __call__(self, matrix: Any, sources: Ints, threads: int | None) -> Shipped:
        call = Arguments(
            data=matrix._ready(),
            device=matrix.device,
            given=sources,
            outputs=dict.fromkeys(self.outputs),
            max_depth=self.max_depth,
            sparse=self.sparse,
            batch=self.batch,
            group="given",  # the caller has put them together
            threads=threads,
        )
        return shipped(search_here(call))


def search_elsewhere(
    call: Arguments, workers: Workers, progress: bool | Progress | None
) -> BFSManyResult:
    """The result of a call whose searches others make."""

    def begin(result: BFSManyResult) -> tuple[Outputs, Batches]:
        pool = level_pool_of(call.data)
        pool.clear()
        check_outputs(call, joint_searches(call).room())
        return Outputs(call, result, pool), _batches(call, workers, result)

    return collected(call, begin, progress)


def _batches(call: Arguments, workers: Workers, result: BFSManyResult) -> Batches:
    rows = (~result.done).nonzero()[0]
    if call.batch is None:
        size = sent_searches(rows.shape[0], workers.count, _bytes_a_source(call))
    else:
        size = call.batch
    parts: list[Ints] = []

    def sources() -> Iterator[Ints]:
        # Workers make ready meanwhile.
        for part in _from_both_ends(list(batches(call, rows, size))):
            parts.append(part)
            yield call.sources[part]

    work = _Searches(tuple(call.outputs), call.max_depth, call.sparse, call.batch)
    with closing(results(workers, work, sources(), call.threads)) as made:
        for number, (_, found) in enumerate(made):
            result.batch = max(result.batch, found.batch)
            yield parts[number], nullcontext(found)


def _from_both_ends(parts: list[Ints]) -> Iterator[Ints]:
    """The last part, the first, the last but one, and so on.

    Where sources are grouped, those of no hub or a rare one, which come last, take longest, and
    those in the middle least; what is handed out last had better be short, as others wait for it
    (docs/performance-notes-distributed.md, "Batches").
    """
    left = deque(parts)
    while left:
        yield left.pop()
        if left:
            yield left.popleft()


def _bytes_a_source(call: Arguments) -> int:
    """Of the rows of a source that are sent back."""
    levels = "levels" in call.outputs and not call.sparse
    parents = call.data.indices.dtype.itemsize * ("parents" in call.outputs)
    return call.data.nrows * (levels + parents)
