"""Which rows, columns and indices of a large object are printed: its corners, or those it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.storage.hypersparse import HypersparseMatrix
from spbfs.storage.packed import PackedMatrix

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.vector import Vector

__all__ = ["SHOWN", "Part", "corners", "line_of_vector", "part_of_matrix"]

#: Objects up to this many rows and columns print whole; of larger ones this many do.
SHOWN = 12
_HALF = SHOWN // 2


class Part(NamedTuple):
    """What is printed of a matrix: rows, columns, and the values there by their places in these.

    The flags say whether some are left out between the first half and the second.
    """

    rows: list[int]
    columns: list[int]
    rows_cut: bool
    columns_cut: bool
    values: dict[tuple[int, int], Any]

    def turned(self) -> Part:
        """The same of the transpose."""
        values = {(j, i): x for (i, j), x in self.values.items()}
        return Part(self.columns, self.rows, self.columns_cut, self.rows_cut, values)


def corners(size: int) -> list[int]:
    """All positions, or the first and last few.

    Examples
    --------
    >>> corners(3), len(corners(100)), corners(100)[-1]
    ([0, 1, 2], 12, 99)
    """
    if size <= SHOWN:
        return list(range(size))
    return [*range(_HALF), *range(size - _HALF, size)]


def line_of_vector(v: Vector) -> tuple[list[int], bool, dict[int, Any]]:
    """Indices that are printed, whether some are left out between, and the values by places."""
    at, cut = corners(v.size), v.size > SHOWN
    values = v[at].new().to_dict() if at else {}
    if cut and len(values) < v.nvals and (not values or v.nvals <= SHOWN):
        indices, _ = v._entries(v._engine)
        at, cut = _ends(indices, v._engine)
        values = v[at].new().to_dict()
    return at, cut, values


def part_of_matrix(A: Matrix) -> Part:
    """The corners, or rows and columns that hold entries: where those hold none, and where there
    are few entries or the matrix is hypersparse."""
    rows, columns = corners(A.nrows), corners(A.ncols)
    cut = A.nrows > SHOWN, A.ncols > SHOWN
    data, nvals, values = A._ready(), A.nvals, {}
    is_listed = isinstance(data, HypersparseMatrix)
    if nvals and not is_listed:
        values = _values(A, rows, columns)
    few = is_listed or not values or nvals <= SHOWN
    if few and len(values) < nvals and not isinstance(data, PackedMatrix):
        engine = A._engine
        if A.nrows > SHOWN:
            held = data.rows if is_listed else (data.indptr[1:] > data.indptr[:-1]).nonzero()[0]
            rows, rows_cut = _ends(held, engine)
            cut = rows_cut, cut[1]
        if A.ncols > SHOWN:
            found = set_of(np, A[rows, :].new().to_coo(rows=False, values=False)[1])
            columns, columns_cut = _ends(found, engine)
            cut = cut[0], columns_cut
        values = _values(A, rows, columns)
    return Part(rows, columns, *cut, values)


def _ends(positions: Any, engine: Any) -> tuple[list[int], bool]:
    """Some positions on the host: all, or the first and last few; whether it is these."""
    count = positions.shape[0]
    if count <= SHOWN:
        return engine.to_numpy(positions).tolist(), False
    first, last = (engine.to_numpy(p).tolist() for p in (positions[:_HALF], positions[-_HALF:]))
    return first + last, True


def _values(A: Matrix, rows: list[int], columns: list[int]) -> dict[tuple[int, int], Any]:
    i, j, x = A[rows, columns].new().to_coo()
    return dict(zip(zip(i.tolist(), j.tolist(), strict=True), x.tolist(), strict=True))
