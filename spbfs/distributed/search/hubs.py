"""In every row of a rank's part the column that a pull asks first."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.distributed.parts.storage import DistributedMatrix
from spbfs.engines.cpu.graph.transpose import likeliest
from spbfs.planner.many import skewed
from spbfs.planner.products import HUBS_AFTER_PULLS

__all__ = ["asked_first"]

#: Entries that are counted at once.
_COUNTED = 1 << 22


def asked_first(A: DistributedMatrix, threads: int) -> Any:
    """The column of every row that most of this rank's edges enter, -1 where there is none; an
    empty array as long as pulls are few, or where no column stands out."""
    A.pulls += 1
    part = A.part
    if A.likeliest is None and A.pulls == HUBS_AFTER_PULLS and part.nvals:
        longest = int(np.diff(part.indptr).max())
        if skewed(part.nrows, part.nvals, longest):
            entering = np.zeros(part.ncols, np.int64)
            for some in np.array_split(part.indices, -(-part.nvals // _COUNTED)):
                entering += np.bincount(some, minlength=part.ncols)
            A.likeliest = likeliest(part, entering, threads, alone=True)
    return np.empty(0, np.int32) if A.likeliest is None else A.likeliest
