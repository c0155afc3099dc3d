"""What searches that ended have found, in a file, so that a later call can go on.

For what is a number a source, or a sum over sources: little beside the searches, so that the whole
file is written anew each time.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.base import progress
from spbfs.exceptions import FormatError, InvalidValue
from spbfs.io.arguments import path_of
from spbfs.io.files.archive import read_arrays, write_arrays
from spbfs.io.files.lock import FileLock
from spbfs.storage.data import MatrixData, in_host_memory
from spbfs.storage.entries import array_module, on_host

__all__ = ["Checkpoint", "Sums", "identity"]

Array = Any
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Between two saves, so many times as long as one takes, at least.
_WORK_PER_SAVE = 20.0
#: Indices summed up at a time.
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


def identity(A: MatrixData, max_depth: int | None) -> Ints:
    """What tells the graph and the depth of a call from those of others."""
    return np.array([A.nrows, A.nvals, _checksum(A), -1 if max_depth is None else max_depth])


class Checkpoint:
    """A ``.npz`` file of arrays; one call at a time has it, until `close`.

    Parameters
    ----------
    path : str or os.PathLike
    call : int64 array
        Tells graph, depth and outputs from those of other calls.
    sources : int64 array
    state : mapping of str to array
        What the call begins with, in host memory.  Arrays of two dimensions may become wider.

    Attributes
    ----------
    found : dict of str to array, or None
        What the file has of an earlier call, of the same types and shapes.

    Raises
    ------
    InvalidValue
        When the file is of another call.
    FormatError, FileBusy, FileError
        When it is damaged, another call has it, or it cannot be read or written.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        call: Ints,
        sources: Ints,
        state: Mapping[str, Array],
    ) -> None:
        self._path = path_of(path, "checkpoint")
        if self._path.suffix != ".npz":
            raise InvalidValue(f"checkpoint: {str(path)!r} does not end in .npz")
        self._call, self._sources = call, sources
        self._saved, self._took = time.monotonic(), 0.0
        self.found: dict[str, Array] | None = None
        self._lock = FileLock("checkpoint", self._path)
        try:
            if self._path.exists():
                self.found = self._read(state)
            else:
                self.save(state)
        except BaseException:
            self.close()
            raise

    def _read(self, state: Mapping[str, Array]) -> dict[str, Array]:
        call, sources = read_arrays(self._path, ("call", "sources"))
        if not (np.array_equal(call, self._call) and np.array_equal(sources, self._sources)):
            raise InvalidValue(
                f"checkpoint: {str(self._path)!r} is of another graph, other sources or outputs"
            )
        found = dict(zip(state, read_arrays(self._path, tuple(state)), strict=True))
        for name, array in found.items():
            begun = state[name]
            if (array.dtype, array.ndim) != (begun.dtype, begun.ndim) or (
                array.shape[:1] != begun.shape[:1]
            ):
                raise FormatError(f"{self._path}: its arrays are not those of a checkpoint")
        return found

    def due(self) -> bool:
        """Whether the last time is long ago."""
        return time.monotonic() - self._saved >= max(
            progress.BETWEEN_SAVES, _WORK_PER_SAVE * self._took
        )

    def save(self, state: Mapping[str, Array]) -> None:
        """Write down what there is."""
        begun = time.monotonic()
        write_arrays(self._path, call=self._call, sources=self._sources, **state)
        self._saved = time.monotonic()
        self._took = self._saved - begun

    def close(self) -> None:
        """Let other calls have the file."""
        self._lock.release()


class Sums:
    """Sums over sources, batch by batch, perhaps kept in a checkpoint; a context.

    Parameters
    ----------
    what : str
        Is summed.
    sources : int64 array
    A : MatrixData
    path : str or os.PathLike, optional
        Of the checkpoint.

    Attributes
    ----------
    total : float64 array
        The sums, a number a vertex, those of an earlier call among them; where what is added is.
    done : int
        Of how many sources, the first ones, the sums are.
    edges : int
        That their searches have followed.
    """

    def __init__(
        self,
        what: str,
        sources: Ints,
        A: MatrixData,
        path: str | os.PathLike[str] | None,
    ) -> None:
        self.done = self.edges = 0
        self._vertices = A.nrows
        self._sums: Array | None = None
        self._file: Checkpoint | None = None
        if path is None:
            return
        # A batch may be stopped in its middle.
        self._kept = self._state()
        call = np.array([*identity(A, None), zlib.crc32(what.encode()), A.nrows], np.int64)
        self._file = Checkpoint(path, call, sources, self._kept)
        if self._file.found is not None:
            self._kept = self._file.found
            self.done, self.edges = self._kept["done"].tolist()
            if not 0 <= self.done <= sources.shape[0]:
                self._file.close()
                raise FormatError(f"{path}: says of {self.done} sources that they are done")
            self._sums = self._kept["total"].copy()

    @property
    def total(self) -> Array:
        # Zeros are made where there is nothing else: they take a pass over new memory.
        return np.zeros(self._vertices) if self._sums is None else self._sums

    def __enter__(self) -> Sums:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            try:
                self._file.save(self._kept)
            finally:
                self._file.close()

    def _state(self) -> dict[str, Array]:
        return {"done": np.array([self.done, self.edges]), "total": np.array(on_host(self.total))}

    def add(self, sums: Array, sources: int, edges: int) -> None:
        """Those of the next so many sources, and the edges that were followed; `sums` may be kept
        and added to."""
        if self._sums is None and (not in_host_memory(sums) or sums.flags.writeable):
            self._sums = sums
        else:
            self._sums = array_module(sums).asarray(self.total)
            self._sums += sums
        self.done += sources
        self.edges += edges
        if self._file is not None:
            self._kept = self._state()
            if self._file.due():
                self._file.save(self._kept)
