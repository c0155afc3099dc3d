"""The sparse vector."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue
from spbfs.objects.build import build_vector, present
from spbfs.objects.checks import as_array, as_size, as_tuples, as_value_array
from spbfs.objects.indexing import resolve
from spbfs.objects.parts import writable_part
from spbfs.objects.stored import Stored, check_device, device_for, on_device
from spbfs.objects.vector_operand import VectorOperand
from spbfs.operators.dtypes import DType, lookup_dtype
from spbfs.storage.data import VectorData
from spbfs.storage.entries import array_module, take

__all__ = ["Vector"]


class Vector(Stored, VectorOperand):
    """A sparse vector of one dtype.

    Parameters
    ----------
    dtype : dtype-like, optional
        ``bool``, ``int``, ``float``, a NumPy dtype or a name such as ``"INT32"``; FP64 by default.
    size : int, optional
        Number of elements, stored or not.
    name : str, optional
        Shown by ``repr``.
    device : {"cpu", "cuda", "reference"}, optional
        Where it lives; without one an empty vector follows the first operands it meets.

    Examples
    --------
    >>> from spbfs import Vector
    >>> v = Vector(int, 5)
    >>> v[3] = 7
    >>> v.nvals, v.to_dict()
    (1, {3: 7})
    """

    __slots__ = ()

    def __init__(
        self,
        dtype: Any = "FP64",
        size: Any = 0,
        *,
        name: str | None = None,
        device: str | None = None,
    ) -> None:
        kind = lookup_dtype(dtype)
        length = as_size(size, "size")
        where = "cpu" if device is None else check_device(device)
        super().__init__(_empty(length, kind, where), kind, where, device is not None, name)

    @property
    def nvals(self) -> int:
        """Number of stored entries."""
        data = self._ready() if self._pending else self._data
        counted: int = data.counted
        return counted if counted >= 0 else self._engine.nvals(data)

    # -- constructors --------------------------------------------------------------------------
    @classmethod
    def from_coo(
        cls,
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
        out = cls(name=name, device=where)
        out._fill(indices, values, None if dtype is None else lookup_dtype(dtype), size, dup_op)
        return out

    def _fill(self, indices: Any, values: Any, dtype: DType | None, size: Any, dup_op: Any) -> None:
        self._hold(build_vector(self._engine, indices, values, dtype, size, dup_op))

    @classmethod
    def from_pairs(cls, pairs: Any, dtype: Any = None, **options: Any) -> Vector:
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
        rows = as_tuples(pairs, "pairs", (2,))
        indices, values = zip(*rows, strict=True) if rows else ((), ())
        return cls.from_coo(indices, values, dtype, **options)

    @classmethod
    def from_dict(cls, entries: Any, dtype: Any = None, **options: Any) -> Vector:
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
        return cls.from_coo(list(entries), list(entries.values()), dtype, **options)

    @classmethod
    def from_scalar(cls, value: Any, size: Any, dtype: Any = None, **options: Any) -> Vector:
        """Every element stored and equal.

        Parameters
        ----------
        value : number
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
        length = as_size(size, "size")
        out = cls.from_coo([], value, dtype, size=length, **options)
        out[:] = value
        return out

    @classmethod
    def from_dense(
        cls,
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
        missing_value : number, optional
            Elements equal to it are not stored (NaN stands for every NaN).
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
        array = as_array(values, "values", gpu=gpu)
        if array.ndim != 1:
            raise DimensionMismatch(f"values: expected one dimension, got shape {array.shape}")
        kind = None if dtype is None else lookup_dtype(dtype)
        stored = as_value_array(array, array.shape[0], kind, gpu=gpu)
        where = array_module(array).arange(array.shape[0])
        if missing_value is not None:
            where = np.flatnonzero(present(array, missing_value))
            stored = stored[where]
        return cls.from_coo(where, stored, size=array.shape[0], name=name, device=device)

    # -- changing ------------------------------------------------------------------------------
    def clear(self) -> None:
        """Remove all entries; size and dtype stay."""
        self._data = _empty(self.size, self.dtype, self.device)
        self._pending = {}

    def resize(self, size: Any) -> None:
        """Change the size; entries beyond it are dropped.

        Parameters
        ----------
        size : int

        Examples
        --------
        >>> from spbfs import Vector
        >>> v = Vector.from_dense([5, 0, 7])
        >>> v.resize(2)
        >>> v.to_dict()
        {0: 5, 1: 0}
        """
        length = as_size(size, "size")
        engine = self._engine
        indices, values = self._entries(engine)
        kept = np.flatnonzero(indices < length)
        self._hold(engine.build_vector(length, indices[kept], take(values, kept), None))

    def build(
        self,
        indices: Any,
        values: Any = 1.0,
        *,
        dup_op: Any = None,
        clear: bool = False,
        size: Any = None,
    ) -> None:
        """Fill an empty vector as `from_coo` does, its dtype kept.

        Parameters
        ----------
        indices, values, dup_op : optional
            As for `from_coo`.
        clear : bool, optional
            Whether entries that are there may go.
        size : int, optional
            The vector's own by default.

        Raises
        ------
        InvalidValue
            When there are entries and `clear` is false.

        Examples
        --------
        >>> from spbfs import Vector
        >>> v = Vector(float, 4)
        >>> v.build([0, 3], [1, 2])
        >>> v.to_dict()
        {0: 1.0, 3: 2.0}
        """
        if self.nvals and not clear:
            raise InvalidValue(f"build: the vector has {self.nvals} entries; give clear=True")
        self._fill(indices, values, self.dtype, self.size if size is None else size, dup_op)

    def __getitem__(self, key: Any) -> Any:
        region = resolve(key, self.shape, self.device)
        return writable_part(self, region, self._extract(*region))

    def _build(self, engine: Any, keys: list[Any], values: Any, dtype: DType) -> Any:
        indices = engine.asarray(np.array(keys, np.int64))
        return engine.build_vector(self.size, indices, engine.asarray(values), None)

    def __repr__(self) -> str:
        from spbfs.objects.formatting import format_vector

        return format_vector(self)


def _empty(size: int, dtype: DType, device: str) -> VectorData:
    indices, values = (
        on_device(a, device) for a in (np.empty(0, np.int64), np.empty(0, dtype.np_type))
    )
    return VectorData(size, values, indices)
