"""Shortest paths counted and their shares summed on the GPU: ``kernels/cuda/betweenness.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.engines.cuda.algorithms.rows import launch, offset_type
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import MatrixData

__all__ = ["BATCH", "PART_BYTES", "PART_ENTRIES", "STATE", "dependencies", "specialisations"]

Array = Any

#: ``struct BetweennessState``.
STATE = np.dtype(
    [
        ("edges", np.int64),
        ("too_many", np.uint32),
        ("barrier", np.uint32),
        ("long_rows", np.int32),
        ("padding", np.int32, 3),
        ("counts", np.uint64, 12),
    ]
)
#: `kSources`: sources of a launch.
BATCH = 4
#: `kPartEntries`, and bytes of ``struct RowPart``.
PART_ENTRIES, PART_BYTES = 1024, 32
#: Numbers of a page of the host's memory.
_PAGE = 512
#: Of a number of paths, a double or one of any size, its bytes.
_COUNTS = {"double": 8, "Wide": 16}


class _Room:
    """What searches of one matrix work in, but for numbers of paths."""

    def __init__(self, A: MatrixData, sources: int) -> None:
        import cupy as cp

        n = A.nrows
        self.stride = -(-n // 16) * 16
        #: Of every vertex for which sources it was found, and for which it is in four levels.
        self.bits = cp.empty(5 * self.stride, np.uint8)
        self.order = cp.empty(sources * n, np.int32)
        self.masks = cp.empty(sources * n, np.uint8)
        self.starts = cp.empty(n + 1, np.int64)
        # Of rows and of columns; one has at most one part that is not full.
        self.parts, self.others = cp.empty((2, _parts(A) * PART_BYTES), np.uint8)


def dependencies(
    engine: Any,
    A: MatrixData,
    sources: npt.NDArray[np.int64],
    scale: float,
    threads: int | None,
) -> tuple[npt.NDArray[np.float64], int]:
    """A few sources at a time, a launch each; see `Dependencies`."""
    import cupy as cp

    n, edges = A.nrows, 0
    count = sources.shape[0]
    if not count:
        return np.zeros(n), 0
    engine.require_bytes(81 * n + A.nvals // 5, "A: shares of its paths")
    into = engine.in_edges(A)
    in_offsets = into.indptr.astype(A.indptr.dtype, copy=False)
    room, totals = _Room(A, min(count, BATCH)), cp.zeros(n)
    batches = engine.asarray(sources.astype(np.int32))
    kind, values = "double", _values(A, "double")
    host: npt.NDArray[np.float64] = np.empty(n)
    first = 0
    while first < count:
        state = cp.zeros(STATE.itemsize, np.uint8)
        launch(
            _specialisation(A.indptr.dtype, kind),
            *(A, A.indptr, A.indices, in_offsets, into.indices, n),
            *(batches[first : first + BATCH], min(BATCH, count - first)),
            *(room.bits, room.stride, room.order, room.masks, room.starts),
            *(values[0], totals, float(scale)),
            *(room.parts, room.others, values[1], state),
        )
        if not first:
            # The host's pages are mapped while the GPU searches.
            host[::_PAGE] = 0.0
        (found,) = cp.asnumpy(state).view(STATE)
        if found["too_many"]:
            # Likely so for the other sources, too.
            engine.require_bytes(64 * n + A.nvals // 8, "A: numbers of its paths")
            kind, values = "Wide", _values(A, "Wide")
            continue
        edges += int(found["edges"])
        first += BATCH
    totals.get(out=host)
    return host, edges


def _parts(A: MatrixData) -> int:
    return 2 * A.nvals // PART_ENTRIES + 1


def _values(A: MatrixData, kind: str) -> tuple[Array, Array]:
    """Numbers of a vertex, and of a part of a long row."""
    import cupy as cp

    vertices, parts = (
        cp.empty(BATCH * _COUNTS[kind] * size, np.uint8) for size in (A.nrows, _parts(A))
    )
    return vertices, parts


def _specialisation(offset: Any, count: str) -> Specialisation:
    name = f"betweenness<{offset_type(offset)}, {count}>"
    return Specialisation("betweenness", (name,), cooperative=True)


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    for offset in (np.int32, np.int64):
        for count in _COUNTS:
            yield _specialisation(offset, count)
