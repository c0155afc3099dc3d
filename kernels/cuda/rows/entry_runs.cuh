// All entries of a matrix in order, each with its row, by the whole grid.
//
// A warp takes a run of entries, whatever rows they lie in, so that long rows and short ones cost
// the same.  It finds the row of the first; from there on the bounds of the next 32 rows, one a
// lane, tell the rows of 32 entries.
#pragma once
#include "cuda/grid/counts.cuh"
#include "cuda/memory/bisect.cuh"

namespace spbfs {

// Entries of a run, and those that a lane has on their way at once.  No others have been measured.
constexpr int kRunEntries = 1024;
constexpr int kAhead = 4;

// The row of entry `first` + lane, or of the last entry; called by a warp, whose `top` is a row not
// behind that of `first` and becomes that of the last lane's.
template <typename Offset>
__device__ __forceinline__ int row_of_lane(const Offset* indptr, i64 n, i64 entries, i64 first,
                                           i64& top) {
    const auto e = static_cast<Offset>(min(first + lane_of(), entries - 1));
    const i64 next = top + 1 + lane_of();
    const Offset begin = next < n ? indptr[next] : static_cast<Offset>(entries);
    int behind = 0;  // of those rows, how many begin at the entry or before it
#pragma unroll
    for (int step = kWarp / 2; step > 0; step /= 2)
        if (__shfl_sync(kAll, begin, behind + step - 1) <= e) behind += step;
    i64 row = top + behind;
    if (__shfl_sync(kAll, begin, kWarp - 1) <= e)
        row = last_not_above(indptr, top + kWarp, n - 1, e);
    top = __shfl_sync(kAll, row, kWarp - 1);
    return static_cast<int>(row);
}

// visitor.look(e) for several entries a lane, then visitor.take(e, row, item) for each by all lanes
// of the warp; `row` is below zero where there is no such entry.
template <typename Offset, class Visitor>
__device__ __forceinline__ void visit_entry_runs(const Offset* indptr, i64 n, i64 entries,
                                                 Visitor& visitor) {
    const i64 warps = static_cast<i64>(gridDim.x) * (kThreads / kWarp);
    for (i64 run = thread_of() / kWarp * kRunEntries; run < entries; run += warps * kRunEntries) {
        i64 top = last_not_above(indptr, 0, n - 1, run);
        const i64 end = min(run + kRunEntries, entries);
        for (i64 first = run; first < end; first += kAhead * kWarp) {
            typename Visitor::Item items[kAhead];
#pragma unroll
            for (int j = 0; j < kAhead; ++j)
                items[j] = visitor.look(min(first + j * kWarp + lane_of(), entries - 1));
#pragma unroll
            for (int j = 0; j < kAhead; ++j) {
                const i64 e = first + j * kWarp + lane_of();
                if (e - lane_of() >= end) break;
                const int row = row_of_lane(indptr, n, entries, e - lane_of(), top);
                visitor.take(e, e < entries ? row : -1, items[j]);
            }
        }
    }
}

}  // namespace spbfs
