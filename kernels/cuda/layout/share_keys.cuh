// Whose a vertex is of several GPUs', and entries on their way to those that have them, as keys.
#pragma once
#include "cuda/layout/bfs_layout_common.cuh"

// Whose vertices are: of runs of 1 << shift ids, dealt out in turn to `gpus`, those of `place`.
__device__ __forceinline__ bool is_own(int id, int shift, int gpus, int place) {
    return id >= 0 && (id >> shift) % gpus == place;
}
// Where such a vertex stands among them, and the way back.
__device__ __forceinline__ i64 among_own(i64 id, int shift, int gpus) {
    return (id >> shift) / gpus << shift | (id & ((i64{1} << shift) - 1));
}
__device__ __forceinline__ i64 id_of_own(i64 r, int shift, int gpus, int place) {
    return ((r >> shift) * gpus + place) << shift | (r & ((i64{1} << shift) - 1));
}

// What several GPUs have found, an output, as each of them may read it: in the order of a GPU's own
// vertices, or by the caller's label where that is the internal id, or one GPU has all.
struct SharedResults {
    const int* const* values;  // by place
    int shift;
    u32 gpus;
    u64 reciprocal;  // 2^32 / gpus, rounded up: to divide for every label would take longer than to
                     // read what belongs to it
    bool in_order;

    __device__ __forceinline__ SharedResults(const int* const* values, const int* labels, int shift,
                                             int gpus)
        : values(values),
          shift(shift),
          gpus(gpus),
          reciprocal(kFull / gpus + u64{1}),
          in_order(labels != nullptr && gpus > 1) {}
    __device__ __forceinline__ int at(int id, i64 label) const {
        const u32 run = static_cast<u32>(id) >> shift;
        const u32 turns = static_cast<u32>(run * reciprocal >> 32);
        const u32 own = turns << shift | (static_cast<u32>(id) & ((1u << shift) - 1));
        return __ldcg(values[run - turns * gpus] + (in_order ? own : label));
    }
};

// The key of an entry (u, v) where the GPU owns u: its row among those owned, and the place of v.
struct ShareKey {
    bool own;
    u64 key;

    __device__ __forceinline__ ShareKey(int u, int v, const int* rank, const int* place_of,
                                        int shift, int gpus, int place, bool wanted)
        : own(false), key(0) {
        if (!wanted) return;
        const int id = rank ? rank[u] : u;
        own = is_own(id, shift, gpus, place);
        if (own)
            key = static_cast<u64>(among_own(id, shift, gpus)) << 32 |
                  static_cast<u32>(place_of[rank ? rank[v] : v]);
    }
};

constexpr int kKeyWarps = 8;  // of a CTA that writes keys
constexpr int kKeysStaged = 64;

// Keys of a warp on their way to memory, 32 at a time with one atomic, as far as there is room.
struct KeyWriter {
    u64* const keys;
    const u64 room;
    u64* const found;
    u64* const stage;
    int count = 0;

    __device__ __forceinline__ KeyWriter(u64* keys, u64 room, u64* found,
                                         u64 (&stages)[kKeyWarps][kKeysStaged])
        : keys(keys), room(room), found(found), stage(stages[threadIdx.x >> 5]) {}

    // By all lanes together, the key of those that have one.
    __device__ __forceinline__ void add(bool has, u64 key) {
        const u32 mask = __ballot_sync(kFull, has);
        if (mask == 0) return;
        const int lane = threadIdx.x & 31;
        if (has) stage[count + __popc(mask & ((1u << lane) - 1))] = key;
        count += __popc(mask);
        __syncwarp();
        if (count < 32) return;
        write(32);
        const u64 rest = stage[32 + lane];
        __syncwarp();
        stage[lane] = rest;
        count -= 32;
        __syncwarp();
    }
    __device__ __forceinline__ void write(int several) {
        const int lane = threadIdx.x & 31;
        u64 at = 0;
        if (lane == 0) at = atomicAdd(found, static_cast<u64>(several));
        at = __shfl_sync(kFull, at, 0) + lane;
        if (lane < several && at < room) keys[at] = stage[lane];
    }
    __device__ __forceinline__ void finish() {
        if (count) write(count);
    }
};
