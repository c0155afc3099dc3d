"""Many searches with a status byte each: ``cuda/bfs_many/bfs_many_bytes.cu``, for comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.bfs_many import Ints
from spbfs.engines.bfs_many_stepwise import UNVISITED, Census
from spbfs.engines.cuda.graph.symmetric import is_symmetric
from spbfs.engines.cuda.runtime.counting import TOTALS
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, words_of
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.exceptions import InvalidValue
from spbfs.storage.data import MatrixData

__all__ = ["JointBytes", "PrivateBytes", "directions", "launch", "offset_of", "specialisations"]

Array = Any

#: CTAs of a multiprocessor.
_RESIDENT = 8
#: A status that is neither a level nor open: of searches that fill up a row.
_NO_SEARCH = UNVISITED - 1


def directions(A: MatrixData, engine: Any) -> tuple[MatrixData, MatrixData]:
    """Out-edges and in-edges of a matrix on the GPU, whose columns kernels read as int32."""
    if A.indices.dtype != np.int32:
        raise InvalidValue(f"A: expected int32 columns on CUDA, got {A.indices.dtype}")
    return A, A if is_symmetric(A) else engine.transposed(A)


def launch(module: Specialisation, name: str, *arguments: Any, multiple: int = 1) -> None:
    """A kernel of a module over all of the GPU, in a multiple of so many CTAs."""
    grid = -(-_RESIDENT * limits().sms // multiple) * multiple
    Kernel(module, name)(grid, words_of(*arguments))


def offset_of(wide: bool) -> str:
    """The type of offsets in CUDA C++."""
    return "long long" if wide else "int"


def _module(wide: bool) -> Specialisation:
    """Both kinds at once: what they compile is small."""
    offset = offset_of(wide)
    names: list[str] = []
    for kind, private in (("joint", "false"), ("private", "true")):
        names += [f"bfs_many_bytes_queue_{kind}", f"bfs_many_bytes_census<{offset}, {private}>"]
        for pulled in ("false", "true"):
            names.append(f"bfs_many_bytes_expand_{kind}<{offset}, {pulled}>")
    return Specialisation("bfs_many_bytes", tuple(names))


class _Bytes:
    """What both ways of keeping status bytes have in common; see `Stepwise`.

    Parameters
    ----------
    A : MatrixData
        Square, on the GPU.
    sources : int64 array
    engine : CudaEngine
    """

    #: "joint" or "private", as kernels are called.
    kind: str
    #: Searches that a row of statuses has room for.
    width: int

    def __init__(self, A: MatrixData, sources: Ints, engine: Any) -> None:
        import cupy as cp

        from spbfs.base.gpu_memory import require_bytes

        self._out, self._into = directions(A, engine)
        self._n, self._sources, self._cp = A.nrows, cp.asarray(sources), cp
        self.width = self._room(sources.shape[0])
        self._queues = 1 if self.kind == "joint" else self.width
        needed = self._n * (self.width + 4 * self._queues)
        require_bytes(needed, "A: searches of it")
        self._status = self._begun()
        self._queue = cp.empty(self._queues * max(1, self._n), np.int32)
        self._tails = cp.zeros(self._queues, np.uint32)
        wide = A.indptr.dtype == np.int64
        self._offset, self._module = offset_of(wide), _module(wide)

    def _room(self, searches: int) -> int:
        return searches

    def _begun(self) -> Array:
        raise NotImplementedError

    def census(self, level: int) -> Census:
        totals = self._cp.zeros(2 * TOTALS, np.uint8)
        name = f"bfs_many_bytes_census<{self._offset}, {str(self.kind == 'private').lower()}>"
        given = (self._status, self._out.indptr, self._n, self.width, level, totals)
        launch(self._module, name, *given, multiple=self._queues)
        frontier, edges, _, _, unvisited, open_edges, _, _ = totals.view(np.int64).tolist()
        return Census(frontier, edges, unvisited, open_edges)

    def enqueue(self, level: int, pulled: bool) -> int:
        self._tails[...] = 0
        wanted = UNVISITED if pulled else level
        name = f"bfs_many_bytes_queue_{self.kind}"
        given = (self._status, self._n, self.width, wanted, self._queue, self._tails)
        launch(self._module, name, *given, multiple=self._queues)
        return int(self._tails.sum())

    def expand(self, level: int, pulled: bool) -> tuple[int, int]:
        rows = self._into if pulled else self._out
        name = f"bfs_many_bytes_expand_{self.kind}<{self._offset}, {str(pulled).lower()}>"
        given = (rows.indptr, rows.indices, self._status, self._n, self.width, level)
        launch(self._module, name, *given, self._queue, self._tails, multiple=self._queues)
        return 0, 0

    def levels(self) -> Array:
        return self._status[: self._sources.shape[0]]


class JointBytes(_Bytes):
    """iBFS's joint traversal: a row of statuses a vertex, one queue."""

    kind = "joint"

    def _room(self, searches: int) -> int:
        width = next((w for w in (32, 64, 128, THREADS) if searches <= w), None)
        if width is None:
            raise InvalidValue(f"sources: expected at most {THREADS}, got {searches}")
        return width

    def _begun(self) -> Array:
        cp, searches = self._cp, self._sources.shape[0]
        status = cp.full((self._n, self.width), UNVISITED, np.uint8)
        status[:, searches:] = _NO_SEARCH
        status[self._sources, cp.arange(searches)] = 0
        return status

    def levels(self) -> Array:
        return self._cp.ascontiguousarray(self._status[:, : self._sources.shape[0]].T)


class PrivateBytes(_Bytes):
    """Searches side by side: statuses and a queue of its own for each."""

    kind = "private"

    def _begun(self) -> Array:
        cp = self._cp
        status = cp.full((self.width, self._n), UNVISITED, np.uint8)
        status[cp.arange(self.width), self._sources] = 0
        return status


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from map(_module, (False, True))
