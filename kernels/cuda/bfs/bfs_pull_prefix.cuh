// Step 1 of a pull: the prefixes of a task's open rows.
#pragma once
#include "cuda/bfs/bfs_pull_warp.cuh"

// Which of a lane's sixteen rows are open, four of each block: bit 4 b + j.
__device__ __forceinline__ u32 open_rows(u32 words) {
    u32 open = 0;
#pragma unroll
    for (int i = 0; i < 4 * kMaxBlocks; ++i)
        open |= (~__shfl_sync(kFull, words, i) >> (threadIdx.x & 31) & 1) << i;
    return open;
}

// What step 1 needs of a task: asked for while the task before is probed.
template <typename Labels>
struct TaskPrefixes {
    u32 words = kFull;  // the task's visited bits, a word a lane
    u32 open = 0;       // this lane's open rows, see open_rows
    int4 first[kMaxBlocks];

    __device__ __forceinline__ TaskPrefixes() {
#pragma unroll
        for (int b = 0; b < kMaxBlocks; ++b)
            first[b] = make_int4(kNoNeighbour, kNoNeighbour, kNoNeighbour, kNoNeighbour);
    }
    __device__ __forceinline__ TaskPrefixes(const Search& s, int task, u32 visited)
        : TaskPrefixes() {
        words = visited;
        open = open_rows(visited);
        const int4* const prefixes = reinterpret_cast<const int4*>(s.row_prefix);
#pragma unroll
        for (int b = 0; b < kMaxBlocks; ++b) {
            if (Labels::kPrefixWidth == 1 && (open >> 4 * b & 15))
                first[b] =
                    __ldg(prefixes + (task * s.blocks_per_task + b) * 32 + (threadIdx.x & 31));
        }
    }
};

// Prefixes of one entry a row.
template <typename Labels, typename Offset>
__device__ __forceinline__ void probe_one_entry(const Search& s, PullWarp<Offset>& warp, int task,
                                                const TaskPrefixes<Labels>& prefixes, int level) {
    const int lane = threadIdx.x & 31, block0 = own_task(s, task) * s.blocks_per_task;
    const u32 open = prefixes.open;
    int first[4 * kMaxBlocks];
    u32 probes = 0, more = 0;
#pragma unroll
    for (int b = 0; b < kMaxBlocks; ++b) {
        const int x[4] = {prefixes.first[b].x, prefixes.first[b].y, prefixes.first[b].z,
                          prefixes.first[b].w};
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int i = 4 * b + j;
            probes |= (is_entry(x[j]) ? 1u : 0u) << i;
            more |= (row_goes_on(x[j]) ? 1u : 0u) << i;
            first[i] = neighbour_of(x[j]);
        }
    }
    const u32 hits = warp.visited.among(first, probes & open);
#pragma unroll
    for (int b = 0; b < kMaxBlocks; ++b) {
        const int4 parents =
            make_int4(first[4 * b], first[4 * b + 1], first[4 * b + 2], first[4 * b + 3]);
        if (!__any_sync(kFull, open >> 4 * b & 15)) continue;
        visit_four<Labels>(s, (block0 + b) * kBlock + 4 * lane, open >> 4 * b & 15,
                           hits >> 4 * b & 15, parents, level + 1);
        warp.record_prefix_hits(b, hits >> 4 * b, (open & more & ~hits) >> 4 * b);
    }
}

// Prefixes of four entries a row; a block's are asked for while the one before is probed.
template <typename Labels, typename Offset>
__device__ __forceinline__ void probe_four_entries(const Search& s, PullWarp<Offset>& warp,
                                                   int task, u32 opens, int level) {
    const int lane = threadIdx.x & 31, block0 = own_task(s, task) * s.blocks_per_task;
    const int4* const prefixes =
        reinterpret_cast<const int4*>(s.row_prefix) + task * s.blocks_per_task * i64{kBlock} + lane;
    int4 packed[4];
    const auto ask = [&](int b) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            packed[j] = make_int4(kNoNeighbour, kNoNeighbour, kNoNeighbour, kNoNeighbour);
            if (opens >> (4 * b + j) & 1) packed[j] = load_entries(prefixes + b * kBlock + j * 32);
        }
    };
    ask(0);
    for (int b = 0; b < s.blocks_per_task; ++b) {
        int entry[16];
        u32 probes = 0, more = 0;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int x[4] = {packed[j].x, packed[j].y, packed[j].z, packed[j].w};
            more |= (row_goes_on(x[3]) ? 1u : 0u) << j;
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                probes |= (is_entry(x[k]) ? 1u : 0u) << (4 * j + k);
                entry[4 * j + k] = neighbour_of(x[k]);
            }
        }
        if (b + 1 < s.blocks_per_task) ask(b + 1);
        const u32 open = opens >> 4 * b & 15;
        if (!__any_sync(kFull, open)) continue;
        const u32 found = warp.visited.among(entry, probes);
        int parent[4];
        u32 hits = 0;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            parent[j] = -1;
#pragma unroll
            for (int k = 3; k >= 0; --k)
                if (found >> (4 * j + k) & 1) parent[j] = entry[4 * j + k];
            hits |= (parent[j] >= 0 ? 1u : 0u) << j;
        }
        visit_four<Labels>(s, (block0 + b) * kBlock + 4 * lane, open, hits,
                           make_int4(parent[0], parent[1], parent[2], parent[3]), level + 1);
        warp.record_prefix_hits(b, hits, open & more & ~hits);
    }
}

template <typename Labels, typename Offset>
__device__ __forceinline__ void probe_prefixes(const Search& s, PullWarp<Offset>& warp, int task,
                                               const TaskPrefixes<Labels>& prefixes, int level) {
    if constexpr (Labels::kPrefixWidth == 1)
        probe_one_entry<Labels>(s, warp, task, prefixes, level);
    else
        probe_four_entries<Labels>(s, warp, task, prefixes.open, level);
}
