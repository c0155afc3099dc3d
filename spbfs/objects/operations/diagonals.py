"""Diagonals: read from a matrix, and made into one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.base import tracing
from spbfs.objects.checks import as_offset, as_size
from spbfs.objects.classes import classes

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.operands.matrix_operand import MatrixOperand
    from spbfs.objects.operands.vector_operand import VectorOperand
    from spbfs.objects.vector import Vector

__all__ = ["diagonal_matrix", "diagonal_vector"]


def diagonal_vector(
    self: MatrixOperand, k: Any = 0, dtype: Any = None, *, name: str | None = None
) -> Vector:
    """A diagonal as a Vector.

    Parameters
    ----------
    k : int, optional
        Above the main diagonal, or below it when negative.
    dtype : dtype-like, optional
        The matrix's own by default.
    name : str, optional
        Shown by ``repr``.

    Returns
    -------
    Vector
        As long as that diagonal; as ``numpy.diag``.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1], [0, 1, 1], [5, 2, 3])
    >>> A.diag().to_dict(), A.diag(1).to_dict()
    ({0: 5, 1: 3}, {0: 2})
    """
    offset, of, start = as_offset(k, "k"), self._ready(), tracing.clock()
    data = self._engine.diag_vector(of, offset)
    if start:
        tracing.finished("diag", self._engine, start, data)
    made: Vector = classes.Vector._from_data(data, self.device, name)
    return made if dtype is None else made.dup(dtype, name=name)


def diagonal_matrix(
    self: VectorOperand, k: Any = 0, dtype: Any = None, *, name: str | None = None
) -> Matrix:
    """The square matrix with this vector on a diagonal.

    Parameters
    ----------
    k : int, optional
        Above the main diagonal, or below it when negative.
    dtype : dtype-like, optional
        The vector's own by default.
    name : str, optional
        Shown by ``repr``.

    Returns
    -------
    Matrix
        With ``self.size + abs(k)`` rows; as ``numpy.diag``.

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.Vector.from_dense([5, 6]).diag(1).to_dicts()
    {0: {1: 5}, 1: {2: 6}}
    """
    offset = as_offset(k, "k")
    as_size(self.size + abs(offset), "k")
    of, start = self._ready(), tracing.clock()
    data = self._engine.diag_matrix(of, offset)
    if start:
        tracing.finished("diag", self._engine, start, data)
    made: Matrix = classes.Matrix._from_data(data, self.device, name)
    return made if dtype is None else made.dup(dtype, name=name)
