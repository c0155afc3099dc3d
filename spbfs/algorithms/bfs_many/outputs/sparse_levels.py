"""Levels as rows of (source, vertex, hops): what a source reaches, and nothing for the rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_many.outputs.level_arrays import level_dtype
from spbfs.algorithms.bfs_many.outputs.shipped import Shipped
from spbfs.base.memory import require_bytes
from spbfs.engines.bfs_many import FoundMany, ListedBatch

__all__ = ["SparseLevels", "rows_type"]

Array = Any
Ints = npt.NDArray[np.int64]


def rows_type(vertices: npt.DTypeLike) -> np.dtype[Any]:
    """The type of a row, of that of vertices."""
    return np.dtype([("source", vertices), ("vertex", vertices), ("hops", np.int32)])


class SparseLevels:
    """Rows batch by batch, put in the order of the sources at the end.

    Parameters
    ----------
    sources : int64 array
    n : int
        Vertices of the graph.
    dtype : dtype
        Of vertices.
    """

    def __init__(self, sources: Ints, n: int, dtype: np.dtype[Any]) -> None:
        self._sources, self._n = sources, n
        self._kind = rows_type(dtype)
        self._parts: list[tuple[Ints, Ints, Array, Array]] = []

    def take(self, rows: Ints, found: FoundMany) -> None:
        """What searches found, whose positions in the sources are `rows`."""
        if isinstance(found, ListedBatch | Shipped):
            assert found.vertices is not None and found.hops is not None
            lengths, vertices, hops = found.per_source()[0], found.vertices, found.hops
        else:
            lengths, vertices, hops = self._from_dense(rows.shape[0], found)
        self._parts.append((rows, lengths, vertices, hops))

    def _from_dense(self, searches: int, found: FoundMany) -> tuple[Ints, Array, Array]:
        kind = level_dtype(found.depth)
        require_bytes(searches * self._n * kind.itemsize, "sources: levels of a batch")
        levels = np.empty((searches, self._n), kind)
        found.levels(levels, np.arange(searches))
        search, vertex = np.nonzero(levels <= found.depth)
        hops = levels[search, vertex].astype(np.int32)
        order = np.lexsort((vertex, hops, search))
        lengths = np.bincount(search, minlength=searches)
        return lengths, vertex[order].astype(self._kind["vertex"]), hops[order]

    def made(self) -> Array:
        """All rows as a structured array."""
        lengths = np.zeros(self._sources.shape[0], np.int64)
        for rows, counts, _, _ in self._parts:
            lengths[rows] = counts
        ends = np.cumsum(lengths)
        total = int(lengths.sum())
        require_bytes(total * self._kind.itemsize, "sources: rows of levels")
        out = np.empty(total, self._kind)
        out["source"] = np.repeat(self._sources, lengths)
        for rows, counts, vertices, hops in self._parts:
            # Where every search's rows begin in the whole, and how far each row is into them.
            within = np.arange(vertices.shape[0]) - np.repeat(np.cumsum(counts) - counts, counts)
            at = np.repeat(ends[rows] - counts, counts) + within
            out["vertex"][at], out["hops"][at] = vertices, hops
        return out
