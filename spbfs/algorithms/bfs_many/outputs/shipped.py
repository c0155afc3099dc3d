"""What searches found elsewhere, as it comes back: arrays in host memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_many.outputs.level_arrays import widened
from spbfs.algorithms.bfs_many.result import BFSManyResult
from spbfs.storage.entries import array_module, on_host

__all__ = ["Shipped", "shipped"]

Array = Any
Ints = npt.NDArray[np.int64]


@dataclass(slots=True)
class Shipped:
    """The outputs of some searches; see `FoundMany`."""

    depth: int
    joint: int
    edges: int
    batch: int
    #: Vertices reached, sums of levels, eccentricities.
    numbers: tuple[Ints, Ints, Ints]
    sizes: Ints | None
    inverses: npt.NDArray[np.float64] | None
    #: A row a search.
    level: Array
    #: What every search reached, by level and then by vertex, one search's after the other's.
    vertices: Array
    hops: Array
    parents: Array
    counts: Ints | None
    level_sums: Ints | None

    def per_source(self) -> tuple[Ints, Ints, Ints]:
        return self.numbers

    def level_sizes(self) -> Ints:
        assert self.sizes is not None
        return self.sizes

    def sum_inverses(self) -> npt.NDArray[np.float64]:
        assert self.inverses is not None
        return self.inverses

    def levels(self, out: Array, rows: Ints) -> None:
        level = self.level
        if level.dtype != out.dtype:
            level = widened(level, np.empty(level.shape, out.dtype))
        out[rows] = array_module(out).asarray(level)

    def write_parents(self, out: Array, rows: Ints) -> None:
        """Write the parents that were asked for, as `levels` does."""
        out[rows] = array_module(out).asarray(self.parents)

    def add_counts(self, counts: Array | None, level_sums: Array | None) -> None:
        for total, part in ((counts, self.counts), (level_sums, self.level_sums)):
            if total is not None:
                total += array_module(total).asarray(part)


def shipped(result: BFSManyResult) -> Shipped:
    """What a result has, without what is another process's to know."""
    rows = result.levels is not None and result.levels.dtype.names is not None

    def host(array: Array) -> Array:
        return None if array is None else on_host(array)

    return Shipped(
        depth=result.depth,
        joint=result.joint,
        edges=result.edges,
        batch=result.batch,
        numbers=(result.reached, result.sum_levels, result.eccentricity),
        sizes=result.level_sizes,
        inverses=result.sum_inverses,
        level=None if rows else host(result.levels),
        vertices=result.levels["vertex"] if rows else None,
        hops=result.levels["hops"] if rows else None,
        parents=host(result.parents),
        counts=host(result.counts),
        level_sums=host(result.level_sums),
    )
