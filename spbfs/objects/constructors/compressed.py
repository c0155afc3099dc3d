"""The class methods that make a `Matrix` of compressed rows or columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.engines import get_engine
from spbfs.objects.constructors.csr_to_storage import matrix_of_csr, matrix_of_lines
from spbfs.objects.placement.devices import device_for
from spbfs.operators.dtypes import lookup_dtype
from spbfs.storage.data import MatrixData
from spbfs.storage.delayed import DelayedRows

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix

__all__ = ["from_csc", "from_csr", "from_dcsc", "from_dcsr"]


def from_csr(
    cls: type[Matrix],
    indptr: Any,
    indices: Any,
    values: Any = 1.0,
    dtype: Any = None,
    *,
    nrows: Any = None,
    ncols: Any = None,
    sorted_cols: bool = False,
    dup_op: Any = None,
    name: str | None = None,
    device: str | None = None,
) -> Matrix:
    """From the three arrays of a CSR matrix, which are checked and copied.

    Arrays in GPU memory are taken over without a copy where they are sorted and of the types
    that the matrix stores: they must not change afterwards.

    Parameters
    ----------
    indptr : array-like of int, ``nrows + 1`` long
        Offsets of the rows, from 0, never decreasing.
    indices : array-like of int
        Columns, row after row, in any order unless `sorted_cols`.
    values : array-like or scalar, optional
    dtype : dtype-like, optional
    nrows, ncols : int, optional
        ``len(indptr) - 1``, and one more than the largest column, by default.
    sorted_cols : bool, optional
        The claim that columns strictly increase in every row; checked.
    dup_op : binary operator or name, optional
        As for `from_coo`.
    name, device : optional
        As for `Matrix`.

    Returns
    -------
    Matrix

    Raises
    ------
    InvalidOffsets
        When `indptr` decreases or overruns.
    InvalidValue
        When `sorted_cols` is not true.
    IndexOutOfBound, DimensionMismatch, DomainMismatch

    Examples
    --------
    >>> from spbfs import Matrix
    >>> Matrix.from_csr([0, 2, 3], [1, 0, 1], [5, 6, 7]).to_dicts()
    {0: {0: 6, 1: 5}, 1: {1: 7}}
    """
    where = device_for(device, indptr, indices, values)
    kind = None if dtype is None else lookup_dtype(dtype)
    data = matrix_of_csr(indptr, indices, values, kind, nrows, ncols, sorted_cols, dup_op, where)
    return cls._from_data(data, where, name)


def from_csc(
    cls: type[Matrix],
    indptr: Any,
    indices: Any,
    values: Any = 1.0,
    dtype: Any = None,
    *,
    nrows: Any = None,
    ncols: Any = None,
    dup_op: Any = None,
    name: str | None = None,
    device: str | None = None,
) -> Matrix:
    """From the three arrays of a CSC matrix, which are checked and copied.

    On the CPU rows are made of them when they are first needed.

    Parameters
    ----------
    indptr : array-like of int, ``ncols + 1`` long
        Offsets of the columns, from 0, never decreasing.
    indices : array-like of int
        Rows, column after column, in any order.
    values : array-like or scalar, optional
    dtype : dtype-like, optional
    nrows, ncols : int, optional
        One more than the largest row, and ``len(indptr) - 1``, by default.
    dup_op : binary operator or name, optional
        As for `from_coo`.
    name, device : optional
        As for `Matrix`.

    Returns
    -------
    Matrix

    Raises
    ------
    InvalidValue, InvalidObject, DimensionMismatch, DomainMismatch
        As `from_csr`.

    Examples
    --------
    >>> from spbfs import Matrix
    >>> Matrix.from_csc([0, 2, 3], [1, 0, 1], [5, 6, 7]).to_dicts()
    {0: {0: 6}, 1: {0: 5, 1: 7}}
    """
    where = device_for(device, indptr, indices, values)
    kind = None if dtype is None else lookup_dtype(dtype)
    data = matrix_of_csr(
        indptr, indices, values, kind, ncols, nrows, False, dup_op, where, ("column", "row")
    )
    transpose = get_engine(where).transpose
    delayed = where == "cpu" and type(data) is MatrixData
    return cls._from_data(DelayedRows(data, transpose) if delayed else transpose(data), where, name)


def from_dcsr(
    cls: type[Matrix],
    compressed_rows: Any,
    indptr: Any,
    indices: Any,
    values: Any = 1.0,
    dtype: Any = None,
    *,
    nrows: Any = None,
    ncols: Any = None,
    name: str | None = None,
    device: str | None = None,
) -> Matrix:
    """From the four arrays of doubly compressed rows: those without entries are left out.

    Parameters
    ----------
    compressed_rows : array-like of int
        The rows that have entries, each once.
    indptr : array-like of int, one longer than `compressed_rows`
        Where the entries of each of these rows begin, from 0, never decreasing.
    indices : array-like of int
        Columns, row after row, in any order.
    values : array-like or scalar, optional
    dtype : dtype-like, optional
    nrows, ncols : int, optional
        One more than the largest row and column, by default.
    name, device : optional
        As for `Matrix`.

    Returns
    -------
    Matrix

    Examples
    --------
    >>> from spbfs import Matrix
    >>> Matrix.from_dcsr([0, 7], [0, 2, 3], [0, 1, 1], [5, 6, 7]).to_dicts()
    {0: {0: 5, 1: 6}, 7: {1: 7}}
    """
    where = device_for(device, compressed_rows, indptr, indices, values)
    kind = None if dtype is None else lookup_dtype(dtype)
    data = matrix_of_lines(
        compressed_rows, indptr, indices, values, kind, (nrows, ncols), where, ("row", "column")
    )
    return cls._from_data(data, where, name)


def from_dcsc(
    cls: type[Matrix],
    compressed_columns: Any,
    indptr: Any,
    indices: Any,
    values: Any = 1.0,
    dtype: Any = None,
    *,
    nrows: Any = None,
    ncols: Any = None,
    name: str | None = None,
    device: str | None = None,
) -> Matrix:
    """From the four arrays of doubly compressed columns: those without entries are left out.

    Parameters
    ----------
    compressed_columns : array-like of int
        The columns that have entries, each once.
    indptr : array-like of int, one longer than `compressed_columns`
        Where the entries of each of these columns begin, from 0, never decreasing.
    indices : array-like of int
        Rows, column after column, in any order.
    values : array-like or scalar, optional
    dtype : dtype-like, optional
    nrows, ncols : int, optional
        One more than the largest row and column, by default.
    name, device : optional
        As for `Matrix`.

    Returns
    -------
    Matrix

    Examples
    --------
    >>> from spbfs import Matrix
    >>> Matrix.from_dcsc([0, 7], [0, 2, 3], [0, 1, 1], [5, 6, 7]).to_dicts()
    {0: {0: 5}, 1: {0: 6, 7: 7}}
    """
    where = device_for(device, compressed_columns, indptr, indices, values)
    kind = None if dtype is None else lookup_dtype(dtype)
    data = matrix_of_lines(
        compressed_columns, indptr, indices, values, kind, (ncols, nrows), where, ("column", "row")
    )
    return cls._from_data(data, where, name)
