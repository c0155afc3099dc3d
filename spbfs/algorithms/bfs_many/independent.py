"""Searches that are not joined: each of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.engines.bfs import Searches, SearchRequest, SearchResult
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module, bincount, on_host

__all__ = ["FoundAlone", "run_alone"]

Array = Any
Ints = npt.NDArray[np.int64]


def run_alone(
    single: Searches,
    A: MatrixData,
    source: int,
    max_depth: int | None,
    threads: int | None,
    *,
    parents: bool = False,
) -> SearchResult:
    """One search of its own."""
    request = SearchRequest(
        source=source,
        levels=True,
        parents="any" if parents else None,
        max_depth=max_depth,
        target=None,
        direction="auto",
        relabel="auto",
        expansion=None,
        threads=threads,
        traced=False,
        planned=True,
    )
    return single.run(A, request)


class FoundAlone:
    """What a search of its own found, as a batch of one; see `BatchResult`.

    A context as the batches of engines are.  Holds no array of the search, so that these can serve
    another one once it is left.
    """

    def __init__(self, found: SearchResult) -> None:
        self._found = found
        self.depth = found.counts.depth
        self.joint = found.counts.reached

    def __enter__(self) -> FoundAlone:
        return self

    def __exit__(self, *error: object) -> None:
        self._found.give_back()

    @property
    def edges(self) -> int:
        return self._found.edges

    def per_source(self) -> tuple[Ints, Ints, Ints]:
        sums = self._found.level_sum()
        return np.array([self.joint]), np.array([sums]), np.array([self.depth])

    def level_sizes(self) -> Ints:
        level: Array = self._found.array("levels")
        sizes: Ints = on_host(bincount(level[level >= 0], self.depth + 1))
        return sizes[None, :]

    def levels(self, out: Array, rows: Ints) -> None:
        level: Array = self._found.array("levels")
        made = on_host(level) if isinstance(out, np.ndarray) else level
        # -1 becomes the maximum of an unsigned type.
        array_module(made).copyto(out[rows[0]], made, casting="unsafe")

    def add_counts(self, counts: Array | None, level_sums: Array | None) -> None:
        level: Array = self._found.array("levels")
        if counts is not None:
            counts += level >= 0
        if level_sums is not None:
            level_sums += level * (level >= 0)

    def level_bits(self, level: int) -> Array:
        at_level: Array = self._found.array("levels")
        return (at_level == level).astype(np.uint64)[:, None]
