"""Levels of many searches in a file that says how far it is, so that a later call can go on.

Rows of searches that ended are believed: a checksum of them would read, at every call, as many
bytes as the searches write.
"""

from __future__ import annotations

import os
import shutil
import time
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_many.level_arrays import LEVEL_DTYPES, widened
from spbfs.exceptions import FileError, FormatError, InvalidValue
from spbfs.io.archive import map_array, read_arrays, write_arrays
from spbfs.io.formats import path_of
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import on_host

__all__ = ["LevelFile"]

Ints = npt.NDArray[np.int64]

#: Levels copied, indices summed up at a time.
_BLOCK = 1 << 26


def _checksum(A: MatrixData) -> int:
    """The same for the same graph on every device."""
    total = 0
    # Offsets are of either width, as an engine likes.
    for array, kind in ((A.indptr, np.int64), (A.indices, A.indices.dtype)):
        for first in range(0, array.shape[0], _BLOCK):
            part = on_host(array[first : first + _BLOCK])
            total = zlib.crc32(np.ascontiguousarray(part, kind), total)
    return total


class LevelFile:
    """A ``.npy`` file of levels, k x n, and beside it a ``.progress.npz`` of which rows are done.

    Parameters
    ----------
    path : str or os.PathLike
    A : MatrixData
        The graph, told apart by its size and a checksum of its entries.
    sources : int64 array
    max_depth : int or None

    Raises
    ------
    InvalidValue
        When the file is there and is not of the same graph and sources.
    FormatError
        When it, or what says how far it is, is damaged.
    FileError
        When it cannot be read or written.
    """

    def __init__(
        self, path: str | os.PathLike[str], A: MatrixData, sources: Ints, max_depth: int | None
    ) -> None:
        self.path = path_of(path)
        if not self.path.name:
            raise InvalidValue(f"outputs: {str(path)!r} is not the name of a file of levels")
        self._progress = self.path.with_name(self.path.name + ".progress.npz")
        self._shape = sources.shape[0], A.nrows
        limit = -1 if max_depth is None else max_depth
        self._call = np.array([A.nrows, A.nvals, _checksum(A), limit], np.int64)
        self._sources = sources
        self._saved = time.monotonic()
        self.levels: Any = None
        self.done = np.zeros(sources.shape[0], np.bool_)
        if self.path.exists():
            self._resume()
        else:
            # Before the levels: whatever happens then, how far they are is known.
            self._write(self.done)

    def _resume(self) -> None:
        path = self.path
        if not self._progress.exists():
            raise InvalidValue(f"outputs: {str(path)!r} exists, and nothing says how far it is")
        call, sources, done = read_arrays(self._progress, ("call", "sources", "done"))
        if not (np.array_equal(call, self._call) and np.array_equal(sources, self._sources)):
            raise InvalidValue(
                f"outputs: {str(path)!r} has levels of another graph, other sources or depth"
            )
        if done.dtype != np.bool_ or done.shape != self.done.shape:
            raise FormatError(f"{self._progress}: does not say of every source whether it is done")
        try:
            levels = map_array(path)
        except OSError as error:
            raise FileError(f"outputs: {str(path)!r} cannot be written: {error}") from None
        if levels.shape != self._shape or levels.dtype not in LEVEL_DTYPES:
            raise FormatError(
                f"{path}: expected levels of shape {self._shape} in uint8, uint16 or uint32, "
                f"got {levels.dtype} of shape {levels.shape}"
            )
        self.levels, self.done = levels, done

    def make(self, dtype: np.dtype[Any]) -> Any:
        """The file for levels of a type, what it holds kept."""
        before, target = self.levels, self.path
        if before is not None:
            target = self.path.with_name(self.path.name + ".wider")
        needed = self._shape[0] * self._shape[1] * dtype.itemsize
        try:
            # A page of a mapped file that finds no room on the disk ends the process.
            free = shutil.disk_usage(target.parent).free
            if needed > free:
                raise FileError(
                    f"outputs: {str(target)!r} needs {needed:,} bytes and {free:,} are free there"
                )
            made = np.lib.format.open_memmap(target, "w+", dtype, self._shape)
            if before is not None:
                step = max(1, _BLOCK // max(1, self._shape[1]))
                for first in range(0, self._shape[0], step):
                    rows = slice(first, first + step)
                    widened(before[rows], made[rows])
                made.flush()
                os.replace(target, self.path)
        except FileError:
            raise
        except OSError as error:
            raise FileError(f"outputs: {str(target)!r} cannot be written: {error}") from None
        self.levels = made
        return made

    def save(self, done: npt.NDArray[np.bool_], between: float = 0.0) -> None:
        """Write down which rows are done, their levels first, unless that was done just now."""
        now = time.monotonic()
        if self.levels is None or now - self._saved < between:
            return
        self._saved = now
        self.levels.flush()
        self._write(done)

    def _write(self, done: npt.NDArray[np.bool_]) -> None:
        write_arrays(self._progress, call=self._call, sources=self._sources, done=done)
