"""Shortest paths on the GPU by near and far: ``kernels/cuda/paths/sssp.cu``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.algorithms.prepared import GIVEN, Launch, Room, Zeroed, prepared
from spbfs.engines.cuda.algorithms.rows import (
    STATE_BYTES,
    offset_type,
    room_for_items,
    rounds,
)
from spbfs.engines.cuda.runtime.counting import TOTALS
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.paths import FoundPaths, PathRequest
from spbfs.planner.paths import bins_of_gpu
from spbfs.storage.arrays import is_iso
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.derived import has_whole_values

__all__ = ["shortest_paths", "specialisations"]

Array = Any

#: The greatest distances that are told from none.
_MOST_32, _MOST_64, _MOST_FLOAT = (1 << 32) - 2, (1 << 63) - 2, sys.float_info.max
#: The greatest whole number up to which FP64 has all.
_MOST_COUNTED = 1 << 53
#: Types of lengths by dtype, and those of distances: a key, and whether they are real.
_LENGTHS = {"i4": "int", "i8": "long long", "f4": "float", "f8": "double"}
_NARROW, _WIDE, _REAL = (
    f"unsigned {key}, {real}"
    for key, real in (("int", "false"), ("long long", "false"), ("long long", "true"))
)


def shortest_paths(A: MatrixData, request: PathRequest) -> FoundPaths:
    """See `ShortestPaths`; a tree from several sources is left to products, and where lengths are
    no whole numbers one in which a vertex has several shortest paths."""
    import cupy as cp

    n, entries = A.nrows, A.nvals
    tree = request.tree and request.sources.shape[0] == 1
    longest = min(n - 1, entries) * request.greatest
    # Of several shortest paths integers tell which is taken, beside the distance.
    counted = tree and longest <= _MOST_COUNTED and has_whole_values(A)
    lengths = _lengths(A, request.greatest, counted)
    real = lengths.dtype.kind == "f"
    bits = n.bit_length() if tree and not real else 0  # for the edges of a path, fewer than n
    if (longest + request.greatest) * 2**bits > _MOST_64:
        bits = 0
    narrow = not real and bits == 0 and longest <= _MOST_32
    most = _MOST_FLOAT if real else _MOST_32 if narrow else _MOST_64 >> bits
    limit = most if request.limit is None else min(request.limit, most)
    width = bins_of_gpu(request.mean, request.greatest, n, entries) if request.greatest > 0 else 1.0
    numbers, present = cp.empty(n, np.float64 if real else np.int64), cp.empty(n, np.bool_)
    parents = cp.empty(n, np.int32) if tree else None
    sources = cp.asarray(request.sources.astype(np.int32))
    room = prepared(A, _launch, lengths.dtype, narrow)(
        *(lengths, lengths.strides[0] // lengths.dtype.itemsize),
        *(sources, sources.shape[0], _limit(limit, real, bits), bits, _word(width * 2**bits)),
        -1 if request.target is None else request.target,
        *(numbers, present, parents),
    )
    counts = room[STATE_BYTES : STATE_BYTES + TOTALS + 8]
    reached, edges, *_, undecided = counts.view(np.int64).tolist()

    def vector(values: Array) -> VectorData:
        return VectorData(n, values, present=None if reached == n else present.copy())

    if counted and A.values.dtype.kind == "f":
        numbers = numbers.astype(np.float64)

    decided = parents is not None and not undecided
    return FoundPaths(vector(numbers), vector(parents) if decided else None, None, edges)


def _launch(A: MatrixData, length: np.dtype[Any], narrow: bool) -> Launch:
    n = A.nrows
    number, items = Room(4 * n), room_for_items(n, A.nvals)
    return Launch(
        _specialisation(A.indptr.dtype, length, narrow),
        A,
        "A: paths to all of its vertices",
        *(A.indptr, A.indices, GIVEN, GIVEN, n, GIVEN, GIVEN, GIVEN, GIVEN, GIVEN, GIVEN),
        *(Room(n * (4 if narrow else 8)), items, items, number, number, number, Room(n)),
        *(GIVEN, GIVEN, GIVEN, rounds(), Zeroed(TOTALS), Zeroed(8)),
    )


def _lengths(A: MatrixData, greatest: float, whole: bool) -> Array:
    """The values in a type that the kernel adds, an integer where they are `whole`."""
    dtype: Any = A.values.dtype
    if whole or dtype.kind != "f":
        dtype = np.dtype(np.int32 if greatest <= np.iinfo(np.int32).max else np.int64)
    if A.values.dtype == dtype:
        return A.values
    values = A.values[:1] if is_iso(A.values) else A.values
    made = values.astype(dtype)
    return made if made.shape == A.values.shape else _repeated(made, A.nvals)


def _repeated(value: Array, size: int) -> Array:
    import cupy as cp

    return cp.broadcast_to(value, (size,))


def _limit(limit: float, real: bool, bits: int) -> int:
    """The greatest key of a distance."""
    return _word(limit) if real else (int(limit) + 1 << bits) - 1


def _word(number: float) -> int:
    """A double as a kernel's parameter."""
    return int(np.float64(number).view(np.int64))


def _specialisation(offset: Any, length: np.dtype[Any], narrow: bool) -> Specialisation:
    key = _REAL if length.kind == "f" else _NARROW if narrow else _WIDE
    arguments = f"{offset_type(offset)}, {_LENGTHS[length.str[1:]]}, {key}"
    return Specialisation("sssp", (f"sssp<{arguments}>",), cooperative=True)


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    for offset in (np.int32, np.int64):
        for length in (np.int32, np.int64, np.float32, np.float64):
            yield _specialisation(offset, np.dtype(length), narrow=False)
        yield _specialisation(offset, np.dtype(np.int32), narrow=True)
