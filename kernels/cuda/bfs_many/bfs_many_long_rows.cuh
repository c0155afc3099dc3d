// The end of a pull for rows that were cut into pieces.
#pragma once
#include "cuda/bfs_many/bfs_many_pull.cuh"

// Behind a barrier: what the pieces found, and the old frontier of the long rows cleared, for the
// next pull's pieces add to it.
template <typename Offset, int kWords>
__device__ __forceinline__ void finish_long_rows(const ManySearch& s,
                                                 const PullLevel<kWords>& level, Liveness& live,
                                                 Found& found) {
    using Chunk = RowChunk<kWords>;
    constexpr int kLanes = Row<kWords>::kLanes;
    const int lane = threadIdx.x & 31, part = lane % kLanes;
    const u32 row_lanes = ((1u << kLanes) - 1) << (lane / kLanes * kLanes);
    const Offset* const in_indptr = static_cast<const Offset*>(s.in_indptr);
    const Offset* const out_indptr = static_cast<const Offset*>(s.out_indptr);
    const int step = gridDim.x * kThreads / kLanes;
    const int mine = (blockIdx.x * kThreads + threadIdx.x) / kLanes;
    for (int base = mine - lane / kLanes; base < s.long_count; base += step) {
        const int i = base + lane / kLanes;
        const bool inside = i < s.long_count;
        const int v = inside ? s.long_rows[i] : 0;
        const i64 at = static_cast<i64>(v) * kLanes + part;
        const bool was_full = inside && test(s.full, v);
        const Chunk fresh = inside && !was_full ? __ldcg(level.next + at) : splat<Chunk>(0);
        const Chunk visited =
            inside && !was_full ? __ldcg(chunks_of<kWords>(s.visited) + at) : splat<Chunk>(kFull);
        const bool hit = __ballot_sync(kFull, !is_zero(fresh)) & row_lanes;
        const Chunk wanted = live.with_ended(part, visited | fresh);
        const bool all = (__ballot_sync(kFull, is_full(wanted)) & row_lanes) == row_lanes;
        if (!inside) continue;
        if (test(level.any, v)) level.frontier[at] = splat<Chunk>(0);
        if (hit) {
            live.note(part, fresh);
            chunks_of<kWords>(s.visited)[at] = visited | fresh;
            level.planes.add(v, at, fresh);
        }
        __syncwarp(row_lanes);
        if (part) continue;
        if (!hit && test(level.next_any, v))
            atomicAnd(level.next_any + (v >> 5), ~(1u << (v & 31)));
        if (hit) {
            level.planes.mark(v);
            atomicOr(level.next_any + (v >> 5), 1u << (v & 31));
            found.edges += __ldg(out_indptr + v + 1) - __ldg(out_indptr + v);
            ++found.vertices;
        }
        if (all && !was_full) {
            atomicOr(s.full + (v >> 5), 1u << (v & 31));
            found.filled += __ldg(in_indptr + v + 1) - __ldg(in_indptr + v);
        }
    }
}
