"""Arrays of levels, k x n: their types, and memory for them that serves call after call."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from spbfs.storage.data import MatrixData
from spbfs.storage.derived import keeping

__all__ = ["LEVEL_DTYPES", "LevelPool", "level_dtype", "level_pool_of", "widened"]

Array = Any

#: What levels are held in.
LEVEL_DTYPES = (np.uint8, np.uint16, np.uint32)
_UNREACHED = [(int(np.iinfo(kind).max), np.dtype(kind)) for kind in LEVEL_DTYPES]


def level_dtype(depth: int) -> np.dtype[Any]:
    """The narrowest unsigned type whose maximum, which stands for unreached, is above `depth`.

    Examples
    --------
    >>> level_dtype(254), level_dtype(255)
    (dtype('uint8'), dtype('uint16'))
    """
    for unreached, dtype in _UNREACHED:
        if depth < unreached:
            return dtype
    raise AssertionError("a level is below the number of vertices, which fits 32 bits")


def widened(levels: Array, out: Array) -> Array:
    """Copy levels into an array of a wider type, unreached as that type's maximum."""
    out[...] = levels
    out[levels == np.iinfo(levels.dtype).max] = np.iinfo(out.dtype).max
    return out


class _Aligned:
    """Memory for an array that begins with a cache line.

    The array refers to it, not to an array of NumPy's: parts of the array would refer to that, and
    nobody could see that the array is still in use.
    """

    def __init__(self, shape: tuple[int, int], dtype: np.dtype[Any]) -> None:
        self._block = np.empty(shape[0] * shape[1] * dtype.itemsize + 63, np.uint8)
        at = self._block.ctypes.data
        self.__array_interface__ = {
            "version": 3,
            "shape": shape,
            "typestr": dtype.str,
            "data": (at + -at % 64, False),
        }


class LevelPool:
    """Levels in host memory that nobody refers to any more, at most one array a matrix.

    Memory that is new to a process costs as much as writing levels to it.  They begin with a cache
    line: on rows that do so too the CPU engine writes whole ones from the start.
    """

    def __init__(self) -> None:
        # Popped and appended without a lock: both are atomic, and levels come back from finalisers.
        self._idle: list[Array] = []
        self._most = 0

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return sum(a.nbytes for a in list(self._idle))

    def make(self, shape: tuple[int, int], dtype: np.dtype[Any], most: int) -> Array:
        """An array with arbitrary contents, taken back if it has at most `most` bytes."""
        self._most = most
        try:
            array = self._idle.pop()
        except IndexError:
            array = None
        if array is not None and array.shape == shape and array.dtype == dtype:
            return array
        del array
        return np.asarray(_Aligned(shape, dtype))

    def take_back(self, array: Array) -> None:
        """Hold an array that nobody else refers to."""
        if not self._idle and array.nbytes <= self._most:
            self._idle.append(array)

    def clear(self) -> None:
        """Give up what is held."""
        self._idle.clear()


def level_pool_of(data: MatrixData) -> LevelPool:
    """The memory for levels that is kept with a matrix."""
    derived = data.derived
    if derived.level_pool is None:
        made = LevelPool()
        with keeping:
            if derived.level_pool is None:
                derived.level_pool = made
    return cast(LevelPool, derived.level_pool)
