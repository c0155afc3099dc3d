// The begin of a search from many sources: a clean workspace, and the sources as the first
// frontier.
#pragma once
#include "cuda/bfs_many/bfs_many_ended.cuh"
#include "cuda/bfs_many/bfs_many_frontier.cuh"

// Everything as before a first run.
template <int kWords>
__device__ __forceinline__ void reset(const ManySearch& s) {
    using Chunk = RowChunk<kWords>;
    constexpr int kLanes = Row<kWords>::kLanes;
    const int first = blockIdx.x * kThreads + threadIdx.x, step_size = gridDim.x * kThreads;
    const int part = first % kLanes;
    const Chunk unused = chunk_of<Chunk>(
        [&](int i) { return unused_bits(kChunkWords<Chunk> * part + i, s.source_count); });
    const i64 chunks = static_cast<i64>(s.n) * kLanes;
    for (i64 i = first; i < chunks; i += step_size) chunks_of<kWords>(s.visited)[i] = unused;
    const i64 words = (static_cast<i64>(s.n) + 31) / 32 * s.plane_count;
    for (i64 i = first; i < words; i += step_size) s.written[i] = 0;
    for (int b = first; b * 32 < s.n; b += step_size)
        s.full[b] = s.n - b * 32 >= 32 ? 0 : kFull << (s.n - b * 32);
    for (int j = first; j < 64 * kWords; j += step_size) s.eccentricity[j] = 0;
    for (int j = first; j < s.sum_count; j += step_size) s.sums[j] = 0;
    const bool stale_rows = __ldcg(&s.control->stale_rows);
    for (int f = 0; f < 2; ++f)
        clear_frontier<kWords>(chunks_of<kWords>(s.frontier[f]), s.any[f], s.n, true, stale_rows);
}

// Level 0: the sources, listed.
template <typename Offset, int kWords>
__device__ __forceinline__ void start(const ManySearch& s, Liveness& live, ManyCounts* counts) {
    const Offset* const out_indptr = static_cast<const Offset*>(s.out_indptr);
    const Sink sink{s.queue, nullptr, s.n, {kListAll}};
    const int lane = threadIdx.x & 31;
    for (int base = blockIdx.x * kThreads + threadIdx.x - lane; base < s.source_count;
         base += gridDim.x * kThreads) {
        const int j = base + lane;
        int v = -1;
        if (j < s.source_count) {
            v = s.sources[j];
            if (s.rank) v = s.rank[v];
        }
        bool first = false;
        if (v >= 0) {
            const i64 word = static_cast<i64>(v) * kWords + j / 64;
            atomicOr(reinterpret_cast<u64*>(s.frontier[0]) + word, u64{1} << (j % 64));
            atomicOr(reinterpret_cast<u64*>(s.visited) + word, u64{1} << (j % 64));
            atomicOr(live.alive + j / 32, 1u << (j & 31));
            const u32 bit = 1u << (v & 31);
            first = !(atomicOr(s.any[0] + (v >> 5), bit) & bit);
        }
        const u32 mask = __ballot_sync(kFull, first);
        u32 at = 0;
        if (lane == 0) at = atomicAdd(&counts->listed, __popc(mask));
        at = __shfl_sync(kFull, at, 0);
        if (first) s.list[0][at + __popc(mask & lanes_below())] = v;
        const Offset begin = first ? __ldg(out_indptr + v) : 0;
        const Offset length = first ? __ldg(out_indptr + v + 1) - begin : 0;
        list_rows(sink, &counts->queued, v, begin, length);
    }
}
