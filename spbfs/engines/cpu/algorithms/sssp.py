"""Shortest paths on the CPU by delta-stepping: ``kernels/cpu/paths/sssp.cpp``."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import require_bytes
from spbfs.base.threads import resolve_threads
from spbfs.engines.cpu.native import kernels
from spbfs.engines.paths import FoundPaths, PathRequest
from spbfs.planner.paths import bin_width, splits_rows
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.derived import keeping

__all__ = ["PathRows", "distances_from_each", "shortest_paths"]

Array = npt.NDArray[Any]

#: The greatest distances that are told from none.
_MOST_32, _MOST_64, _MOST_FLOAT = (1 << 31) - 2, (1 << 63) - 2, sys.float_info.max


@dataclass(frozen=True, slots=True)
class PathRows:
    """A matrix as delta-stepping reads it."""

    width: float
    indices: Array
    weights: Array
    #: Where edges of the width or longer begin in a row; None where rows are as they are given.
    heavy: Array | None
    heavy_edges: int
    #: Whether edges have the same length both ways, so that rows are those of in-edges, too.
    both_ways: bool
    nbytes: int


def shortest_paths(A: MatrixData, request: PathRequest) -> FoundPaths:
    """See `ShortestPaths`."""
    threads, n = resolve_threads(request.threads), A.nrows
    require_bytes(n * (17 + 3 * A.indices.dtype.itemsize), "A: paths to all of its vertices")
    rows = _rows_of(A, request, threads)
    integral, types = _types(rows)
    several = request.sources.shape[0] > 1
    itype = A.indices.dtype
    distances = np.empty(n, np.int64 if integral else np.float64)
    reached = np.empty(n, np.bool_)
    parents = np.empty(n, itype) if request.tree else None
    owners = np.empty(n, itype) if request.tree and several else None
    out = (A.indptr, rows.indices, rows.weights, rows.heavy)
    for most in types:
        limit: Any = most if request.limit is None else min(request.limit, most)
        count, farthest, edges = kernels.sssp(
            out,
            out if rows.both_ways else None,
            request.sources.astype(itype),
            rows.width,
            int(limit) if integral else float(limit),
            -1 if request.target is None else request.target,
            rows.heavy_edges,
            distances,
            reached.view(np.uint8),
            parents,
            owners,
            most != _MOST_32,
            threads,
        )
        # Nobody was passed over because 32 bits did not hold a distance.
        if farthest + request.greatest < most or limit < most:
            break
    present = None if count == n else reached

    def vector(values: Array | None) -> VectorData | None:
        if values is None:
            return None
        return VectorData(n, values, present=None if present is None else present.copy())

    found = VectorData(n, distances, present=present)
    return FoundPaths(found, vector(parents), vector(owners), edges)


def distances_from_each(A: MatrixData, request: PathRequest, none: Any, rows: Array) -> None:
    """See `DistancesFromEach`; a search is one thread's."""
    threads = min(resolve_threads(request.threads), max(1, request.sources.shape[0]))
    require_bytes(A.nrows * threads * (16 + A.indices.dtype.itemsize), "A: paths from each source")
    edges = _rows_of(A, request, threads)
    integral, types = _types(edges)
    out = (A.indptr, edges.indices, edges.weights, edges.heavy)
    for most in types:
        farthest = kernels.sssp_each(
            out,
            out if edges.both_ways else None,
            request.sources.astype(A.indices.dtype),
            edges.width,
            int(most) if integral else float(most),
            none,
            edges.heavy_edges,
            rows.reshape(-1),
            most != _MOST_32,
            threads,
        )
        # As above.
        if farthest + request.greatest < most:
            break


def _types(rows: PathRows) -> tuple[bool, tuple[float, ...]]:
    """Whether distances are integers, and the greatest of each type to try them in."""
    if rows.weights.dtype.kind != "i":
        return False, (_MOST_FLOAT,)
    return True, (_MOST_32, _MOST_64) if rows.weights.dtype == np.int32 else (_MOST_64,)


def _rows_of(A: MatrixData, request: PathRequest, threads: int) -> PathRows:
    """Made once, then kept with the matrix."""
    known = A.derived.path_rows
    if isinstance(known, PathRows):
        return known
    made = _made(A, request, threads)
    with keeping:
        A.derived.path_rows = made
    return made


def _made(A: MatrixData, request: PathRequest, threads: int) -> PathRows:
    n, m, mean = A.nrows, A.nvals, request.mean
    width = bin_width(mean, request.greatest, n, m)
    weights = np.ascontiguousarray(A.values, _length_type(A.values.dtype, request.greatest))
    if weights.dtype.kind == "i":
        width = max(width, 1.0)
    held = 0 if weights is A.values else weights.nbytes
    both_ways = kernels.same_both_ways(A.indptr, A.indices, weights, threads)
    if not splits_rows(width, mean):
        return PathRows(width, A.indices, weights, None, 0, both_ways, held)
    indices, split, heavy = np.empty_like(A.indices), np.empty_like(weights), A.indptr[1:].copy()
    edges = kernels.by_length(A.indptr, A.indices, weights, width, indices, split, heavy, threads)
    held = indices.nbytes + split.nbytes + heavy.nbytes
    return PathRows(width, indices, split, heavy, edges, both_ways, held)


def _length_type(dtype: np.dtype[Any], greatest: float) -> Any:
    if dtype.kind == "f":
        return dtype
    return np.int32 if greatest <= np.iinfo(np.int32).max else np.int64
