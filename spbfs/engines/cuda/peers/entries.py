"""Where the entries of a graph come from that several GPUs search together: each reads all of them
and keeps its share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import cupy as cp
import numpy as np

from spbfs.engines.cuda.graph.build import Builder
from spbfs.engines.cuda.graph.shares import EntryReader, Numbers
from spbfs.engines.cuda.runtime.pinned import host_view
from spbfs.storage.arrays import memory_of
from spbfs.storage.data import MatrixData

__all__ = ["EntrySource", "StoredEntries"]

Array = Any

#: Entries that are brought to a GPU at a time.
PIECE = 1 << 26


class EntrySource(Protocol):
    """A graph of `n` vertices, wherever it is."""

    n: int

    def prepare(self, each: Callable[[Callable[[int], Any]], list[Any]]) -> None:
        """What comes before anybody reads; `each` calls a function with the places of all GPUs, in
        a thread each, where that GPU is current."""

    def here(self, place: int) -> EntryReader:
        """The graph as the current GPU, of that place, reads it."""


class StoredEntries:
    """Those of a matrix, in any memory, whatever made it being done.

    Parameters
    ----------
    A, transpose : MatrixData
        The graph and one with the pattern of its transpose, the same where that is symmetric.
    """

    def __init__(self, A: MatrixData, transpose: MatrixData) -> None:
        self.n = A.nrows
        self._out, self._into = A, transpose

    def prepare(self, each: Callable[[Callable[[int], Any]], list[Any]]) -> None:
        """Nothing."""

    def here(self, place: int) -> EntryReader:
        """The graph as the current GPU reads it."""
        return _StoredReader(self._out, self._into)


def _brought(array: Array) -> Array:
    """An array in the current GPU's own memory, wherever it lies."""
    if memory_of(array) != "host":
        return cp.asarray(array)
    # Without the copy in pinned memory that CuPy makes of what it sends by itself.
    made = cp.empty(array.shape, array.dtype)
    made.set(np.ascontiguousarray(array))
    return made


class _StoredReader:
    """Pieces of the rows wanted are brought one behind the other."""

    repeated = 1.0

    def __init__(self, A: MatrixData, transpose: MatrixData) -> None:
        into = None if transpose is A else _brought(transpose.indptr)
        self.bounds = _brought(A.indptr), into
        self.entries = A.nvals
        pinned = memory_of(transpose.indices) == "pinned"
        self._indices = host_view(transpose.indices) if pinned else transpose.indices

    def keys(self, first: int, last: int, numbers: Numbers, keys: Array, found: Array) -> None:
        """As `EntryReader` says."""
        out, into = self.bounds
        indptr = out if into is None else into
        build = Builder(indptr.dtype)
        begin, end = int(indptr[first]), int(indptr[last])
        for at in range(begin, end, PIECE):
            stop = min(end, at + PIECE)
            columns = _brought(self._indices[at:stop])
            build.launch(
                "share_keys",
                -(-(stop - at) // 32),
                *(indptr, first, last, at, stop, columns),
                *(numbers.rank, numbers.place_of, *numbers.share),
                *(keys, int(keys.shape[0]), found),
            )
