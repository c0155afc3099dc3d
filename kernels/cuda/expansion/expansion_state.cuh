// What a level-synchronous search reads and writes.
#pragma once
#include "cuda/expansion/discovery.cuh"
#include "cuda/expansion/expand_counted.cuh"

// Of a launch that takes its tiles in order: how many are taken, and how many written.
struct Turns {
    u32 taken, written;
};

struct Control {
    Level level[3];
    u64 vertices, edges;  // expanded by run_small or run_few
    int depth;            // where it stopped
    u32 barrier;
    Turns turns[2];  // of contraction, and of expansion
};
// clang-format off
SHARED_STRUCT(Control, 136,
    FIELD(level, 0) FIELD(vertices, 96) FIELD(edges, 104) FIELD(depth, 112) FIELD(barrier, 116)
    FIELD(turns, 120));
// clang-format on

// One argument block, filled by the launcher, as TRAVERSAL in cuda/expansion/kernels.py.
struct Traversal {
    const void* indptr;  // [n + 1]
    const int* indices;
    const int* sources;  // or null: `source`
    u32* visited;        // [n / 32 + 1]
    int* levels;         // [n]
    int* parents;        // [n] or null
    int* vertices[2];    // vertex queues
    int* edges[2];       // edge queues: neighbours,
    int* origins[2];     // and where they were reached from
    void* prefix;        // [vertex capacity + 1], merge path only, as the next four
    void* shift;         // [vertex capacity]
    i64* sums;           // one a CTA of a prefix sum
    void* locations;     // [edge capacity] positions in the CSR of all edges in line,
    int* owners;         // [edge capacity] and whose they are
    Control* control;
    i64 vertex_capacity, edge_capacity;
    i64 small;  // edges up to which run_small and run_few go on
    int n, source, source_count;
    int depth, max_depth;
    u32 culling;
    int width;          // see expand_queue
    int longest;        // row with which run_few goes on
    LaneCounts* lanes;  // of strategies that count, else null
};

// clang-format off
SHARED_STRUCT(Traversal, 208,
    FIELD(indptr, 0) FIELD(indices, 8) FIELD(sources, 16) FIELD(visited, 24) FIELD(levels, 32)
    FIELD(parents, 40) FIELD(vertices[0], 48) FIELD(vertices[1], 56) FIELD(edges[0], 64)
    FIELD(edges[1], 72) FIELD(origins[0], 80) FIELD(origins[1], 88) FIELD(prefix, 96)
    FIELD(shift, 104) FIELD(sums, 112) FIELD(locations, 120) FIELD(owners, 128) FIELD(control, 136)
    FIELD(vertex_capacity, 144) FIELD(edge_capacity, 152) FIELD(small, 160) FIELD(n, 168)
    FIELD(source, 172) FIELD(source_count, 176) FIELD(depth, 180) FIELD(max_depth, 184)
    FIELD(culling, 188) FIELD(width, 192) FIELD(longest, 196)
    FIELD(lanes, 200));
// clang-format on

__device__ __forceinline__ Level& level_of(const Traversal& t, int d) {
    return t.control->level[d % 3];
}

__device__ __forceinline__ bool first_thread() { return blockIdx.x == 0 && threadIdx.x == 0; }

__device__ __forceinline__ Discovery discovery(const Traversal& t, int* history, int level) {
    return {t.visited, t.levels, t.parents, history, t.culling, level};
}

template <typename Offset>
__device__ __forceinline__ WarpQueue<Offset> vertex_queue(const Traversal& t, int (*staged)[64],
                                                          int d) {
    return {staged[threadIdx.x / 32], t.vertices[d & 1], t.vertex_capacity,
            static_cast<const Offset*>(t.indptr), &level_of(t, d)};
}
