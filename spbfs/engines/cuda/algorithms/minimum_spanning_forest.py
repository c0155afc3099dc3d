"""Minimum spanning forests on the GPU: ``kernels/cuda/minimum_spanning_forest.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.algorithms.rows import launch, offset_type, room_for_pieces, rounds
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.fused import Forest
from spbfs.storage.data import MatrixData, is_iso, iso_array

__all__ = ["STATE_BYTES", "minimum_spanning_forest", "specialisations"]

#: ``struct ForestState``.
STATE_BYTES = 16
_WEIGHTS = {
    "i4": "int",
    "u4": "unsigned int",
    "i8": "long long",
    "u8": "unsigned long long",
    "f4": "float",
    "f8": "double",
}


def minimum_spanning_forest(A: MatrixData, threads: int | None) -> Forest | None:
    """See `spbfs.engines.fused.MinimumSpanningForest`."""
    import cupy as cp

    from spbfs.base.gpu_memory import require_bytes

    n, entries = A.nrows, A.nvals
    require_bytes(40 * n + 4 * entries, "A: its forest")
    weights = _wide(A.values)
    parents, following, low, high = cp.empty((4, n), np.int32)
    keys, pairs = cp.empty((2, n), np.uint64)
    places = cp.empty(n, np.int64)
    state = cp.zeros(STATE_BYTES, np.uint8)
    if n:
        launch(
            _specialisation(A.indptr.dtype, weights.dtype),
            *(A, A.indptr, A.indices, weights, weights.strides[0] // weights.dtype.itemsize, n),
            *(parents, following, keys, pairs, low, high, places),
            *(room_for_pieces(entries), rounds(), state),
        )
    chosen, nan = state.view(np.int64).tolist()
    if nan:
        return None
    places = places[:chosen]
    return Forest(low[:chosen], high[:chosen], A.values[places], places)


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
