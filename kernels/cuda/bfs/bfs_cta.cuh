// The CTA tier, for levels of a few thousand edges: one CTA runs them alone, with its own barrier
// and counters in shared memory, while the others wait.  A level takes the latency of four
// dependent accesses instead of those and a grid barrier.
#pragma once
#include "cuda/bfs/bfs_push.cuh"
#include "cuda/bfs/bfs_steps.cuh"

struct CtaLevelCounts {
    u64 queued;
    u32 found;
    u32 overflow;
};

// Runs levels from `level` on until the frontier is empty or has more than cta_leave edges, or the
// search is told to stop.  Lists alternate between s.queue[flip ^ 1] and s.queue[flip]; the numbers
// of the last go to `out`.
template <typename Offset, typename Labels>
__device__ __forceinline__ void cta_levels(const Search& s, RowList<Offset> frontier, i64 leaves,
                                           u32* visited, int level, int flip, FrontierSize* out) {
    // Of three levels in turn: one is filled, one read, one cleared, with one barrier a level.
    __shared__ CtaLevelCounts sizes[3];
    const Offset* const indptr = static_cast<const Offset*>(s.out_indptr);
    const bool leader = threadIdx.x == 0;
    u64 reached = 0;
    int depth = 0;
    if (leader) sizes[0] = CtaLevelCounts{};
    __syncthreads();
    for (int turn = 0;; turn = (turn + 1) % 3) {
        CtaLevelCounts& size = sizes[turn];
        if (leader) sizes[(turn + 1) % 3] = CtaLevelCounts{};
        flip ^= 1;
        const Sink sink{s.queue[flip], nullptr, s.queue_capacity, {kListAll}, s.shortest};
        bool stop = level + 1 >= s.max_depth;
        expand_edges(frontier, s.out_indices, 1,
                     [&](const int (&v)[kFlight], const int (&parent)[kFlight]) {
                         bool won[kFlight];
#pragma unroll
                         for (int u = 0; u < kFlight; ++u)
                             won[u] = v[u] >= 0 && v[u] != frontier.source;
                         int name[kFlight];
                         name_parents<Labels>(s, parent, won, name);
                         claim(visited, v, won);
                         Listing<Offset, kFlight> rows;
                         int wins = 0;
#pragma unroll
                         for (int u = 0; u < kFlight; ++u) {
                             rows.vertex[u] = v[u];
                             wins += __popc(__ballot_sync(kFull, won[u]));
                         }
                         if (wins == 0) return;
                         rows.look_up(indptr, won, sink.shortest);
                         visit<Labels>(s, v, name, won, level + 1);
#pragma unroll
                         for (int u = 0; u < kFlight; ++u) stop |= won[u] && v[u] == s.target;
                         if ((threadIdx.x & 31) == 0) atomicAdd(&size.found, wins);
                         if (!rows.append(sink, &size.queued)) size.overflow = 1;
                     });
        ++level;
        stop = __syncthreads_or(stop);
        const u64 queued = size.queued;
        const u32 found = size.found, overflow = size.overflow;
        if (s.trace && leader) trace_level(s, level, kPushCta, frontier.edges + leaves, found);
        if (stop || overflow || found == 0 || edges_of(queued) > static_cast<u64>(s.cta_leave)) {
            if (!leader) return;
            *out = FrontierSize{.queued = queued,
                                .reports = found,
                                .overflow = overflow,
                                .level = level,
                                .depth = depth,
                                .passed = reached};
            return;
        }
        reached += found;
        depth = level;
        frontier =
            RowList<Offset>{s.queue[flip], rows_of(queued), static_cast<Offset>(edges_of(queued))};
        leaves = leaves_of(s, found, rows_of(queued));
    }
}
