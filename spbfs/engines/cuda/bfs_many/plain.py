"""Many searches in plain rows of bits: ``cuda/bfs_many/bfs_many_plain.cu``, for comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.bfs_many import Ints
from spbfs.engines.bfs_many_stepwise import UNVISITED, Census
from spbfs.engines.cuda.bfs_many.bytes import directions, launch, offset_of
from spbfs.engines.cuda.runtime.counting import TOTALS
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.exceptions import InvalidValue
from spbfs.storage.data import MatrixData

__all__ = ["PlainBits", "specialisations"]

Array = Any

_STEM = "bfs_many_plain"
#: Words of a row: 128 searches, as many as iBFS groups.
_WORDS = 2


class PlainBits:
    """Searches in rows of bits as iBFS has them, or as MS-BFS has; see `Stepwise`.

    Parameters
    ----------
    A : MatrixData
        Square, on the GPU.
    sources : int64 array
        At most 128.
    engine : CudaEngine
    kept : bool
        Whether rows keep what was visited, so that pulls end early (iBFS), or have the bits of a
        level alone (MS-BFS).
    with_levels : bool, optional
        Whether levels will be asked for; they are written as they are found.
    """

    def __init__(
        self, A: MatrixData, sources: Ints, engine: Any, *, kept: bool, with_levels: bool = True
    ) -> None:
        import cupy as cp

        from spbfs.base.gpu_memory import require_bytes

        self._searches, self._n = int(sources.shape[0]), A.nrows
        if self._searches > 64 * _WORDS:
            raise InvalidValue(f"sources: expected at most {64 * _WORDS}, got {self._searches}")
        self._out, self._into = directions(A, engine)
        self._kept, self._cp = kept, cp
        written = self._searches if with_levels else 0
        require_bytes(self._n * (24 * _WORDS + 4 + written), "A: searches of it")
        self._before, self._now, self._next = cp.zeros((3, max(1, self._n), _WORDS), np.uint64)
        self._levels = cp.full((written, self._n), UNVISITED, np.uint8) if with_levels else None
        self._queue, self._tail = cp.empty(max(1, self._n), np.int32), cp.zeros(1, np.uint32)
        begun = np.zeros((max(1, self._n), _WORDS), np.uint64)
        search = np.arange(self._searches)
        bits = np.uint64(1) << (search % 64).astype(np.uint64)
        np.bitwise_or.at(begun, (sources, search // 64), bits)
        (self._now if kept else self._next)[...] = cp.asarray(begun)
        self._open = self._searches * self._n, self._searches * A.nvals
        wide = A.indptr.dtype == np.int64
        self._module = _module(wide, kept)
        self._shape = _shape(kept)
        self._typed = f"{offset_of(wide)}, {self._shape}"

    def census(self, level: int) -> Census:
        totals = self._cp.zeros(TOTALS, np.uint8)
        arrays = self._before, self._now, self._next, self._out.indptr
        given = (*arrays, self._n, level, self._levels, totals)
        launch(self._module, f"{_STEM}_census<{self._typed}>", *given)
        found, edges, *_ = totals.view(np.int64).tolist()
        self._open = self._open[0] - found, self._open[1] - edges
        return Census(found, edges, *self._open)

    def enqueue(self, level: int, pulled: bool) -> int:
        self._tail[...] = 0
        name = f"{_STEM}_queue<{self._shape}, {str(pulled).lower()}>"
        arrays = self._before, self._now, self._n, self._searches, self._queue, self._tail
        launch(self._module, name, *arrays)
        return int(self._tail[0])

    def expand(self, level: int, pulled: bool) -> tuple[int, int]:
        if self._kept:
            self._next[...] = self._now
        rows = self._into if pulled else self._out
        arrays = rows.indptr, rows.indices, self._before, self._now, self._next
        name = f"{_STEM}_expand<{self._typed}, {str(pulled).lower()}>"
        launch(self._module, name, *arrays, self._searches, self._queue, self._tail)
        if self._kept:
            self._before, self._now, self._next = self._now, self._next, self._before
        return 0, 0

    def levels(self) -> Array:
        return self._levels


def _shape(kept: bool) -> str:
    return f"{_WORDS}, {str(kept).lower()}"


def _module(wide: bool, kept: bool) -> Specialisation:
    shape = _shape(kept)
    typed = f"{offset_of(wide)}, {shape}"
    names = [f"{_STEM}_census<{typed}>"]
    for pulled in ("false", "true"):
        names += [f"{_STEM}_queue<{shape}, {pulled}>", f"{_STEM}_expand<{typed}, {pulled}>"]
    return Specialisation(_STEM, tuple(names))


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (_module(wide, kept) for wide in (False, True) for kept in (False, True))
