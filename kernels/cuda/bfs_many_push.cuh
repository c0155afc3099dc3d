// One level along the edges: the listed rows of the frontier are expanded in equal runs of edges,
// and a neighbour's new bits are looked up (`seen`, and what others have already pushed there)
// before an atomic adds them.  Behind a barrier the vertices touched become the next frontier.
#pragma once
#include "bfs_many_state.cuh"

// Edges -> rows of the next frontier, listed once each.
template <typename Offset, int kWords>
__device__ __forceinline__ void push_edges(const ManySearch& s, const RowList<Offset>& rows,
                                           const uint4* frontier, uint4* next, u32* next_any,
                                           int* list, u32* listed) {
    const u64* const from = reinterpret_cast<const u64*>(frontier);
    const u64* const seen = reinterpret_cast<const u64*>(s.seen);
    u64* const to = reinterpret_cast<u64*>(next);
    expand_edges(rows, s.out_indices, gridDim.x,
                 [&](const int (&neighbour)[kFlight], const int (&row)[kFlight]) {
        bool touched[kFlight] = {};
#pragma unroll 1
        for (int w = 0; w < kWords; ++w) {
            u64 bits[kFlight];
            bool some = false;
#pragma unroll
            for (int u = 0; u < kFlight; ++u) {
                bits[u] = neighbour[u] >= 0 ? from[static_cast<i64>(row[u]) * kWords + w] : 0;
                some |= bits[u] != 0;
            }
            if (!__any_sync(kFull, some)) continue;
            u64 had[kFlight];
#pragma unroll
            for (int u = 0; u < kFlight; ++u) {
                const i64 at = static_cast<i64>(neighbour[u]) * kWords + w;
                had[u] = bits[u] ? __ldcg(seen + at) | __ldcg(to + at) : 0;
            }
#pragma unroll
            for (int u = 0; u < kFlight; ++u) {
                bits[u] &= ~had[u];
                if (bits[u] == 0) continue;
                atomicOr(to + static_cast<i64>(neighbour[u]) * kWords + w, bits[u]);
                touched[u] = true;
            }
        }
#pragma unroll
        for (int u = 0; u < kFlight; ++u) {
            const u32 bit = 1u << (neighbour[u] & 31);
            u32* const word = next_any + (neighbour[u] >> 5);
            const bool first = touched[u] && !(__ldcg(word) & bit) && !(atomicOr(word, bit) & bit);
            const u32 mask = __ballot_sync(kFull, first);
            if (mask == 0) continue;
            u32 base = 0;
            if ((threadIdx.x & 31) == 0) base = atomicAdd(listed, __popc(mask));
            base = __shfl_sync(kFull, base, 0);
            if (first) list[base + __popc(mask & lanes_below())] = neighbour[u];
        }
    });
}

// The vertices touched: bits into `seen` and the planes, rows into the queue.
template <typename Offset, int kWords>
__device__ __forceinline__ void settle(const ManySearch& s, const int* list, int count,
                                       const uint4* next, const LevelPlanes& planes,
                                       ManyCounts* counts) {
    constexpr int kLanes = kWords / 2;
    const int lane = threadIdx.x & 31, part = lane % kLanes;
    const u32 row_lanes = ((1u << kLanes) - 1) << (lane / kLanes * kLanes);
    const Offset* const in_indptr = static_cast<const Offset*>(s.in_indptr);
    const Offset* const out_indptr = static_cast<const Offset*>(s.out_indptr);
    const Sink sink{s.queue, nullptr, s.n, (i64{1} << kEdgeBits) - 1};
    Found found;
    for (int base = ((threadIdx.x >> 5) * gridDim.x + blockIdx.x) * 32; base < count;
         base += gridDim.x * kThreads) {
        const int mine = base + lane < count ? __ldcg(list + base + lane) : -1;
        for (int pass = 0; pass < kLanes; ++pass) {
            const int v = __shfl_sync(kFull, mine, (pass * 32 + lane) / kLanes);
            const i64 at = static_cast<i64>(v) * kLanes + part;
            uint4 seen = splat(0);
            if (v >= 0) {
                const uint4 fresh = __ldcg(next + at);
                seen = __ldcg(s.seen + at) | fresh;
                s.seen[at] = seen;
                planes.add(at, fresh);
            }
            const u32 full = __ballot_sync(kFull, v >= 0 && is_full(seen));
            if (part == 0 && (full & row_lanes) == row_lanes) {
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

// The rows of a list, and their `any` bits, back to zero.
template <int kLanes>
__device__ __forceinline__ void clear_listed(uint4* rows, u32* any, const int* list, int count) {
    const i64 chunks = static_cast<i64>(count) * kLanes;
    for (i64 i = blockIdx.x * kThreads + threadIdx.x; i < chunks; i += gridDim.x * kThreads) {
        const int v = __ldcg(list + i / kLanes);
        rows[static_cast<i64>(v) * kLanes + i % kLanes] = splat(0);
        if (i % kLanes == 0) any[v >> 5] = 0;  // all bits of this word are of rows in the list
    }
}

// A frontier made tidy, or zero: its rows without `any` bit, those with, or both, and the bits.
template <int kLanes>
__device__ __forceinline__ void clear_frontier(uint4* rows, u32* any, int n, bool with,
                                               bool without) {
    const int lane = threadIdx.x & 31;
    for (int b = (threadIdx.x >> 5) * gridDim.x + blockIdx.x; b * 32 < n;
         b += gridDim.x * kWarps) {
        const u32 word = __ldcg(any + b), cleared = (with ? word : 0) | (without ? ~word : 0);
        if (cleared == 0) continue;
        for (int i = lane; i < 32 * kLanes; i += 32)
            if (cleared >> (i / kLanes) & 1 && b * 32 + i / kLanes < n)
                rows[static_cast<i64>(b) * 32 * kLanes + i] = splat(0);
        __syncwarp();
        if (with && lane == 0) any[b] = 0;
    }
}

// A frontier that a pull found, listed for a push.
template <typename Offset>
__device__ __forceinline__ void list_frontier(const ManySearch& s, const u32* any, int* list,
                                              ManyCounts* counts) {
    const int lane = threadIdx.x & 31;
    const Offset* const out_indptr = static_cast<const Offset*>(s.out_indptr);
    const Sink sink{s.queue, nullptr, s.n, (i64{1} << kEdgeBits) - 1};
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
