"""Minimum spanning forests on the GPU: ``kernels/cuda/connectivity/minimum_spanning_forest.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.base.flags import any_true
from spbfs.engines.cuda.algorithms.prepared import GIVEN, Launch, Room, Zeroed, prepared
from spbfs.engines.cuda.algorithms.rows import offset_type
from spbfs.engines.cuda.graph.marked import marked_entries, no_marks
from spbfs.engines.cuda.graph.symmetric import is_own_transpose
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.operators.definitions import TypedBinary
from spbfs.operators.dtypes import BOOL, lookup_dtype
from spbfs.operators.tables.builtin import BINARY
from spbfs.storage.data import MatrixData, is_iso, iso_array

__all__ = ["STATE_BYTES", "minimum_spanning_forest", "specialisations"]

#: ``struct ForestState``, whose second word tells of NaN.
STATE_BYTES = 56
_WEIGHTS = {
    "i4": "int",
    "u4": "unsigned int",
    "i8": "long long",
    "u8": "unsigned long long",
    "f4": "float",
    "f8": "double",
}


def minimum_spanning_forest(engine: Any, A: MatrixData, threads: int | None) -> MatrixData | None:
    """See `spbfs.engines.fused.MinimumSpanningForest`."""
    both = _both_ways(engine, A)
    if both is None:
        return None
    weights = _wide(both.values)
    marked, counts = no_marks(both)
    if not both.nrows:
        counts[:] = 0
    room = prepared(both, _launch, weights.dtype)(
        weights, _stride(weights), marked, counts, counts.shape[0]
    )
    if room[:STATE_BYTES].view(np.uint32)[1]:
        return None
    return marked_entries(both, marked, counts)


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


def _launch(both: MatrixData, weight: np.dtype[Any]) -> Launch:
    n = both.nrows
    one_word = both.indptr.dtype.itemsize == weight.itemsize == 4  # kOneWord
    edge = 16 if one_word else 24
    return Launch(
        _specialisation(both.indptr.dtype, weight),
        both,
        "A: its forest",
        *(both.indptr, both.indices, GIVEN, GIVEN, n, both.nvals, Room(4 * n), Room(8 * n)),
        *(None if one_word else Room(8 * n), Room(4 * n), Room(edge * (both.nvals // 2))),
        *(GIVEN, GIVEN, GIVEN, Zeroed(STATE_BYTES)),
    )


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
