"""SciPy's sparse arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.io.libraries.operands import as_format, check_operand
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand

if TYPE_CHECKING:
    from spbfs.objects.operands.vector_operand import VectorOperand

__all__ = ["from_scipy_sparse", "to_scipy_sparse"]

_FORMATS = ("bsr", "csr", "csc", "coo", "lil", "dia", "dok")


def from_scipy_sparse(A: Any, *, dup_op: Any = None, name: str | None = None) -> Matrix:
    """A matrix from a SciPy sparse array, as `Matrix.from_scipy`.

    Parameters
    ----------
    A : scipy.sparse array or matrix
    dup_op : binary operator or name, optional
        Combines entries at equal positions, which are an error without one.
    name : str, optional
        Shown by ``repr``.

    Returns
    -------
    Matrix

    Examples
    --------
    >>> import scipy.sparse
    >>> import spbfs as sb
    >>> sb.io.from_scipy_sparse(scipy.sparse.eye_array(3)).nvals
    3
    """
    return Matrix.from_scipy(A, dup_op=dup_op, name=name)


def to_scipy_sparse(A: MatrixOperand | VectorOperand, format: str = "csr") -> Any:
    """A SciPy sparse array of the stored entries; a vector is one row, or in "csc" one column.

    Parameters
    ----------
    A : Matrix or Vector
    format : {"bsr", "csr", "csc", "coo", "lil", "dia", "dok"}, optional

    Returns
    -------
    scipy.sparse.sparray

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.io.to_scipy_sparse(sb.Vector.from_coo([1], [5], size=3)).toarray()
    array([[0, 5, 0]])
    """
    import scipy.sparse

    check_operand(A, "A", 1, 2)
    known = as_format(format, _FORMATS)
    if isinstance(A, MatrixOperand):
        return A.to_scipy(known)
    indices, values = A.to_coo()
    arrays = values, indices, np.array([0, indices.size])
    if known == "csc":
        return scipy.sparse.csc_array(arrays, shape=(A.shape[0], 1))
    return scipy.sparse.csr_array(arrays, shape=(1, A.shape[0])).asformat(known)
