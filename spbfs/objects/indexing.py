"""From what stands in brackets to indices: integers, slices, lists, Boolean arrays, ``...``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.flags import all_true, any_true
from spbfs.base.wording import brief
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue, KindMismatch
from spbfs.objects.checks import as_array, as_index, as_index_array
from spbfs.objects.classes import classes
from spbfs.objects.mask import Mask
from spbfs.objects.number_lists import refuse_flags
from spbfs.objects.placement.gpu_arrays import on_gpu
from spbfs.storage.entries import array_module

if TYPE_CHECKING:
    from spbfs.objects.assignment.statement import IndexedOutput

__all__ = ["Index", "element_key", "extracted_by", "resolve", "written_by"]


@dataclass(slots=True, eq=False)
class Index:
    """The indices of one dimension: an array on the host or the GPU, or the range of a slice.

    They lie below `size`: that of the dimension when the brackets were read.  `chosen` None stands
    for all of them.
    """

    chosen: Any
    length: int
    size: int
    is_int: bool = False

    @property
    def key(self) -> Any:
        """What could stand in brackets for this."""
        chosen = self.chosen
        if chosen is None:
            return slice(None)
        return int(chosen[0]) if self.is_int else chosen

    def on(self, engine: Any) -> Any:
        """The indices for an engine, as it takes them: its array, a range, or None for all."""
        chosen = self.chosen
        return chosen if chosen is None or isinstance(chosen, range) else engine.asarray(chosen)

    def last_ones(self) -> Any:
        """Where each index occurs for the last time, in order; None where none occurs twice.

        Of what is assigned to one element by several indices, the last counts.
        """
        array = self.chosen
        if array is None or isinstance(array, range) or self.is_int or self.length < 2:
            return None
        if self.length <= 64 and len(set(array.tolist())) == self.length:
            return None
        xp = array_module(array)
        if xp is np and all_true(array[1:] > array[:-1]):
            return None  # they rise, as most do
        ordered = xp.sort(array)
        if not any_true(ordered[1:] == ordered[:-1]):
            return None
        order = xp.argsort(array, kind="stable")
        is_last = xp.ones(self.length, np.bool_)
        is_last[:-1] = ordered[1:] != ordered[:-1]
        return xp.sort(order[is_last])


def _resolve_one(key: Any, size: int, name: str, gpu: bool) -> Index:
    if type(key) is int:
        return _one(key, size, name)
    if isinstance(key, slice):
        if key == slice(None):
            return Index(None, size, size)
        try:
            start, stop, step = key.indices(size)
        except TypeError:
            raise DomainMismatch(f"{name}: expected a slice of integers, got {key}") from None
        except ValueError:
            raise InvalidValue(f"{name}: a slice cannot have step 0, got {key}") from None
        count = len(range(start, stop, step))
        if count == size and step == 1:
            return Index(None, size, size)
        return _of_range(start, count, step, size)
    if type(key) is range:
        if not key or 0 <= min(key[0], key[-1]) <= max(key[0], key[-1]) < size:
            return _of_range(key.start, len(key), key.step, size)
        array = as_index_array(key, name, size, negative=True)  # which looks at its ends first
        return Index(array, array.shape[0], size)
    if type(key) is list and set(map(type, key)) == {int} and min(key) >= 0 and max(key) < size:
        return Index(np.array(key, np.int64), len(key), size)
    array = _as_indices(key, name, gpu)
    if array is None or array.ndim == 0:
        return _one(key, size, name)
    if array.ndim > 1:
        raise KindMismatch(f"{name}: expected one dimension, got shape {array.shape}")
    if array.dtype == np.bool_:
        if array.shape != (size,):
            raise DimensionMismatch(
                f"{name}: expected a Boolean index of shape ({size},), got {array.shape}"
            )
        array = np.flatnonzero(array)
    array = as_index_array(array, name, size, negative=True, gpu=gpu)
    return Index(array, array.shape[0], size)


def _of_range(start: int, count: int, step: int, size: int) -> Index:
    if count < 2:  # Any step does, and one that a slice names may be too long for an array.
        start, step = start if count else 0, 1
    return Index(range(start, start + count * step, step), count, size)


def _as_indices(key: Any, name: str, gpu: bool) -> Any:
    """The array that a list or another collection of indices is; None for what is none."""
    if isinstance(key, np.ndarray):
        return as_array(key, name)
    if on_gpu(key):
        return as_array(key, name, gpu=gpu)
    if isinstance(key, classes.Operand | Mask):
        raise DomainMismatch(
            f"{name}: expected indices, got a {type(key).__name__}; C.dup(mask=M) reads and "
            "C(M) << x writes where a mask admits"
        )
    if isinstance(key, tuple):
        raise DomainMismatch(f"{name}: expected an integer, a slice or a list, got {brief(key)}")
    if isinstance(key, Iterable) and not isinstance(key, str | bytes):
        items = list(key)
        if not items:
            return np.empty(0, np.int64)
        array = as_array(items, name)
        refuse_flags(items, array, name)
        return array
    return None


def _one(key: Any, size: int, name: str) -> Index:
    return Index(np.array([as_index(key, size, name, negative=True)]), 1, size, is_int=True)


def resolve(key: Any, shape: tuple[int, ...], device: str) -> tuple[Index, ...]:
    """One `Index` a dimension for ``X[key]`` of an object of this shape and device.

    Raises
    ------
    IndexOutOfBound, DimensionMismatch, DomainMismatch
        Naming the dimension (``index``, ``row`` or ``column``) and the value.
    """
    if key is Ellipsis:
        return tuple(Index(None, size, size) for size in shape)
    gpu = device == "cuda"
    if len(shape) == 1:
        if isinstance(key, tuple):
            raise KindMismatch(f"index: a vector takes one index, v[index], got {brief(key)}")
        return (_resolve_one(key, shape[0], "index", gpu),)
    if isinstance(key, slice) and key == slice(None):
        key = (key, key)
    if not isinstance(key, tuple) or len(key) != 2:
        raise KindMismatch(f"index: a matrix takes two indices, A[rows, columns], got {brief(key)}")
    row = _resolve_one(key[0], shape[0], "row", gpu)
    return (row, _resolve_one(key[1], shape[1], "column", gpu))


def element_key(indices: tuple[Index, ...]) -> Any:
    """The index, or row and column, of the one element that integers name."""
    keys = tuple(int(index.chosen[0]) for index in indices)
    return keys[0] if len(keys) == 1 else keys


def extracted_by(expression: Any) -> IndexedOutput:
    """The rows and columns, in what an expression is extracted from, by their indices."""
    found = getattr(expression, "_extracted", None)
    if found is None:
        raise AttributeError("resolved_indexes: only what is extracted has indices")
    return classes.IndexedOutput(*found)


def written_by(expression: Any) -> IndexedOutput:
    """The rows and columns of a stored object that ``expression << x`` writes into."""
    found = getattr(expression, "_extracted", None)
    if found is None or found[0]._data is None:
        raise DomainMismatch(f"{expression!r} cannot be written: only C[index] of a stored C can")
    return classes.IndexedOutput(*found)
