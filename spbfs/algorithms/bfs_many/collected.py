"""The searches of a call run to their end and collected, whoever makes them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing

import numpy as np

from spbfs.algorithms.bfs_many.arguments import Arguments
from spbfs.algorithms.bfs_many.outputs.filled import Outputs
from spbfs.algorithms.bfs_many.prepare import Prepared, begin, joint_searches, prepare
from spbfs.algorithms.bfs_many.result import BFSManyResult, nothing_found
from spbfs.algorithms.bfs_many.searches import Searched, search
from spbfs.base.progress import Progress, Report

__all__ = ["Batches", "collected", "search_here"]

Batches = Generator[Searched, None, None]


def search_here(call: Arguments, progress: bool | Progress | None = None) -> BFSManyResult:
    """The result of a call whose searches this process makes, one batch after the other."""
    begun, request = begin(call), None

    def outputs_and_batches(result: BFSManyResult) -> tuple[Outputs, Batches]:
        nonlocal request
        prepared = prepare(call, result, begun)
        request = prepared.request
        return prepared.outputs, _batches(call, prepared, result)

    try:
        return collected(call, outputs_and_batches, progress)
    finally:
        left = begun if request is None else request.begun
        if left is not None:
            joint_searches(call).give_up(left)


def _batches(call: Arguments, prepared: Prepared, result: BFSManyResult) -> Batches:
    # Those of a file are there only once outputs are opened.
    prepared.request.parents = result.parents
    yield from search(call, prepared, result)


def collected(
    call: Arguments,
    begin: Callable[[BFSManyResult], tuple[Outputs, Batches]],
    progress: bool | Progress | None,
) -> BFSManyResult:
    """The result of a call.

    Parameters
    ----------
    call : Arguments
    begin : callable
        Makes the outputs of a result, and the batches that are to be collected there: these are
        searched for when they are asked for, once outputs say what an earlier call has found.
    progress : bool or callable, optional
    """
    result = nothing_found(call.sources)
    with Report(progress, call.sources.shape[0]) as report:
        try:
            outputs, batches = begin(result)
            with outputs:
                with closing(batches):
                    for rows, found in batches:
                        outputs.collect(rows, found)
                        report(int(np.count_nonzero(result.done)), result.edges)
                outputs.complete()
        except KeyboardInterrupt as stopped:
            stopped.partial = result  # type: ignore[attr-defined]
            raise
    return result
