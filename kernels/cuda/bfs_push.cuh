// Push (top-down): every edge of the listed frontier looks at its far end and claims it once.
#pragma once
#include "frontier_queue.cuh"

// True for the one thread that turned the bit on.
__device__ __forceinline__ bool claim(u32* seen, int v) {
    const u32 bit = bit_of(v);
    return !(atomicOr(seen + word_of(v), bit) & bit);
}

template <typename Offset, typename Level>
__device__ __forceinline__ void push_level(const Search& s, const RowList<Offset> frontier,
                                           u32* seen, int level, Finds<Offset>& finds) {
    expand_edges(frontier, s.out_indices, gridDim.x,
                 [&](const int (&v)[kFlight], const int (&parent)[kFlight]) {
                     bool open[kFlight];
#pragma unroll
                     for (int u = 0; u < kFlight; ++u) {
                         // The source's own bit may not be set yet when its row is expanded.
                         open[u] = v[u] >= 0 && v[u] != frontier.source;
                         // A look may hit a stale line of L1: bits are only ever set, so a stale 1
                         // is right and a stale 0 is settled by the atomic.
                         if (open[u]) open[u] = !(__ldca(seen + word_of(v[u])) & bit_of(v[u]));
                     }
#pragma unroll
                     for (int u = 0; u < kFlight; ++u) open[u] = open[u] && claim(seen, v[u]);
#pragma unroll
                     for (int u = 0; u < kFlight; ++u) {
                         if (open[u]) visit<Level>(s, v[u], parent[u], level + 1);
                         finds.add(v[u], open[u]);
                     }
                 });
}
