"""From what stands in brackets to indices: integers, slices, lists, Boolean arrays and masks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue
from spbfs.objects.checks import as_array, as_index, as_index_array
from spbfs.objects.gpu_arrays import on_gpu
from spbfs.objects.mask import Mask
from spbfs.storage.entries import array_module

__all__ = ["Index", "element_key", "resolve"]


@dataclass(frozen=True, slots=True)
class Index:
    """The indices of one dimension, on the host or the GPU; `array` None stands for all of them."""

    array: Any
    length: int
    is_int: bool = False

    def check_distinct(self, name: str) -> None:
        """Raise `InvalidValue` when an index that is assigned to occurs twice."""
        if self.array is None or self.is_int:
            return
        ordered = np.sort(self.array)
        twice = ordered[1:][ordered[1:] == ordered[:-1]]
        if twice.size:
            raise InvalidValue(f"{name}: an assignment names index {twice[0]} twice")


def _resolve_one(key: Any, size: int, name: str, gpu: bool) -> Index:
    if type(key) is int:
        return _one(key, size, name)
    if isinstance(key, slice):
        if key == slice(None):
            return Index(None, size)
        try:
            start, stop, step = key.indices(size)
        except TypeError:
            raise DomainMismatch(f"{name}: expected a slice of integers, got {key}") from None
        except ValueError:
            raise InvalidValue(f"{name}: a slice cannot have step 0, got {key}") from None
        count = len(range(start, stop, step))
        if count == size and step == 1:
            return Index(None, size)
        require_bytes(8 * count, f"{name}: a slice of {count} indices")
        return Index(np.arange(start, stop, step, dtype=np.int64), count)
    if isinstance(key, Mask):
        return _resolve_mask(key, size, name, gpu)
    array = key if isinstance(key, np.ndarray) else None
    if isinstance(key, list | tuple | range):
        array = as_array(key, name) if len(key) else np.empty(0, np.int64)
    elif on_gpu(key):
        array = as_array(key, name, gpu=gpu)
    if array is None or array.ndim == 0:
        return _one(key, size, name)
    if array.dtype == np.bool_:
        if array.shape != (size,):
            raise DimensionMismatch(
                f"{name}: expected a Boolean index of shape ({size},), got {array.shape}"
            )
        array = np.flatnonzero(array)
    array = as_index_array(array, name, size, negative=True, gpu=gpu)
    return Index(array, array.shape[0])


def _one(key: Any, size: int, name: str) -> Index:
    return Index(np.array([as_index(key, size, name, negative=True)]), 1, is_int=True)


def _resolve_mask(mask: Mask, size: int, name: str, gpu: bool) -> Index:
    if mask.parent.shape != (size,):
        raise DimensionMismatch(
            f"{name}: expected a mask of shape ({size},), got {mask.parent.shape}"
        )
    engine = mask.parent._engine
    indices, values = mask.parent._entries(engine)
    if not gpu:
        indices, values = engine.to_numpy(indices), engine.to_numpy(values)
    chosen = indices if mask.structural else indices[values.astype(bool)]
    if mask.complement:
        require_bytes(size, f"{name}: a complemented mask of {size} elements")
        outside = array_module(indices).ones(size, bool)
        outside[chosen] = False
        chosen = np.flatnonzero(outside)
    return Index(chosen.astype(np.int64), int(chosen.shape[0]))


def resolve(key: Any, shape: tuple[int, ...], device: str) -> tuple[Index, ...]:
    """One `Index` a dimension for ``X[key]`` of an object of this shape and device.

    Raises
    ------
    IndexOutOfBound, DimensionMismatch, DomainMismatch
        Naming the dimension (``index``, ``row`` or ``column``) and the value.
    """
    if len(shape) == 1:
        if isinstance(key, tuple):
            raise DimensionMismatch(f"index: a vector takes one index, v[index], got {key!r}")
        return (_resolve_one(key, shape[0], "index", device == "cuda"),)
    if isinstance(key, slice) and key == slice(None):
        key = (key, key)
    if not isinstance(key, tuple) or len(key) != 2:
        raise DimensionMismatch(f"index: a matrix takes two indices, A[rows, columns], got {key!r}")
    gpu = device == "cuda"
    row = _resolve_one(key[0], shape[0], "row", gpu)
    return (row, _resolve_one(key[1], shape[1], "column", gpu))


def element_key(indices: tuple[Index, ...]) -> Any:
    """The index, or row and column, of the one element that integers name."""
    keys = tuple(int(index.array[0]) for index in indices)
    return keys[0] if len(keys) == 1 else keys
