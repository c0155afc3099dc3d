"""A CSR cut into parts of at most so many entries, for who cannot hold them in one buffer.

Zhang et al.: An adaptive breadth-first search algorithm on integrated architectures (2018), 4.3 and
Fig. 3: every part has an id, a number of entries and the offset of its first entry, and by these a
traversal selects the parts that it needs.  Offsets of rows stay whole; a part holds nothing else
than its entries, so that rows longer than a part are cut as well, and an entry's part is its number
over the size of a part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.storage.entries import on_host

__all__ = ["EdgePart", "EdgePartitions"]

Array = Any  # numpy.ndarray or cupy.ndarray
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class EdgePart:
    """Some consecutive entries of a CSR.

    Attributes
    ----------
    id, offset, count : int
        Of the part, of its first entry among all, and its entries.
    first_row, end_row : int
        The rows of its first entry and behind its last: they, and no others, have entries here.
    indptr : array
        Bounds of these rows in the whole matrix, a view: a row may begin before the part and end
        behind it.
    indices : array
        The entries, a view of the matrix's.
    """

    id: int
    offset: int
    count: int
    first_row: int
    end_row: int
    indptr: Array
    indices: Array

    def filled(self) -> tuple[Ints, Ints]:
        """Rows that have entries in the part, and where those of each begin in it; behind them all
        `count`.

        Examples
        --------
        >>> import numpy as np
        >>> parts = EdgePartitions(np.array([0, 1, 1, 5]), np.array([2, 0, 1, 2, 3]), 2)
        >>> [[array.tolist() for array in part.filled()] for part in parts]
        [[[0, 2], [0, 1, 2]], [[2], [0, 2]], [[2], [0, 1]]]
        """
        bounds = np.clip(on_host(self.indptr).astype(np.int64) - self.offset, 0, self.count)
        rows = np.flatnonzero(np.diff(bounds))
        return rows + self.first_row, np.append(bounds[rows], self.count)


class EdgePartitions:
    """The parts of one CSR: a table of three numbers each, and views of its arrays.

    Parameters
    ----------
    indptr, indices : array
        Bounds of rows, and columns; NumPy's or CuPy's.
    part_edges : int
        Most entries of a part, 1 or more; all but the last have as many.

    Attributes
    ----------
    ids, counts, offsets : int64 array
        As in Fig. 3, in host memory.
    first_rows, end_rows : int64 array
        As of an `EdgePart`.

    Examples
    --------
    >>> import numpy as np
    >>> parts = EdgePartitions(np.array([0, 1, 1, 5]), np.array([2, 0, 1, 2, 3]), 2)
    >>> parts.ids.tolist(), parts.counts.tolist(), parts.offsets.tolist()
    ([0, 1, 2], [2, 2, 1], [0, 2, 4])
    >>> [part.indices.tolist() for part in parts]
    [[2, 0], [1, 2], [3]]
    """

    def __init__(self, indptr: Array, indices: Array, part_edges: int) -> None:
        entries = int(indices.shape[0])
        self.part_edges = part_edges
        self._indptr, self._indices = indptr, indices
        self.offsets: Ints = np.arange(0, entries, part_edges, dtype=np.int64)
        ends = np.minimum(self.offsets + part_edges, entries)
        self.ids: Ints = np.arange(self.offsets.shape[0])
        self.counts: Ints = ends - self.offsets
        bounds = on_host(indptr)
        # Rows without entries belong to no part: of equal bounds the last row, and the first end.
        self.first_rows: Ints = np.searchsorted(bounds, self.offsets, side="right") - 1
        self.end_rows: Ints = np.searchsorted(bounds, ends, side="left")

    def __len__(self) -> int:
        return self.ids.shape[0]

    def __getitem__(self, part: int) -> EdgePart:
        offset, count = int(self.offsets[part]), int(self.counts[part])
        first_row, end_row = int(self.first_rows[part]), int(self.end_rows[part])
        return EdgePart(
            int(self.ids[part]),
            offset,
            count,
            first_row,
            end_row,
            self._indptr[first_row : end_row + 1],
            self._indices[offset : offset + count],
        )

    def __iter__(self) -> Iterator[EdgePart]:
        return (self[part] for part in range(len(self)))
