// Two phases whose tiles are taken, and written, in the order of the queue, by as few CTAs as the
// host launches: what local culling can tell when only so many tiles are in flight.
//
//     contract_in_order   edge queue -> vertex queue
//     expand_in_order     vertex queue -> edge queue
//
// A CTA takes the next tile when it is done with one, so that what it looks up has been claimed by
// all tiles but those in flight; its output follows that of the tile before.  It waits only for
// CTAs that took their tiles earlier and so are running, however many the grid has.
#include "cuda/expansion/expansion_visitors.cuh"

// The next tile, for all threads of the CTA.
__device__ __forceinline__ i64 take_tile(Turns& turns, u32* shared_tile) {
    __syncthreads();  // all have read the one before
    if (threadIdx.x == 0) *shared_tile = atomicAdd(&turns.taken, 1u);
    __syncthreads();
    return *shared_tile;
}

// By one thread: adds to a queue's counts when all tiles before this one have; `add` gives what it
// found there.
template <typename Add>
__device__ __forceinline__ i64 in_turn(Turns& turns, u32 tile, Add&& add) {
    u32 written;
    do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                     : "=r"(written)
                     : "l"(&turns.written)
                     : "memory");
    } while (written != tile);
    const i64 base = add();
    asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(&turns.written), "r"(1u)
                 : "memory");
    return base;
}

// Edge queue of `depth` to vertex queue of `depth`.
template <typename Offset>
__global__ void __launch_bounds__(kCta, 4) contract_in_order(const Traversal t) {
    __shared__ int history[kHistory];
    __shared__ i64 warp_sums[kWarps];
    __shared__ i64 base;
    __shared__ u32 shared_tile;
    Discovery discover = discovery(t, history, t.depth);
    discover.forget();
    if (first_thread()) {
        level_of(t, t.depth + 2) = {};
        t.control->turns[1] = {};
    }
    Turns& turns = t.control->turns[0];
    Level& level = level_of(t, t.depth);
    const i64 count = static_cast<i64>(level.slots);
    for (i64 tile; (tile = take_tile(turns, &shared_tile)) * kCta < count;) {
        const i64 i = tile * kCta + threadIdx.x;
        const bool valid = i < count;
        const int v = valid ? t.edges[t.depth & 1][i] : 0;
        const int origin = valid && t.parents ? t.origins[t.depth & 1][i] : 0;
        const bool fresh = discover(v, origin, valid);
        Row<Offset> row{};
        if (fresh) row = load_row(static_cast<const Offset*>(t.indptr), v);
        if (row.degree >= static_cast<int>(kLong))
            atomicMax(&level.longest, static_cast<u64>(row.degree));
        i64 found, edges;
        const i64 rank = exclusive_sum(fresh, warp_sums, found);
        exclusive_sum(row.degree, warp_sums, edges);
        if (threadIdx.x == 0) {
            base = in_turn(turns, static_cast<u32>(tile), [&] {
                atomicAdd(&level.edges, static_cast<u64>(edges));
                return static_cast<i64>(atomicAdd(&level.vertices, static_cast<u64>(found)));
            });
        }
        __syncthreads();
        if (fresh && base + rank < t.vertex_capacity) t.vertices[t.depth & 1][base + rank] = v;
    }
}

// Edges go to the edge queue behind those of the tile before.
template <typename Offset>
struct ToEdgeQueueInOrder {
    static constexpr bool kSlots = true;
    static constexpr bool kCounts = false;
    ToEdgeQueue<Offset> visit;
    Turns& turns;
    u32 tile;

    __device__ __forceinline__ i64 reserve(i64 edges) {
        return in_turn(turns, tile, [&] {
            return static_cast<i64>(
                atomicAdd(&level_of(visit.t, visit.d).slots, static_cast<u64>(edges)));
        });
    }
    __device__ __forceinline__ void operator()(const Edge<Offset>& edge, bool valid) {
        visit(edge, valid);
    }
};

// Vertex queue of `depth` to edge queue of `depth + 1`.
template <typename Offset, class Strategy>
__global__ void __launch_bounds__(kCta, 4) expand_in_order(const Traversal t) {
    __shared__ ExpandShared<Offset> shared;
    __shared__ u32 shared_tile;
    if (first_thread()) t.control->turns[0] = {};
    Turns& turns = t.control->turns[1];
    ToEdgeQueueInOrder<Offset> visit{{t, t.depth + 1, t.lanes}, turns, 0};
    const int* queue = t.vertices[t.depth & 1];
    const i64 count = static_cast<i64>(level_of(t, t.depth).vertices);
    for (i64 tile; (tile = take_tile(turns, &shared_tile)) * kCta < count;) {
        const i64 i = tile * kCta + threadIdx.x;
        Row<Offset> row{};
        if (i < count) row = load_row(static_cast<const Offset*>(t.indptr), queue[i]);
        visit.tile = static_cast<u32>(tile);
        expand_tile<Strategy>(row, shared, visit);
    }
}
