// The list of rows to expand, and how it is cut into equal work.
//
// One 64-bit atomic carries (rows, edges): it hands out slots in the list and, in the order of the
// slots, the number of edges before each row.  So the level that reads the list cuts it into equal
// runs of edges by a search, whatever the degrees, and no scan runs in between.
#pragma once
#include "cuda/bfs/bfs_visit.cuh"
#include "cuda/grid/warp_reduce.cuh"

__device__ __forceinline__ u64 edges_of(u64 queued) { return queued & ((1ull << kEdgeBits) - 1); }
__device__ __forceinline__ int rows_of(u64 queued) { return static_cast<int>(queued >> kEdgeBits); }

// A row of the list: vertex, where its entries begin, how many edges of the list lie before it.
template <typename Offset>
struct QueuedRow {
    int vertex;
    Offset begin;
    Offset before;

    __device__ static QueuedRow load(const int4* at) {
        const int4 x = *at;  // cached: the barrier before this level dropped what L1 claimed
        const i64 begin = static_cast<i64>(x.w & 0xffff) << 32 | static_cast<u32>(x.y);
        const i64 before = static_cast<i64>(x.w >> 16) << 32 | static_cast<u32>(x.z);
        return {x.x, static_cast<Offset>(begin), static_cast<Offset>(before)};
    }
    __device__ void store(int4* at) const {
        const i64 b = begin, f = before;
        *at = make_int4(vertex, static_cast<int>(b), static_cast<int>(f),
                        static_cast<int>(b >> 32 | (f >> 32) << 16));
    }
};

// Rows to expand: a list, or the one row of a source, which nobody has to write down.
template <typename Offset>
struct RowList {
    const int4* rows;
    int count;
    Offset edges;
    int source = -1;
    Offset begin = 0;

    __device__ __forceinline__ QueuedRow<Offset> operator[](int i) const {
        if (i >= count) return {-1, 0, edges};
        return rows ? QueuedRow<Offset>::load(rows + i) : QueuedRow<Offset>{source, begin, 0};
    }
};

template <typename T>
__device__ __forceinline__ T scan_warp(T x) {
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        const T y = __shfl_up_sync(kFull, x, d);
        if (lane >= d) x += y;
    }
    return x;
}

__device__ __forceinline__ u64 sum_of_warp(u64 x) {
#pragma unroll
    for (int by = 16; by > 0; by /= 2) x += __shfl_xor_sync(kFull, x, by);
    return x;
}

#ifndef BFS_PINNED
#define BFS_PINNED 0
#endif
// Whether the kernel is compiled for entries in memory of the host, whose long lists are put in
// order (bfs_ordered.cuh): all warps read in one part of that memory at a time.
constexpr bool kPinned = BFS_PINNED;
// Edges that a warp takes at least before it goes on with the others.
constexpr int kPinnedRun = 1024;

#ifndef EDGES_IN_FLIGHT
#define EDGES_IN_FLIGHT 4
#endif
// Edges of a lane in flight: two, or four with the cluster tier (docs/performance-notes-cuda.md,
// third and fifth round).
constexpr int kFlight = EDGES_IN_FLIGHT;

// Edges [at, stop) of the rows that a warp's lanes hold, kFlight a lane, asked for.
template <typename Offset>
struct EdgeBatch {
    int neighbour[kFlight];  // -1: no edge
    int row[kFlight];

    __device__ __forceinline__ EdgeBatch(const QueuedRow<Offset>& mine, Offset at, Offset stop,
                                         const int* indices) {
        const Offset shift = mine.begin - mine.before;
#pragma unroll
        for (int u = 0; u < kFlight; ++u) {
            const Offset edge = at + 32 * u + (threadIdx.x & 31);
            int owner = 0;
#pragma unroll
            for (int step = 16; step; step >>= 1)
                if (__shfl_sync(kFull, mine.before, owner + step) <= edge) owner += step;
            const Offset entry = __shfl_sync(kFull, shift, owner) + edge;
            row[u] = __shfl_sync(kFull, mine.vertex, owner);
            neighbour[u] = -1;
            if (edge < stop) neighbour[u] = __ldg(indices + entry);
        }
    }
};

// Calls visit_edges(neighbours, rows) for edges [at, end), kFlight a lane, by all lanes of a warp
// together; a neighbour of -1 is no edge.
template <bool kAsksAlways, typename Offset, typename Visit>
__device__ __forceinline__ void expand_run(const RowList<Offset>& list, const int* indices,
                                           Offset at, const Offset end, Visit&& visit_edges) {
    const int lane = threadIdx.x & 31;
    // The last row with no more than `at` edges before it, by 32 probes at a time, or one so near
    // that the lanes hold both.
    int row = 0;
    for (int range = list.count; range > 31;) {
        const int step = (range + 31) / 32;
        const int probe = row + lane * step;
        const bool before = lane * step < range && list[probe].before <= at;
        const int skip = (__popc(__ballot_sync(kFull, before)) - 1) * step;
        row += skip;
        range = min(step, range - skip);
    }
    // The lanes hold the rows from that of the next batch's first edge on, asked for a batch ahead,
    // so that no batch is cut short where rows are short; lane 31's only bounds those of the
    // others.
    QueuedRow<Offset> mine = list[row + lane];
    const auto ask = [&] {
        const Offset bound = __shfl_sync(kFull, mine.before, 31);
        const Offset stop = min(min(end, bound), static_cast<Offset>(at + 32 * kFlight));
        const EdgeBatch<Offset> batch(mine, at, stop, indices);
        at = stop;
        if (at < end && (kAsksAlways || bound < at + 32 * kFlight)) {
            row += __popc(__ballot_sync(kFull, mine.before <= at)) - 1;
            mine = list[row + lane];
        }
        return batch;
    };
    EdgeBatch<Offset> ahead = ask();
    for (bool more = true; more;) {
        const EdgeBatch<Offset> now = ahead;
        more = at < end;
        if (more) ahead = ask();
        visit_edges(now.neighbour, now.row);
    }
}

// The same for all edges.  The first `ctas` CTAs share the work.  kAsksAlways: rows are asked for
// with every batch, also where the lanes hold those of the next; it takes a register less.
template <bool kAsksAlways = false, typename Offset, typename Visit>
__device__ __forceinline__ void expand_edges(const RowList<Offset>& list, const int* indices,
                                             int ctas, Visit&& visit_edges) {
    const int in_cta = threadIdx.x >> 5;
    const Offset warps = ctas * kWarps;
    const auto share = [&](Offset runs) {
        return ((list.edges + runs - 1) / runs + 31) & ~Offset{31};
    };
    if constexpr (kPinned) {
        const Offset turns = max(Offset{1}, list.edges / (warps * kPinnedRun));
        const Offset run = share(warps * turns);
        for (Offset turn = 0; turn < turns; ++turn) {
            const i64 at = (i64{turn} * warps + blockIdx.x * kWarps + in_cta) * run;
            if (at >= list.edges) return;
            const i64 end = min(i64{list.edges}, at + run);
            expand_run<kAsksAlways>(list, indices, static_cast<Offset>(at),
                                    static_cast<Offset>(end), visit_edges);
        }
    } else {
        // Small lists spread over all multiprocessors.
        const Offset run = share(warps), at = (in_cta * ctas + blockIdx.x) * run;
        if (at < list.edges)
            expand_run<kAsksAlways>(list, indices, at,
                                    min(list.edges, static_cast<Offset>(at + run)), visit_edges);
    }
}
