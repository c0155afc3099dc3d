// Levels of few edges, one after another in one cooperative launch.
#pragma once
#include "cuda/expansion/expansion_visitors.cuh"
#include "cuda/grid/grid_barrier.cuh"

// contract_expand for as many levels as have `small` edges or fewer, a cooperative launch.
template <typename Offset, class Strategy>
__global__ void __launch_bounds__(kCta, 1) run_small(const Traversal t) {
    __shared__ ExpandShared<Offset> shared;
    __shared__ int history[kHistory];
    __shared__ i64 slots;  // of the level to contract
    int d = t.depth;
    Discovery discover = discovery(t, history, d);
    discover.forget();
    // By one thread a CTA: every warp of the grid would ask for the same 32 bytes.
    const auto read_counts = [&] {
        slots = static_cast<i64>(*const_cast<volatile u64*>(&level_of(t, d).slots));
    };
    if (first_thread()) t.control->vertices = t.control->edges = 0;
    if (threadIdx.x == 0) read_counts();
    __syncthreads();
    while (0 < slots && slots <= min(t.small, t.edge_capacity)) {
        if (first_thread()) level_of(t, d + 2) = {};
        contract_and_expand<Offset, Strategy>(t, d, slots, discover, shared);
        ++d;
        grid_barrier(&t.control->barrier, read_counts);
        if (first_thread()) {
            t.control->vertices += level_of(t, d - 1).vertices;
            t.control->edges += slots;
        }
    }
    if (first_thread()) t.control->depth = d;
}

// expand_contract for as many levels as have `small` edges or fewer and no row that would keep its
// CTA while the others wait; a cooperative launch.
template <typename Offset, class Strategy>
__global__ void __launch_bounds__(kCta, 1) run_few(const Traversal t) {
    __shared__ ExpandShared<Offset> shared;
    __shared__ int history[kHistory];
    __shared__ int staged[kWarps][64];
    __shared__ int rows, width;  // of the level to expand; no rows: the end
    int d = t.depth;
    ToVertexQueue<Offset> visit{t.indices, discovery(t, history, d + 1),
                                vertex_queue<Offset>(t, staged, d + 1), t.lanes};
    visit.discover.forget();
    const auto read_counts = [&] {
        const volatile Level& level = level_of(t, d);
        const u64 vertices = level.vertices, edges = level.edges, longest = level.longest;
        rows = 0;
        if (edges == 0 || edges > t.small || longest > t.longest || vertices > t.vertex_capacity ||
            d >= t.max_depth)
            return;
        rows = static_cast<int>(vertices);
        width = spread(threads_of_row(static_cast<u32>(edges), static_cast<u32>(vertices)), rows);
        shared.lanes = 1 < width && width <= 32 ? width : 0;
        if (!first_thread()) return;
        level_of(t, d + 2) = {};
        t.control->vertices += vertices;
        t.control->edges += edges;
    };
    if (first_thread()) t.control->vertices = t.control->edges = 0;
    if (threadIdx.x == 0) read_counts();
    __syncthreads();
    while (rows) {
        visit.discover.level = d + 1;
        visit.queue.queue = t.vertices[(d + 1) & 1];
        visit.queue.level = &level_of(t, d + 1);
        expand_queue<Strategy>(t.vertices[d & 1], rows, width, static_cast<const Offset*>(t.indptr),
                               shared, visit);
        visit.queue.flush();
        ++d;
        grid_barrier(&t.control->barrier, read_counts);
    }
    if (first_thread()) t.control->depth = d;
}
