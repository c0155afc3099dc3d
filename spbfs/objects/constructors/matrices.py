"""The class methods that make a `Matrix` from coordinates and arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.wording import brief
from spbfs.engines import get_engine
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidCall, NotIndices
from spbfs.objects.checks import (
    as_array,
    as_flag,
    as_number,
    as_size,
    as_tuples,
    as_value_array,
    listed,
)
from spbfs.objects.constructors.data_frames import edges_of_frame
from spbfs.objects.constructors.entries_to_storage import dense_matrix, matrix_of_entries, present
from spbfs.objects.constructors.graph_entries import graph_entries
from spbfs.objects.display.makers import maker_of
from spbfs.objects.masked_arrays import masked_in
from spbfs.objects.number_lists import as_listed
from spbfs.objects.placement.devices import device_for
from spbfs.objects.scalars.arithmetic import number_dtype
from spbfs.operators.dtypes import lookup_dtype
from spbfs.storage.derived import remember_symmetry
from spbfs.storage.packed import packed_from_bits

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix

__all__ = ["from_coo", "from_dense", "from_edgelist", "from_packed_bits", "from_scalar"]


def from_coo(
    cls: type[Matrix],
    rows: Any,
    columns: Any,
    values: Any = None,
    dtype: Any = None,
    *,
    nrows: Any = None,
    ncols: Any = None,
    square: bool = False,
    directed: bool | None = None,
    dup_op: Any = None,
    name: str | None = None,
    device: str | None = None,
) -> Matrix:
    """From rows, columns and values, in any order.

    Parameters
    ----------
    rows, columns : array-like of int
        An integer alone is the one row or column.
    values : array-like or scalar, optional
        One an entry, or one for all (then stored once): 1.0 by default, and of a graph, as
        `square` or `directed` makes it, True.
    dtype : dtype-like, optional
        That of `values` by default.
    nrows, ncols : int, optional
        One more than the largest index by default.
    square : bool, optional
        Whether it is a graph: as many columns as rows.
    directed : bool, optional
        Whether the graph's edges lead one way, as they are given, or both ways; implies `square`.
    dup_op : binary operator or name, optional
        Combines values at equal positions; without one they are an error unless `values` is
        a scalar.
    name, device : optional
        As for `Matrix`.

    Returns
    -------
    Matrix

    Raises
    ------
    IndexOutOfBound, DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory

    Examples
    --------
    >>> from spbfs import Matrix
    >>> Matrix.from_coo([0, 1, 0], [1, 0, 1], [1, 2, 5], dup_op="plus").to_dicts()
    {0: {1: 6}, 1: {0: 2}}
    >>> Matrix.from_coo([0, 0], [1, 2], directed=False).to_dicts()
    {0: {1: True, 2: True}, 1: {0: True}, 2: {0: True}}
    """
    where = device_for(device, rows, columns, values)
    kind = None if dtype is None else lookup_dtype(dtype)
    shape = (nrows, ncols)
    graph = as_flag(square, "square") or directed is not None
    if values is None:
        values = True if graph else 1.0
    if graph:
        directed = directed is None or as_flag(directed, "directed")
        rows, columns, values, shape = graph_entries(
            rows, columns, values, kind, shape, directed=directed, gpu=where == "cuda"
        )
    data = matrix_of_entries(get_engine(where), rows, columns, values, kind, shape, dup_op)
    if directed is False:
        remember_symmetry(data)  # every edge was mirrored
    return cls._from_data(data, where, name)


def from_edgelist(
    cls: type[Matrix], /, edges: Any, values: Any = None, dtype: Any = None, **options: Any
) -> Matrix:
    """From pairs of row and column, perhaps with values.

    Parameters
    ----------
    edges : array-like, ``m x 2``, iterable of (row, column[, value]), or data frame
        An array of floats, as from a file of text, may have values in a third column.
        Of a data frame the columns ``source``, ``target`` and ``weight``, or all of two or three.
    values : array-like or scalar, optional
        Where the tuples hold none, as for `from_coo`.
    dtype : dtype-like, optional
    **options
        ``nrows``, ``ncols``, ``square``, ``directed``, ``dup_op``, ``name`` and ``device``, as for
        `from_coo`.

    Returns
    -------
    Matrix

    Examples
    --------
    >>> from spbfs import Matrix
    >>> Matrix.from_edgelist([(0, 1, 5), (1, 0, 3)]).to_dicts()
    {0: {1: 5}, 1: {0: 3}}
    >>> Matrix.from_edgelist([(0, 1), (1, 2)], square=True).shape
    (3, 3)
    """
    rows: Any = []
    columns: Any = []
    weights: list[Any] = []
    if isinstance(edges, np.ndarray) and edges.size:
        # Of whole numbers a third column could be anything.
        if edges.ndim != 2 or edges.shape[1] not in ((2, 3) if edges.dtype.kind == "f" else (2,)):
            raise DimensionMismatch(
                f"edges: expected an array of rows and columns, m x 2, got shape {edges.shape} of "
                f"{edges.dtype}; give values apart, or in a third column of floats"
            )
        rows, columns, *weights = edges.T
    elif hasattr(edges, "columns"):
        rows, columns, held = edges_of_frame(edges, values is not None)
        values = held if values is None else values
    elif tuples := as_tuples(edges, "edges", (2, 3)):
        rows, columns, *weights = zip(*tuples, strict=True)
        if isinstance(rows[0], str) or isinstance(columns[0], str):
            raise NotIndices(
                "edges: expected vertices by number, got names; a data frame of them goes by "
                "Matrix.from_pandas_edgelist, which keeps the names"
            )
    if weights and values is not None:
        raise InvalidCall("edges, values: both hold values; expected one of them to")
    values = weights[0] if weights else values
    return cls.from_coo(rows, columns, values, dtype, **options)


def from_packed_bits(
    cls: type[Matrix], bits: Any, ncols: int, *, name: str | None = None, device: str | None = None
) -> Matrix:
    """A BOOL matrix from packed bits, each set bit an entry that is True.

    Parameters
    ----------
    bits : array-like of uint64, nrows x words
        Entry (i, j) is bit ``j % 64`` of word ``j // 64`` of row i.
    ncols : int
        At most 1024; bits past the last column are ignored.
    name, device : optional
        As for `Matrix`.

    Returns
    -------
    Matrix

    Raises
    ------
    DimensionMismatch, DomainMismatch, InvalidValue

    Examples
    --------
    >>> import numpy as np
    >>> import spbfs as sb
    >>> sb.Matrix.from_packed_bits(np.array([[5], [2]], np.uint64), 3).to_dicts()
    {0: {0: True, 2: True}, 1: {1: True}}
    """
    where = device_for(device, bits)
    data = packed_from_bits(as_array(bits, "bits"), as_size(ncols, "ncols"))
    return cls._from_data(data, "cpu", name).to(where)


def from_dense(
    cls: type[Matrix],
    values: Any,
    missing_value: Any = None,
    *,
    dtype: Any = None,
    name: str | None = None,
    device: str | None = None,
) -> Matrix:
    """From a dense two-dimensional array.

    Parameters
    ----------
    values : array-like of numbers
        One in GPU memory makes a matrix there.
    missing_value : number or Scalar, optional
        Elements equal to it are not stored, of NaN those that are NaN.  Nor are those that a masked
        array masks.
    dtype : dtype-like, optional
        That of `values` by default.
    name, device : optional
        As for `Matrix`.

    Returns
    -------
    Matrix

    Examples
    --------
    >>> from spbfs import Matrix
    >>> Matrix.from_dense([[0, 5], [7, 0]], missing_value=0).to_dicts()
    {0: {1: 5}, 1: {0: 7}}
    """
    device = device_for(device, values)
    gpu = device == "cuda"
    masked = None if type(values) is np.ndarray else masked_in(values)
    if masked is not None:
        values = values.data
    elif type(values) is not np.ndarray:
        values = listed(values)
    array = as_array(values, "values", gpu=gpu)
    if array.ndim == 0:
        of_it = maker_of(values) or "; see from_scalar"
        raise DomainMismatch(f"values: expected an array, got {brief(values)}{of_it}")
    if array.ndim != 2:
        raise DimensionMismatch(f"values: expected two dimensions, got shape {array.shape}")
    kind = None if dtype is None else lookup_dtype(dtype)
    if array is not values:
        array = as_listed(values, array, kind)
    stored = as_value_array(array.ravel(), array.size, kind, gpu=gpu)
    engine, keep = get_engine(device), None
    if missing_value is not None:
        keep = present(stored, missing_value).reshape(array.shape)
    if masked is not None:
        keep = ~masked if keep is None else keep & ~masked
    if engine.spread is None:
        return cls._from_data(dense_matrix(engine, stored, array.shape, keep), device, name)
    if keep is None:
        keep = np.ones(array.shape, bool)
    rows, columns = keep.nonzero()
    return cls.from_coo(
        rows,
        columns,
        stored[keep.ravel()],
        nrows=array.shape[0],
        ncols=array.shape[1],
        name=name,
        device=device,
    )


def from_scalar(
    cls: type[Matrix],
    /,
    value: Any,
    nrows: Any,
    ncols: Any,
    dtype: Any = None,
    *,
    name: str | None = None,
    device: str | None = None,
) -> Matrix:
    """Every element stored and equal.

    Parameters
    ----------
    value : number or Scalar
    nrows, ncols : int
    dtype : dtype-like, optional
        That of `value` by default.
    name, device : optional
        As for `Matrix`.

    Returns
    -------
    Matrix

    Examples
    --------
    >>> from spbfs import Matrix
    >>> Matrix.from_scalar(7, 2, 3).to_dense()
    array([[7, 7, 7],
           [7, 7, 7]])
    """
    kind = number_dtype(value, "value") if dtype is None else dtype
    out = cls(kind, nrows, ncols, name=name, device=device)
    out << as_number(value, "value")
    return out
