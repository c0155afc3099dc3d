// After a search whose levels are known: which source owns a vertex, and its least parent.
//
//   bfs_least_parents   one source: every vertex takes the first in-neighbour that is one level up
//   bfs_owners          several: owners spread from level to level, the least (owner, parent) wins
//
// Both end up the same whatever the order in which threads run.  Rows are the caller's, columns
// rising.
#include "cuda/bfs/bfs_least_parents.cuh"

// `parents` holds any valid tree and leaves with the least one; 0 < rows of `in`.
template <typename Offset>
__global__ void __launch_bounds__(kThreads, 2)
    bfs_least_parents(const Offset* __restrict__ indptr, const int* __restrict__ indices, int n,
                      const int* __restrict__ levels, int* parents, Chunk* chunks,
                      LeastParentsState* state, Summary* summary) {
    const int lane = threadIdx.x & 31, warps = gridDim.x * kWarps;
    const int warp = blockIdx.x * kWarps + (threadIdx.x >> 5);
    for (i64 base = static_cast<i64>(warp) * 32; base < n; base += static_cast<i64>(warps) * 32) {
        const int v = static_cast<int>(base) + lane;
        const int up = base + lane < n ? levels[v] - 1 : -1;
        Offset at = up >= 0 ? indptr[v] : 0;
        const Offset end = up >= 0 ? indptr[v + 1] : 0;
        // Most rows end at one of their first few entries, by a lane alone.
        bool open = at < end;
        const Offset alone = min(end, static_cast<Offset>(at + kAlone));
        for (; open && at < alone; ++at) {
            const int u = indices[at];
            if (levels[u] != up) continue;
            parents[v] = u;
            open = false;
        }
        open = open && at < end;
        for (u32 left = __ballot_sync(kFull, open); left; left &= left - 1) {
            const int turn = __ffs(left) - 1;
            const Offset from = __shfl_sync(kFull, at, turn), to = __shfl_sync(kFull, end, turn);
            const Offset stop = min(to, static_cast<Offset>(from + kChunk));
            const int row = __shfl_sync(kFull, v, turn), above = __shfl_sync(kFull, up, turn);
            if (least_of_run(indices, levels, from, stop, above, row, parents)) continue;
            list_chunks<Offset>(chunks, &state->size[0].chunks, 0, row, stop, to);
        }
    }
    grid_barrier(&state->barrier);
    const int listed = __ldcg(&state->size[0].chunks);
    for (int i = warp; i < listed; i += warps) {
        const int v = chunks[i].vertex;
        const Offset begin = static_cast<Offset>(chunks[i].begin);
        // Columns rise: past the least parent known there is none less.
        if (indices[begin] >= __ldcg(parents + v)) continue;
        const Offset end = min(indptr[v + 1], static_cast<Offset>(begin + kChunk));
        least_of_run(indices, levels, begin, end, levels[v] - 1, v, parents);
    }
    finish(state, summary);
}

// `keys` (all ones) become (owner, parent); `queue` has room for all vertices.
template <typename Offset>
__global__ void __launch_bounds__(kThreads, 2)
    bfs_owners(const Offset* __restrict__ indptr, const int* __restrict__ indices, int n,
               const int* __restrict__ levels, const int* __restrict__ sources,
               const int* __restrict__ positions, int count, u64* keys, int* queue, Chunk* chunks,
               int* parents, int* owners, LeastParentsState* state, Summary* summary) {
    const int lane = threadIdx.x & 31, warps = gridDim.x * kWarps;
    const int warp = blockIdx.x * kWarps + (threadIdx.x >> 5);
    const int thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;

    Spread<Offset> spread{indices, levels, keys, queue, 0, &state->size[0].rows};
    for (i64 base = static_cast<i64>(warp) * 32; base < count;
         base += static_cast<i64>(warps) * 32) {
        const int i = static_cast<int>(base) + lane;
        const int s = base + lane < count ? sources[i] : -1;
        const bool valid = static_cast<u32>(s) < static_cast<u32>(n);
        const int position = !valid ? 0 : positions ? positions[i] : i;
        spread.offer(valid ? s : -1, static_cast<u64>(position) << 32 | static_cast<u32>(s));
    }
    grid_barrier(&state->barrier);

    int begin = 0, end = __ldcg(&state->size[0].rows), chunk_base = 0;
    for (int level = 0; begin < end; ++level) {
        SpreadCounts* const next = state->size + (level + 1) % 3;
        if (thread == 0) state->size[(level + 2) % 3] = SpreadCounts{};
        spread.base = end;
        spread.size = &next->rows;
        spread.level = level + 1;
        // A lane a row, a narrow frontier spread over all warps; long rows by the warp together.
        for (i64 first = begin; first < end; first += threads) {
            const i64 place = first + static_cast<i64>(lane) * warps + warp;
            const int u = place < end ? __ldcg(queue + place) : -1;
            Offset at = u >= 0 ? indptr[u] : 0;
            const Offset stop = u >= 0 ? indptr[u + 1] : 0;
            const u64 key = u >= 0 ? keyed(__ldcg(keys + u), u) : 0;
            const bool alone = stop - at <= kLane;
            for (Offset e = at; __any_sync(kFull, alone && e < stop); ++e)
                spread.edge(alone && e < stop ? indices[e] : -1, key);
            for (u32 left = __ballot_sync(kFull, !alone); left; left &= left - 1) {
                const int turn = __ffs(left) - 1;
                const Offset from = __shfl_sync(kFull, at, turn);
                const Offset to = __shfl_sync(kFull, stop, turn);
                const u64 its = __shfl_sync(kFull, key, turn);
                const Offset until = min(to, static_cast<Offset>(from + kChunk));
                spread.run(from, until, its);
                list_chunks<Offset>(chunks, &next->chunks, chunk_base, __shfl_sync(kFull, u, turn),
                                    until, to);
            }
        }
        grid_barrier(&state->barrier);
        const int listed = __ldcg(&next->chunks);
        for (int i = warp; i < listed; i += warps) {
            const Chunk chunk = chunks[chunk_base + i];
            const Offset from = static_cast<Offset>(chunk.begin);
            const Offset to = min(indptr[chunk.vertex + 1], static_cast<Offset>(from + kChunk));
            spread.run(from, to, keyed(__ldcg(keys + chunk.vertex), chunk.vertex));
        }
        if (listed) grid_barrier(&state->barrier);
        chunk_base += listed;
        begin = end;
        end += __ldcg(&next->rows);
    }
    for (i64 v = thread; v < n; v += threads) {
        const u64 key = __ldcg(keys + v);
        owners[v] = static_cast<int>(key >> 32);
        if (parents) parents[v] = static_cast<int>(static_cast<u32>(key));
        if (levels[v] < 0) {
            owners[v] = -1;
            if (parents) parents[v] = -1;
        }
    }
    finish(state, summary);
}
