// One level along the edges: the listed rows of the frontier are expanded in equal runs of edges.
//
// Where edges are few, a neighbour's new bits are looked up (`seen`, and what others have already
// pushed there) before an atomic adds them; behind a barrier the vertices touched become the next
// frontier, with a list.  Where they are many (iBFS would have pulled, but few in a graph of many
// more), they are only added, and a pass over all rows sorts out which are new.
#pragma once
#include "bfs_many_state.cuh"

// Few edges -> rows of the next frontier, listed once each.
template <typename Offset, int kWords>
__device__ __forceinline__ void push_few(const ManySearch& s, const RowList<Offset>& rows,
                                         const uint4* frontier, uint4* next, u32* next_any,
                                         int* list, u32* listed) {
    const u64* const from = reinterpret_cast<const u64*>(frontier);
    const u64* const seen = reinterpret_cast<const u64*>(s.seen);
    u64* const to = reinterpret_cast<u64*>(next);
    // All registers are in use.
    expand_edges<true>(
        rows, s.out_indices, gridDim.x,
        [&](const int (&neighbour)[kFlight], const int (&row)[kFlight]) {
    // An edge after the other: all words of a row at once would take too many registers.
#pragma unroll
            for (int u = 0; u < kFlight; ++u) {
                const i64 begin = static_cast<i64>(row[u]) * kWords;
                const i64 at = static_cast<i64>(neighbour[u]) * kWords;
                bool touched = false;
#pragma unroll 1
                for (int w = 0; w < kWords; w += 2) {
                    u64 bits[2] = {0, 0};
#pragma unroll
                    for (int k = 0; k < 2; ++k)
                        if (neighbour[u] >= 0) bits[k] = from[begin + w + k];
#pragma unroll
                    for (int k = 0; k < 2; ++k)
                        if (bits[k])
                            bits[k] &= ~(__ldcg(seen + at + w + k) | __ldcg(to + at + w + k));
#pragma unroll
                    for (int k = 0; k < 2; ++k) {
                        if (bits[k] == 0) continue;
                        atomicOr(to + at + w + k, bits[k]);
                        touched = true;
                    }
                }
                const u32 bit = 1u << (neighbour[u] & 31);
                u32* const word = next_any + (neighbour[u] >> 5);
                const bool first = touched && !(__ldcg(word) & bit) && !(atomicOr(word, bit) & bit);
                const u32 mask = __ballot_sync(kFull, first);
                if (mask == 0) continue;
                u32 base = 0;
                if ((threadIdx.x & 31) == 0) base = atomicAdd(listed, __popc(mask));
                base = __shfl_sync(kFull, base, 0);
                if (first) list[base + __popc(mask & lanes_below())] = neighbour[u];
            }
        });
}

// Many edges: bits are added and nothing is looked up.  Edges side by side are mostly of one row,
// of which few words are not zero.
template <typename Offset, int kWords>
__device__ __forceinline__ void push_many(const ManySearch& s, const RowList<Offset>& rows,
                                          const uint4* frontier, uint4* next) {
    constexpr int kLanes = kWords / 2;
    const int lane = threadIdx.x & 31;
    expand_edges(
        rows, s.out_indices, gridDim.x,
        [&](const int (&neighbour)[kFlight], const int (&row)[kFlight]) {
#pragma unroll
            for (int u = 0; u < kFlight; ++u) {
                const bool is = neighbour[u] >= 0;
                if (!__any_sync(kFull, is)) break;
                const int first = __shfl_sync(kFull, row[u], 0);
                uint4* const to = next + static_cast<i64>(neighbour[u]) * kLanes;
                if (!__all_sync(kFull, !is || row[u] == first)) {
#pragma unroll 1
                    for (int part = 0; is && part < kLanes; ++part)
                        add_bits(to + part, frontier[static_cast<i64>(row[u]) * kLanes + part]);
                    __syncwarp();
                    continue;
                }
                const uint4 chunk =
                    lane < kLanes ? frontier[static_cast<i64>(first) * kLanes + lane] : splat(0);
                for (u32 left = __ballot_sync(kFull, !is_zero(chunk)); left; left &= left - 1) {
                    const int part = __ffs(left) - 1;
                    const uint4 bits = shuffle(chunk, part);
                    if (is) add_bits(to + part, bits);
                }
            }
        });
}

// Vertices of the next frontier, kLanes lanes of a warp each: bits that are new into `seen` and the
// planes.  Returns masks of the first lanes of vertices that have any, and that all searches have
// reached now.
struct Settled {
    u32 reached;
    u32 full;
};
template <int kLanes>
__device__ __forceinline__ Settled settle_rows(const ManySearch& s, int v, bool live, uint4* next,
                                               const LevelPlanes& planes) {
    const int lane = threadIdx.x & 31, part = lane % kLanes;
    const u32 row_lanes = ((1u << kLanes) - 1) << (lane - part);
    const i64 at = static_cast<i64>(v) * kLanes + part;
    const uint4 made = live ? __ldcg(next + at) : splat(0);
    const bool touched = __ballot_sync(kFull, !is_zero(made)) & row_lanes;
    const uint4 seen = touched ? __ldcg(s.seen + at) : splat(0);
    const uint4 fresh = without(made, seen), all = seen | fresh;
    const bool hit = __ballot_sync(kFull, !is_zero(fresh)) & row_lanes;
    const bool full = (__ballot_sync(kFull, is_full(all)) & row_lanes) == row_lanes;
    if (touched) next[at] = fresh;
    if (hit) s.seen[at] = all;
    if (planes.fresh && live)
        planes.store(at, fresh);
    else if (hit)
        planes.add(at, fresh);
    return {__ballot_sync(kFull, hit && part == 0), __ballot_sync(kFull, full && part == 0)};
}

// The vertices of a list, and their rows into the queue.
template <typename Offset, int kWords>
__device__ __forceinline__ void settle_few(const ManySearch& s, const int* list, int count,
                                           uint4* next, const LevelPlanes& planes,
                                           ManyCounts* counts) {
    constexpr int kLanes = kWords / 2;
    const int lane = threadIdx.x & 31;
    const Offset* const in_indptr = static_cast<const Offset*>(s.in_indptr);
    const Offset* const out_indptr = static_cast<const Offset*>(s.out_indptr);
    const Sink sink{s.queue, nullptr, s.n, (i64{1} << kEdgeBits) - 1};
    Found found;
    for (int base = ((threadIdx.x >> 5) * gridDim.x + blockIdx.x) * 32; base < count;
         base += gridDim.x * kThreads) {
        const int mine = base + lane < count ? __ldcg(list + base + lane) : -1;
        for (int pass = 0; pass < kLanes; ++pass) {
            const int v = __shfl_sync(kFull, mine, (pass * 32 + lane) / kLanes);
            if (settle_rows<kLanes>(s, v, v >= 0, next, planes).full >> lane & 1) {
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
__device__ __forceinline__ void settle_many(const ManySearch& s, u32* any, uint4* next,
                                            const LevelPlanes& planes, ManyCounts* counts) {
    constexpr int kLanes = kWords / 2;
    const int lane = threadIdx.x & 31;
    const Offset* const in_indptr = static_cast<const Offset*>(s.in_indptr);
    const Offset* const out_indptr = static_cast<const Offset*>(s.out_indptr);
    Found found;
    for (int b = (threadIdx.x >> 5) * gridDim.x + blockIdx.x; b * 32 < s.n;
         b += gridDim.x * kWarps) {
        u32 reached = 0, filled = 0;
        for (int pass = 0; pass < kLanes; ++pass) {
            const int r = (pass * 32 + lane) / kLanes, v = b * 32 + r;
            const Settled rows = settle_rows<kLanes>(s, v, v < s.n, next, planes);
            if (rows.reached >> lane & 1) reached |= 1u << r;
            if (rows.full >> lane & 1) filled |= 1u << r;
        }
        reached = warp_or(kFull, reached), filled = warp_or(kFull, filled);
        if (reached == 0) continue;
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
    for (int b = (threadIdx.x >> 5) * gridDim.x + blockIdx.x; b * 32 < n; b += gridDim.x * kWarps) {
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
