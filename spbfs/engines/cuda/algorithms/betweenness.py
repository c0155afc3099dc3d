"""Shortest paths counted and their shares summed on the GPU: ``cuda/centrality/betweenness.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.engines.cuda.algorithms.prepared import GIVEN, Launch, Room, Zeroed, prepared
from spbfs.engines.cuda.algorithms.rows import offset_type
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
#: Of a number of paths, a double or one of any size, its bytes.
_COUNTS = {"double": 8, "Wide": 16}


def dependencies(
    engine: Any,
    A: MatrixData,
    sources: npt.NDArray[np.int64],
    scale: float,
    threads: int | None,
) -> tuple[Array, int]:
    """A few sources at a time, a launch each; see `Dependencies`."""
    import cupy as cp

    n, edges = A.nrows, 0
    count = sources.shape[0]
    into = engine.in_edges(A)
    in_offsets = into.indptr.astype(A.indptr.dtype, copy=False)
    totals = cp.zeros(n)
    batches = engine.asarray(sources.astype(np.int32))
    kind, first = "double", 0
    while first < count:
        at_once = min(BATCH, count - first)
        room = prepared(A, _launch, kind, at_once)(
            *(in_offsets, into.indices, batches[first : first + at_once], totals, float(scale))
        )
        (found,) = cp.asnumpy(room[: STATE.itemsize]).view(STATE)
        if found["too_many"]:
            # Likely so for the other sources, too.
            kind = "Wide"
            continue
        edges += int(found["edges"])
        first += at_once
    return totals, edges


def _launch(A: MatrixData, kind: str, sources: int) -> Launch:
    """But for what searches of one matrix leave for each other."""
    n = A.nrows
    stride = -(-n // 16) * 16
    # Of rows and of columns; one has at most one part that is not full.
    most = 2 * A.nvals // PART_ENTRIES + 1
    parts, number = Room(PART_BYTES * most), BATCH * _COUNTS[kind]
    return Launch(
        _specialisation(A.indptr.dtype, kind),
        A,
        "A: shares of its paths",
        *(A.indptr, A.indices, GIVEN, GIVEN, n, GIVEN, sources),
        # Of every vertex for which sources it was found, and for which it is in four levels.
        *(Room(5 * stride), stride, Room(4 * sources * n), Room(sources * n), Room(8 * (n + 1))),
        *(Room(number * n), GIVEN, GIVEN, parts, parts, Room(number * most)),
        Zeroed(STATE.itemsize),
    )


def _specialisation(offset: Any, count: str) -> Specialisation:
    name = f"betweenness<{offset_type(offset)}, {count}>"
    return Specialisation("betweenness", (name,), cooperative=True)


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    for offset in (np.int32, np.int64):
        for count in _COUNTS:
            yield _specialisation(offset, count)
