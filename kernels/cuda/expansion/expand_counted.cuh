// Counted<Strategy>: a strategy that also counts what the lanes of its warps do.
//
// The measures are those of Cheng et al. (2014).  A step of a warp is one call of a visitor, 32
// lanes.  Lanes without an edge are lost within a group that walks a row (intra-group
// underutilisation, U_A), or with a group that waits for the longest row of its warp (inter-group,
// U_R).  A row that a whole warp or CTA walks, and edges in line, have no group that waits.
//
// It is a template argument, so that kernels that do not count are compiled as if it were not
// there.
#pragma once
#include "cuda/expansion/expand_merge_path.cuh"
#include "cuda/grid/shared_struct.cuh"

// Sums over all warps, added to until the host clears them.
struct LaneCounts {
    u64 steps;    // of warps
    u64 active;   // lanes that had an edge
    u64 taken;    // lanes of groups that had one
    u64 sectors;  // of 32 bytes that the lanes of a step looked at in the CSR's indices,
    u64 lines;    // and lines of 128 bytes
};
// clang-format off
SHARED_STRUCT(LaneCounts, 40,
    FIELD(steps, 0) FIELD(active, 8) FIELD(taken, 16) FIELD(sectors, 24) FIELD(lines, 32));
// clang-format on

// A visitor around another one.  Every lane has the same counts.
template <class Visit>
struct CountingVisit {
    static constexpr bool kSlots = Visit::kSlots;
    static constexpr bool kCounts = true;
    Visit& visit;
    int width = 32;  // lanes of a group; set by who walks by groups
    LaneCounts counts{};

    // Distinct places among those of the lanes that have an edge.
    __device__ __forceinline__ static int distinct(u32 lanes, i64 place, bool valid) {
        bool first = false;
        if (valid) {
            const u32 same = __match_any_sync(lanes, place);
            first = __ffs(same) - 1 == static_cast<int>(threadIdx.x & 31);
        }
        return __popc(__ballot_sync(kAll, first));
    }

    template <typename Offset>
    __device__ __forceinline__ void operator()(const Edge<Offset>& edge, bool valid) {
        const u32 lanes = __ballot_sync(kAll, valid);
        // The first lane of a group has an edge if any has.
        const u32 firsts = width < 32 ? kAll / ((1u << width) - 1) : 1;
        counts.steps += 1;
        counts.active += __popc(lanes);
        counts.taken += width < 32 ? width * __popc(lanes & firsts) : 32;
        constexpr int kSector = 32 / sizeof(int), kLine = 128 / sizeof(int);
        counts.sectors += distinct(lanes, static_cast<i64>(edge.position) / kSector, valid);
        counts.lines += distinct(lanes, static_cast<i64>(edge.position) / kLine, valid);
        visit(edge, valid);
    }

    __device__ __forceinline__ void add_to(LaneCounts* sums) const {
        if ((threadIdx.x & 31) || counts.steps == 0) return;
        atomicAdd(&sums->steps, counts.steps);
        atomicAdd(&sums->active, counts.active);
        atomicAdd(&sums->taken, counts.taken);
        atomicAdd(&sums->sectors, counts.sectors);
        atomicAdd(&sums->lines, counts.lines);
    }
};

template <class Strategy>
struct Counted {
    static constexpr bool kPath = Strategy::kPath;
    template <typename Offset, class Visit>
    __device__ __forceinline__ static void gather(const Row<Offset>& row,
                                                  ExpandShared<Offset>& shared, Visit& visit) {
        CountingVisit<Visit> counting{visit};
        Strategy::gather(row, shared, counting);
        counting.add_to(visit.sums);
    }
    template <typename Offset, class Visit>
    __device__ __forceinline__ static void expand(const Path<Offset>& path,
                                                  ExpandShared<Offset>& shared, Visit& visit) {
        CountingVisit<Visit> counting{visit};
        Strategy::expand(path, shared, counting);
        counting.add_to(visit.sums);
    }
};

template <class Strategy>
constexpr bool kCounting = false;
template <class Strategy>
constexpr bool kCounting<Counted<Strategy>> = true;
