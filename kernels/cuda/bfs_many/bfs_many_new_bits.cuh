// The end of a push: which of the bits that it added are new, behind a barrier.
#pragma once
#include "cuda/bfs_many/bfs_many_ended.cuh"

// Vertices of the next frontier, kLanes lanes of a warp each: bits that are new into `visited` and
// the planes.  Returns masks of the first lanes of vertices that have any, and that all searches
// have reached now.
struct NewRows {
    u32 reached;
    u32 full;
};
template <int kWords>
__device__ __forceinline__ NewRows keep_new_bits(const ManySearch& s, int v, bool is,
                                                 RowChunk<kWords>* next,
                                                 const LevelPlanes<kWords>& planes,
                                                 Liveness& live) {
    using Chunk = RowChunk<kWords>;
    constexpr int kLanes = Row<kWords>::kLanes;
    const int lane = threadIdx.x & 31, part = lane % kLanes;
    const u32 row_lanes = ((1u << kLanes) - 1) << (lane - part);
    const i64 at = static_cast<i64>(v) * kLanes + part;
    const Chunk made = is ? __ldcg(next + at) : splat<Chunk>(0);
    const bool touched = __ballot_sync(kFull, !is_zero(made)) & row_lanes;
    const Chunk visited = touched ? __ldcg(chunks_of<kWords>(s.visited) + at) : splat<Chunk>(0);
    const Chunk fresh = without(made, visited), all = visited | fresh;
    const bool hit = __ballot_sync(kFull, !is_zero(fresh)) & row_lanes;
    const bool filled = touched && is_full(live.with_ended(part, all));
    const bool full = (__ballot_sync(kFull, filled) & row_lanes) == row_lanes;
    if (touched) next[at] = fresh;
    if (hit) {
        live.note(part, fresh);
        chunks_of<kWords>(s.visited)[at] = all;
        planes.add(v, at, fresh);
    }
    return {__ballot_sync(kFull, hit && part == 0), __ballot_sync(kFull, full && part == 0)};
}

// The vertices of a list, and their rows into the queue.
template <typename Offset, int kWords>
__device__ __forceinline__ void finish_few(const ManySearch& s, const int* list, int count,
                                           RowChunk<kWords>* next,
                                           const LevelPlanes<kWords>& planes, Liveness& live,
                                           ManyCounts* counts) {
    constexpr int kLanes = Row<kWords>::kLanes;
    const int lane = threadIdx.x & 31;
    const Offset* const in_indptr = static_cast<const Offset*>(s.in_indptr);
    const Offset* const out_indptr = static_cast<const Offset*>(s.out_indptr);
    const Sink sink{s.queue, nullptr, s.n, {kListAll}};
    Found found{};
    for (int base = ((threadIdx.x >> 5) * gridDim.x + blockIdx.x) * 32; base < count;
         base += gridDim.x * kThreads) {
        const int mine = base + lane < count ? __ldcg(list + base + lane) : -1;
        for (int pass = 0; pass < kLanes; ++pass) {
            const int v = __shfl_sync(kFull, mine, (pass * 32 + lane) / kLanes);
            const NewRows rows = keep_new_bits<kWords>(s, v, v >= 0, next, planes, live);
            if (rows.reached >> lane & 1) planes.mark(v);
            if (rows.full >> lane & 1) {
                atomicOr(s.full + (v >> 5), 1u << (v & 31));
                found.filled += __ldg(in_indptr + v + 1) - __ldg(in_indptr + v);
            }
        }
        const Offset begin = mine >= 0 ? __ldg(out_indptr + mine) : 0;
        const Offset length = mine >= 0 ? __ldg(out_indptr + mine + 1) - begin : 0;
        list_rows(sink, &counts->queued, mine, begin, length);
    }
    found.add_to(counts);
}

// All vertices, whose `any` bits are made here.
template <typename Offset, int kWords>
__device__ __forceinline__ void finish_many(const ManySearch& s, u32* any, RowChunk<kWords>* next,
                                            const LevelPlanes<kWords>& planes, Liveness& live,
                                            ManyCounts* counts) {
    constexpr int kLanes = Row<kWords>::kLanes;
    const int lane = threadIdx.x & 31;
    const Offset* const in_indptr = static_cast<const Offset*>(s.in_indptr);
    const Offset* const out_indptr = static_cast<const Offset*>(s.out_indptr);
    Found found{};
    for (int b = (threadIdx.x >> 5) * gridDim.x + blockIdx.x; b * 32 < s.n;
         b += gridDim.x * kWarps) {
        u32 reached = 0, filled = 0;
        for (int pass = 0; pass < kLanes; ++pass) {
            const int r = (pass * 32 + lane) / kLanes, v = b * 32 + r;
            const NewRows rows = keep_new_bits<kWords>(s, v, v < s.n, next, planes, live);
            if (rows.reached >> lane & 1) reached |= 1u << r;
            if (rows.full >> lane & 1) filled |= 1u << r;
        }
        reached = warp_or(kFull, reached), filled = warp_or(kFull, filled);
        if (reached == 0) continue;
        if (planes.level >> lane & 1) planes.words_of(32 * b)[lane] |= reached;
        if (lane == 0) {
            any[b] = reached;
            if (filled) s.full[b] = __ldcg(s.full + b) | filled;
        }
        const int v = b * 32 + lane;
        if (!(reached >> lane & 1)) continue;
        ++found.vertices;
        found.edges += __ldg(out_indptr + v + 1) - __ldg(out_indptr + v);
        if (filled >> lane & 1) found.filled += __ldg(in_indptr + v + 1) - __ldg(in_indptr + v);
    }
    found.add_to(counts);
}
