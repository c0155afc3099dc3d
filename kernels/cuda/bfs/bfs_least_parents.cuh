// How the work on least parents and owners is cut: rows of up to a chunk by a lane or a warp, what
// is longer as chunks over the whole grid.
#pragma once
#include "cuda/bfs/bfs_state.cuh"
#include "cuda/grid/grid_barrier.cuh"

// What both kernels take is in docs/performance-notes-cuda-python.md, "What parents and owners
// cost"; other values of these have not been measured.
constexpr int kAlone = 8;     // entries that a lane tries before its warp helps
constexpr int kLane = 32;     // longest row of a frontier that a lane walks alone
constexpr int kChunk = 4096;  // entries that a warp walks, CHUNK in cuda/bfs/least_parents.py

struct SpreadCounts {
    int rows;
    int chunks;
};

// Zero before the first launch, and again after each but for the barrier.
struct LeastParentsState {
    SpreadCounts size[3];
    u32 barrier;
    u32 leaving;
};
SHARED_STRUCT(LeastParentsState, 32);

// Entries from `begin` on, at most kChunk, of a vertex's row.
struct Chunk {
    int vertex;
    int unused;
    i64 begin;
};
SHARED_STRUCT(Chunk, 16);

// Called at the end by all: who is last leaves `state` to the next launch, and says when the
// search has now ended.
__device__ __forceinline__ void finish(LeastParentsState* state, Summary* summary) {
    __syncthreads();
    if (threadIdx.x != 0 || atomicAdd(&state->leaving, 1u) != gridDim.x - 1) return;
    for (int i = 0; i < 3; ++i) state->size[i] = SpreadCounts{};
    state->leaving = 0;
    summary->finished = nanoseconds();
}

// The rest of a row, from `begin` on, as chunks for the whole grid; all lanes of a warp.
template <typename Offset>
__device__ __forceinline__ void list_chunks(Chunk* chunks, int* size, int base, int vertex,
                                            Offset begin, Offset end) {
    if (begin >= end) return;
    const int lane = threadIdx.x & 31;
    const int count = static_cast<int>((end - begin + kChunk - 1) / kChunk);
    int slot = lane == 0 ? atomicAdd(size, count) : 0;
    slot = base + __shfl_sync(kFull, slot, 0);
    for (int i = lane; i < count; i += 32)
        chunks[slot + i] = Chunk{vertex, 0, static_cast<i64>(begin) + static_cast<i64>(i) * kChunk};
}

// Lowers v's parent to the first in-neighbour of a run that is on level `above`; false where there
// is none.  All lanes of a warp.
template <typename Offset>
__device__ __forceinline__ bool least_of_run(const int* indices, const int* levels, Offset begin,
                                             Offset end, int above, int v, int* parents) {
    const int lane = threadIdx.x & 31;
    for (Offset at = begin; at < end; at += 32) {
        const int u = at + lane < end ? indices[at + lane] : -1;
        const u32 hits = __ballot_sync(kFull, u >= 0 && levels[u] == above);
        if (hits == 0) continue;
        if (lane == __ffs(hits) - 1) atomicMin(parents + v, u);
        return true;
    }
    return false;
}

// What a vertex offers those below it: its owner, and itself as parent.
__device__ __forceinline__ u64 keyed(u64 own, int u) {
    return (own >> 32 << 32) | static_cast<u32>(u);
}

// Offers keys along edges, and queues every vertex at the first offer that it gets.
template <typename Offset>
struct Spread {
    const int* indices;
    const int* levels;
    u64* keys;
    int* queue;
    int base;   // where this level's part of the queue begins
    int* size;  // its vertices so far
    int level = 0;

    // All lanes of a warp; v < 0: nobody.
    __device__ __forceinline__ void offer(int v, u64 key) {
        const bool first = v >= 0 && key < __ldcg(keys + v) && atomicMin(keys + v, key) == ~u64{0};
        const u32 mask = __ballot_sync(kFull, first);
        if (mask == 0) return;
        const int leader = __ffs(mask) - 1;
        int slot = 0;
        if ((threadIdx.x & 31) == leader) slot = atomicAdd(size, __popc(mask));
        slot = base + __shfl_sync(kFull, slot, leader);
        if (first) queue[slot + __popc(mask & lanes_below())] = v;
    }

    __device__ __forceinline__ void edge(int v, u64 key) {
        offer(v >= 0 && levels[v] == level ? v : -1, key);
    }

    __device__ __forceinline__ void run(Offset begin, Offset end, u64 key) {
        const int lane = threadIdx.x & 31;
        for (Offset at = begin; at < end; at += 32)
            edge(at + lane < end ? indices[at + lane] : -1, key);
    }
};
