"""The sources cut into batches: as given, those that share a hub together, or by iBFS's rules."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_many.arguments import Arguments
from spbfs.algorithms.bfs_many.grouping import group_by_hub, group_by_rules
from spbfs.planner import many as planner_many
from spbfs.storage.data import MatrixData

__all__ = ["batches"]

Ints = npt.NDArray[np.int64]


def batches(call: Arguments, rows: Ints, batch: int) -> Iterator[Ints]:
    """These rows of the outputs, in parts whose sources are searched together."""
    order = rows[_order(call, call.sources[rows], batch)]
    for first in range(0, order.shape[0], batch):
        yield order[first : first + batch]


def _order(call: Arguments, sources: Ints, batch: int) -> Ints:
    """The order in which sources fill the batches."""
    k = sources.shape[0]
    if "per_level" in call.outputs:  # columns of a matrix, in the order of the sources
        return np.arange(k)
    if call.group == "given" or k <= batch or batch == 1:
        return np.arange(k)
    if call.group != "auto":
        return group_by_rules(call.data, sources, call.group, batch)
    return group_by_hub(call.data, sources) if _hubs_pay(call.data) else np.arange(k)


def _hubs_pay(A: MatrixData) -> bool:
    longest = int((A.indptr[1:] - A.indptr[:-1]).max()) if A.nrows else 0
    return planner_many.grouping_pays(A.nrows, A.nvals, longest)
