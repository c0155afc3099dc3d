// Step 1 of a pull: the heads of a task's open rows.
#pragma once
#include "bfs_pull_warp.cuh"

// Which of a lane's sixteen rows are open, four of each block: bit 4 b + j.
__device__ __forceinline__ u32 open_rows(u32 words) {
    u32 open = 0;
#pragma unroll
    for (int i = 0; i < 4 * kMaxBlocks; ++i)
        open |= (~__shfl_sync(kFull, words, i) >> (threadIdx.x & 31) & 1) << i;
    return open;
}

// What step 1 needs of a task: asked for while the task before is looked at.
template <typename Level>
struct Heads {
    u32 words = kFull;  // the task's status, a word a lane
    u32 open = 0;       // this lane's open rows, see open_rows
    int4 first[kMaxBlocks];

    __device__ __forceinline__ Heads() {
#pragma unroll
        for (int b = 0; b < kMaxBlocks; ++b)
            first[b] = make_int4(kNoNeighbour, kNoNeighbour, kNoNeighbour, kNoNeighbour);
    }
    __device__ __forceinline__ Heads(const Search& s, int task, u32 status) : Heads() {
        words = status;
        open = open_rows(status);
        const int4* const heads = reinterpret_cast<const int4*>(s.heads);
#pragma unroll
        for (int b = 0; b < kMaxBlocks; ++b) {
            if (kHead<Level> == 1 && (open >> 4 * b & 15))
                first[b] = __ldg(heads + (task * s.blocks_per_task + b) * 32 + (threadIdx.x & 31));
        }
    }
};

// Heads of one entry a row.  A negative head ends its row; kNoNeighbour is none.
template <typename Level, typename Offset>
__device__ __forceinline__ void look_at_one(const Search& s, PullWarp<Offset>& warp, int task,
                                            const Heads<Level>& heads, int level) {
    const int lane = threadIdx.x & 31, block0 = task * s.blocks_per_task;
    const u32 open = heads.open;
    int head[4 * kMaxBlocks];
    u32 looks = 0, more = 0;
#pragma unroll
    for (int b = 0; b < kMaxBlocks; ++b) {
        const int x[4] = {heads.first[b].x, heads.first[b].y, heads.first[b].z, heads.first[b].w};
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int i = 4 * b + j;
            looks |= (x[j] != kNoNeighbour ? 1u : 0u) << i;
            more |= (x[j] >= 0 ? 1u : 0u) << i;
            head[i] = x[j] < 0 ? ~x[j] : x[j];
        }
    }
    const u32 hits = warp.visited.among(head, looks & open);
#pragma unroll
    for (int b = 0; b < kMaxBlocks; ++b) {
        const int4 parents =
            make_int4(head[4 * b], head[4 * b + 1], head[4 * b + 2], head[4 * b + 3]);
        if (!__any_sync(kFull, open >> 4 * b & 15)) continue;
        visit_four<Level>(s, (block0 + b) * kBlock + 4 * lane, open >> 4 * b & 15,
                          hits >> 4 * b & 15, parents, level + 1);
        warp.settle(b, hits >> 4 * b, (open & more & ~hits) >> 4 * b);
    }
}

// Heads of four entries a row, those of rows 4 l + j of a block under [j][l]; a block's are asked
// for while the one before is looked at.
template <typename Level, typename Offset>
__device__ __forceinline__ void look_at_four(const Search& s, PullWarp<Offset>& warp, int task,
                                             u32 opens, int level) {
    const int lane = threadIdx.x & 31, block0 = task * s.blocks_per_task;
    const int4* const heads = reinterpret_cast<const int4*>(s.heads) + block0 * i64{kBlock} + lane;
    int4 packed[4];
    const auto ask = [&](int b) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            packed[j] = make_int4(kNoNeighbour, kNoNeighbour, kNoNeighbour, kNoNeighbour);
            if (opens >> (4 * b + j) & 1) packed[j] = load_entries(heads + b * kBlock + j * 32);
        }
    };
    ask(0);
    for (int b = 0; b < s.blocks_per_task; ++b) {
        int head[16];
        u32 looks = 0, more = 0;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int x[4] = {packed[j].x, packed[j].y, packed[j].z, packed[j].w};
            more |= (x[3] >= 0 ? 1u : 0u) << j;
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                looks |= (x[k] != kNoNeighbour ? 1u : 0u) << (4 * j + k);
                head[4 * j + k] = x[k] < 0 ? ~x[k] : x[k];
            }
        }
        if (b + 1 < s.blocks_per_task) ask(b + 1);
        const u32 open = opens >> 4 * b & 15;
        if (!__any_sync(kFull, open)) continue;
        const u32 seen = warp.visited.among(head, looks);
        int parent[4];
        u32 hits = 0;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            parent[j] = -1;
#pragma unroll
            for (int k = 3; k >= 0; --k)
                if (seen >> (4 * j + k) & 1) parent[j] = head[4 * j + k];
            hits |= (parent[j] >= 0 ? 1u : 0u) << j;
        }
        visit_four<Level>(s, (block0 + b) * kBlock + 4 * lane, open, hits,
                          make_int4(parent[0], parent[1], parent[2], parent[3]), level + 1);
        warp.settle(b, hits, open & more & ~hits);
    }
}

template <typename Level, typename Offset>
__device__ __forceinline__ void look_at_heads(const Search& s, PullWarp<Offset>& warp, int task,
                                              const Heads<Level>& heads, int level) {
    if constexpr (kHead<Level> == 1)
        look_at_one<Level>(s, warp, task, heads, level);
    else
        look_at_four<Level>(s, warp, task, heads.open, level);
}
