"""Scores of a random walk on the GPU: ``kernels/cuda/centrality/pagerank.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from spbfs.base.progress import Told
from spbfs.engines.cuda.algorithms.prepared import GIVEN, Launch, Room, Zeroed, prepared
from spbfs.engines.cuda.algorithms.rows import most_ctas, offset_type
from spbfs.engines.cuda.graph.hubs_first import (
    HUB_DEFINE,
    HUB_THREADS,
    hubs_first,
    hubs_kept,
)
from spbfs.engines.cuda.runtime.launch import THREADS, pointer
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.fused import Scores, Walk
from spbfs.operators.casts import cast
from spbfs.storage.data import MatrixData, is_iso
from spbfs.storage.derived import HubsFirst, ledger_of

__all__ = ["CUT_ENTRIES", "PART_BYTES", "STATE", "WALK", "pagerank", "specialisations"]

#: ``struct Walk`` and ``struct WalkState``.
WALK = np.dtype(
    [
        ("weights", np.int64),
        ("restart", np.int64),
        ("start", np.int64),
        ("damping", np.float64),
        ("base", np.float64),
        ("tolerance", np.float64),
        ("iterations", np.int64),
    ]
)
STATE = np.dtype(
    [
        ("change", np.float64),
        ("rounds", np.int64),
        ("converged", np.int64),
        ("barrier", np.uint32),
        ("taken", np.uint32, 2),
        ("padding", np.uint32),
    ]
)
#: ``sizeof(CutPart)``, and the entries that a row must have for one: `kPartEntries` is twice that.
PART_BYTES = 24
CUT_ENTRIES = 1024
_SCORES = {4: "float", 8: "double"}
#: How rows are read: as they come, by lanes that are left alone with short ones, or with the shares
#: of hubs in shared memory.
_ROWS = {"all": "false, false", "short": "true, false", "hubs": "false, true"}
#: Rounds that a tolerance takes at least, as a rule.
_LIKELY = 10


def pagerank(
    engine: Any, A: MatrixData, walk: Walk, threads: int | None, told: Told | None = None
) -> Scores:
    """See `spbfs.engines.fused.PageRank`."""
    import cupy as cp

    n, kind = A.nrows, walk.dtype
    # What all edges have in common makes none of them likelier.
    alike = walk.weights is None or (is_iso(A.values) and A.nvals > 0 and A.values[0] > 0)
    into = engine.in_edges(A) if alike else engine.transposed(A)
    lengths = None if alike else cp.ascontiguousarray(cast(cp, into.values, kind))
    block = np.zeros(1, WALK)
    asked = None if alike else walk.weights, walk.restart, walk.start
    given = [None if values is None else cp.asarray(values) for values in asked]
    block["weights"], block["restart"], block["start"] = map(pointer, given)
    block["damping"], block["iterations"] = walk.damping, walk.iterations
    block["base"] = (1 - walk.damping) / n
    block["tolerance"] = -1.0 if walk.tolerance is None else walk.tolerance
    order = hubs_first(into, coming=walk.iterations if walk.tolerance is None else _LIKELY)
    columns = into.indices if order.indices is None else order.indices
    scores = cp.empty(n, kind)
    room = prepared(A, _launch, kind, not alike, _rows(into, order, kind))(
        *(into.indptr, columns, lengths, order.rank, scores), block=block
    )
    (found,) = cp.asnumpy(room[: STATE.itemsize]).view(STATE)
    rounds = int(found["rounds"])
    ledger_of(into).sums += rounds
    if told is not None:
        told(rounds, rounds * A.nvals)
    return Scores(scores, rounds, float(found["change"]), bool(found["converged"]))


def _rows(into: MatrixData, order: HubsFirst, kind: np.dtype[Any]) -> str:
    """Which of `_ROWS` the rows of a matrix are.  Sums of doubles gain nothing by short ones."""
    from spbfs.engines.cuda.products.rows import has_short_rows  # imports CuPy

    if order.indices is not None:
        return "hubs"
    short = kind.itemsize == 4 and into.nvals > 0 and has_short_rows(into)
    return "short" if short else "all"


def _launch(A: MatrixData, kind: np.dtype[Any], weighted: bool, rows: str) -> Launch:
    share, parts = Room(kind.itemsize * A.nrows), A.nvals // CUT_ENTRIES + 1
    hubs = hubs_kept(kind.itemsize) if rows == "hubs" else 0
    return Launch(
        _specialisation(A.indptr.dtype, kind, weighted, rows),
        A,
        "A: two numbers a vertex",
        *(GIVEN, GIVEN, GIVEN, A.indptr, GIVEN, hubs, A.nrows, share, share, GIVEN),
        *(Room(4 * 8 * most_ctas()), Room(PART_BYTES * parts), Room(kind.itemsize * parts)),
        Zeroed(STATE.itemsize),
        block=WALK,
        threads=HUB_THREADS[_widest(A.indptr.dtype, kind)] if hubs else THREADS,
        shared_bytes=kind.itemsize * hubs,
    )


def _widest(offset: Any, score: np.dtype[Any]) -> int:
    """Bytes by which registers are counted out: both are held by every thread."""
    return max(np.dtype(offset).itemsize, score.itemsize)


def _specialisation(offset: Any, score: np.dtype[Any], weighted: bool, rows: str) -> Specialisation:
    arguments = offset_type(offset), _SCORES[score.itemsize], str(weighted).lower(), _ROWS[rows]
    defines = (HUB_DEFINE[_widest(offset, score)],) if rows == "hubs" else ()
    kernel = f"pagerank<{', '.join(arguments)}>"
    return Specialisation("pagerank", (kernel,), defines, cooperative=True)


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    for offset in (np.int32, np.int64):
        for score in (np.float32, np.float64):
            for weighted, rows in product((False, True), _ROWS):
                if rows == "short" and score is np.float64:
                    continue
                yield _specialisation(offset, np.dtype(score), weighted, rows)
