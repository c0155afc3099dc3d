// Levels of a few thousand edges: one CTA runs them alone, with its own barrier and counters in
// shared memory, while the others wait.  A level takes the latency of four dependent accesses
// instead of those and a grid barrier.
#pragma once
#include "bfs_push.cuh"

struct SoloShared {
    u64 queued;
    u32 found;
    u32 overflow;
};

// Runs levels from `level` on until the frontier is empty or has more than solo_leave edges, or the
// search is told to stop.  Lists alternate between s.queue[flip ^ 1] and s.queue[flip]; the numbers
// of the last go to `out`.
template <typename Offset, typename Level>
__device__ __forceinline__ void solo_levels(const Search& s, RowList<Offset> frontier, u32* seen,
                                            int level, int flip, FrontierSize* out) {
    __shared__ SoloShared shared;
    const Offset* const indptr = static_cast<const Offset*>(s.out_indptr);
    const bool leader = threadIdx.x == 0;
    while (true) {
        if (leader) shared = SoloShared{};
        __syncthreads();
        flip ^= 1;
        const Sink sink{s.queue[flip], nullptr, s.queue_capacity, i64{1} << 35};
        bool stop = level + 1 >= s.max_depth;
        expand_edges(frontier, s.out_indices, 1,
                     [&](const int (&v)[kFlight], const int (&parent)[kFlight]) {
                         bool won[kFlight];
#pragma unroll
                         for (int u = 0; u < kFlight; ++u)
                             won[u] = v[u] >= 0 && v[u] != frontier.source;
                         claim(seen, v, won);
                         Listing<Offset, kFlight> rows;
                         int wins = 0;
#pragma unroll
                         for (int u = 0; u < kFlight; ++u) {
                             rows.vertex[u] = v[u];
                             wins += __popc(__ballot_sync(kFull, won[u]));
                         }
                         if (wins == 0) return;
                         rows.look_up(indptr, won);
                         visit<Level>(s, v, parent, won, level + 1);
#pragma unroll
                         for (int u = 0; u < kFlight; ++u) stop |= won[u] && v[u] == s.target;
                         if ((threadIdx.x & 31) == 0) atomicAdd(&shared.found, wins);
                         if (!rows.append(sink, &shared.queued)) shared.overflow = 1;
                     });
        ++level;
        stop = __syncthreads_or(stop);
        const u64 queued = shared.queued;
        const u32 found = shared.found, overflow = shared.overflow;
        if (s.trace && leader) trace_level(s, level, 4, frontier.edges, found);
        if (stop || overflow || found == 0 || edges_of(queued) > static_cast<u64>(s.solo_leave)) {
            if (leader) {
                *out = FrontierSize{queued, found, 0, 0, overflow};
                s.control->level = level;
            }
            return;
        }
        if (leader) {
            s.control->tier_reached += found;
            s.control->tier_depth = max(s.control->tier_depth, level);
        }
        frontier =
            RowList<Offset>{s.queue[flip], rows_of(queued), static_cast<Offset>(edges_of(queued))};
        __syncthreads();
    }
}
