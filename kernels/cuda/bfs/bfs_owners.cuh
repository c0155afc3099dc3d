// How vertices are dealt out to several GPUs: runs of internal ids, to each in turn.
#pragma once
#include "cuda/bfs/bfs_state.cuh"

__device__ __forceinline__ int owner_of(const Search& s, int v) {
    const u32 run = static_cast<u32>(v) >> s.run_shift;
    const u32 turns = static_cast<u32>(static_cast<u64>(run) * s.reciprocal >> 32);
    return static_cast<int>(run - turns * s.gpus);
}

// Where one of its vertices stands among those that a GPU has, and the way back.
__device__ __forceinline__ u32 among_own(const Search& s, int v) {
    const u32 run = static_cast<u32>(v) >> s.run_shift;
    const u32 turns = static_cast<u32>(static_cast<u64>(run) * s.reciprocal >> 32);
    return turns << s.run_shift | (static_cast<u32>(v) & ((1u << s.run_shift) - 1));
}
__device__ __forceinline__ int vertex_of_own(const Search& s, u32 r) {
    const u32 run = (r >> s.run_shift) * s.gpus + s.place;
    return static_cast<int>(run << s.run_shift | (r & ((1u << s.run_shift) - 1)));
}

// Whether this GPU has a vertex, one without an internal id being nobody's.
__device__ __forceinline__ bool owns(const Search& s, int v) {
    if constexpr (!kPeers) return true;
    return v >= 0 && owner_of(s, v) == s.place;
}

// The task that this GPU comes to as its k-th in a pull.
__device__ __forceinline__ int own_task(const Search& s, int k) {
    if constexpr (!kPeers) return k;
    const int run = (k >> s.task_shift) * s.gpus + s.place;
    return run << s.task_shift | (k & ((1 << s.task_shift) - 1));
}
