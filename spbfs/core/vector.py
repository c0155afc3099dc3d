"""The sparse vector."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from spbfs.core.assign import Region
from spbfs.core.checks import (
    as_array,
    as_index_array,
    as_size,
    as_tuples,
    as_value_array,
    is_scalar,
    scalar_dtype,
)
from spbfs.core.dtypes import DType, lookup_dtype
from spbfs.core.indexing import Index, resolve
from spbfs.core.operators import lookup
from spbfs.core.scalar import ScalarExpression
from spbfs.core.storage import VectorData
from spbfs.core.stored import Stored, check_device, on_device
from spbfs.core.vector_operand import VectorOperand
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue

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
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return (self._data.size,)

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

        Raises
        ------
        IndexOutOfBound, DimensionMismatch, DomainMismatch, InvalidValue
        """
        where = "cpu" if device is None else check_device(device)
        out = cls(name=name, device=where)
        out._fill(indices, values, None if dtype is None else lookup_dtype(dtype), size, dup_op)
        return out

    def _fill(self, indices: Any, values: Any, dtype: DType | None, size: Any, dup_op: Any) -> None:
        limit = None if size is None else as_size(size, "size")
        where = as_index_array(indices, "indices", limit)
        if limit is None:
            if where.size == 0:
                raise InvalidValue("size: cannot be told from no indices; give size=")
            limit = int(where.max()) + 1
        stored = as_value_array(values, where.shape[0], dtype)
        dup = duplicates_operator(dup_op, lookup_dtype(stored.dtype))
        if dup is None and not is_scalar_like(values):
            check_distinct(np.sort(where), "indices")
        backend = self._backend
        self._data = backend.build_vector(
            limit, backend.asarray(where), backend.asarray(stored), dup
        )
        self.dtype = lookup_dtype(stored.dtype)
        self._pending = {}

    @classmethod
    def from_pairs(cls, pairs: Any, dtype: Any = None, **options: Any) -> Vector:
        """From (index, value) pairs; other arguments as for `from_coo`."""
        rows = as_tuples(pairs, "pairs", (2,))
        indices, values = zip(*rows, strict=True) if rows else ((), ())
        return cls.from_coo(indices, values, dtype, **options)

    @classmethod
    def from_dict(cls, entries: Any, dtype: Any = None, **options: Any) -> Vector:
        """From ``{index: value}``; other arguments as for `from_coo`."""
        if not isinstance(entries, Mapping):
            raise DomainMismatch(f"entries: expected {{index: value}}, got {entries!r:.80}")
        return cls.from_coo(list(entries), list(entries.values()), dtype, **options)

    @classmethod
    def from_scalar(cls, value: Any, size: Any, dtype: Any = None, **options: Any) -> Vector:
        """Every element stored and equal to `value`."""
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
        """From a dense one-dimensional array; elements equal to `missing_value` are not stored."""
        array = as_array(values, "values")
        if array.ndim != 1:
            raise DimensionMismatch(f"values: expected one dimension, got shape {array.shape}")
        kind = None if dtype is None else lookup_dtype(dtype)
        stored = as_value_array(array, array.shape[0], kind)
        where = np.arange(array.shape[0])
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
        """Change the size; entries beyond it are dropped."""
        length = as_size(size, "size")
        backend = self._backend
        indices, values = (backend.to_numpy(a) for a in self._entries(backend))
        kept = int(np.searchsorted(indices, length))
        self._data = backend.build_vector(
            length, backend.asarray(indices[:kept]), backend.asarray(values[:kept]), None
        )

    def build(
        self,
        indices: Any,
        values: Any = 1.0,
        *,
        dup_op: Any = None,
        clear: bool = False,
        size: Any = None,
    ) -> None:
        """Fill an empty vector as `from_coo` does, its size and dtype kept.

        Raises
        ------
        InvalidValue
            When there are entries and `clear` is false.
        """
        if self.nvals and not clear:
            raise InvalidValue(f"build: the vector has {self.nvals} entries; give clear=True")
        self._fill(indices, values, self.dtype, self.size if size is None else size, dup_op)

    def __getitem__(self, key: Any) -> Any:
        region = resolve(key, self.shape)
        return writable_part(self, region, self._extract(*region))

    def _build(self, backend: Any, keys: list[Any], values: Any, dtype: DType) -> Any:
        indices = backend.asarray(np.array(keys, np.int64))
        return backend.build_vector(self.size, indices, backend.asarray(values), None)

    def __repr__(self) -> str:
        from spbfs.core.formatting import format_vector

        return format_vector(self)


def _empty(size: int, dtype: DType, device: str) -> VectorData:
    indices, values = (
        on_device(a, device) for a in (np.empty(0, np.int64), np.empty(0, dtype.np_type))
    )
    return VectorData(size, values, indices)


def is_scalar_like(values: Any) -> bool:
    """Whether `values` is one number for all entries, so that duplicates agree."""
    return np.ndim(values) == 0


def duplicates_operator(dup_op: Any, dtype: DType) -> Any:
    """The typed operator that combines duplicates, or None; it must stay within the dtype."""
    return None if dup_op is None else lookup.as_binary(dup_op).resolve(dtype, dtype)


def check_distinct(ordered: Any, name: str) -> None:
    """Raise `InvalidValue` when a sorted array names something twice."""
    twice = np.flatnonzero(ordered[1:] == ordered[:-1])
    if twice.size:
        raise InvalidValue(
            f"{name}: {ordered[twice[0]]} occurs twice; give dup_op= to combine duplicates"
        )


def present(array: Any, missing_value: Any) -> Any:
    """Where a dense array differs from `missing_value` (NaN stands for all NaNs)."""
    if not is_scalar(missing_value):
        raise DomainMismatch(f"missing_value: expected a number, got {missing_value!r}")
    scalar_dtype(missing_value, "missing_value")
    if missing_value != missing_value:
        return ~np.isnan(array)
    return array != missing_value


class WritableElement(ScalarExpression):
    """``C[i]`` of a stored object: read by ``.new()`` or ``.value``, written by ``<<``."""

    __slots__ = ("_region", "_target")

    _region: tuple[Index, ...]
    _target: Any

    def __lshift__(self, value: Any) -> None:
        self.update(value)

    def update(self, value: Any) -> None:
        """Set the element; an empty Scalar deletes it."""
        key = tuple(int(i.array[0]) for i in self._region if i.array is not None)
        self._target[key[0] if len(key) == 1 else key] = value

    def __call__(self, *args: Any, **options: Any) -> Any:
        return Region(self._target, self._region)(*args, **options)


def writable_part(target: Any, region: tuple[Index, ...], expression: Any) -> Any:
    """What ``C[key]`` is: an expression to read, and a region to write."""
    if isinstance(expression, ScalarExpression):
        element = WritableElement(
            expression.operation, expression.operand, expression.dtype, expression._run
        )
        element._target, element._region = target, region
        return element
    from spbfs.core.parts import MatrixPart, VectorPart

    part: Any = VectorPart if len(expression.shape) == 1 else MatrixPart
    return part(expression, Region(target, region))
