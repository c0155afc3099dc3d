# ruff: noqa: E501  (CUDA sources)
"""What the bus between host and GPU carries, and what a search has to read over it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import cupy as cp
import numpy as np

from spbfs.engines.bfs import LevelTrace

#: Bytes that are copied or read to measure the bus, at most.
MEASURED = 1 << 30
ENTRY_BYTES = 4
_THREADS = 256

_BUS = """
// Reads everything, 512 bytes a warp at a time, and keeps nothing of it.
__global__ void read_all(const uint4* from, long long count, unsigned* out) {
    unsigned sum = 0;
    for (long long i = blockIdx.x * 1ll * blockDim.x + threadIdx.x; i < count; i += 1ll * gridDim.x * blockDim.x) {
        const uint4 x = from[i];
        sum ^= x.x ^ x.y ^ x.z ^ x.w;
    }
    if (sum == 0x9e3779b9u) *out = sum;
}

// Entries that rows without a level up to `level` look at until the first one that has such a level, row by row in
// the order in which they are stored.
template <typename Offset>
__global__ void looked_at(const Offset* indptr, const int* indices, int n, const int* levels, int level,
                          unsigned long long* entries) {
    const int lane = threadIdx.x & 31, warps = gridDim.x * (blockDim.x / 32);
    unsigned long long sum = 0;
    for (int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32; v < n; v += warps) {
        const int own = levels[v];
        if (own >= 0 && own <= level) continue;
        const Offset begin = indptr[v], end = indptr[v + 1];
        Offset looked = end - begin;
        for (Offset e = begin; e < end; e += 32) {
            const bool inside = e + lane < end;
            const int other = inside ? levels[indices[e + lane]] : -1;
            const unsigned hits = __ballot_sync(0xffffffffu, other >= 0 && other <= level);
            if (hits) {
                looked = e - begin + __ffs(hits);
                break;
            }
        }
        sum += looked;
    }
    if (lane == 0) atomicAdd(entries, sum);
}

// The same of joined searches, a bit each: rows look until all searches of `last` that have not reached them, up to
// this level (`before`), are found.
template <typename Offset>
__global__ void looked_at_together(const Offset* indptr, const int* indices, int n, const unsigned long long* before,
                                   const unsigned long long* last, unsigned long long* entries) {
    const int lane = threadIdx.x & 31, warps = gridDim.x * (blockDim.x / 32);
    unsigned long long sum = 0;
    for (int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32; v < n; v += warps) {
        unsigned long long missing = last[v] & ~before[v];
        if (missing == 0) continue;
        const Offset begin = indptr[v], end = indptr[v + 1];
        Offset looked = end - begin;
        for (Offset e = begin; e < end; e += 32) {
            unsigned long long bits = e + lane < end ? before[indices[e + lane]] : 0;
            for (int d = 1; d < 32; d <<= 1) {
                const unsigned long long left = __shfl_up_sync(0xffffffffu, bits, d);
                if (lane >= d) bits |= left;
            }
            const unsigned hits = __ballot_sync(0xffffffffu, (missing & ~bits) == 0);
            if (hits) {
                looked = min(looked, e - begin + __ffs(hits));
                break;
            }
            missing &= ~__shfl_sync(0xffffffffu, bits, 31);
        }
        sum += looked;
    }
    if (lane == 0) atomicAdd(entries, sum);
}
"""


def _kernel(name: str, indptr: Any = None) -> Any:
    if indptr is not None:
        name = f"{name}<{'int' if indptr.dtype == np.int32 else 'long long'}>"
    templates = "looked_at", "looked_at_together"
    typed = [f"{one}<{offset}>" for one in templates for offset in ("int", "long long")]
    names = ("read_all", *typed)
    module = cp.RawModule(code=_BUS, options=("-std=c++17",), name_expressions=names)
    return module.get_function(name)


def bandwidth(pinned: Any, repeats: int = 5) -> dict[str, float]:
    """Bytes a second over the bus, the best of some turns: of a copy by the driver, and of a kernel
    that reads a pinned array from its beginning to its end."""
    nbytes = min(MEASURED, int(pinned.nbytes)) // 16 * 16
    target, out = cp.empty(nbytes, np.uint8), cp.zeros(1, np.uint32)
    runtime, stream = cp.cuda.runtime, cp.cuda.get_current_stream()
    read = _kernel("read_all")

    def copy() -> None:
        runtime.memcpyAsync(
            target.data.ptr, pinned.data.ptr, nbytes, runtime.memcpyHostToDevice, stream.ptr
        )

    def stream_through() -> None:
        read((_grid(),), (_THREADS,), (pinned, np.int64(nbytes // 16), out))

    return {
        name: nbytes / min(seconds(move) for _ in range(repeats))
        for name, move in (("copy", copy), ("read", stream_through))
    }


def seconds(call: Callable[[], Any]) -> float:
    """Between two events around one call on an idle GPU."""
    start, stop = cp.cuda.Event(), cp.cuda.Event()
    cp.cuda.get_current_stream().synchronize()
    start.record()
    kept = call()
    stop.record()
    stop.synchronize()
    del kept
    return 1e-3 * float(cp.cuda.get_elapsed_time(start, stop))


def needed_bytes(indptr: Any, indices: Any, levels: Any, steps: Sequence[LevelTrace]) -> int:
    """What a search of a symmetric graph looks at, of its levels and directions alone: in a push
    the entries of the frontier's rows, in a pull those of every open row until the first parent."""
    n = int(indptr.shape[0]) - 1
    pulled, count = cp.zeros(1, np.uint64), _kernel("looked_at", indptr)
    pushed = 0
    for level, step in enumerate(steps):
        if step.direction == "push":
            pushed += step.edges
            continue
        arguments = indptr, indices, np.int32(n), levels, np.int32(level), pulled
        count((_grid(),), (_THREADS,), arguments)
    return ENTRY_BYTES * (pushed + int(pulled[0]))


def needed_together(indptr: Any, indices: Any, levels: Any, trace: Any) -> int:
    """The same of up to 64 joined searches, of whose levels there is a row a search: in a push the
    entries of all rows of the joint frontier, in a pull those of every row until it has all that it
    misses.  The trace is of `ManyBFS.run`."""
    n = int(indptr.shape[0]) - 1
    pulled, count = cp.zeros(1, np.uint64), _kernel("looked_at_together", indptr)
    table, pushed = trace.get(), 0
    last = _reached(levels, int(np.iinfo(levels.dtype).max) - 1)
    for level in range(1, table.shape[0]):
        kind = table[level, 0]
        if kind == 1:
            pushed += int(table[level - 1, 2])
        elif kind:
            arguments = indptr, indices, np.int32(n), _reached(levels, level - 1), last, pulled
            count((_grid(),), (_THREADS,), arguments)
    return ENTRY_BYTES * (pushed + int(pulled[0]))


def _reached(levels: Any, most: int) -> Any:
    """Of every vertex a bit for each search that reaches it by this level."""
    bits = cp.zeros(levels.shape[1], np.uint64)
    for search, row in enumerate(levels):
        bits |= (row <= most).astype(np.uint64) << np.uint64(search)
    return bits


def _grid() -> int:
    return 16 * int(cp.cuda.Device().attributes["MultiProcessorCount"])
