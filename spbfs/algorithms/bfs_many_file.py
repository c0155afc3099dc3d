"""Levels of many searches in a file that says how far it is, so that a later call can go on."""

from __future__ import annotations

import os
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_many_result import widened
from spbfs.core.storage import MatrixData
from spbfs.exceptions import FileError, InvalidValue

__all__ = ["LevelFile"]

Ints = npt.NDArray[np.int64]

#: Levels copied at a time.
_BLOCK = 1 << 26


class LevelFile:
    """A ``.npy`` file of levels, k x n, and beside it a ``.progress.npz`` of which rows are done.

    Parameters
    ----------
    path : str or Path
    A : MatrixData
        The graph, told apart by its size, entries and row offsets.
    sources : int64 array

    Raises
    ------
    InvalidValue
        When the file is there and is not of the same graph and sources.
    FileError
        When it cannot be read or written.
    """

    def __init__(
        self, path: str | Path, A: MatrixData, sources: Ints, max_depth: int | None
    ) -> None:
        self.path = Path(path)
        self._progress = self.path.with_name(self.path.name + ".progress.npz")
        self._shape = sources.shape[0], A.nrows
        offsets = np.ascontiguousarray(
            A.indptr if isinstance(A.indptr, np.ndarray) else A.indptr.get()
        )
        limit = -1 if max_depth is None else max_depth
        self._call = np.array([A.nrows, A.nvals, zlib.crc32(offsets), limit], np.int64)
        self._sources = sources
        self._saved = time.monotonic()
        self.levels: Any = None
        self.done = np.zeros(sources.shape[0], np.bool_)
        try:
            if self.path.exists():
                self._resume()
        except (OSError, KeyError, ValueError) as error:
            if isinstance(error, InvalidValue):
                raise
            raise FileError(f"{self.path}: cannot go on with it: {error}") from error

    def _resume(self) -> None:
        if not self._progress.exists():
            raise InvalidValue(f"outputs: {self.path} exists, and nothing says how far it is")
        with np.load(self._progress) as stored:
            same = np.array_equal(stored["call"], self._call) and np.array_equal(
                stored["sources"], self._sources
            )
            if not same:
                raise InvalidValue(
                    f"outputs: {self.path} has levels of another graph, other sources or depth"
                )
            self.done = stored["done"].copy()
        self.levels = np.load(self.path, mmap_mode="r+")

    def make(self, dtype: np.dtype[Any]) -> Any:
        """The file for levels of a type, what it holds kept."""
        before, target = self.levels, self.path
        if before is not None:
            target = self.path.with_name(self.path.name + ".wider")
        try:
            made = np.lib.format.open_memmap(target, "w+", dtype, self._shape)
            if before is not None:
                step = max(1, _BLOCK // max(1, self._shape[1]))
                for first in range(0, self._shape[0], step):
                    rows = slice(first, first + step)
                    widened(before[rows], made[rows])
                made.flush()
                os.replace(target, self.path)
        except OSError as error:
            raise FileError(f"{target}: cannot be written: {error}") from error
        self.levels = made
        return made

    def save(self, done: npt.NDArray[np.bool_], between: float = 0.0) -> None:
        """Write down which rows are done, their levels first, unless that was done just now."""
        now = time.monotonic()
        if self.levels is None or now - self._saved < between:
            return
        self._saved = now
        self.levels.flush()
        new = self._progress.with_name(self._progress.name + ".new")
        with open(new, "wb") as file:
            np.savez(file, call=self._call, sources=self._sources, done=done)
        os.replace(new, self._progress)
