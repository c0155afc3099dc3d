"""What a checkpoint keeps of the result of many searches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from spbfs.algorithms.bfs_many.result import BFSManyResult
from spbfs.storage.entries import array_module, on_host

__all__ = ["kept_of", "take_kept"]

Array = Any

#: Numbers a source; sums over the sources that are done, a number a vertex.
_BY_SOURCE = ("reached", "sum_levels", "eccentricity", "level_sizes", "sum_inverses")
_SUMS = ("counts", "level_sums")


def kept_of(result: BFSManyResult) -> dict[str, Array]:
    """The arrays that were asked for, in host memory, and of which sources they are."""
    made = {name: getattr(result, name) for name in _BY_SOURCE + _SUMS}
    return {
        "done": result.done,
        "totals": np.array([result.depth, result.edges, result.joint], np.int64),
        **{name: on_host(array) for name, array in made.items() if array is not None},
    }


def take_kept(result: BFSManyResult, kept: Mapping[str, Array]) -> None:
    """Go on with what an earlier call kept, where the result's own arrays are."""
    for name, array in kept.items():
        if name == "totals":
            result.depth, result.edges, result.joint = (int(total) for total in array)
        else:
            setattr(result, name, array_module(getattr(result, name)).asarray(array))
