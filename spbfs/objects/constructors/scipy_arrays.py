"""SciPy's sparse arrays as rows, once they are what SciPy's own loops take them for."""

from __future__ import annotations

from copy import copy
from typing import Any

from spbfs.base.flags import all_true
from spbfs.exceptions import InvalidObject

__all__ = ["as_rows", "is_sparse"]


def is_sparse(value: Any) -> bool:
    """Whether it is an array or matrix as SciPy's sparse ones are, and not their class."""
    return hasattr(value, "tocsr") and not isinstance(value, type)


def as_rows(matrix: Any, name: str) -> Any:
    """``matrix.tocsr()``, which follows indices wherever they lead.

    Of compressed rows nothing is checked; it gives them as they are, but without the room that is
    spare behind the last entry.  Zeros that fill blocks are no entries, as `scipy.sparse.csgraph`
    has it from SciPy 1.18 on.
    """
    form = getattr(matrix, "format", None)
    if form in ("csc", "bsr") and hasattr(matrix, "indptr"):
        sound = _are_lines(matrix)
    elif form == "coo" and hasattr(matrix, "row"):
        ends = matrix.row, matrix.col
        sound = len(ends[0]) == len(ends[1]) == len(matrix.data) and all(
            _are_below(at, side) for at, side in zip(ends, matrix.shape, strict=True)
        )
    else:
        sound = True
    if not sound:
        raise InvalidObject(
            f"{name}: the arrays of the {form} contradict its shape {matrix.shape} or one another"
        )
    if form != "bsr":
        return _without_spare(matrix.tocsr())
    rows = matrix.tocsr(copy=True)
    rows.eliminate_zeros()
    return rows


def _without_spare(rows: Any) -> Any:
    """Rows whose arrays end with the last entry: SciPy takes others, and makes some, too."""
    if not len(rows.indptr):
        return rows
    count, most = int(rows.indptr[-1]), min(len(rows.indices), len(rows.data))
    if not 0 <= count <= most or count == len(rows.indices) == len(rows.data):
        return rows
    # Not by the constructor, which checks, and makes other arrays of some.
    kept = copy(rows)
    kept.indices, kept.data = rows.indices[:count], rows.data[:count]
    return kept


def _are_lines(matrix: Any) -> bool:
    """Whether there are compressed columns, or rows of blocks, in the arrays."""
    lines, width = matrix.shape
    if matrix.format == "csc":
        lines, width = width, lines
    else:
        height, length = matrix.blocksize
        lines, width = lines // height, width // length
    indptr, count = matrix.indptr, min(len(matrix.indices), len(matrix.data))
    if indptr.shape != (lines + 1,) or int(indptr[0]) or int(indptr[-1]) > count:
        return False
    return all_true(indptr[1:] >= indptr[:-1]) and _are_below(matrix.indices[: indptr[-1]], width)


def _are_below(indices: Any, limit: int) -> bool:
    return not len(indices) or (int(indices.min()) >= 0 and int(indices.max()) < limit)
