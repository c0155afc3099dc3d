// Pull (bottom-up): every unvisited row probes for one visited in-neighbour and stops at the first.
//
// A neighbour that is visited when the level starts has exactly the frontier's level, else this row
// would have been reached before: the visited bits are the frontier bits, read from one buffer,
// written to the other.
//
//   step 1   the prefix of every open row, dense and coalesced (bfs_pull_prefix.cuh), or row by
//            row (bfs_pull_sparse.cuh) where few are open
//   step 2   rows that their prefix did not decide, collected until they fill a warp's lanes,
//            a sector of eight entries at a time (bfs_pull_rows.cuh)
//   step 3   what is left of longer rows, listed and cut into equal runs of edges over the grid
#pragma once
#include "cuda/bfs/bfs_pull_prefix.cuh"
#include "cuda/bfs/bfs_pull_sparse.cuh"

// Steps 1 and 2 over all rows; `cache` is where `visited` finds what it has in shared memory.
template <typename Offset, typename Labels>
__device__ __forceinline__ void pull_level(const Search& s, const CachedVisited& visited, u32* next,
                                           u32* cache, PullShared& shared, bool sparse, bool sends,
                                           int level, const Sink& long_rows, Finds<Offset>& finds) {
    const int lane = threadIdx.x & 31, in_cta = threadIdx.x >> 5;
    const u32* const visited_bits = visited.global;
    for (int i = threadIdx.x; i < visited.cached / kBlock; i += kThreads)
        reinterpret_cast<uint4*>(cache)[i] =
            __ldcg(reinterpret_cast<const uint4*>(visited_bits) + i);
    __syncthreads();
    const int words = (s.n + kBlock - 1) / kBlock * 4, per_task = s.blocks_per_task * 4;
    const int tasks = (words + per_task - 1) / per_task;
    const int first = in_cta * gridDim.x + blockIdx.x, stride = gridDim.x * kWarps;
    const auto own = [&](int task) { return own_task(s, task); };
    const auto words_of = [&](int task) {
        const int word = task * per_task + lane;
        return task < tasks && lane < per_task && word < words ? __ldcg(visited_bits + word)
                                                               : kFull;
    };
    PullWarp<Offset> warp{s,     visited, shared.rows[in_cta], shared.next[in_cta], per_task,
                          first, stride};
    TaskPrefixes<Labels> ahead;
    u32 upcoming = kFull;
    if (!sparse) {
        ahead = TaskPrefixes<Labels>(s, first, words_of(own(first)));
        upcoming = words_of(own(first + stride));
    }
    for (int task = first; own(task) < tasks; task += stride) {
        const bool last = own(task + stride) >= tasks;
        bool full;
        if (sparse) {
            if (warp.tasks == 0) copy_visited(warp, words);
            list_open(warp);
            full = last || warp.is_full();
            if (full) probe_listed<Labels>(s, warp, level, finds);
            // None were asked for; set again, so that no register holds them through this branch.
            ahead = TaskPrefixes<Labels>();
            upcoming = kFull;
        } else {
            const TaskPrefixes<Labels> prefixes = ahead;
            ahead = TaskPrefixes<Labels>(s, task + stride, upcoming);
            upcoming = words_of(own(task + 2 * stride));
            warp.fresh = 0;
            if (__any_sync(kFull, prefixes.open)) probe_prefixes(s, warp, task, prefixes, level);
            warp.end_task(prefixes.words, finds);
            full = last || warp.is_full();
        }
        if (full) {
            probe_rows<Labels>(s, warp, level, long_rows, finds);
            warp.write(next, words, sends);
        }
    }
}

// Step 3, after a grid barrier: `next` is final but for the bits of the rows listed.
template <typename Offset, typename Labels>
__device__ __forceinline__ void pull_long_rows(const Search& s, const RowList<Offset>& rows,
                                               const CachedVisited& visited, u32* next, bool sends,
                                               int level, Finds<Offset>& finds) {
    expand_edges(rows, s.in_indices, gridDim.x,
                 [&](const int (&neighbour)[kFlight], const int (&row)[kFlight]) {
                     u32 probes = 0;
#pragma unroll
                     for (int u = 0; u < kFlight; ++u) probes |= (neighbour[u] >= 0 ? 1u : 0u) << u;
                     const u32 hits = visited.among(neighbour, probes);
                     bool won[kFlight];
#pragma unroll
                     for (int u = 0; u < kFlight; ++u) won[u] = hits >> u & 1;
                     int name[kFlight];
                     name_parents<Labels>(s, neighbour, won, name);
                     claim(next, row, won);
                     if (kPeers && sends) show_claims(s, next, row, won);
                     visit<Labels>(s, row, name, won, level + 1);
                     finds.add(row, won);
                 });
}
