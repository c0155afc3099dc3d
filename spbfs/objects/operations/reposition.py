"""The same entries at other places: every index plus an offset, what falls out left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.base.flags import all_true
from spbfs.objects.checks import as_offset, as_size, check_shape
from spbfs.objects.indexing import Index
from spbfs.objects.operations.delayed import delayed
from spbfs.objects.operations.extraction import extract
from spbfs.storage.entries import matrix_entries, take, vector_entries

if TYPE_CHECKING:
    from spbfs.objects.operands.expression import MatrixExpression, VectorExpression
    from spbfs.objects.operands.matrix_operand import MatrixOperand
    from spbfs.objects.operands.operand import Operand
    from spbfs.objects.operands.vector_operand import VectorOperand

__all__ = ["reposition_matrix", "reposition_vector"]


def reposition_vector(self: VectorOperand, offset: Any, *, size: Any = None) -> VectorExpression:
    """The entries moved by an offset, delayed; those that leave the vector are dropped.

    ``w << v.reposition(offset)`` writes into the elements of `w` to which elements of the vector
    are moved, and leaves the others as they are.

    Parameters
    ----------
    offset : int
        Added to every index.
    size : int, optional
        Of the result; the vector's own by default.

    Returns
    -------
    VectorExpression

    Examples
    --------
    >>> import spbfs as sb
    >>> v = sb.Vector.from_dense([5, 6, 7])
    >>> v.reposition(1).new().to_dict(), v.reposition(-2, size=9).new().to_dict()
    ({1: 5, 2: 6}, {0: 7})
    """
    shift = as_offset(offset, "offset")
    length = self.size if size is None else as_size(size, "size")

    def run(engine: Any, data: Any) -> Any:
        indices, values = vector_entries(data)
        moved = indices + shift
        at = _within(moved, shift, length).nonzero()[0]
        return engine.build_vector(length, moved[at], take(values, at), None)

    made: VectorExpression = delayed("reposition", (self,), (length,), self.dtype, run)
    made._placed = _placed(self, (shift,), (length,))
    return made


def reposition_matrix(
    self: MatrixOperand,
    row_offset: Any,
    column_offset: Any,
    *,
    nrows: Any = None,
    ncols: Any = None,
) -> MatrixExpression:
    """The entries moved by offsets, delayed; those that leave the matrix are dropped.

    ``C << A.reposition(1, 1)`` writes into the rows and columns of `C` to which rows and columns
    of the matrix are moved, and leaves the others as they are.

    Parameters
    ----------
    row_offset, column_offset : int
        Added to every row and to every column.
    nrows, ncols : int, optional
        Of the result; the matrix's own by default.

    Returns
    -------
    MatrixExpression

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1], [1, 0], [5, 3])
    >>> A.reposition(1, -1, nrows=3).new().to_dicts()
    {1: {0: 5}}
    """
    down, right = as_offset(row_offset, "row_offset"), as_offset(column_offset, "column_offset")
    m = self.nrows if nrows is None else as_size(nrows, "nrows")
    n = self.ncols if ncols is None else as_size(ncols, "ncols")
    check_shape(m, n)

    def run(engine: Any, data: Any) -> Any:
        rows, columns, values = matrix_entries(data)
        rows, columns = rows + down, columns + right
        stay = _within(rows, down, m) & _within(columns, right, n)
        if not all_true(stay):
            at = stay.nonzero()[0]
            rows, columns, values = rows[at], columns[at], take(values, at)
        return engine.build_matrix(m, n, rows, columns, values, None)

    made: MatrixExpression = delayed("reposition", (self,), (m, n), self.dtype, run)
    made._placed = _placed(self, (down, right), (m, n))
    return made


def _placed(
    operand: Operand, offsets: tuple[int, ...], shape: tuple[int, ...]
) -> tuple[Operand, tuple[Index, ...]]:
    """The part of an operand that stays, and where in an object of this shape."""
    there, here = [], []
    for shift, size, length in zip(offsets, operand.shape, shape, strict=True):
        begin = min(max(0, -shift), size)
        count = max(0, min(size - begin, length - max(0, shift)))
        start = begin + shift if count else 0
        there.append(Index(range(begin, begin + count), count, size))
        here.append(Index(range(start, start + count), count, length))
    return extract(operand, tuple(there)), tuple(here)


def _within(moved: Any, offset: int, limit: int) -> Any:
    """Which indices to which an offset was added are still there."""
    return (moved >= 0) & (moved < limit) if offset < 0 else moved < limit
