// Look-up of visited bits with culling of duplicates, and the queue that takes what is new.
//
// Claims are not atomic: several threads may find a vertex at once, each then expands it
// ("redundant expansion").  That costs time and never correctness, a label being written with the
// same level by all of them, and a parent that is valid whoever writes it last.  Culling makes it
// rare.
#pragma once
#include "cuda/expansion/expand.cuh"
#include "cuda/grid/shared_struct.cuh"

constexpr u32 kCullWarp = 1;     // equal neighbours in the hands of one warp: one goes on
constexpr u32 kCullHistory = 2;  // what the CTA has looked at lately goes no further
constexpr u32 kCullAtomic = 4;   // a compare-and-swap of the label: exactly one goes on
// Slots of the CTA's history, as in Merrill, Garland, Grimshaw; what culling gains here is in
// docs/performance-notes-expansion.md, "organisations and culling".
constexpr int kHistory = 1024;
constexpr u32 kLong = 256;  // rows shorter than this can be walked by anyone

struct Discovery {
    u32* visited;  // a bit a vertex, looked at first: it covers 32 times more vertices a sector
    int* levels;
    int* parents;  // or null
    int* history;  // [kHistory], shared by the CTA
    u32 culling;
    int level;

    __device__ __forceinline__ void forget() {
        for (int i = threadIdx.x; i < kHistory; i += kCta) history[i] = -1;
        __syncthreads();
    }

    // True for lanes whose v is new and theirs to enqueue.  Called by whole warps.
    __device__ __forceinline__ bool operator()(int v, int parent, bool valid) {
        // A line of L1 may be as old as the kernel; bits are only ever set, so a stale 0 is
        // corrected by the label, which is read where it is kept up to date.
        if (valid) valid = !(visited[v >> 5] >> (v & 31) & 1);
        if (valid) valid = __ldcg(levels + v) < 0;
        if (culling & kCullHistory && valid) valid = atomicExch(history + v % kHistory, v) != v;
        if (culling & kCullWarp) {
            const u32 asking = __ballot_sync(kAll, valid);
            if (valid) {
                const u32 same = __match_any_sync(asking, v);
                valid = __ffs(same) - 1 == static_cast<int>(threadIdx.x & 31);
            }
        }
        if (culling & kCullAtomic && valid) valid = atomicCAS(levels + v, -1, level) == -1;
        if (valid) {
            levels[v] = level;
            if (parents) parents[v] = parent;
            atomicOr(visited + (v >> 5), 1u << (v & 31));
        }
        return valid;
    }
};

// Sizes of a level, filled while it is found; read by the host, as LEVEL in
// cuda/expansion/kernels.py. Three of them rotate.
struct Level {
    u64 vertices;  // in the vertex queue, duplicates included
    u64 edges;     // out-edges of those
    u64 slots;     // handed out of the edge queue
    u64 longest;   // row of those, where it is long
};
SHARED_STRUCT(Level, 32, FIELD(vertices, 0) FIELD(edges, 8) FIELD(slots, 16) FIELD(longest, 24));

// A warp's way into the vertex queue: 32 at a time, one atomic for them.
template <typename Offset>
struct WarpQueue {
    int* staged;  // [64], shared by the warp
    int* queue;
    i64 capacity;
    const Offset* indptr;
    Level* level;
    int count = 0;

    __device__ __forceinline__ void add(int v, bool fresh) {
        const u32 lanes = __ballot_sync(kAll, fresh);
        if (fresh) staged[count + __popc(lanes & ((1u << (threadIdx.x & 31)) - 1))] = v;
        count += __popc(lanes);
        __syncwarp();
        if (count >= 32) flush();
    }

    // What does not fit is counted and left out: its level says that the queue must be made again.
    __device__ __forceinline__ void flush() {
        const int lane = threadIdx.x & 31, taken = min(count, 32);
        if (taken == 0) return;
        const int v = lane < taken ? staged[lane] : 0;
        // Asked for before the atomic, whose answer takes as long.
        u32 longest = lane < taken ? static_cast<u32>(indptr[v + 1] - indptr[v]) : 0;
        u64 base = 0, edges = longest;
        if (lane == 0) base = atomicAdd(&level->vertices, static_cast<u64>(taken));
        base = __shfl_sync(kAll, base, 0);
        if (lane < taken && static_cast<i64>(base) + lane < capacity) queue[base + lane] = v;
#pragma unroll
        for (int reach = 16; reach > 0; reach /= 2) edges += __shfl_down_sync(kAll, edges, reach);
        if (lane == 0 && edges) atomicAdd(&level->edges, edges);
        if (__any_sync(kAll, longest >= kLong)) {
#pragma unroll
            for (int reach = 16; reach > 0; reach /= 2)
                longest = max(longest, __shfl_down_sync(kAll, longest, reach));
            if (lane == 0) atomicMax(&level->longest, static_cast<u64>(longest));
        }
        count -= taken;
        const int moved = lane < count ? staged[32 + lane] : 0;
        __syncwarp();
        if (lane < count) staged[lane] = moved;
        __syncwarp();
    }
};
