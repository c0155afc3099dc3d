// Pull (bottom-up): every unvisited row looks for one visited in-neighbour and stops at the first.
//
// A neighbour that is visited when the level starts has exactly the frontier's level, else this row
// would have been reached before: the visited bits are the frontier bits, read from one buffer,
// written to the other.
//
//   step 1   the head of every open row, dense and coalesced (bfs_heads.cuh), or, where few rows
//            are open, row by row (bfs_sparse.cuh)
//   step 2   rows that their head did not settle, collected until they fill a warp's lanes,
//            a sector of eight entries at a time (bfs_pull_rows.cuh)
//   step 3   what is left of longer rows, listed and cut into equal runs of edges over the grid
#pragma once
#include "bfs_heads.cuh"
#include "bfs_sparse.cuh"

// Steps 1 and 2 over all rows; `cache` is where `visited` finds what it has in shared memory.
template <typename Offset, typename Level>
__device__ __forceinline__ void pull_level(const Search& s, const Visited& visited, u32* next,
                                           u32* cache, PullShared& shared, bool sparse, int level,
                                           const Sink& rest, Finds<Offset>& finds) {
    const int lane = threadIdx.x & 31, in_cta = threadIdx.x >> 5;
    const u32* const seen = visited.global;
    for (int i = threadIdx.x; i < visited.cached / kBlock; i += kThreads)
        reinterpret_cast<uint4*>(cache)[i] = __ldcg(reinterpret_cast<const uint4*>(seen) + i);
    __syncthreads();
    const int words = (s.n + kBlock - 1) / kBlock * 4, per_task = s.blocks_per_task * 4;
    const int tasks = (words + per_task - 1) / per_task;
    const int first = in_cta * gridDim.x + blockIdx.x, stride = gridDim.x * kWarps;
    const auto words_of = [&](int task) {
        const int word = task * per_task + lane;
        return task < tasks && lane < per_task && word < words ? __ldcg(seen + word) : kFull;
    };
    PullWarp<Offset> warp{visited, shared.rows[in_cta], shared.next[in_cta], per_task, first,
                          stride};
    Heads<Level> ahead;
    u32 upcoming = kFull;
    if (!sparse) {
        ahead = Heads<Level>(s, first, words_of(first));
        upcoming = words_of(first + stride);
    }
    for (int task = first; task < tasks; task += stride) {
        const bool last = task + stride >= tasks;
        bool full;
        if (sparse) {
            if (warp.tasks == 0) copy_status(warp, words);
            list_open(warp);
            full = last || warp.is_full();
            if (full) look_at_listed<Level>(s, warp, level, finds);
            // None were asked for; set again, so that no register holds them through this branch.
            ahead = Heads<Level>();
            upcoming = kFull;
        } else {
            const Heads<Level> heads = ahead;
            ahead = Heads<Level>(s, task + stride, upcoming);
            upcoming = words_of(task + 2 * stride);
            warp.fresh = 0;
            if (__any_sync(kFull, heads.open)) look_at_heads(s, warp, task, heads, level);
            warp.end_task(heads.words, finds);
            full = last || warp.is_full();
        }
        if (full) {
            look_at_rows<Level>(s, warp, level, rest, finds);
            warp.write(next, words);
        }
    }
}

// Step 3, after a grid barrier: `next` is final but for the bits of the rows listed.
template <typename Offset, typename Level>
__device__ __forceinline__ void pull_rest(const Search& s, const RowList<Offset>& rest,
                                          const Visited& visited, u32* next, int level,
                                          Finds<Offset>& finds) {
    expand_edges(rest, s.in_indices, gridDim.x,
                 [&](const int (&neighbour)[kFlight], const int (&row)[kFlight]) {
                     u32 looks = 0;
#pragma unroll
                     for (int u = 0; u < kFlight; ++u) looks |= (neighbour[u] >= 0 ? 1u : 0u) << u;
                     const u32 hits = visited.among(neighbour, looks);
                     bool won[kFlight];
#pragma unroll
                     for (int u = 0; u < kFlight; ++u) won[u] = hits >> u & 1;
                     int name[kFlight];
                     name_parents<Level>(s, neighbour, won, name);
                     claim(next, row, won);
                     visit<Level>(s, row, name, won, level + 1);
                     finds.add(row, won);
                 });
}
