"""Matrices as compressed rows or columns, of all of them or of those that have entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.objects.placement.gpu_arrays import own_array
from spbfs.operators.dtypes import lookup_dtype
from spbfs.storage.entries import array_module

if TYPE_CHECKING:
    from spbfs.objects.operands.matrix_operand import MatrixOperand

__all__ = ["to_csc", "to_csr", "to_dcsc", "to_dcsr"]


def to_csr(
    self: MatrixOperand, dtype: Any = None, *, sort: bool = True, device: str = "cpu"
) -> tuple[Any, Any, Any]:
    """``indptr``, ``indices`` and values of the CSR form, as arrays of one's own.

    Parameters
    ----------
    dtype : dtype-like, optional
        Of the values; their own by default.
    sort : bool, optional
        Columns rise in every row whether asked or not.
    device : {"cpu", "cuda"}, optional
        Where the arrays are to be, whatever the matrix's device.

    Returns
    -------
    tuple of three numpy.ndarray or cupy.ndarray

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([2, 0], [0, 1], [5, 3])
    >>> [a.tolist() for a in A.to_csr()]
    [[0, 1, 1, 2], [1, 0], [3, 5]]
    """
    data, engine = self._ready(), self._engine
    target = self.dtype if dtype is None else lookup_dtype(dtype)
    types = (data.indptr.dtype, data.indices.dtype, target.np_type)
    indptr, indices, values = (
        own_array(engine, a, t, device)
        for a, t in zip((data.indptr, data.indices, data.values), types, strict=True)
    )
    return indptr, indices, values


def to_csc(
    self: MatrixOperand, dtype: Any = None, *, sort: bool = True, device: str = "cpu"
) -> tuple[Any, Any, Any]:
    """``indptr``, ``indices`` and values of the CSC form, as arrays of one's own.

    Parameters
    ----------
    dtype, sort, device : optional
        As of `to_csr`.

    Returns
    -------
    tuple of three numpy.ndarray or cupy.ndarray

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([2, 0], [0, 1], [5, 3])
    >>> [a.tolist() for a in A.to_csc()]
    [[0, 1, 2], [2, 0], [5, 3]]
    """
    return self.T.to_csr(dtype, sort=sort, device=device)


def to_dcsr(
    self: MatrixOperand, dtype: Any = None, *, sort: bool = True, device: str = "cpu"
) -> tuple[Any, Any, Any, Any]:
    """The rows that have entries, ``indptr``, ``indices`` and values, as arrays of one's own.

    Parameters
    ----------
    dtype, sort, device : optional
        As of `to_csr`.

    Returns
    -------
    tuple of four numpy.ndarray or cupy.ndarray

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([9, 2], [0, 1], [5, 3])
    >>> [a.tolist() for a in A.to_dcsr()]
    [[2, 9], [0, 1, 2], [1, 0], [3, 5]]
    """
    engine = self._engine
    kind = self.dtype if dtype is None else lookup_dtype(dtype)
    rows, columns, values = self._entries(engine)
    xp = array_module(rows)
    first = xp.ones(rows.shape[0] + 1, bool)
    first[1:-1] = rows[1:] != rows[:-1]
    indptr = first.nonzero()[0]
    if not rows.shape[0]:
        indptr = xp.zeros(1, np.int64)
    made = [own_array(engine, a, np.int64, device) for a in (rows[indptr[:-1]], indptr, columns)]
    return made[0], made[1], made[2], own_array(engine, values, kind.np_type, device)


def to_dcsc(
    self: MatrixOperand, dtype: Any = None, *, sort: bool = True, device: str = "cpu"
) -> tuple[Any, Any, Any, Any]:
    """The columns that have entries, ``indptr``, ``indices`` and values, as one's own.

    Parameters
    ----------
    dtype, sort, device : optional
        As of `to_csr`.

    Returns
    -------
    tuple of four numpy.ndarray or cupy.ndarray

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([9, 2], [0, 1], [5, 3])
    >>> [a.tolist() for a in A.to_dcsc()]
    [[0, 1], [0, 1, 2], [9, 2], [5, 3]]
    """
    return self.T.to_dcsr(dtype, sort=sort, device=device)
