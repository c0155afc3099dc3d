"""Sums over sources of a number a vertex, made batch by batch wherever batches are searched."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.workers.protocol import Work, Workers, results
from spbfs.base.progress import Report
from spbfs.storage.data import MatrixData

__all__ = ["Summing", "sum_over_sources"]

Array = Any  # numpy.ndarray or cupy.ndarray
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Summing:
    """How a sum is made, and who is told of it."""

    #: What is summed: the name on the bar and in the checkpoint.
    what: str
    #: Sources of a batch.
    batch: int
    threads: int | None = None
    progress: Any = None
    #: The file in which what was summed is kept.
    checkpoint: Any = None


def sum_over_sources(
    workers: Workers,
    work: Work[Ints, tuple[Array, int]],
    data: MatrixData,
    sources: Ints,
    how: Summing,
) -> Array:
    """The sum for every vertex, added in the order of the sources whoever made its terms, where
    these are.

    Parameters
    ----------
    workers : Workers
    work : callable
        Makes of some sources their sum for every vertex, which may be added to, and the edges that
        were followed.
    data : MatrixData
    sources : int64 array
    how : Summing
    """
    # Of compiled code, as files are.
    from spbfs.algorithms.checkpoint import Sums

    with (
        Report(how.progress, sources.shape[0], how.what) as report,
        Sums(how.what, sources, data, how.checkpoint) as kept,
    ):
        first = range(kept.done, sources.shape[0], how.batch)
        parts = (sources[at : at + how.batch] for at in first)
        with closing(results(workers, work, parts, how.threads)) as made:
            for part, (sums, edges) in made:
                kept.add(sums, part.shape[0], edges)
                report(kept.done, kept.edges)
    return kept.total
