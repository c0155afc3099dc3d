// The visitors that tie expansion to queues, and the expansion of a whole queue.
#pragma once
#include "cuda/expansion/expansion_state.cuh"

// Edges go to the edge queue of `d`.
template <typename Offset>
struct ToEdgeQueue {
    static constexpr bool kSlots = true;
    static constexpr bool kCounts = false;
    const Traversal& t;
    const int d;
    LaneCounts* sums;  // of `Counted`, as below

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
    static constexpr bool kCounts = false;
    const int* indices;
    Discovery discover;
    WarpQueue<Offset> queue;
    LaneCounts* sums;

    __device__ __forceinline__ void operator()(const Edge<Offset>& edge, bool valid) {
        const int v = valid ? indices[edge.position] : 0;
        queue.add(v, discover(v, edge.parent, valid));
    }
};

// Where every edge is, in line: work redistribution apart from neighbour gathering.
template <typename Offset>
struct ToLocations {
    static constexpr bool kSlots = false;
    static constexpr bool kCounts = false;
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

// Edge queue of `d` to edge queue of `d + 1`; what is new stays in registers.
template <typename Offset, class Strategy>
__device__ __forceinline__ void contract_and_expand(const Traversal& t, int d, i64 count,
                                                    Discovery& discover,
                                                    ExpandShared<Offset>& shared) {
    discover.level = d;
    ToEdgeQueue<Offset> visit{t, d + 1, t.lanes};
    for (i64 first = static_cast<i64>(blockIdx.x) * kCta; first < count;
         first += static_cast<i64>(gridDim.x) * kCta) {
        const i64 i = first + threadIdx.x;
        const bool valid = i < count;
        const int v = valid ? t.edges[d & 1][i] : 0;
        const int origin = valid && t.parents ? t.origins[d & 1][i] : 0;
        const bool fresh = discover(v, origin, valid);
        const u32 lanes = __ballot_sync(kAll, fresh);
        if (lanes && (threadIdx.x & 31) == 0)
            atomicAdd(&level_of(t, d).vertices, static_cast<u64>(__popc(lanes)));
        Row<Offset> row{};
        if (fresh && d < t.max_depth) row = load_row(static_cast<const Offset*>(t.indptr), v);
        expand_tile<Strategy>(row, shared, visit);
    }
}
