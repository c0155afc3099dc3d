"""The sources cut into batches, those that share a hub together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_many.arguments import Arguments
from spbfs.algorithms.bfs_many.grouping import group_by_hub
from spbfs.algorithms.bfs_many.prepare import Prepared

__all__ = ["batches"]

Ints = npt.NDArray[np.int64]


def batches(call: Arguments, prepared: Prepared, done: npt.NDArray[np.bool_]) -> Iterator[Ints]:
    """Rows of the outputs whose sources are searched together, those that are done left out."""
    order = _order(call, prepared)
    order = order[~done[order]]
    for first in range(0, order.shape[0], prepared.batch):
        yield order[first : first + prepared.batch]


def _order(call: Arguments, prepared: Prepared) -> Ints:
    """The rows in the order in which they fill the batches."""
    k = call.sources.shape[0]
    if call.group == "given" or k <= prepared.batch or prepared.batch == 1:
        return np.arange(k)
    limits = None if call.group == "auto" else call.group
    return group_by_hub(call.data, call.sources, limits)
