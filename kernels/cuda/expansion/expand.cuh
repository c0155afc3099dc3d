// Expansion: calling visit once for every edge of a frontier, by one of several strategies.
//
// A visitor is an object with
//     void operator()(const Edge<Offset>& edge, bool valid)
// called by all 32 lanes of a warp together (`valid` where the lane has an edge), so that it may
// vote and shuffle; and, where kSlots is true,
//     i64 reserve(i64 edges)
// which allots consecutive output slots to all edges of a tile at once.  Where kCounts is true it
// is told how wide the groups are that walk rows.
//
// A tile is kCta rows or fewer, one row a thread.  The strategies differ in which threads walk
// which row: `Groups<W>` (virtual warps; a thread alone with W = 1), `Cta`, `Scan` (edges of the
// tile in one line), `Twc` (each row by what suits its length), `Suited` (groups or `Twc`).  Names
// and thresholds are those of Merrill, Garland, Grimshaw (2012) and Cheng et al. (2014).
#pragma once
#include "cuda/expansion/expand_gather.cuh"

// kPath: whether the strategy needs the prefix sums of ``expand_merge_path.cuh``.
template <int W>
struct Groups {
    static constexpr bool kPath = false;
    template <typename Offset, class Visit>
    __device__ __forceinline__ static void gather(const Row<Offset>& row, ExpandShared<Offset>&,
                                                  Visit& visit) {
        gather_by_groups(W, row, 1, visit);
    }
};

struct Cta {
    static constexpr bool kPath = false;
    template <typename Offset, class Visit>
    __device__ __forceinline__ static void gather(const Row<Offset>& row,
                                                  ExpandShared<Offset>& shared, Visit& visit) {
        gather_by_cta(row, 1, shared, visit);
    }
};

struct Scan {
    static constexpr bool kPath = false;
    template <typename Offset, class Visit>
    __device__ __forceinline__ static void gather(const Row<Offset>& row,
                                                  ExpandShared<Offset>& shared, Visit& visit) {
        gather_by_scan(row, shared, visit);
    }
};

struct Twc {
    static constexpr bool kPath = false;
    template <typename Offset, class Visit>
    __device__ __forceinline__ static void gather(Row<Offset> row, ExpandShared<Offset>& shared,
                                                  Visit& visit) {
        gather_by_cta(row, kCta, shared, visit);
        if (row.degree >= kCta) row.degree = 0;
        gather_by_groups(32, row, 32, visit);
        if (row.degree >= 32) row.degree = 0;
        gather_by_scan(row, shared, visit);
    }
};

// Rows that are spread over threads so that each has about an edge are walked where they are, if
// none is much longer than others; elsewhere `Twc`.
struct Suited {
    static constexpr bool kPath = false;
    template <typename Offset, class Visit>
    __device__ __forceinline__ static void gather(const Row<Offset>& row,
                                                  ExpandShared<Offset>& shared, Visit& visit) {
        if (shared.lanes && !__syncthreads_or(row.degree > 4 * shared.lanes))
            gather_by_groups(shared.lanes, row, 1, visit);
        else
            Twc::gather(row, shared, visit);
    }
};

// All threads of the CTA call this together, each with the row it brings.
template <class Strategy, typename Offset, class Visit>
__device__ __forceinline__ void expand_tile(Row<Offset> row, ExpandShared<Offset>& shared,
                                            Visit& visit) {
    if constexpr (Visit::kSlots) {
        i64 total;
        const i64 rank = exclusive_sum(row.degree, shared.warp_sums, total);
        if (threadIdx.x == 0) shared.base = visit.reserve(total);
        __syncthreads();
        row.slot = shared.base + rank;
    }
    Strategy::gather(row, shared, visit);
}

// `width`, or less where the grid has no more threads for `count` rows: powers of two.
__device__ __forceinline__ int spread(int width, i64 count) {
    const i64 threads = static_cast<i64>(gridDim.x) * kCta;
    while (width > 1 && count * width > threads) width /= 2;
    return width;
}

// All CTAs of the grid share the rows of `queue`.  `width` is a power of two: how many threads a
// row can keep busy, by which a short frontier is spread over more CTAs than it has tiles.
template <class Strategy, typename Offset, class Visit>
__device__ __forceinline__ void expand_queue(const int* queue, i64 count, int width,
                                             const Offset* indptr, ExpandShared<Offset>& shared,
                                             Visit& visit) {
    width = spread(width, count);
    const int rows = kCta / width;
    for (i64 first = static_cast<i64>(blockIdx.x) * rows; first < count;
         first += static_cast<i64>(gridDim.x) * rows) {
        const i64 i = first + threadIdx.x / width;
        Row<Offset> row{};
        if (threadIdx.x % width == 0 && i < count) row = load_row(indptr, queue[i]);
        expand_tile<Strategy>(row, shared, visit);
    }
}
