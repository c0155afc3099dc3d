"""Minimum spanning forests on the GPU: ``kernels/cuda/minimum_spanning_forest.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.base.flags import any_true
from spbfs.engines.cuda.algorithms.rows import (
    PIECE_BYTES,
    launch,
    offset_type,
    room_for_pieces,
)
from spbfs.engines.cuda.graph.symmetric import is_own_transpose
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.fused import Forest
from spbfs.operators.builtin import BINARY
from spbfs.operators.definitions import TypedBinary
from spbfs.operators.dtypes import BOOL, lookup_dtype
from spbfs.storage.data import MatrixData, is_iso, iso_array

__all__ = ["CANDIDATE_BYTES", "STATE", "STATE_BYTES", "minimum_spanning_forest", "specialisations"]

#: ``struct ForestState`` up to its counts, and the bytes of all of it.
STATE = np.dtype([("barrier", np.uint32), ("nan", np.uint32), ("chosen", np.uint64)])
STATE_BYTES = 64
#: ``struct Candidate``.
CANDIDATE_BYTES = 16
_WEIGHTS = {
    "i4": "int",
    "u4": "unsigned int",
    "i8": "long long",
    "u8": "unsigned long long",
    "f4": "float",
    "f8": "double",
}


def minimum_spanning_forest(engine: Any, A: MatrixData, threads: int | None) -> Forest | None:
    """See `spbfs.engines.fused.MinimumSpanningForest`."""
    import cupy as cp

    n, entries = A.nrows, A.nvals
    engine.require_bytes(64 * n + 4 * entries, "A: its forest")
    both = _both_ways(engine, A)
    if both is None:
        return None
    rows, following, changed, into, low, high = cp.empty((6, n), np.int32)
    places, state = cp.empty(n, np.int64), cp.zeros(STATE_BYTES, np.uint8)
    pieces = room_for_pieces(both.nvals)
    found = cp.empty((n + pieces.shape[0] // PIECE_BYTES) * CANDIDATE_BYTES, np.uint8)
    if n:
        searched, given = _wide(both.values), _wide(A.values)
        launch(
            _specialisation(A.indptr.dtype, searched.dtype),
            *(both, both.indptr, both.indices, searched, _stride(searched)),
            *(A.indptr, A.indices, given, _stride(given), n),
            *(cp.empty(n, np.int32), *cp.empty((2, n), np.uint64), found),
            *(rows, following, changed, into, low, high, places, pieces, state),
        )
    _, nan, chosen = state[:16].view(STATE).get()[0]
    if nan:
        return None
    places = places[:chosen]
    return Forest(low[:chosen], high[:chosen], A.values[places], places)


def _both_ways(engine: Any, A: MatrixData) -> MatrixData | None:
    """Every edge in the rows of both of its ends, with the lesser weight; None where one is NaN.

    A NaN of what is its own transpose is for the kernel to find.
    """
    if is_own_transpose(A):
        return A
    if A.values.dtype.kind == "f" and any_true(A.values != A.values):
        return None
    dtype = lookup_dtype(A.values.dtype)
    least = TypedBinary(BINARY["land" if dtype is BOOL else "min"], dtype, dtype)
    both: MatrixData = engine.ewise_add(A, engine.transposed(A), least)
    return both


def _stride(weights: Any) -> int:
    stride: int = weights.strides[0] // weights.dtype.itemsize
    return stride


def _wide(values: Any) -> Any:
    """The same numbers in four bytes or eight."""
    if values.dtype.itemsize >= 4:
        return values
    wide: Any = np.int32 if values.dtype.kind == "i" else np.uint32
    if is_iso(values) and values.shape[0]:
        return iso_array(values[:1].astype(wide), values.shape[0])
    return values.astype(wide)


def _specialisation(offset: Any, weight: np.dtype[Any]) -> Specialisation:
    arguments = f"{offset_type(offset)}, {_WEIGHTS[weight.str[1:]]}"
    stem = "minimum_spanning_forest"
    return Specialisation(stem, (f"{stem}<{arguments}>",), cooperative=True)


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    for offset in (np.int32, np.int64):
        for weight in _WEIGHTS:
            yield _specialisation(offset, np.dtype(weight))
