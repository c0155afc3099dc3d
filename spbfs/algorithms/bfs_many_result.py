"""What many breadth-first searches found, collected batch by batch."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from spbfs.engines.bfs import UNSHARED, Keeper
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import keeping

__all__ = [
    "LEVEL_DTYPES",
    "BFSManyResult",
    "KeptLevels",
    "kept_levels",
    "level_dtype",
    "levels_for",
    "take_sizes",
    "widened",
]

Array = Any
Ints = npt.NDArray[np.int64]

#: What levels are held in.
LEVEL_DTYPES = (np.uint8, np.uint16, np.uint32)


def level_dtype(depth: int) -> np.dtype[Any]:
    """The narrowest unsigned type whose maximum, which stands for unreached, is above `depth`.

    Examples
    --------
    >>> level_dtype(254), level_dtype(255)
    (dtype('uint8'), dtype('uint16'))
    """
    for kind in LEVEL_DTYPES:
        if depth < np.iinfo(kind).max:
            return np.dtype(kind)
    raise AssertionError("a level is below the number of vertices, which fits 32 bits")


def widened(levels: Array, out: Array) -> Array:
    """Copy levels into an array of a wider type, unreached as that type's maximum."""
    out[...] = levels
    out[levels == np.iinfo(levels.dtype).max] = np.iinfo(out.dtype).max
    return out


@dataclass(slots=True)
class BFSManyResult:
    """What the searches found; arrays are on the device of the matrix, those of k on the host.

    Attributes
    ----------
    sources : int64 array of k
    done : bool array of k
        Which searches ended: all of them, except in what an interruption leaves behind.
    reached, sum_levels, eccentricity : int64 array of k
        Vertices that a source reaches, itself included; the sum of their levels; the largest.
    level_sizes : int64 array, k x (depth + 1), or None
        How many vertices every source has at every level.
    levels : array, k x n, or None
        uint8, or what `depth` asks for; the dtype's maximum stands for unreached.
    parents : array, k x n, of the matrix's index type, or None
        Any valid tree a source; sources are their own, -1 stands for unreached.
    counts, level_sums : int64 array of n, or None
        How many of the sources reach a vertex, and the sum of their levels there.
    per_level : iterator of (int, Matrix), or None
        Every level once, with the vertices at it as a BOOL matrix, n x k, in packed bits.
    depth : int
        The largest level.
    edges : int
        Stored entries in the rows of reached vertices, summed over sources.
    seconds : float
        Time of the searches, outputs included; what is made once for a graph is not.
    batch : int
        Sources searched at once; 1 where they were searched one after the other.
    joint : int
        Vertices of all joint frontiers; 0 where the engine does not count them.
    """

    sources: Ints
    done: npt.NDArray[np.bool_]
    reached: Ints
    sum_levels: Ints
    eccentricity: Ints
    level_sizes: Ints | None = None
    levels: Array | None = None
    parents: Array | None = None
    counts: Array | None = None
    level_sums: Array | None = None
    per_level: Iterator[tuple[int, Any]] | None = field(default=None, repr=False)
    depth: int = 0
    edges: int = 0
    seconds: float = 0.0
    batch: int = 1
    joint: int = 0
    #: Who made `levels`, and may use them again, and what was made.
    _made: tuple[weakref.ref[Keeper], weakref.ref[Any]] | None = field(
        default=None, repr=False, compare=False
    )

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """For copies and other processes, which give nothing back."""
        state = {f.name: getattr(self, f.name) for f in fields(self)}
        return None, state | {"_made": None}

    def __del__(self) -> None:
        if self._made is None:
            return
        keeper, made = self._made[0](), self._made[1]()
        levels, self.levels = self.levels, None
        ours = levels is made  # not what somebody else has put there
        del made
        if keeper is None or levels is None or not ours:
            return
        # Anything else that refers to the array, or to a part of it, may still be read.
        if sys.getrefcount(levels) <= UNSHARED and levels.flags.writeable:
            keeper.take_back(levels)

    @property
    def sharing(self) -> float:
        """Vertices of all frontiers over those of the joint frontiers: how many share one."""
        return float(self.reached[self.done].sum()) / self.joint if self.joint else float("nan")

    def __repr__(self) -> str:
        return (
            f"<BFSManyResult sources={self.sources.shape[0]} depth={self.depth} "
            f"edges={self.edges} batch={self.batch} sharing={self.sharing:.1f} "
            f"seconds={self.seconds:.6f}>"
        )


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


class KeptLevels:
    """Levels in host memory, kept with a matrix when nobody refers to them any more.

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
        """An array with arbitrary contents, kept afterwards if it has at most `most` bytes."""
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
        """Keep an array that nobody else refers to."""
        if not self._idle and array.nbytes <= self._most:
            self._idle.append(array)

    def clear(self) -> None:
        """Give up what is kept."""
        self._idle.clear()


def kept_levels(data: MatrixData) -> KeptLevels:
    """The memory for levels that is kept with a matrix."""
    derived = data.derived
    if derived.kept_levels is None:
        made = KeptLevels()
        with keeping:
            if derived.kept_levels is None:
                derived.kept_levels = made
    return cast(KeptLevels, derived.kept_levels)


def take_sizes(result: BFSManyResult, rows: Ints, sizes: Ints) -> None:
    """Level sizes of the searches in `rows`."""
    assert result.level_sizes is not None
    missing = sizes.shape[1] - result.level_sizes.shape[1]
    if missing > 0:
        result.level_sizes = np.pad(result.level_sizes, ((0, 0), (0, missing)))
    result.level_sizes[rows, : sizes.shape[1]] = sizes


def levels_for(result: BFSManyResult, depth: int, make: Callable[[np.dtype[Any]], Array]) -> Array:
    """The array of levels, made or widened so that it can hold `depth`."""
    result.depth = max(result.depth, depth)
    wanted = level_dtype(result.depth)
    if result.levels is None:
        result.levels = make(wanted)
    elif result.levels.dtype.itemsize < wanted.itemsize:
        result.levels = widened(result.levels, make(wanted))
    return result.levels
