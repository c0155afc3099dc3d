"""Parents of many searches in a file, row by row; which it has, a checkpoint beside it says."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.exceptions import FormatError, InvalidValue
from spbfs.io.files.archive import map_array
from spbfs.io.files.refusals import unwritable
from spbfs.io.mapped.arrays import Guard, allocate

__all__ = ["ParentFile"]


class ParentFile:
    """A ``.npy`` file of parents, k x n, mapped and guarded.

    Parameters
    ----------
    path : Path
        Nobody else writes it.
    shape : (int, int)
    dtype : dtype
    done : bool array of k
        Which rows it has.

    Raises
    ------
    InvalidValue, FormatError
        When it lacks the rows, or is another array.
    FileError
        When it cannot be read or written, or the disk has no room.
    """

    def __init__(
        self, path: Path, shape: tuple[int, int], dtype: Any, done: npt.NDArray[np.bool_]
    ) -> None:
        self._path = path
        size = shape[0] * shape[1] * np.dtype(dtype).itemsize
        if path.exists():
            self.parents = map_array(path)
            if self.parents.shape != shape or self.parents.dtype != dtype:
                raise FormatError(
                    f"{path}: expected parents of shape {shape} in {np.dtype(dtype)}, "
                    f"got {self.parents.dtype} of shape {self.parents.shape}"
                )
            if not done.all():
                allocate("outputs", path, self.parents.offset, size)
        elif done.any():
            raise InvalidValue(f"outputs: {str(path)!r} is gone, and some of it was written")
        else:
            self.parents = self._made(shape, dtype, size)
        self._guard = Guard(f"outputs: {str(path)!r}", self.parents)

    def _made(self, shape: tuple[int, int], dtype: Any, size: int) -> Any:
        # Without its name until it has its place on the disk.
        target = self._path.with_name(self._path.name + ".making")
        try:
            made = np.lib.format.open_memmap(target, "w+", dtype, shape)
            allocate("outputs", target, made.offset, size)
            os.replace(target, self._path)
        except OSError as error:
            with contextlib.suppress(OSError):
                target.unlink()
            raise unwritable("outputs", target, error) from None
        return made

    def take(self, rows: Any, parents: Any) -> None:
        """Rows that were found on a GPU."""
        self.parents[rows] = parents[rows].get()

    def check(self) -> None:
        """Raise `FileError` if pages of the mapped file were lost."""
        self._guard.check()

    def flush(self) -> None:
        """Have what was written on the disk."""
        try:
            self.parents.flush()
        except OSError as error:
            raise unwritable("outputs", self._path, error) from None

    def close(self) -> None:
        """The file may be unmapped from now on."""
        self._guard.release()
