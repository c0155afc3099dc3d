// Which source has which bit.
//
// Sources stand in the order of the vertex of highest degree that each is next to (iBFS's hubs), so
// that searches that meet early have bits side by side: what a frontier row has is then in few of
// its words, which are what a push adds, and where rows are read in parts a part has soon all of
// its bits (docs/performance-notes-many.md, sixth version).
#pragma once
#include "cuda/bfs_many/bfs_many_state.cuh"
#include "cuda/grid/warp_reduce.cuh"

constexpr int kMostSources = 32 * kMostWords;

// One of those given.  One that is no vertex stands as the first one, so that nothing is read out
// of range until the host has seen that the run is void.
__device__ __forceinline__ int given_source(const ManySearch& s, int j) {
    const i64 source = s.given_bytes == 8 ? static_cast<const i64*>(s.given)[j]
                                          : static_cast<const int*>(s.given)[j];
    if (static_cast<u64>(source) < static_cast<u64>(s.caller_n)) return static_cast<int>(source);
    s.control->bad_source = 1;
    return 0;
}

// The first neighbour, which has the highest degree where vertices are numbered by it; the last of
// all where there is none.
template <typename Offset>
__device__ __forceinline__ u32 first_met(const ManySearch& s, int source) {
    const int v = s.rank ? __ldg(s.rank + source) : source;
    if (v < 0) return kFull;
    const Offset* const indptr = static_cast<const Offset*>(s.out_indptr);
    const Offset begin = __ldg(indptr + v);
    return begin < __ldg(indptr + v + 1) ? __ldg(s.out_indices + begin) : kFull;
}

// `keys`: shared memory, [kMostSources].  Every CTA makes all keys, and a warp finds the place of a
// source by counting those before it.
template <typename Offset>
__device__ __forceinline__ void order_sources(const ManySearch& s, u32* keys) {
    const int lane = threadIdx.x & 31, count = s.source_count;
    for (int j = threadIdx.x; j < count; j += kThreads)
        keys[j] = first_met<Offset>(s, given_source(s, j));
    __syncthreads();
    for (int j = (threadIdx.x >> 5) * gridDim.x + blockIdx.x; j < count; j += gridDim.x * kWarps) {
        const u32 key = keys[j];
        u32 before = 0;
        for (int i = lane; i < count; i += 32) before += keys[i] < key || (keys[i] == key && i < j);
        before = warp_add(kFull, before);
        if (lane) continue;
        s.sources[before] = given_source(s, j);
        s.turn[before] = j;
        s.slot[j] = static_cast<int>(before);
    }
}

// A row of one word has all bits side by side: sources stand as they are given.
__device__ __forceinline__ void keep_order(const ManySearch& s) {
    for (int j = blockIdx.x * kThreads + threadIdx.x; j < s.source_count; j += gridDim.x * kThreads)
        s.sources[j] = given_source(s, j);
}
