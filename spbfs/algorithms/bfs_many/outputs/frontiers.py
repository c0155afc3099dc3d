"""The frontiers of joint searches as matrices, a column a search, made when looked at."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

import numpy as np

from spbfs.engines import get_engine
from spbfs.engines.bfs_many import BatchResult
from spbfs.objects.matrix import Matrix
from spbfs.storage.data import MatrixData, iso_array
from spbfs.storage.delayed import DelayedMatrix, DelayedPacked
from spbfs.storage.entries import array_module, matrix_entries
from spbfs.storage.packed import PackedMatrix, words_of

__all__ = ["Frontiers"]

Array = Any


class Frontiers:
    """What joint searches left: ``for depth, F in frontiers``.

    The batches are left when neither this nor a matrix that is still to be made refers to it.

    Parameters
    ----------
    device : str
    n : int
        Vertices.
    batches : sequence of (BatchResult, int)
        What every batch found, and how many searches it has.
    opened : ExitStack
        Leaves the batches.
    """

    def __init__(
        self, device: str, n: int, batches: Sequence[tuple[BatchResult, int]], opened: ExitStack
    ) -> None:
        self._device, self._n, self._batches = device, n, batches
        self._columns = sum(searches for _, searches in batches)
        weakref.finalize(self, opened.close).atexit = False

    def __iter__(self) -> Iterator[tuple[int, Matrix]]:
        for depth in range(1 + max((found.depth for found, _ in self._batches), default=-1)):
            yield depth, Matrix._from_data(self._delayed(depth), self._device)

    def _delayed(self, depth: int) -> MatrixData:
        if len(self._batches) == 1:
            shape = self._n, words_of(self._columns)
            return DelayedPacked(self._columns, shape, partial(self._bits, depth))
        return DelayedMatrix(self._n, self._columns, partial(self._side_by_side, depth))

    def _bits(self, depth: int) -> Array:
        return self._batches[0][0].level_bits(depth)

    def _side_by_side(self, depth: int) -> MatrixData:
        """The level sets of all batches next to each other: too many columns for packed bits."""
        rows, columns, first = [], [], 0
        for found, searches in self._batches:
            if depth <= found.depth:
                part = PackedMatrix(searches, found.level_bits(depth))
                row, column, _ = matrix_entries(part)
                rows.append(row)
                columns.append(column + first)
            first += searches
        xp = array_module(rows[0])
        row, column = xp.concatenate(rows), xp.concatenate(columns)
        values = iso_array(xp.ones(1, np.bool_), row.shape[0])
        engine = get_engine(self._device)
        return engine.build_matrix(self._n, self._columns, row, column, values, None)
