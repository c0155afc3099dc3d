"""Launches over all rows of a matrix, prepared at the first call and kept with it.

The matrix's arrays, sizes and the grid stay as they are; what a call gives is filled in, and all
that it works in is one allocation, cut into pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, words_of
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import launches_of

__all__ = ["GIVEN", "Launch", "Room", "Zeroed", "prepared"]

Array = Any

#: Entries that a thread is there for.
_ALONE = 8
#: Where pieces begin: what is zeroed at whole vectors, the others at whole lines of the cache.
_VECTOR, _LINE = 16, 256


@dataclass(frozen=True, slots=True)
class Room:
    """A parameter: memory that a call works in."""

    nbytes: int


@dataclass(frozen=True, slots=True)
class Zeroed:
    """A parameter: the same, zero before the kernel begins.  Pieces lie first, in their order."""

    nbytes: int


#: A parameter that every call gives.
GIVEN = object()


@cache
def _kernel(
    specialisation: Specialisation, kind: np.dtype[Any] | None, threads: int, shared_bytes: int
) -> Kernel:
    """For all matrices."""
    block = None if kind is None else np.zeros(1, kind)
    return Kernel(specialisation, threads=threads, shared_bytes=shared_bytes, block=block)


def _up(nbytes: int, size: int) -> int:
    return -(-nbytes // size) * size


class Launch:
    """A kernel over all rows of a matrix, which has its arrays as parameters and keeps none.

    It has as many CTAs as all rows keep busy, and no more than are resident.

    Parameters
    ----------
    specialisation : Specialisation
        Of one kernel.
    A : MatrixData
        With no more rows than the kernels number.
    what : str
        What a call makes, for the message where there is no memory for it.
    *parameters
        The kernel's: arrays that live as long as `A`, numbers, None, `Room`, `Zeroed`, `GIVEN`.
    block : dtype, optional
        Of the struct that is the kernel's first parameter, where it has one.
    threads : int, optional
        Of a CTA.
    shared_bytes : int, optional
        Dynamic shared memory of a CTA.
    """

    def __init__(
        self,
        specialisation: Specialisation,
        A: MatrixData,
        what: str,
        *parameters: Any,
        block: np.dtype[Any] | None = None,
        threads: int = THREADS,
        shared_bytes: int = 0,
    ) -> None:
        from spbfs.engines.cuda.searches.device import check_vertices  # imports CuPy

        check_vertices(A)
        self._kernel = _kernel(specialisation, block, threads, shared_bytes)
        busy = max(A.nrows, A.nvals // _ALONE) if A.nrows else 0
        self._grid = min(-(-busy // threads), self._kernel.resident * limits().sms)
        self._what = what
        self._words = list(words_of(*(0 if _of_a_call(given) else given for given in parameters)))
        self._given = [i for i, given in enumerate(parameters) if given is GIVEN]
        self._pieces: list[tuple[int, int]] = []
        self._nbytes = 0
        for kind, size in ((Zeroed, _VECTOR), (Room, _LINE)):
            for i, given in enumerate(parameters):
                if isinstance(given, kind):
                    self._nbytes = _up(self._nbytes, size)
                    self._pieces.append((i, self._nbytes))
                    self._nbytes += given.nbytes
            if kind is Zeroed:
                self._zeroed = self._nbytes

    def __call__(self, *given: Any, block: np.ndarray[Any, Any] | None = None) -> Array:
        """Run the kernel, where there are rows; returns what it works in, as bytes."""
        import cupy as cp

        words = self._words.copy()
        for i, word in zip(self._given, words_of(*given), strict=True):
            words[i] = word
        try:
            room = cp.empty(self._nbytes, np.uint8)
        except MemoryError:
            from spbfs.base.gpu_memory import refusal

            raise refusal(self._nbytes, self._what) from None
        memory = room.data
        first = memory.ptr
        for i, offset in self._pieces:
            words[i] = first + offset
        if self._zeroed:
            memory.memset_async(0, self._zeroed)
        if self._grid:
            self._kernel(self._grid, words, block=block)
        return room


def _of_a_call(given: Any) -> bool:
    return given is GIVEN or isinstance(given, Room | Zeroed)


def prepared(A: MatrixData, prepare: Callable[..., Launch], *which: Hashable) -> Launch:
    """The launch ``prepare(A, *which)``, made at the first call that needs it and kept with `A`."""
    launches, key = launches_of(A), (prepare, *which)
    launch: Launch | None = launches.get(key)
    if launch is None:
        # Whoever prepares it finds the same.
        launch = launches[key] = prepare(A, *which)
    return launch
