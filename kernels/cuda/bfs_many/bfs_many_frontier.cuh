// A frontier between levels: cleared, or listed for a push.
#pragma once
#include "cuda/bfs_many/bfs_many_state.cuh"

// The rows of a list, and their `any` bits, back to zero.
template <int kWords>
__device__ __forceinline__ void clear_listed(RowChunk<kWords>* rows, u32* any, const int* list,
                                             int count) {
    constexpr int kLanes = Row<kWords>::kLanes;
    const i64 chunks = static_cast<i64>(count) * kLanes;
    for (i64 i = blockIdx.x * kThreads + threadIdx.x; i < chunks; i += gridDim.x * kThreads) {
        const int v = __ldcg(list + i / kLanes);
        rows[static_cast<i64>(v) * kLanes + i % kLanes] = splat<RowChunk<kWords>>(0);
        if (i % kLanes == 0) any[v >> 5] = 0;  // all bits of this word are of rows in the list
    }
}

// A frontier cleared, in parts or as a whole: its rows without `any` bit, those with, or both, and
// the bits.
template <int kWords>
__device__ __forceinline__ void clear_frontier(RowChunk<kWords>* rows, u32* any, int n, bool with,
                                               bool without) {
    constexpr int kLanes = Row<kWords>::kLanes;
    const int lane = threadIdx.x & 31;
    for (int b = (threadIdx.x >> 5) * gridDim.x + blockIdx.x; b * 32 < n; b += gridDim.x * kWarps) {
        const u32 word = __ldcg(any + b), cleared = (with ? word : 0) | (without ? ~word : 0);
        if (cleared == 0) continue;
        for (int i = lane; i < 32 * kLanes; i += 32)
            if (cleared >> (i / kLanes) & 1 && b * 32 + i / kLanes < n)
                rows[static_cast<i64>(b) * 32 * kLanes + i] = splat<RowChunk<kWords>>(0);
        __syncwarp();
        if (with && lane == 0) any[b] = 0;
    }
}

// Rows of all planes but the newest of a search that are not there, for those who read planes: they
// ask for rows of the newest alone, which may have next to none.
template <int kWords>
__device__ __forceinline__ void complete_planes(const ManySearch& s, int depth) {
    using Chunk = RowChunk<kWords>;
    constexpr int kLanes = Row<kWords>::kLanes;
    // Where no source has an edge nobody is at level 0, and the depth is below it: no plane is
    // read.
    const int lane = threadIdx.x & 31, newest = depth > 0 ? 31 - __clz(depth) : 0;
    for (int b = (threadIdx.x >> 5) * gridDim.x + blockIdx.x; b * 32 < s.n; b += gridDim.x * kWarps)
        for (int plane = 0; plane < newest; ++plane) {
            const u32 written = __ldcg(s.written + static_cast<i64>(b) * s.plane_count + plane);
            if (written == kFull) continue;
            Chunk* const rows =
                chunks_of<kWords>(s.planes) + (static_cast<i64>(plane) * s.n + b * 32) * kLanes;
#pragma unroll 1
            for (int i = lane; i < 32 * kLanes; i += 32)
                if (!(written >> (i / kLanes) & 1) && b * 32 + i / kLanes < s.n)
                    rows[i] = splat<Chunk>(0);
        }
}

// A frontier that a pull found, listed for a push.
template <typename Offset>
__device__ __forceinline__ void list_frontier(const ManySearch& s, const u32* any, int* list,
                                              ManyCounts* counts) {
    const int lane = threadIdx.x & 31;
    const Offset* const out_indptr = static_cast<const Offset*>(s.out_indptr);
    const Sink sink{s.queue, nullptr, s.n, {kListAll}};
    for (int b = (threadIdx.x >> 5) * gridDim.x + blockIdx.x; b * 32 < s.n;
         b += gridDim.x * kWarps) {
        const u32 word = __ldcg(any + b);
        if (word == 0) continue;
        const int v = b * 32 + lane;
        const bool mine = word >> lane & 1;
        u32 base = 0;
        if (lane == 0) base = atomicAdd(&counts->listed, __popc(word));
        base = __shfl_sync(kFull, base, 0);
        if (mine) list[base + __popc(word & lanes_below())] = v;
        const Offset begin = mine ? __ldg(out_indptr + v) : 0;
        const Offset length = mine ? __ldg(out_indptr + v + 1) - begin : 0;
        list_rows(sink, &counts->queued, v, begin, length);
    }
}
