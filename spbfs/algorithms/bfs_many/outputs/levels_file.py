"""Levels of many searches in a file that says how far it is, so that a later call can go on.

Rows of searches that ended are believed: a checksum of them would read, at every call, as many
bytes as the searches write.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_many.outputs.level_arrays import LEVEL_DTYPES, widened
from spbfs.algorithms.checkpoint import identity
from spbfs.exceptions import FileError, FormatError, InvalidValue
from spbfs.io.arguments import path_of
from spbfs.io.files.archive import map_array, read_arrays, write_arrays
from spbfs.io.files.lock import FileLock
from spbfs.io.files.refusals import unwritable
from spbfs.io.mapped.arrays import Guard, allocate
from spbfs.storage.data import MatrixData

__all__ = ["LevelFile"]

Ints = npt.NDArray[np.int64]

#: Levels copied at a time.
_BLOCK = 1 << 26


class LevelFile:
    """A ``.npy`` file of levels, k x n, and beside it a ``.progress.npz`` of which rows are done.

    One call at a time has it, until `close`.

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
    FileBusy
        When another call has it.
    FileError
        When it cannot be read or written.
    """

    def __init__(
        self, path: str | os.PathLike[str], A: MatrixData, sources: Ints, max_depth: int | None
    ) -> None:
        self.path = path_of(path, "outputs")
        if not self.path.name:
            raise InvalidValue(f"outputs: {str(path)!r} is not the name of a file of levels")
        try:
            # Every name of the file has the same lock, and the file that a link names is written.
            self.path = Path(os.path.realpath(self.path))
            regular = self.path.is_file() or not self.path.exists()
        except ValueError as error:  # a NUL in the name
            raise InvalidValue(f"outputs: {str(path)!r} is not a file name ({error})") from None
        except OSError as error:
            raise unwritable("outputs", self.path, error) from None
        if not regular:
            raise InvalidValue(f"outputs: {str(path)!r} is not a regular file")
        self._progress = self.path.with_name(self.path.name + ".progress.npz")
        self._shape = sources.shape[0], A.nrows
        self._call = identity(A, max_depth)
        self._sources = sources
        self._saved = time.monotonic()
        self.levels: Any = None
        self.done = np.zeros(sources.shape[0], np.bool_)
        self._guard: Guard | None = None
        self._lock = FileLock("outputs", self.path)
        try:
            if self.path.exists():
                self._resume()
            else:
                # Before the levels: whatever happens then, how far they are is known.
                self._write(self.done)
        except BaseException:
            self.close()
            raise

    def _resume(self) -> None:
        path = self.path
        if not self._progress.exists():
            raise InvalidValue(f"outputs: {str(path)!r} exists, and nothing says how far it is")
        call, sources, done = read_arrays(self._progress, ("call", "sources", "done"))
        if not (np.array_equal(call, self._call) and np.array_equal(sources, self._sources)):
            raise InvalidValue(
                f"outputs: {str(path)!r} has levels of another graph, other sources or depth;"
                " remove it, or name another"
            )
        if done.dtype != np.bool_ or done.shape != self.done.shape:
            raise FormatError(f"{self._progress}: does not say of every source whether it is done")
        try:
            levels = map_array(path)
        except OSError as error:
            raise unwritable("outputs", path, error) from None
        if levels.shape != self._shape or levels.dtype not in LEVEL_DTYPES:
            raise FormatError(
                f"{path}: expected levels of shape {self._shape} in uint8, uint16 or uint32, "
                f"got {levels.dtype} of shape {levels.shape}"
            )
        if not done.all():
            # It may have holes: it was copied, or is of a version that did not allocate.
            allocate("outputs", path, levels.offset, levels.nbytes)
        self._take(levels)
        self.done = done

    def _take(self, levels: Any) -> None:
        """Levels mapped from the file, from now on these."""
        if self._guard is not None:
            self._guard.release()
        self.levels, self._guard = levels, Guard(f"outputs: {str(self.path)!r}", levels)

    def check(self) -> None:
        """Raise `FileError` if pages of the mapped file were lost."""
        if self._guard is not None:
            self._guard.check()

    def make(self, dtype: np.dtype[Any]) -> Any:
        """The file for levels of a type, what it holds kept."""
        before = self.levels
        target = self.path.with_name(self.path.name + ".making")
        needed = self._shape[0] * self._shape[1] * dtype.itemsize
        try:
            free = shutil.disk_usage(target.parent).free
            if needed > free:
                raise FileError(
                    f"outputs: {str(target)!r} needs {needed:,} bytes and {free:,} are free there"
                )
            # Without its name until it has its place on the disk and what was there before.
            made = np.lib.format.open_memmap(target, "w+", dtype, self._shape)
            allocate("outputs", target, made.offset, needed)
            if before is not None:
                self._widen(before, made)
            os.replace(target, self.path)
        except OSError as error:
            with contextlib.suppress(OSError):
                target.unlink()
            raise unwritable("outputs", target, error) from None
        self._take(made)
        return made

    def _widen(self, before: Any, made: Any) -> None:
        guard = Guard(f"outputs: {str(self.path)!r}", made)
        try:
            step = max(1, _BLOCK // max(1, self._shape[1]))
            for first in range(0, self._shape[0], step):
                rows = slice(first, first + step)
                widened(before[rows], made[rows])
            made.flush()
            for guarded in (guard, self):
                guarded.check()
        finally:
            guard.release()

    def save(self, done: npt.NDArray[np.bool_], between: float = 0.0) -> None:
        """Write down which rows are done, their levels first, unless that was done just now."""
        now = time.monotonic()
        if self.levels is None or now - self._saved < between:
            return
        self._saved = now
        try:
            self.levels.flush()
        except OSError as error:
            raise unwritable("outputs", self.path, error) from None
        self._write(done)

    def close(self) -> None:
        """Let other calls have the file."""
        if self._guard is not None:
            self._guard.release()
        if self.levels is None and not self.path.exists():
            with contextlib.suppress(OSError):
                self._progress.unlink()
        self._lock.release()

    def _write(self, done: npt.NDArray[np.bool_]) -> None:
        write_arrays(self._progress, call=self._call, sources=self._sources, done=done)
