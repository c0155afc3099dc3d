// The list of a frontier in the order of its vertices, where entries lie in memory of the host.
//
// A search lists vertices as it finds them, here and there.  Rows that are read so get a quarter of
// what the bus carries, since every one of them is an address to be translated; in order they get
// all of it (docs/performance-notes-cuda.md, "Entries in memory of the host").
#pragma once
#include "cuda/bfs/bfs_probes.cuh"
#include "cuda/bfs/frontier_listing.cuh"

// Vertices that a warp looks at together.
constexpr int kOrdered = kMaxBlocks * kBlock;

// Warps of a CTA side by side, so that a multiprocessor reads in one place.
__device__ __forceinline__ int ordered_warp() { return blockIdx.x * kWarps + (threadIdx.x >> 5); }

__device__ __forceinline__ bool is_of_level(const int* levels, int v, int level) {
    return __ldcg(levels + v) == level;
}
__device__ __forceinline__ bool is_of_level(const unsigned char* levels, int v, int level) {
    return (__ldcg(levels + v) & ~kParentIsFirst) == level + 1;
}

// Whether the levels written tell which vertices a level has.
template <typename Labels>
__device__ __forceinline__ bool tells_levels(const Search& s, int level) {
    return s.levels && (!Labels::kRelabelled || level + 1 < kDeepLevel);
}

// The vertices of a level that a warp has, a 1 / warps of all, in order: their rows, up to kFlight
// a lane, are given to `take(rows)`, asked for together.  A level that is not of a visited vertex
// is of an earlier search.
template <typename Offset, typename Labels, typename Take>
__device__ __forceinline__ void each_of_level(const Search& s, const u32* visited, int level,
                                              PullShared& shared, Take&& take) {
    const auto* const levels = static_cast<const typename Labels::Level*>(s.levels);
    const Offset* const indptr = static_cast<const Offset*>(s.out_indptr);
    const int lane = threadIdx.x & 31, in_cta = threadIdx.x >> 5;
    unsigned short* const found = shared.rows[in_cta];
    const int pieces = (s.n + kOrdered - 1) / kOrdered;
    const int own = (pieces + gridDim.x * kWarps - 1) / (gridDim.x * kWarps);
    const int begin = ordered_warp() * own, end = min(pieces, begin + own);
    for (int piece = begin; piece < end; ++piece) {
        const int first = piece * kOrdered;
        int listed = 0;
#pragma unroll 4
        for (int i = lane; i < kOrdered; i += 32) {
            const int v = first + i;
            const bool is = v < s.n && (__ldcg(visited + word_of(v)) & bit_of(v)) &&
                            is_of_level(levels, v, level);
            const u32 which = __ballot_sync(kFull, is);
            if (is) found[listed + __popc(which & lanes_below())] = static_cast<unsigned short>(i);
            listed += __popc(which);
        }
        __syncwarp();
        for (int from = 0; from < listed; from += 32 * kFlight) {
            Listing<Offset, kFlight> rows;
            bool active[kFlight];
#pragma unroll
            for (int k = 0; k < kFlight; ++k) {
                const int i = from + kFlight * lane + k;
                active[k] = i < listed;
                rows.vertex[k] = active[k] ? first + found[i] : 0;
            }
            rows.look_up(indptr, active, level == 0 ? 1 : s.shortest);
            take(rows);
        }
        __syncwarp();
    }
}

// Lists the vertices of a level anew, by all warps: they count what they have, meet (`barrier`),
// and write it behind what is before it.  `counts` has room for a number a warp.
template <typename Offset, typename Labels, typename Barrier>
__device__ __forceinline__ void list_in_order(const Search& s, const u32* visited, int level,
                                              PullShared& shared, u64* counts, int4* list,
                                              Barrier&& barrier) {
    const int lane = threadIdx.x & 31, warp = ordered_warp();
    const auto all_of = [](const auto& rows) { return __shfl_sync(kFull, rows.upto, 31); };
    u64 own = 0;
    each_of_level<Offset, Labels>(s, visited, level, shared,
                                  [&](const auto& rows) { own += all_of(rows); });
    if (lane == 0) counts[warp] = own;
    barrier();
    u64 before = 0;
    for (int i = lane; i < warp; i += 32) before += __ldcg(counts + i);
    before = sum_of_warp(before);
    each_of_level<Offset, Labels>(s, visited, level, shared, [&](const auto& rows) {
        rows.store(list, before + rows.upto - rows.own);
        before += all_of(rows);
    });
}
