"""The class methods that make a `Vector`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.wording import brief
from spbfs.engines import get_engine
from spbfs.exceptions import DimensionMismatch, DomainMismatch
from spbfs.objects.checks import as_array, as_number, as_tuples, as_value_array, listed
from spbfs.objects.constructors.entries_to_storage import dense_vector, present, vector_of_entries
from spbfs.objects.masked_arrays import masked_in
from spbfs.objects.number_lists import as_listed
from spbfs.objects.placement.devices import device_for
from spbfs.objects.scalars.arithmetic import number_dtype
from spbfs.operators.dtypes import lookup_dtype

if TYPE_CHECKING:
    from spbfs.objects.vector import Vector

__all__ = ["from_coo", "from_dense", "from_dict", "from_pairs", "from_scalar"]


def from_coo(
    cls: type[Vector],
    indices: Any,
    values: Any = 1.0,
    dtype: Any = None,
    *,
    size: Any = None,
    dup_op: Any = None,
    name: str | None = None,
    device: str | None = None,
) -> Vector:
    """From indices and values, in any order.

    Parameters
    ----------
    indices : array-like of int
        An integer alone is the one index.
    values : array-like or scalar, optional
        One an index, or one for all.
    dtype : dtype-like, optional
        That of `values` by default.
    size : int, optional
        One more than the largest index by default.
    dup_op : binary operator or name, optional
        Combines values of equal index; without one they are an error unless `values` is a
        scalar.
    name, device : optional
        As for `Vector`.

    Returns
    -------
    Vector

    Raises
    ------
    IndexOutOfBound, DimensionMismatch, DomainMismatch, InvalidValue

    Examples
    --------
    >>> from spbfs import Vector
    >>> Vector.from_coo([3, 0, 3], [1, 2, 5], size=6, dup_op="plus").to_dict()
    {0: 2, 3: 6}
    """
    where = device_for(device, indices, values)
    kind = None if dtype is None else lookup_dtype(dtype)
    data = vector_of_entries(get_engine(where), indices, values, kind, size, dup_op)
    return cls._from_data(data, where, name)


def from_pairs(cls: type[Vector], /, pairs: Any, dtype: Any = None, **options: Any) -> Vector:
    """From (index, value) pairs.

    Parameters
    ----------
    pairs : iterable of tuple
    dtype : dtype-like, optional
    **options
        ``size``, ``dup_op``, ``name`` and ``device``, as for `from_coo`.

    Returns
    -------
    Vector

    Examples
    --------
    >>> from spbfs import Vector
    >>> Vector.from_pairs([(0, 2), (3, 6)]).size
    4
    """
    if isinstance(pairs, np.ndarray):
        raise DomainMismatch("pairs: an array has one type for all; use Vector.from_coo")
    rows = as_tuples(pairs, "pairs", (2,))
    indices, values = zip(*rows, strict=True) if rows else ((), ())
    return cls.from_coo(indices, values, dtype, **options)


def from_dict(cls: type[Vector], /, entries: Any, dtype: Any = None, **options: Any) -> Vector:
    """From ``{index: value}``.

    Parameters
    ----------
    entries : mapping
    dtype : dtype-like, optional
    **options
        ``size``, ``dup_op``, ``name`` and ``device``, as for `from_coo`.

    Returns
    -------
    Vector

    Examples
    --------
    >>> from spbfs import Vector
    >>> Vector.from_dict({0: 2, 3: 6}, size=10).nvals
    2
    """
    if not isinstance(entries, Mapping):
        raise DomainMismatch(f"entries: expected {{index: value}}, got {entries!r:.80}")
    if not entries:
        options = {"size": 0} | options
    return cls.from_coo(list(entries), list(entries.values()), dtype, **options)


def from_scalar(
    cls: type[Vector], /, value: Any, size: Any, dtype: Any = None, **options: Any
) -> Vector:
    """Every element stored and equal.

    Parameters
    ----------
    value : number or Scalar
    size : int
    dtype : dtype-like, optional
        That of `value` by default.
    **options
        ``name`` and ``device``, as for `Vector`.

    Returns
    -------
    Vector

    Examples
    --------
    >>> from spbfs import Vector
    >>> Vector.from_scalar(7, 3).to_dense()
    array([7, 7, 7])
    """
    kind = number_dtype(value, "value") if dtype is None else dtype
    out = cls(kind, size, **options)
    out << as_number(value, "value")
    return out


def from_dense(
    cls: type[Vector],
    values: Any,
    missing_value: Any = None,
    *,
    dtype: Any = None,
    name: str | None = None,
    device: str | None = None,
) -> Vector:
    """From a dense one-dimensional array.

    Parameters
    ----------
    values : array-like of numbers
        One in GPU memory makes a vector there.
    missing_value : number or Scalar, optional
        Elements equal to it are not stored, of NaN those that are NaN.  Nor are those that a masked
        array masks.
    dtype : dtype-like, optional
        That of `values` by default.
    name, device : optional
        As for `Vector`.

    Returns
    -------
    Vector

    Examples
    --------
    >>> from spbfs import Vector
    >>> Vector.from_dense([5, 0, 7], missing_value=0).to_dict()
    {0: 5, 2: 7}
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
        raise DomainMismatch(f"values: expected an array, got {brief(values)}; see from_scalar")
    if array.ndim != 1:
        raise DimensionMismatch(f"values: expected one dimension, got shape {array.shape}")
    kind = None if dtype is None else lookup_dtype(dtype)
    if array is not values:
        array = as_listed(values, array, kind)
    stored = as_value_array(array, array.shape[0], kind, gpu=gpu)
    engine = get_engine(device)
    keep = None if missing_value is None else present(stored, missing_value)
    if masked is not None:
        keep = ~masked if keep is None else keep & ~masked
    if engine.spread is None:
        return cls._from_data(dense_vector(engine, stored, keep), device, name)
    where = np.arange(array.shape[0]) if keep is None else np.flatnonzero(keep)
    return cls.from_coo(where, stored[where], size=array.shape[0], name=name, device=device)
