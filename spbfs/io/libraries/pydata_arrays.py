"""Arrays of PyData's ``sparse``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.base.packages import package
from spbfs.exceptions import DimensionMismatch, DomainMismatch
from spbfs.io.libraries.operands import as_format, check_operand
from spbfs.objects.matrix import Matrix
from spbfs.objects.vector import Vector

if TYPE_CHECKING:
    from spbfs.objects.operands.matrix_operand import MatrixOperand
    from spbfs.objects.operands.vector_operand import VectorOperand

__all__ = ["from_pydata_sparse", "to_pydata_sparse"]


def from_pydata_sparse(s: Any, *, dup_op: Any = None, name: str | None = None) -> Vector | Matrix:
    """A vector or matrix from an array of ``sparse`` with one or two dimensions.

    Parameters
    ----------
    s : sparse.SparseArray
    dup_op : binary operator or name, optional
        Combines entries at equal positions, which are an error without one.
    name : str, optional
        Shown by ``repr``.

    Returns
    -------
    Vector or Matrix

    Raises
    ------
    DimensionMismatch, DomainMismatch, PackageMissing
    """
    sparse = package("sparse", "from_pydata_sparse")
    if not isinstance(s, sparse.SparseArray):
        raise DomainMismatch(f"s: expected an array of sparse, got {type(s).__name__}")
    if s.ndim not in (1, 2):
        raise DimensionMismatch(f"s: expected one or two dimensions, got {s.ndim}")
    listed = s.asformat("coo")
    options = {"dup_op": dup_op, "name": name}
    if s.ndim == 1:
        return Vector.from_coo(listed.coords[0], listed.data, size=s.shape[0], **options)
    rows, columns = listed.coords
    nrows, ncols = s.shape
    return Matrix.from_coo(rows, columns, listed.data, nrows=nrows, ncols=ncols, **options)


def to_pydata_sparse(A: MatrixOperand | VectorOperand, format: str = "coo") -> Any:
    """An array of ``sparse`` with the stored entries.

    Parameters
    ----------
    A : Matrix or Vector
    format : {"coo", "dok", "gcxs"}, optional

    Returns
    -------
    sparse.SparseArray

    Raises
    ------
    DomainMismatch, InvalidValue, PackageMissing
    """
    sparse = package("sparse", "to_pydata_sparse")
    check_operand(A, "A", 1, 2)
    known = as_format(format, ("coo", "dok", "gcxs"))
    *where, values = A.to_coo()
    return sparse.COO(where, values, shape=A.shape).asformat(known)
