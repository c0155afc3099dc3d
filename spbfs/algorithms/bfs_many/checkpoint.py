"""What searches that ended have found, in a file, so that a later call can go on.

For what is a number a source, or a sum over sources: little beside the searches, so that the whole
file is written anew each time.
"""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np

from spbfs.algorithms.bfs_many.result import BFSManyResult
from spbfs.exceptions import FormatError, InvalidValue
from spbfs.io.archive import read_arrays, write_arrays
from spbfs.io.formats import path_of
from spbfs.io.lock import FileLock
from spbfs.storage.entries import array_module, on_host

__all__ = ["Checkpoint"]

#: Numbers a source; sums over the sources that are done, a number a vertex.
_BY_SOURCE = ("reached", "sum_levels", "eccentricity", "level_sizes")
_SUMS = ("counts", "level_sums")


class Checkpoint:
    """A ``.npz`` file of a result's arrays; one call at a time has it, until `close`.

    Parameters
    ----------
    path : str or os.PathLike
    call : int64 array
        Tells graph, sources' number, depth and outputs from those of other calls.
    result : BFSManyResult
        Its arrays are made; they are filled with what the file has.

    Raises
    ------
    InvalidValue
        When the file is of another call.
    FormatError, FileBusy, FileError
        When it is damaged, another call has it, or it cannot be read or written.
    """

    def __init__(self, path: str | os.PathLike[str], call: Any, result: BFSManyResult) -> None:
        self._path = path_of(path)
        if self._path.suffix != ".npz":
            raise InvalidValue(f"checkpoint: {str(path)!r} does not end in .npz")
        self._call, self._result = call, result
        self._kept = [n for n in _BY_SOURCE + _SUMS if getattr(result, n) is not None]
        self._saved = time.monotonic()
        self._lock = FileLock("checkpoint", self._path)
        try:
            if self._path.exists():
                self._resume()
            else:
                self.save()
        except BaseException:
            self.close()
            raise

    def _resume(self) -> None:
        result = self._result
        call, sources = read_arrays(self._path, ("call", "sources"))
        if not (np.array_equal(call, self._call) and np.array_equal(sources, result.sources)):
            raise InvalidValue(
                f"checkpoint: {str(self._path)!r} is of another graph, other sources or outputs"
            )
        done, totals, *kept = read_arrays(self._path, ("done", "totals", *self._kept))
        arrays = dict(zip(self._kept, kept, strict=True))
        wrong = [
            name
            for name, array in arrays.items()
            if array.dtype != np.int64
            or array.shape[:1] != getattr(result, name).shape[:1]
            or array.ndim != getattr(result, name).ndim
        ]
        shapes = done.dtype == np.bool_ and done.shape == result.done.shape
        if wrong or not shapes or totals.shape != (3,) or totals.dtype != np.int64:
            raise FormatError(f"{self._path}: its arrays are not those of a checkpoint")
        result.done = done
        result.depth, result.edges, result.joint = (int(total) for total in totals)
        for name, array in arrays.items():
            xp = array_module(getattr(result, name))
            setattr(result, name, xp.asarray(array))

    def due(self, between: float) -> bool:
        """Whether the last time is so many seconds ago."""
        return time.monotonic() - self._saved >= between

    def save(self) -> None:
        """Write down what there is."""
        self._saved = time.monotonic()
        result = self._result
        write_arrays(
            self._path,
            call=self._call,
            sources=result.sources,
            done=result.done,
            totals=np.array([result.depth, result.edges, result.joint], np.int64),
            **{name: on_host(getattr(result, name)) for name in self._kept},
        )

    def close(self) -> None:
        """Let other calls have the file."""
        self._lock.release()
