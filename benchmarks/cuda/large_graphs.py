# ruff: noqa: E501  (CUDA sources)
"""Graphs of billions of entries, made on the GPU where they are searched: rows of some vertices at a
time, so that beside the graph there is room for its list of edges and little else.

Symmetric, no loops, sorted, no duplicates, as those of `benchmarks.cuda.graphs`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np

import spbfs as sb
from spbfs.engines.cuda.peers.drawn import DrawnEntries
from spbfs.engines.cuda.peers.graph500 import draw
from spbfs.storage.data import MatrixData, iso_array
from spbfs.storage.derived import remember_symmetry

#: Entries that are sorted at a time, about.
CHUNK = 1 << 28

_EDGES = cp.RawModule(
    code=r"""
__device__ unsigned long long mixed(unsigned long long x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// Graph500's generator: a quarter of the matrix a bit, by a, b and c out of 2^32.  Of vertices drawn
// alike from all, a, b and c are a quarter each.
extern "C" __global__ void edges(unsigned* u, unsigned* v, long long count, int scale, unsigned long long seed,
                                 unsigned a, unsigned ab, unsigned abc, const int* label) {
    for (long long e = blockIdx.x * 1ll * blockDim.x + threadIdx.x; e < count; e += 1ll * gridDim.x * blockDim.x) {
        unsigned from = 0, to = 0;
        for (int bit = 0; bit < scale; ++bit) {
            const unsigned r = mixed(seed ^ (e * 64 + bit)) >> 32;
            from = 2 * from + (r >= ab);
            to = 2 * to + ((r >= a && r < ab) || r >= abc);
        }
        u[e] = label[from];
        v[e] = label[to];
    }
}

// The entries, both directions, of the rows [first, last), as (row - first) << 32 | column.
extern "C" __global__ void entries(const unsigned* u, const unsigned* v, long long count, unsigned first, unsigned last,
                                   unsigned long long* keys, unsigned long long* found, long long room) {
    for (long long e = blockIdx.x * 1ll * blockDim.x + threadIdx.x; e < count; e += 1ll * gridDim.x * blockDim.x) {
        const unsigned x = u[e], y = v[e];
        if (x == y) continue;
        for (int turn = 0; turn < 2; ++turn) {
            const unsigned row = turn ? y : x, column = turn ? x : y;
            if (row < first || row >= last) continue;
            const unsigned long long at = atomicAdd(found, 1ull);
            if (at < room) keys[at] = (unsigned long long)(row - first) << 32 | column;
        }
    }
}
""",
)


def kronecker(scale: int, edge_factor: int = 16) -> sb.Matrix:
    """Graph500's, labels permuted."""
    return _graph(scale, edge_factor, (0.57, 0.19, 0.19))


def drawn(scale: int, edge_factor: int = 16) -> sb.Matrix:
    """The graph of ``SharedGraph.kronecker(scale, edge_factor, seed=scale)``, on one GPU: edges are
    drawn for every part, so that none are kept."""
    graph = DrawnEntries(scale, edge_factor << scale, scale, (0.57, 0.19, 0.19))

    def entries(first: int, last: int, keys: Any, found: Any) -> None:
        draw("graph500_keys", graph.how, first, last, keys, int(keys.shape[0]), found)

    return _by_rows(graph.n, 2 * graph.drawn, entries)


def uniform(scale: int, edge_factor: int = 16) -> sb.Matrix:
    """Edges between any two vertices."""
    return _graph(scale, edge_factor, (0.25, 0.25, 0.25))


def _graph(scale: int, edge_factor: int, shares: tuple[float, float, float]) -> sb.Matrix:
    n, m = 1 << scale, edge_factor << scale
    u, v = cp.empty(m, np.uint32), cp.empty(m, np.uint32)
    grid = 32 * cp.cuda.Device().attributes["MultiProcessorCount"]
    label = cp.argsort(cp.random.RandomState(scale).random_sample(n, np.float64)).astype(np.int32)
    upto = [np.uint32(x * 2**32) for x in np.cumsum(shares)]
    arguments = u, v, np.int64(m), np.int32(scale), np.uint64(scale), *upto, label
    _EDGES.get_function("edges")((grid,), (256,), arguments)
    del label

    def entries(first: int, last: int, keys: Any, found: Any) -> None:
        arguments = u, v, np.int64(m), np.uint32(first), np.uint32(last), keys, found
        _EDGES.get_function("entries")((grid,), (256,), (*arguments, np.int64(keys.shape[0])))

    return _by_rows(n, 2 * m, entries)


def _by_rows(n: int, most: int, entries: Callable[[int, int, Any, Any], None]) -> sb.Matrix:
    """The matrix of at most so many entries; `entries` appends keys of the rows [first, last)."""
    counts = cp.zeros(n, np.int32)
    parts = -(-most // CHUNK)
    keys = cp.empty(most // parts * 5 // 4, np.uint64)
    indices = cp.empty(most, np.int32)
    at = 0
    for part in range(parts):
        first, last = n * part // parts, n * (part + 1) // parts
        found = cp.zeros(1, np.uint64)
        entries(first, last, keys, found)
        some = keys[: int(found[0])]
        assert some.shape[0] == int(found[0])
        some.sort()
        distinct = cp.ones(some.shape[0], bool)
        distinct[1:] = some[1:] != some[:-1]
        some = some[distinct]
        del distinct
        indices[at : at + some.shape[0]] = some.astype(np.int32)  # the lower half
        rows = (some >> np.uint64(32)).astype(np.int32)
        counts[first:last] = cp.bincount(rows, minlength=last - first).astype(np.int32)
        at += some.shape[0]
        del some, rows
    del keys
    cp.get_default_memory_pool().free_all_blocks()
    indptr = cp.zeros(n + 1, np.int64)
    cp.cumsum(counts, dtype=np.int64, out=indptr[1:])
    del counts
    data = MatrixData(n, n, indptr, indices[:at], iso_array(cp.ones(1, bool), at))
    remember_symmetry(data)
    return sb.Matrix._from_data(data, "cuda")
