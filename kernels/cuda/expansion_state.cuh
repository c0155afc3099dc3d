// What a level-synchronous search reads and writes, and the visitors that tie expansion to queues.
#pragma once
#include "discovery.cuh"
#include "expand_merge_path.cuh"

struct Control {
    Level level[3];
    u64 vertices, edges;  // expanded by run_small or run_few
    int depth;            // where it stopped
    u32 barrier;
};

// One argument block, filled by the launcher; must match TRAVERSAL in cuda/expansion.py.
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
    int width;    // see expand_queue
    int longest;  // row with which run_few goes on
};

#ifdef TRAVERSAL_BYTES
static_assert(sizeof(Traversal) == TRAVERSAL_BYTES);
#endif

__device__ __forceinline__ Level& level_of(const Traversal& t, int d) {
    return t.control->level[d % 3];
}

__device__ __forceinline__ bool first_thread() { return blockIdx.x == 0 && threadIdx.x == 0; }

__device__ __forceinline__ Discovery discovery(const Traversal& t, int* history, int level) {
    return {t.visited, t.levels, t.parents, history, t.culling, level};
}

template <typename Offset>
__device__ __forceinline__ WarpQueue<Offset> vertex_queue(const Traversal& t, int (*held)[64],
                                                          int d) {
    return {held[threadIdx.x / 32], t.vertices[d & 1], t.vertex_capacity,
            static_cast<const Offset*>(t.indptr), &level_of(t, d)};
}

// -- visitors ------------------------------------------------------------------------------------

// Edges go to the edge queue of `d`.
template <typename Offset>
struct ToEdgeQueue {
    static constexpr bool kSlots = true;
    const Traversal& t;
    const int d;

    __device__ __forceinline__ i64 reserve(i64 edges) {
        return edges ? static_cast<i64>(atomicAdd(&level_of(t, d).slots, static_cast<u64>(edges)))
                     : 0;
    }
    __device__ __forceinline__ void operator()(const Edge<Offset>& edge, bool valid) {
        if (!valid || edge.slot >= t.edge_capacity) return;
        t.edges[d & 1][edge.slot] = t.indices[edge.position];
        if (t.parents) t.origins[d & 1][edge.slot] = edge.parent;
    }
};

// Neighbours are looked up at once; new ones go to a vertex queue.
template <typename Offset>
struct ToVertexQueue {
    static constexpr bool kSlots = false;
    const int* indices;
    Discovery discover;
    WarpQueue<Offset> queue;

    __device__ __forceinline__ void operator()(const Edge<Offset>& edge, bool valid) {
        const int v = valid ? indices[edge.position] : 0;
        queue.add(v, discover(v, edge.parent, valid));
    }
};

// Where every edge is, in line: work redistribution apart from neighbour gathering.
template <typename Offset>
struct ToLocations {
    static constexpr bool kSlots = false;
    Offset* locations;
    int* owners;

    __device__ __forceinline__ void operator()(const Edge<Offset>& edge, bool valid) {
        if (!valid) return;
        locations[edge.slot] = edge.position;
        owners[edge.slot] = edge.parent;
    }
};

// Over how many threads a row of few edges is spread so that a tile has about an edge for each.
__device__ __forceinline__ int threads_of_row(u32 edges, u32 rows) {
    const u32 mean = (edges + rows - 1) / rows;
    return mean <= 1 ? 1 : min(kCta, 1 << (32 - __clz(static_cast<int>(mean - 1))));
}

// The vertex queue of `d`, by any strategy.
template <class Strategy, typename Offset, class Visit>
__device__ __forceinline__ void expand_frontier(const Traversal& t, int d, int width,
                                                ExpandShared<Offset>& shared, Visit& visit) {
    const int* queue = t.vertices[d & 1];
    const i64 rows = static_cast<i64>(level_of(t, d).vertices);
    if constexpr (Strategy::kPath) {
        const Offset* prefix = static_cast<const Offset*>(t.prefix);
        const Path<Offset> path{queue,
                                prefix,
                                static_cast<const Offset*>(t.shift),
                                static_cast<const Offset*>(t.locations),
                                t.owners,
                                rows,
                                static_cast<i64>(prefix[rows])};
        if constexpr (Visit::kSlots)
            if (first_thread()) visit.reserve(path.edges);
        Strategy::expand(path, shared, visit);
    } else {
        expand_queue<Strategy>(queue, rows, width, static_cast<const Offset*>(t.indptr), shared,
                               visit);
    }
}
