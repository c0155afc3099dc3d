// One level along the edges: the listed rows of the frontier are expanded in equal runs of edges.
//
// Where edges are few, a neighbour's new bits are looked up (`visited`, and what others have
// already pushed there) before an atomic adds them; behind a barrier the vertices touched become
// the next frontier, with a list.  Where they are many (iBFS would have pulled, but few in a graph
// of many more), they are only added, and a pass over all rows sorts out which are new.
#pragma once
#include "cuda/bfs/bfs_lines.cuh"
#include "cuda/bfs_many/bfs_many_state.cuh"

// The edges of a list, along lines where rows have some.
template <bool kAsksAlways, typename Offset, typename Visit>
__device__ __forceinline__ void expand_rows(const ManySearch& s, const RowList<Offset>& rows,
                                            Visit&& visit_edges) {
    if constexpr (kPinned) {
        const RowLines lines{s.out_lines, s.line_shift, s.line_bits};
        if (s.out_lines) return expand_lines(lines, s.out_indices, rows, visit_edges);
    }
    expand_edges<kAsksAlways>(rows, s.out_indices, gridDim.x, visit_edges);
}

// Few edges -> rows of the next frontier, listed once each.  Words of rows, whatever their chunks.
template <typename Offset, int kWords>
__device__ __forceinline__ void push_few(const ManySearch& s, const RowList<Offset>& rows,
                                         const uint4* frontier, uint4* next, u32* next_any,
                                         int* list, u32* listed) {
    constexpr int kEach = kChunkWords<RowChunk<kWords>> / 2;
    const u64* const from = reinterpret_cast<const u64*>(frontier);
    const u64* const visited = reinterpret_cast<const u64*>(s.visited);
    u64* const to = reinterpret_cast<u64*>(next);
    // All registers are in use.
    expand_rows<true>(s, rows, [&](const int (&neighbour)[kFlight], const int (&row)[kFlight]) {
    // An edge after the other: all words of a row at once would take too many registers.
#pragma unroll
        for (int u = 0; u < kFlight; ++u) {
            const i64 begin = static_cast<i64>(row[u]) * kWords;
            const i64 at = static_cast<i64>(neighbour[u]) * kWords;
            bool touched = false;
#pragma unroll 1
            for (int w = 0; w < kWords; w += kEach) {
                u64 bits[kEach] = {};
#pragma unroll
                for (int k = 0; k < kEach; ++k)
                    if (neighbour[u] >= 0) bits[k] = from[begin + w + k];
#pragma unroll
                for (int k = 0; k < kEach; ++k)
                    if (bits[k])
                        bits[k] &= ~(__ldcg(visited + at + w + k) | __ldcg(to + at + w + k));
#pragma unroll
                for (int k = 0; k < kEach; ++k) {
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
                                          const RowChunk<kWords>* frontier,
                                          RowChunk<kWords>* next) {
    using Chunk = RowChunk<kWords>;
    constexpr int kLanes = Row<kWords>::kLanes;
    const int lane = threadIdx.x & 31;
    expand_rows<false>(s, rows, [&](const int (&neighbour)[kFlight], const int (&row)[kFlight]) {
#pragma unroll
        for (int u = 0; u < kFlight; ++u) {
            const bool is = neighbour[u] >= 0;
            if (!__any_sync(kFull, is)) break;
            const int first = __shfl_sync(kFull, row[u], 0);
            Chunk* const to = next + static_cast<i64>(neighbour[u]) * kLanes;
            if (!__all_sync(kFull, !is || row[u] == first)) {
#pragma unroll 1
                for (int part = 0; is && part < kLanes; ++part)
                    add_bits(to + part, frontier[static_cast<i64>(row[u]) * kLanes + part]);
                __syncwarp();
                continue;
            }
            const Chunk chunk =
                lane < kLanes ? frontier[static_cast<i64>(first) * kLanes + lane] : splat<Chunk>(0);
            for (u32 left = __ballot_sync(kFull, !is_zero(chunk)); left; left &= left - 1) {
                const int part = __ffs(left) - 1;
                const Chunk bits = shuffle(chunk, part);
                if (is) add_bits(to + part, bits);
            }
        }
    });
}
