// The list of rows to expand, and how it is cut into equal work.
//
// One 64-bit atomic carries (rows, edges): it hands out slots in the list and, in the order of the
// slots, the number of edges before each row.  So the level that reads the list cuts it into equal
// runs of edges by a search, whatever the degrees, and no scan runs in between.
#pragma once
#include "bfs_state.cuh"

__device__ __forceinline__ u64 edges_of(u64 queued) { return queued & ((1ull << kEdgeBits) - 1); }
__device__ __forceinline__ int rows_of(u64 queued) { return static_cast<int>(queued >> kEdgeBits); }

// A row of the list: vertex, where its entries begin, how many edges of the list lie before it.
template <typename Offset>
struct QueuedRow {
    int vertex;
    Offset begin;
    Offset before;

    __device__ static QueuedRow load(const int4* at) {
        const int4 x = *at;  // cached: the barrier before this level dropped what L1 held
        const i64 begin = static_cast<i64>(x.w & 0xffff) << 32 | static_cast<u32>(x.y);
        const i64 before = static_cast<i64>(x.w >> 16) << 32 | static_cast<u32>(x.z);
        return {x.x, static_cast<Offset>(begin), static_cast<Offset>(before)};
    }
    __device__ void store(int4* at) const {
        const i64 b = begin, f = before;
        *at = make_int4(vertex, static_cast<int>(b), static_cast<int>(f),
                        static_cast<int>(b >> 32 | (f >> 32) << 16));
    }
};

// Rows to expand: a list, or the one row of a source, which nobody has to write down.
template <typename Offset>
struct RowList {
    const int4* rows;
    int count;
    Offset edges;
    int source = -1;
    Offset begin = 0;

    __device__ __forceinline__ QueuedRow<Offset> operator[](int i) const {
        if (i >= count) return {-1, 0, edges};
        return rows ? QueuedRow<Offset>::load(rows + i) : QueuedRow<Offset>{source, begin, 0};
    }
};

template <typename T>
__device__ __forceinline__ T scan_warp(T x) {
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        const T y = __shfl_up_sync(kFull, x, d);
        if (lane >= d) x += y;
    }
    return x;
}

constexpr int kFlight = 4;  // edges in flight a lane

// Calls visit_edges(neighbours, rows) for every edge, kFlight a lane, by all lanes of a warp
// together; a neighbour of -1 is no edge.  The first `ctas` CTAs share the work.
template <typename Offset, typename Visit>
__device__ __forceinline__ void expand_edges(const RowList<Offset>& list, const int* indices,
                                             int ctas, Visit&& visit_edges) {
    const int lane = threadIdx.x & 31;
    const int warp = (threadIdx.x >> 5) * ctas + blockIdx.x;  // small lists spread over all SMs
    const Offset warps = ctas * kWarps;
    const Offset run = ((list.edges + warps - 1) / warps + 31) & ~Offset{31};
    Offset at = warp * run;
    const Offset end = min(list.edges, static_cast<Offset>(at + run));
    if (at >= end) return;
    int row = 0;  // the last one with no more than `at` edges before it, by 32 probes at a time
    for (int range = list.count; range > 1;) {
        const int step = (range + 31) / 32;
        const int probe = row + lane * step;
        const bool before = lane * step < range && list[probe].before <= at;
        const int skip = (__popc(__ballot_sync(kFull, before)) - 1) * step;
        row += skip;
        range = min(step, range - skip);
    }
    for (; at < end; row += 31) {
        // Lane 31's row only bounds the run of the others.
        const QueuedRow<Offset> mine = list[row + lane];
        const Offset stop = min(end, __shfl_sync(kFull, mine.before, 31));
        const Offset shift = mine.begin - mine.before;
        for (; at < stop; at += 32 * kFlight) {
            int neighbour[kFlight], from[kFlight];
#pragma unroll
            for (int u = 0; u < kFlight; ++u) {
                const Offset edge = at + 32 * u + lane;
                int owner = 0;
#pragma unroll
                for (int step = 16; step; step >>= 1)
                    if (__shfl_sync(kFull, mine.before, owner + step) <= edge) owner += step;
                const Offset entry = __shfl_sync(kFull, shift, owner) + edge;
                from[u] = __shfl_sync(kFull, mine.vertex, owner);
                neighbour[u] = edge < stop ? __ldg(indices + entry) : -1;
            }
            visit_edges(neighbour, from);
        }
        at = stop;
    }
}

// Where rows are listed.  More than `limit` edges are enough to know that the next level pulls and
// needs no list.
struct Sink {
    int4* rows;
    FrontierSize* size;
    int capacity;
    i64 limit;

    __device__ bool fits(u64 queued) const {
        return rows_of(queued) <= capacity && static_cast<i64>(edges_of(queued)) <= limit;
    }
};

// The rows of a warp's lanes, `length` entries from `begin` each (none where 0), listed with one
// atomic. False when the list is given up.
template <typename Offset>
__device__ bool list_rows(const Sink& sink, u64* queued, int v, Offset begin, Offset length) {
    const int lane = threadIdx.x & 31;
    const Offset upto = scan_warp(length);
    const u32 mask = __ballot_sync(kFull, length > 0);
    const u64 total = (static_cast<u64>(__popc(mask)) << kEdgeBits) +
                      static_cast<u64>(__shfl_sync(kFull, upto, 31));
    u64 base = 0;
    if (lane == 0) base = atomicAdd(queued, total);
    base = __shfl_sync(kFull, base, 0);
    if (!sink.fits(base + total)) return false;
    const Offset before = static_cast<Offset>(edges_of(base)) + upto - length;
    if (length > 0)
        QueuedRow<Offset>{v, begin, before}.store(sink.rows + rows_of(base) +
                                                  __popc(mask & lanes_below()));
    return true;
}

// The same for vertices found: their rows become the next frontier.
template <typename Offset>
__device__ bool enqueue_warp(const Sink& sink, const Offset* indptr, int v, bool active) {
    const Offset begin = active ? __ldg(indptr + v) : 0;
    const Offset length = active ? __ldg(indptr + v + 1) - begin : 0;
    const bool kept = list_rows(sink, &sink.size->queued, v, begin, length);
    if (!kept && (threadIdx.x & 31) == 0) sink.size->overflow = 1;
    return kept;
}

// Found vertices of a CTA, staged per warp until 32 make an atomic worth while.
struct Stage {
    int vertex[kWarps][64];
    u32 found;
    u32 overflow;
    u64 total[kWarps];
    u64 base;
};

// A warp's view of the stage during one level.
template <typename Offset>
struct Finds {
    Stage& stage;
    const Sink& sink;  // in shared memory, as the stage: read when needed, not held in registers
    const Offset* indptr;
    int staged = 0;
    u32 found = 0;
    bool recording;

    __device__ Finds(Stage& stage, const Sink& sink, const Offset* indptr)
        : stage(stage), sink(sink), indptr(indptr), recording(sink.limit > 0) {}

    __device__ __forceinline__ void add(int v, bool active) {
        const u32 mask = __ballot_sync(kFull, active);
        if (mask == 0) return;
        found += __popc(mask);
        if (!recording) return;
        int* const mine = stage.vertex[threadIdx.x >> 5];
        if (active) mine[staged + __popc(mask & lanes_below())] = v;
        staged += __popc(mask);
        __syncwarp();
        if (staged > 32) {
            staged -= 32;
            recording = enqueue_warp(sink, indptr, mine[staged + (threadIdx.x & 31)], true);
            __syncwarp();
        }
    }

    // All warps of the CTA: what is left is listed with one atomic a CTA.  Ends with the stage
    // free.
    __device__ void finish() {
        const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
        const bool active = recording && lane < staged;
        const int v = active ? stage.vertex[warp][lane] : 0;
        const Offset begin = active ? __ldg(indptr + v) : 0;
        const Offset length = active ? __ldg(indptr + v + 1) - begin : 0;
        const Offset upto = scan_warp(length);
        const u32 mask = __ballot_sync(kFull, length > 0);
        if (lane == 31)
            stage.total[warp] =
                (static_cast<u64>(__popc(mask)) << kEdgeBits) + static_cast<u64>(upto);
        if (lane == 0 && found) atomicAdd(&stage.found, found);
        if (lane == 0 && !recording) stage.overflow = 1;
        if (__syncthreads_or(mask != 0)) {
            if (warp == 0) {
                const u64 own = lane < kWarps ? stage.total[lane] : 0;
                const u64 all = scan_warp(own);
                if (lane < kWarps) stage.total[lane] = all - own;
                if (lane == 31) {
                    stage.base = atomicAdd(&sink.size->queued, all);
                    if (!sink.fits(stage.base + all)) stage.overflow = 1;
                }
            }
            __syncthreads();
            const u64 base = stage.base + stage.total[warp];
            if (length > 0 && !stage.overflow)
                QueuedRow<Offset>{v, begin, static_cast<Offset>(edges_of(base)) + upto - length}
                    .store(sink.rows + rows_of(base) + __popc(mask & lanes_below()));
        }
        if (threadIdx.x == 0 && stage.found)
            atomicAdd(reinterpret_cast<u64*>(&sink.size->vertices), u64{stage.found});
        if (threadIdx.x == 0 && stage.overflow) sink.size->overflow = 1;
        __syncthreads();
        if (threadIdx.x == 0) stage.found = stage.overflow = 0;
    }
};
